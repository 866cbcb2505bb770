// Where a conversation may be cut, and its older part as text for whoever sums it up.
import { charsPerToken, type Entry, entryChars, inOrder, textOfResult } from './entry';

/** Entries at the end that are kept word for word, at most. */
const mostKept = 12;
/** Longest piece of a transcript, in characters: input and result of a call, a text. */
const longestInput = 2_000;
const longestResult = 4_000;
const longestText = 20_000;
/** Longest request of a person that is repeated word for word beside a summary, in characters. */
const longestRequest = 8_000;

export interface Cut {
  /** Everything up to this event goes; it lies between call and result of no pair. */
  readonly throughSeq: number;
  readonly dropped: readonly Entry[];
  readonly droppedTokens: number;
}

/**
 * Cuts so that about `keepTokens` stay, and always what was said since the model last spoke. Null when there is no place to
 * cut or nothing before it.
 */
export function chooseCut(entries: readonly Entry[], keepTokens: number): Cut | null {
  const firstNew = entries.findLastIndex((entry) => entry.kind === 'assistant') + 1;
  if (firstNew === 0) return null;
  let keptChars = 0;
  let at = entries.length;
  for (let index = entries.length - 1; index > 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    keptChars += entryChars(entry);
    const fits = keptChars / charsPerToken <= keepTokens && entries.length - index <= mostKept;
    if (!fits && index < firstNew) break;
    if (mayCutBefore(entries, index)) at = index;
  }
  const dropped = entries.slice(0, at);
  const last = dropped.at(-1);
  if (last === undefined) return null;
  const kept = entries[at];
  const throughSeq = kept === undefined ? lastSeqOf(last) : kept.seq - 1;
  const chars = dropped.reduce((sum, entry) => sum + entryChars(entry), 0);
  return { throughSeq, dropped, droppedTokens: Math.round(chars / charsPerToken) };
}

/** Before a message of the person or the model, when all results of earlier calls are in. */
function mayCutBefore(entries: readonly Entry[], index: number): boolean {
  const [entry, before] = [entries[index], entries[index - 1]];
  if (entry === undefined || before === undefined || entry.kind === 'context') return false;
  // A message that the model goes on with after a pause is one with what follows.
  if (before.kind === 'assistant' && before.stopReason === 'pause_turn' && entry.kind === 'assistant') return false;
  return entries.slice(Math.max(0, index - mostKept), index).every((earlier) => lastSeqOf(earlier) < entry.seq);
}

function lastSeqOf(entry: Entry): number {
  return entry.kind === 'assistant' ? entry.lastSeq : entry.seq;
}

/** The person's latest request among entries, word for word as far as it is not too long; null when there is none. */
export function lastRequest(entries: readonly Entry[]): string | null {
  const last = entries.findLast((entry) => entry.kind === 'person');
  return last?.kind === 'person' ? ends(last.text, longestRequest) : null;
}

/** The entries as text of at most about `maxChars` characters; the oldest part of a longer one is left out. */
export function transcript(
  shown: { readonly summary: string | null; readonly entries: readonly Entry[] },
  maxChars: number,
): string {
  const pieces = shown.entries.map(pieceOf).filter((piece) => piece !== '');
  let left = maxChars - (shown.summary?.length ?? 0);
  let first = pieces.length;
  while (first > 0 && left > 0) {
    first -= 1;
    left -= pieces[first]?.length ?? 0;
  }
  return [
    ...(shown.summary === null ? [] : [`[summary of what came before]\n${shown.summary}`]),
    ...(first === 0 ? [] : [`[${first} older pieces are left out here]`]),
    ...pieces.slice(first),
  ].join('\n\n');
}

function pieceOf(entry: Entry): string {
  if (entry.kind !== 'assistant') {
    return `[${entry.kind === 'person' ? 'person' : 'note'}]\n${ends(entry.text, longestText)}`;
  }
  const lines = inOrder(entry).flatMap(([index, { block }]) => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [`[model]\n${ends(block.text, longestText)}`];
    if (block.type !== 'tool_use') return [];
    const result = entry.results.get(index);
    const outcome = result === undefined ? 'no result' : result.isError ? 'error' : 'result';
    const call = `[call of ${block.name}] ${ends(JSON.stringify(block.input), longestInput)}`;
    return [`${call}\n[${outcome}]\n${result === undefined ? '' : ends(textOfResult(result), longestResult)}`];
  });
  return lines.join('\n\n');
}

/** Beginning and end of a text that is too long, never cut inside a character. */
function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}
