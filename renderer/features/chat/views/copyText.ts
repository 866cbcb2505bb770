// What a card's copy button puts on the clipboard.
import type { View } from '#shared/tools/presentation';
import { assertNever } from '#shared/util/assertNever';
import { parseAnsi, plainText } from '../cards/ansi';

/** A view as plain text: a command with its output and exit code, a change with its signs; null for pictures. */
export function copyTextOf(view: View): string | null {
  switch (view.kind) {
    case 'terminal': {
      const exit = view.exitCode === undefined || view.exitCode === null ? '' : `[exit ${view.exitCode}]`;
      const output = view.output === undefined ? '' : plainText(parseAnsi(view.output));
      return [`$ ${view.command}`, output, exit].filter((part) => part !== '').join('\n');
    }
    case 'diff': {
      const lines = view.hunks.flatMap((hunk) => hunk.lines.map((line) => `${line.sign}${line.text}`));
      return [view.path, ...lines].join('\n');
    }
    case 'text':
    case 'markdown':
      return view.text;
    case 'image':
      return null;
    case 'table':
      return [view.columns, ...view.rows].map((row) => row.join('\t')).join('\n');
    case 'json':
      return JSON.stringify(view.value, null, 2);
    case 'files':
      return view.files.map((file) => file.path).join('\n');
    default:
      return assertNever(view, 'view');
  }
}
