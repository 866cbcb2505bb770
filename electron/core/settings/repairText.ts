// Makes a settings text parse that does not, by the smallest changes that people would make by hand.
import { createScanner, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { faultsIn, placeOf, readSettingsText, splice } from './settingsText';

export interface Repair {
  readonly after: string;
  /** What was done, in words, with lines of the text as it was at that moment. */
  readonly notes: readonly string[];
}

/** A text with more faults than this was not broken by a slip. */
const mostChanges = 500;
/** Each change reads the whole text again. */
const longest = 1_000_000;

interface Change {
  readonly text: string;
  readonly note: string;
}

/** Null when the text parses already, or when nothing sensible can be made of it. */
export function repairSettingsText(broken: string): Repair | null {
  if (broken.length > longest) return null;
  const mark = broken.startsWith('\uFEFF') ? '\uFEFF' : '';
  let text = broken.slice(mark.length);
  const notes: string[] = [];
  while (notes.length < mostChanges) {
    const faults = faultsIn(text);
    if (faults === null) return null;
    const [fault] = faults;
    if (fault === undefined) break;
    const change = mend(text, fault);
    if (change === null || change.text === text) return null;
    notes.push(`Line ${placeOf(text, fault.offset).line}: ${change.note}`);
    text = change.text;
  }
  const read = readSettingsText(mark + text);
  if (notes.length === 0 || !read.ok || read.value.root.type !== 'object') return null;
  return { after: mark + text, notes };
}

/** Offset behind the last character before `offset` that is no blank. */
function endBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

/** The bracket that closes what is open before `offset`; null: nothing is. Texts and comments hold none. */
function closerOf(text: string, offset: number): ']' | '}' | null {
  const open: (']' | '}')[] = [];
  const scanner = createScanner(text, true);
  for (;;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    if (at >= offset) return open.at(-1) ?? null;
    const token = scanner.getTokenLength() === 1 ? text.charAt(at) : '';
    if (token === '[') open.push(']');
    else if (token === '{') open.push('}');
    else if (token === ']' || token === '}') open.pop();
  }
}

/** A bracket of the other kind than the open one: the right one was left out before it. */
function withBracket(text: string, offset: number): Change | null {
  const here = text.charAt(offset);
  const closer = here === ']' || here === '}' ? closerOf(text, offset) : null;
  return closer === null || closer === here ? null : closed(text, offset, closer);
}

function mend(text: string, fault: ParseError): Change | null {
  return withBracket(text, fault.offset) ?? mendAs(text, fault);
}

function mendAs(text: string, { error, offset, length }: ParseError): Change | null {
  const here = text.charAt(offset);
  switch (printParseErrorCode(error)) {
    case 'InvalidCommentToken':
      return withoutComment(text, offset, length);
    case 'PropertyNameExpected':
    case 'ValueExpected':
      return withoutComma(text, offset) ?? withQuotes(text, offset);
    case 'CommaExpected': {
      if (here === ',') return { text: splice(text, offset, offset + 1, ''), note: 'took out a comma too much' };
      const end = endBefore(text, offset);
      return { text: splice(text, end, end, ','), note: 'put in a missing comma' };
    }
    case 'ColonExpected': {
      const end = endBefore(text, offset);
      return { text: splice(text, end, end, ':'), note: 'put in a missing colon' };
    }
    case 'CloseBraceExpected':
      return closed(text, offset, '}');
    case 'CloseBracketExpected':
      return closed(text, offset, ']');
    case 'EndOfFileExpected':
      if (!/^[\]},;]$/.test(here)) return null;
      return { text: splice(text, offset, offset + 1, ''), note: `took out a ${here} too much` };
    case 'UnexpectedEndOfString':
      return withEndOfString(text, offset);
    case 'InvalidSymbol':
      return withQuotes(text, offset);
    case 'InvalidCharacter':
      return withoutControl(text, offset, length);
    default:
      return null;
  }
}

function withoutComment(text: string, offset: number, length: number): Change {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const end = offset + length;
  const alone = text.slice(lineStart, offset).trim() === '' && /^[ \t]*\r?\n/.test(text.slice(end));
  if (!alone) return { text: splice(text, endBefore(text, offset), end, ''), note: 'took out a comment' };
  const next = text.indexOf('\n', end) + 1;
  return { text: splice(text, lineStart, next, ''), note: 'took out a comment' };
}

function withoutComma(text: string, offset: number): Change | null {
  const end = endBefore(text, offset);
  const here = text.charAt(offset);
  if (text.charAt(end - 1) === ',' && (here === '}' || here === ']' || offset >= text.length))
    return { text: splice(text, end - 1, end, ''), note: 'took out a comma behind the last entry' };
  if (here === ',') return { text: splice(text, offset, offset + 1, ''), note: 'took out a comma too much' };
  return null;
}

/** `'text'` and bare names get the quotes that JSON wants. */
function withQuotes(text: string, offset: number): Change | null {
  const rest = text.slice(offset);
  const single = /^'((?:[^'\\\n]|\\.)*)'/.exec(rest);
  if (single !== null) {
    const inner = (single[1] ?? '').replaceAll("\\'", "'");
    const quoted = `"${inner.replaceAll(/(^|[^\\])"/g, '$1\\"')}"`;
    return {
      text: splice(text, offset, offset + single[0].length, quoted),
      note: 'put double quotes in the place of single ones',
    };
  }
  const name = /^[A-Za-z_$][\w$-]*(?=\s*:)/.exec(rest);
  if (name === null) return null;
  return { text: splice(text, offset, offset + name[0].length, `"${name[0]}"`), note: 'put quotes around a name' };
}

function closed(text: string, offset: number, bracket: ']' | '}'): Change {
  const end = endBefore(text, offset);
  const before = text.charAt(end - 1) === ',' ? end - 1 : end;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const atEnd = offset >= text.length || text.slice(offset).trim() === '';
  const put = atEnd ? `${eol}${bracket}` : bracket;
  return { text: splice(text, before, end, put), note: `put in a missing ${bracket}` };
}

/** A text that is not closed ends where its line ends, before a comma there. */
function withEndOfString(text: string, offset: number): Change {
  const newline = text.indexOf('\n', offset);
  const lineEnd = newline === -1 ? text.length : newline;
  const line = text.slice(offset, lineEnd);
  const kept = line.replace(/[\s,]*$/, '');
  return { text: splice(text, offset + kept.length, offset + kept.length, '"'), note: 'closed a text' };
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\b': '\\b', '\f': '\\f' };

function withoutControl(text: string, offset: number, length: number): Change | null {
  const piece = text.slice(offset, offset + Math.max(1, length));
  const escaped = [...piece]
    .map((character) =>
      character < ' '
        ? (escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : character,
    )
    .join('');
  return { text: splice(text, offset, offset + piece.length, escaped), note: 'wrote a control character as an escape' };
}
