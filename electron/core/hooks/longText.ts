// Long texts of hooks: the whole in a file, the beginning for whoever reads it.
import type { Vote } from './verdict';

/** Characters that are passed on as they are, and how many of a longer text. */
const longest = 10_000;
const preview = 2_000;

/** Keeps a text in a file of the session; null when it cannot be written. */
export type KeepText = (
  text: string,
  about: { readonly sessionId: string; readonly runId: string },
) => Promise<string | null>;

function start(text: string, length: number): string {
  const cut = text.slice(0, length);
  // Never half of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text for the trace. */
export function boundedText(text: string): string {
  return text.length <= longest ? text : `${start(text, longest - 1)}…`;
}

async function shortened(text: string, keep: (text: string) => Promise<string | null>): Promise<string> {
  if (text.length <= longest) return text;
  const file = await keep(text);
  const where = file === null ? 'The rest could not be kept.' : `The whole text is in ${file}.`;
  return `${start(text, preview)}\n… (${text.length.toLocaleString('en-US')} characters. ${where})`;
}

/** The vote with every text at most 10,000 characters long. */
export async function shortenVote(vote: Vote, keep: (text: string) => Promise<string | null>): Promise<Vote> {
  const short = (text: string): Promise<string> => shortened(text, keep);
  const orNull = async (text: string | null): Promise<string | null> => (text === null ? null : await short(text));
  const { opinion } = vote;
  return {
    ...vote,
    block: await orNull(vote.block),
    stop: await orNull(vote.stop),
    opinion: opinion === null ? null : { ...opinion, reason: await short(opinion.reason) },
    context: await Promise.all(vote.context.map(short)),
    messages: await Promise.all(vote.messages.map(short)),
  };
}
