// What the forms of an exported conversation share: times, the words for a call, signs that cannot be seen, lengths.
import { afterPair, beforePair } from '#shared/util/pairs';
import type { WrittenCall } from './conversationDocument';

/** Longer outputs are cut in the forms for reading, in characters; in a very long conversation much shorter ones, too. */
export const longestOutputs = { usual: 20_000, short: 1_500 };

/** How it is written for reading: `remark` says how it came about, `longest` is that of an output. */
export interface Reading {
  readonly remark: string;
  readonly longest: number;
}

/** `2026-01-05 09:00 UTC`. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** From when to when, or one time where both read the same. */
export function spanText(from: number, to: number): string {
  const [start, end] = [timeText(from), timeText(to)];
  return start === end ? start : `${start} to ${end}`;
}

const words: Readonly<Record<WrittenCall['status'], string>> = {
  checking: 'not ended',
  asking: 'waits for an answer',
  running: 'runs',
  succeeded: 'succeeded',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
};

/** `succeeded · 2.1 s · all of it, 54,000 bytes, was kept as a file`. */
export function outcomeText({ status, startedAt, endedAt, keptBytes }: WrittenCall): string {
  const parts = [words[status]];
  if (endedAt !== null && endedAt >= startedAt) parts.push(durationText(endedAt - startedAt));
  if (keptBytes !== null) parts.push(`all of it, ${keptBytes.toLocaleString('en-US')} bytes, was kept as a file`);
  return parts.join(' · ');
}

function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** An output as it is read: without escape sequences, cut in the middle when it is very long. */
export function readable(output: string, longest: number): string {
  const [head, tail] = [Math.ceil(longest * 0.7), Math.floor(longest * 0.3)];
  const text = output.replace(sequence, '').replaceAll('\r\n', '\n');
  if (text.length <= head + tail) return text;
  const start = text.slice(0, beforePair(text, head));
  const end = text.slice(afterPair(text, text.length - tail));
  const between = text.length - start.length - end.length;
  return `${start}\n[… ${between.toLocaleString('en-US')} characters …]\n${end}`;
}

const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-Z\\^-~])/g;

/** Controls but line ends and tabs, and formats that turn or hide text. Joiners belong to words of some languages. */
const unseen = /(?![\n\t])\p{Cc}|(?![\u200c\u200d])\p{Cf}|[\p{Cs}\u2028\u2029]/gu;

/** The text with what cannot be seen written out, as `⟨U+202E⟩`. */
export function seen(text: string): string {
  return text.replace(
    unseen,
    (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

export function oneLine(text: string): string {
  return seen(text.replace(/\s+/g, ' ').trim());
}
