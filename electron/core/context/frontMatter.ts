// The head of a Markdown file: the part of YAML that commands, skills and agents use, read leniently.

/** Longest head that is looked at, in characters, and how deep it may nest. */
const maxHead = 20_000;
const maxDepth = 12;

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text below the head. */
  readonly body: string;
  /** What could not be read, for people; empty when all is well. */
  readonly problem: string;
}

/** Splits a file at its head. A file without one, or with one that never ends, is all body. Never throws. */
export function splitFrontMatter(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '');
  const parts = partsOf(text);
  if (parts === null) return { fields: {}, body: text, problem: '' };
  const { head, body } = parts;
  if (head.length > maxHead) return { fields: {}, body, problem: `its head is longer than ${maxHead} characters` };
  try {
    const value = new Reader(head.split(/\r?\n/)).read();
    return { fields: isFields(value) ? value : {}, body, problem: '' };
  } catch (error) {
    if (!(error instanceof HeadError)) throw error;
    return { fields: {}, body, problem: error.message };
  }
}

/** Head and body; null without a head that ends. Takes time in proportion to the text. */
function partsOf(text: string): { readonly head: string; readonly body: string } | null {
  const first = text.indexOf('\n');
  if (first === -1 || !/^---[ \t]*\r?$/.test(text.slice(0, Math.min(first, 100)))) return null;
  for (let at = first; at !== -1; at = text.indexOf('\n---', at + 1)) {
    if (!text.startsWith('---', at + 1)) continue;
    const end = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, end === -1 ? undefined : Math.min(end, at + 100));
    if (/^---[ \t]*\r?$/.test(line))
      return { head: text.slice(first + 1, Math.max(first + 1, at)), body: end === -1 ? '' : text.slice(end + 1) };
  }
  return null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class HeadError extends Error {
  override readonly name = 'HeadError';
}

const keyLine = /^("(?:[^"\\]|\\.)*"\s*|'(?:[^']|'')*'\s*|[^\s#'"[\]{},:-][^:]*|-[^\s:][^:]*):(?:\s+(.*))?$/;

class Reader {
  private at = 0;

  constructor(private readonly lines: string[]) {}

  read(): unknown {
    return this.block(0, 0);
  }

  /** The next line that says something, without moving on; null at the end. */
  private peek(): { readonly indent: number; readonly text: string } | null {
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? '';
      const text = line.trim();
      if (text === '' || text.startsWith('#')) continue;
      const space = /^\s*/.exec(line)?.[0] ?? '';
      if (space.includes('\t')) throw new HeadError(`line ${this.at + 2} is indented with a tab; use spaces`);
      return { indent: space.length, text };
    }
    return null;
  }

  private block(indent: number, depth: number): unknown {
    if (depth > maxDepth) throw new HeadError(`its head nests deeper than ${maxDepth} levels`);
    const first = this.peek();
    if (first === null || first.indent < indent) return null;
    return /^-(\s|$)/.test(first.text) ? this.list(first.indent, depth) : this.fields(first.indent, depth);
  }

  private list(indent: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.peek(); line !== null && line.indent === indent; line = this.peek()) {
      const found = /^-(\s+|$)(.*)$/.exec(line.text);
      if (found === null) break;
      const [, gap = '', rest = ''] = found;
      if (rest === '') {
        this.at += 1;
        items.push(this.block(indent + 1, depth + 1));
      } else if (keyLine.test(rest)) {
        // The item is a set of fields whose first line stands behind the dash.
        const inner = indent + 1 + gap.length;
        this.lines[this.at] = ' '.repeat(inner) + rest;
        items.push(this.block(inner, depth + 1));
      } else {
        this.at += 1;
        items.push(this.value(rest, indent));
      }
    }
    return items;
  }

  private fields(indent: number, depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (let line = this.peek(); line !== null && line.indent >= indent; line = this.peek()) {
      const found = line.indent === indent ? keyLine.exec(line.text) : null;
      if (found === null) throw new HeadError(`line ${this.at + 2} of it is not understood`);
      const key = String(scalar((found[1] ?? '').trim()));
      const rest = (found[2] ?? '').trim();
      this.at += 1;
      entries.push([key, this.fieldValue(rest, indent, depth)]);
    }
    return Object.fromEntries(entries);
  }

  private fieldValue(rest: string, indent: number, depth: number): unknown {
    if (rest !== '' && !rest.startsWith('#')) return this.value(rest, indent);
    const next = this.peek();
    if (next === null) return null;
    const nested = next.indent > indent || (next.indent === indent && /^-(\s|$)/.test(next.text));
    return nested ? this.block(next.indent, depth + 1) : null;
  }

  private value(rest: string, indent: number): unknown {
    const style = /^([|>])[+-]?\d?\s*(#.*)?$/.exec(rest)?.[1];
    if (style !== undefined) return this.longText(indent, style === '>');
    if (/^["'[{]/.test(rest)) return scalar(this.closed(rest, indent));
    // Plain text may go on in lines that are indented further.
    let text = withoutComment(rest);
    for (let line = this.peek(); line !== null && line.indent > indent; line = this.peek()) {
      text += ` ${withoutComment(line.text)}`;
      this.at += 1;
    }
    return scalar(text);
  }

  /** A quoted text or a list in brackets, with the lines that it goes on in; without them where it is never closed. */
  private closed(rest: string, indent: number): string {
    const open = new OpenEnds();
    open.read(rest);
    const before = this.at;
    const taken = [rest];
    for (let line = this.peek(); open.any && line !== null; line = this.peek()) {
      if (line.indent <= indent && !/^[\]}]/.test(line.text)) break;
      open.read(` ${line.text}`);
      taken.push(line.text);
      this.at += 1;
    }
    if (!open.any) return taken.join(' ');
    this.at = before;
    return rest;
  }

  private longText(indent: number, folded: boolean): string {
    const taken: string[] = [];
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? '';
      const space = /^ */.exec(line)?.[0].length ?? 0;
      if (line.trim() !== '' && space <= indent) break;
      taken.push(line);
    }
    const spaces = taken.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
    const margin = spaces.length === 0 ? 0 : Math.min(...spaces);
    const text = taken.map((line) => line.slice(margin)).join('\n');
    // Folded, a line end is a blank, and an empty line is a line end.
    return (folded ? text.replaceAll(/\n+/g, (ends) => ends.slice(1) || ' ') : text).trim();
  }
}

/** Which quotes and brackets of a text are still open. */
class OpenEnds {
  private quote = '';
  private depth = 0;
  private escaped = false;
  /** Behind a closing quote or in a comment nothing opens any more. */
  private started = false;

  get any(): boolean {
    return this.quote !== '' || this.depth > 0;
  }

  read(text: string): void {
    for (const character of text) {
      if (this.started && !this.any) return;
      this.started = true;
      if (this.escaped) this.escaped = false;
      else if (this.quote !== '') {
        if (character === '\\' && this.quote === '"') this.escaped = true;
        else if (character === this.quote) this.quote = '';
      } else if (character === '"' || character === "'") this.quote = character;
      else if (character === '[' || character === '{') this.depth += 1;
      else if (character === ']' || character === '}') this.depth -= 1;
    }
  }
}

function withoutComment(text: string): string {
  return text.replace(/(?<=\s)#.*$/, '').trim();
}

function scalar(text: string): unknown {
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(#.*)?$/.exec(text);
  if (quoted !== null) return unescaped(quoted[1] ?? '');
  const single = /^'((?:[^']|'')*)'\s*(#.*)?$/.exec(text);
  if (single !== null) return (single[1] ?? '').replaceAll("''", "'");
  if (text.startsWith('[')) return flowList(text) ?? text;
  if (text.startsWith('{')) return parsedJson(text) ?? text;
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null' || text === '~') return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function unescaped(inner: string): string {
  const parsed = parsedJson(`"${inner}"`);
  return typeof parsed === 'string' ? parsed : inner.replaceAll(/\\(.)/g, '$1');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON, or `[a, "b, c"]`; commas inside quotes and round brackets part nothing. Null where it is neither. */
function flowList(text: string): unknown[] | null {
  const json = parsedJson(text);
  if (Array.isArray(json)) return json as unknown[];
  const inner = /^\[([^\]]*)\]\s*(#.*)?$/.exec(text)?.[1];
  if (inner === undefined) return null;
  return splitOutside(inner, /,/).map((item) => scalar(item));
}

/** Parts a text at separators that stand outside of quotes and round brackets; empty parts are left out. */
export function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  let depth = 0;
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || (character === "'" && part.trim() === '')) quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && separator.test(character)) {
      parts.push(part);
      part = '';
      continue;
    }
    part += character;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}
