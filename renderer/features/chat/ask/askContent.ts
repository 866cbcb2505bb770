// What of a call's input an ask writes out beside its picture: together they show every argument.
import type { PermissionAsk } from '#shared/session/ask';

export interface AskField {
  readonly name: string;
  readonly text: string;
}

export interface AskContent {
  /** Arguments written out verbatim. */
  readonly fields: readonly AskField[];
  /** Names of arguments that the picture shows in full already. */
  readonly inPicture: readonly string[];
  /** Whether the ask's view is drawn; a JSON view would only repeat the fields. */
  readonly drawView: boolean;
  /** Everything a person is asked to read, to find characters that cannot be seen. */
  readonly allText: string;
}

/** Text longer than this belongs to the change that a diff shows, not beside it. */
const shortChars = 200;

/** Splits the input into what the picture shows and what must be written out. */
export function askContent(ask: PermissionAsk): AskContent {
  const { input, view } = ask;
  const entries: [string, unknown][] =
    input !== null && typeof input === 'object' && !Array.isArray(input) ? Object.entries(input) : [['input', input]];
  const fields: AskField[] = [];
  const inPicture: string[] = [];
  for (const [name, value] of entries) {
    if (view.kind === 'terminal' && value === view.command) continue;
    if (view.kind === 'markdown' && value === view.text) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const long = text.includes('\n') || text.length > shortChars;
    if (view.kind === 'diff' && !view.truncated && view.hunks.length > 0 && long) inPicture.push(name);
    else fields.push({ name, text });
  }
  const whole = view.kind === 'terminal' ? view.command : view.kind === 'markdown' ? view.text : '';
  const changed =
    view.kind === 'diff' ? view.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)).join('\n') : '';
  return {
    fields,
    inPicture,
    drawView: view.kind !== 'json',
    allText: [whole, changed, ...fields.map((field) => field.text)].join('\n'),
  };
}
