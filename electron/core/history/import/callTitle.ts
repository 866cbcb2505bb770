import { visibleText } from '../../tools/visibleText';

const maxChars = 300;

/** Fields that say what a call is about, the most telling first. */
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'url',
  'pattern',
  'path',
  'query',
  'description',
  'skill',
  'code',
  'prompt',
];

/** One line that tells what a call does, as far as its input says; empty when it says nothing. */
export function callTitle(input: Readonly<Record<string, unknown>>): string {
  for (const field of telling) {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value);
  }
  const json = JSON.stringify(input);
  return json === '{}' ? '' : oneLine(json);
}

function oneLine(text: string): string {
  // Blanks are what most of a long text may be, so more than is shown is looked at.
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const shown = line.length > maxChars || text.length > maxChars * 4 ? `${line.slice(0, maxChars - 1)}…` : line;
  return visibleText(shown);
}
