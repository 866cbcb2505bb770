import type { TextRow } from '#shared/api/results';
import { host } from '../../../host/client';
import { reportFailure } from '../../../stores/toasts';
import { withoutColours } from '../../chat/cards/ansi';
import { copyText } from '../actions';

/** More than this many characters are no longer a piece of text to paste; the file itself can be saved. */
const maxChars = 1_000_000;
const pageRows = 1_000;

/** Rows as text: the parts of a line belong together. */
export function joinRows(rows: readonly Pick<TextRow, 'part' | 'text'>[]): string {
  return rows.map(({ part, text }, index) => (index > 0 && part === 0 ? `\n${text}` : text)).join('');
}

/** Copies rows `from` to `to`, both included. `raw`: with the sequences for colours. */
export async function copyRows(
  id: string,
  range: { readonly from: number; readonly to: number; readonly raw: boolean },
): Promise<void> {
  const { from, to, raw } = range;
  const rows: TextRow[] = [];
  let chars = 0;
  try {
    for (let at = from; at <= to && chars < maxChars; at += pageRows) {
      const count = Math.min(pageRows, to - at + 1);
      const page = await host().call('results.rows', { id, from: at, count });
      rows.push(...page.rows);
      chars += page.rows.reduce((sum, { text }) => sum + text.length + 1, 0);
      if (page.rows.length < count) break;
    }
  } catch (error) {
    reportFailure('Nothing was copied.', error);
    return;
  }
  const whole = joinRows(rows);
  const text = whole.slice(0, maxChars);
  const cut = chars >= maxChars;
  copyText(
    raw ? text : withoutColours(text),
    cut ? 'The first million characters' : rows.length === 1 ? 'Line' : 'Lines',
  );
}

/** Copies the whole line that a row is a part of, however long. */
export async function copyLineOf(id: string, row: number): Promise<void> {
  try {
    const { rows } = await host().call('results.rows', { id, from: row, count: 1 });
    const [first] = rows;
    if (first === undefined) return;
    const { text, truncated } = await host().call('results.line', { id, line: first.line });
    copyText(withoutColours(text), truncated ? 'The first million characters of the line' : 'Line');
  } catch (error) {
    reportFailure('Nothing was copied.', error);
  }
}
