import { structuredPatch } from 'diff';
import type { View } from '#shared/tools/presentation';

/** Longer texts, or more differences, are shown as removed and added whole: comparing them would hold up the page. */
const mostEdits = 500;
const contextLines = 2;

const linesOf = (text: string): readonly string[] => text.split('\n');

/** What became of a text, line by line. */
export function diffOf(
  path: string,
  { before, now }: { readonly before: string; readonly now: string },
): Extract<View, { kind: 'diff' }> {
  const patch = structuredPatch('', '', before, now, '', '', { context: contextLines, maxEditLength: mostEdits });
  const hunks =
    patch === undefined
      ? [
          {
            oldStart: 1,
            newStart: 1,
            lines: [
              ...linesOf(before).map((text) => ({ sign: '-' as const, text })),
              ...linesOf(now).map((text) => ({ sign: '+' as const, text })),
            ],
          },
        ]
      : patch.hunks.map(({ oldStart, newStart, lines }) => ({
          oldStart,
          newStart,
          lines: lines
            .filter((line) => !line.startsWith('\\'))
            .map((line) => ({
              sign: line.startsWith('+') ? ('+' as const) : line.startsWith('-') ? ('-' as const) : (' ' as const),
              text: line.slice(1),
            })),
        }));
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.sign === sign).length;
  return { kind: 'diff', path, created: false, hunks, added: count('+'), removed: count('-'), truncated: false };
}
