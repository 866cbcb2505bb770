// What a finished command means: a success, an answer with exit code 1, or a failure with advice.
import { basename } from 'node:path';
import type { OperationAnswers } from '#shared/api/executor';
import type { ResultBlock } from '#shared/session/events';
import type { View } from '#shared/tools/presentation';
import type { OutputCapture, OutputOutcome } from '../../executor/output';
import { refusedHostNotices } from '../../executor/refusedHosts';
import { ToolFailure } from '../tool';
import { counted, duration, grouped, oneLine } from '../wording';
import { exitOneIsAnswer } from './commandShape';
import { limitWords } from './limitWords';
import { looksLikeSandboxRefusal, sandboxAdvice } from './sandboxAdvice';

/**
 * Characters of output that the model gets unless the environment says otherwise: of a success, and of a failure, where
 * head and tail tell what went wrong.
 */
export const maxOutputChars = 30_000;
const maxFailureChars = 10_000;

/** A command that ended well. */
export interface BashOutput {
  /** The output as text; empty for an image. */
  readonly modelText: string;
  /** What the model is told besides: what an exit code means, where the shell is now. */
  readonly asides: readonly string[];
  /** Output with escapes, head and tail; `hiddenChars` lie between. */
  readonly terminal: string;
  readonly hiddenChars: number;
  readonly exitCode: number | null;
  /** "exit 0 · 1,204 characters". */
  readonly note: string;
  /** The file that holds the whole plain text, where it was too long to be given whole. */
  readonly written: OutputOutcome['written'];
  /** The output was one image and nothing else. */
  readonly image: OutputOutcome['image'];
  /** It has become a background task. */
  readonly goesOn: boolean;
}

interface Ended {
  readonly command: string;
  readonly timeoutMs: number;
  /** Longest timeout that may be asked for, in milliseconds. */
  readonly longestMs: number;
  /** Characters of a success that the model gets; the usual number when left out. */
  readonly longestChars?: number;
  readonly result: OperationAnswers['shell.run'];
  readonly capture: OutputCapture;
  /** A file had been reserved for the whole output. */
  readonly keepable: boolean;
}

const notKept =
  'The whole output could not be kept in a file: none could be made. Only its head and tail are here. If you need the middle, print less at once.';

/** The output of a command that succeeded; throws ToolFailure for all others. */
export function outcomeOf(ended: Ended): BashOutput {
  const { command, timeoutMs, longestMs, longestChars = maxOutputChars, result, capture } = ended;
  if (result.kind === 'failure') throw new ToolFailure('tool', result.message, { note: 'not started' });
  const size = counted(capture.totalChars, 'character');
  const shown = capture.terminal();
  const { written, image } = capture.outcome;
  const lost = !ended.keepable && image === null && capture.totalChars > longestChars;
  const notices = [...capture.outcome.notices, ...(lost ? [notKept] : []), ...refusedHostNotices(result.refusedHosts)];
  const base = {
    terminal: shown.text,
    hiddenChars: shown.hiddenChars,
    exitCode: result.exitCode,
    written,
    image,
    goesOn: false,
  };
  const failed = (kind: 'timeout' | 'aborted' | 'tool', how: { readonly text: string; readonly note: string }) => {
    const output = { ...base, image: null, note: `${how.note} · ${size}` };
    const kept = written === null ? [] : [`The whole output is in ${written.file}.`];
    return new ToolFailure(kind, paragraphs(how.text, ...kept, ...notices), {
      view: outcomeView(command, output),
      note: output.note,
    });
  };

  if (result.timedOut) {
    throw failed('timeout', {
      text: paragraphs(
        `The command was stopped at its timeout of ${duration(timeoutMs)}, with everything it had started. Output until then:`,
        printed(capture.plain(maxFailureChars)),
        `Next: let the command do less, or set a longer timeout (at most ${grouped(longestMs)} ms). If it never ends by itself, such as a server or a watcher, use run_in_background.`,
      ),
      note: `timed out after ${duration(timeoutMs)}`,
    });
  }
  if (result.replaced !== undefined) {
    throw failed('tool', {
      text: paragraphs(
        `The command was stopped, with everything it had started, because ${result.replaced} was replaced outside of the sandbox meanwhile: the sandbox keeps commands from changing that file or folder, and can do so only for commands that start now. Output until then:`,
        printed(capture.plain(maxFailureChars)),
        'Next: run the command again.',
      ),
      note: `stopped: ${basename(result.replaced)} was replaced`,
    });
  }
  if (result.limit !== undefined) {
    const { text, next, note } = limitWords(result.limit);
    throw failed('tool', { text: paragraphs(text, printed(capture.plain(maxFailureChars)), next), note });
  }
  if (result.aborted) {
    throw failed('aborted', {
      text: paragraphs(
        `The command was interrupted by the person after ${duration(result.durationMs)} and may have done part of its work. Output until then:`,
        printed(capture.plain(maxFailureChars)),
        'Do not run it again by yourself; wait for what the person says.',
      ),
      note: `interrupted after ${duration(result.durationMs)}`,
    });
  }
  if (result.exitCode === 0) {
    const note = `exit 0 · ${size}`;
    if (image !== null) return { ...base, modelText: '', asides: notices, note: `${note} · image` };
    const text = withoutEdgeLines(capture.plain(longestChars));
    const modelText = text === '' ? 'The command succeeded and printed nothing.' : text;
    return { ...base, modelText, asides: notices, note };
  }
  const output = capture.plain(maxFailureChars);
  if (result.exitCode === 1 && exitOneIsAnswer(command, output)) {
    const modelText = withoutEdgeLines(capture.plain(longestChars));
    const meaning = 'Exit code 1: nothing was found, or there is a difference. This is not an error.';
    return { ...base, image: null, modelText, asides: [meaning, ...notices], note: `exit 1 · ${size}` };
  }
  const ending =
    result.exitCode === null
      ? { text: `Ended by signal ${result.signal ?? 'unknown'}.`, note: result.signal ?? 'ended by a signal' }
      : { text: `Exit code ${result.exitCode}.`, note: `exit ${result.exitCode}` };
  const refused = result.sandboxed && looksLikeSandboxRefusal(output);
  throw failed('tool', {
    text: paragraphs(ending.text, printed(output), ...(refused ? [sandboxAdvice(output)] : [])),
    note: refused ? `${ending.note} · perhaps refused by the sandbox` : ending.note,
  });
}

/** What the model gets. Where a file holds the whole, the first text gives way to a preview of it, and what is said besides stays. */
export function outcomeBlocks({ modelText, asides, image, written }: BashOutput): ResultBlock[] {
  const blocks: ResultBlock[] = image === null ? [] : [{ type: 'image', ...image }];
  const said = asides.join('\n\n');
  const texts = written === null ? [paragraphs(...[modelText, said].filter((text) => text !== ''))] : [modelText, said];
  return [...blocks, ...texts.filter((text) => text !== '').map((text) => ({ type: 'text' as const, text }))];
}

/** The terminal as the card shows it, or the image that was printed. */
export function outcomeView(
  command: string,
  output: Pick<BashOutput, 'terminal' | 'hiddenChars' | 'exitCode' | 'image'>,
): View {
  const { terminal, hiddenChars, exitCode, image } = output;
  if (image !== null) return { kind: 'image', ...image, alt: `Image printed by ${oneLine(command, 100)}` };
  return { kind: 'terminal', command, output: terminal, hiddenChars, exitCode };
}

const paragraphs = (...texts: readonly string[]) => texts.join('\n\n');

function printed(output: string): string {
  const text = withoutEdgeLines(output);
  return text === '' ? '(no output)' : text;
}

/** Drops empty lines at both ends; blanks at the start of the first line stay, they may be alignment. */
const withoutEdgeLines = (text: string) => text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
