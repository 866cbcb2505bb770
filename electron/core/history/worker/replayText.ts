// The rows of a replay as a text for a spreadsheet, a program or a person.
import type { ReplayRow } from '#shared/api/history';
import type { Pace } from '../pastCalls';

/** A text beyond this is cut: nobody reads it, and the page must take it at once. */
const maxChars = 20_000_000;
const rowsPerBreath = 200;

const columns = ['Before', 'After', 'Calls', 'Tool', 'What', 'Folder', 'Last', 'At the time', 'Danger', 'Because'];

function cellsOf({ call, count, before, after, danger, because }: ReplayRow): readonly string[] {
  const last = new Date(call.at).toISOString();
  const risk = danger.score === 0 ? '' : `${danger.score}: ${danger.reason}`;
  return [before, after, String(count), call.tool, call.title, call.cwd, last, call.outcome, risk, because];
}

/** A spreadsheet takes some beginnings for a formula; what comes from a transcript must not become one. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const markdownCell = (text: string): string =>
  text.replace(/[\\|`<>*_[\]]/g, (sign) => `\\${sign}`).replace(/\s+/g, ' ');

const formats = {
  csv: {
    start: columns.map(csvCell).join(','),
    row: (row: ReplayRow) => cellsOf(row).map(csvCell).join(','),
    end: '',
  },
  markdown: {
    start: `| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|`,
    row: (row: ReplayRow) => `| ${cellsOf(row).map(markdownCell).join(' | ')} |`,
    end: '',
  },
  json: { start: '[', row: (row: ReplayRow) => JSON.stringify(row), end: ']' },
};

/** All rows in a format. */
export async function replayText(
  rows: readonly ReplayRow[],
  format: keyof typeof formats,
  pace: Pace,
): Promise<string> {
  const { start, row, end } = formats[format];
  const lines: string[] = [];
  let chars = 0;
  for (const [index, one] of rows.entries()) {
    const line = row(one);
    chars += line.length + 1;
    if (chars > maxChars) {
      // A list of objects must stay one.
      const note = `${rows.length - index} more are left out; filter to see them.`;
      lines.push(format === 'json' ? JSON.stringify({ note }) : note);
      break;
    }
    lines.push(line);
    if (index % rowsPerBreath === 0) await pace.breathe();
  }
  const body = lines.join(format === 'json' ? ',\n' : '\n');
  return `${[start, body, end].filter((part) => part !== '').join('\n')}\n`;
}
