// How a query picks tools: exact names, a server's prefix, or words with scores. Plain functions over names and texts.

/** What of a tool a search looks at. */
export interface Searched {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly searchHint: string;
  readonly prompt: string;
}

export type Query =
  | { readonly kind: 'select'; readonly names: readonly string[] }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly required: readonly string[] };

/** Points of a word for where it stands; a whole word counts more than a part of one. */
const points = { name: { whole: 12, part: 6 }, hint: { whole: 4, part: 2 }, description: { whole: 1, part: 0.5 } };
/** A query that is a tool's name stands first. */
const namePoints = 100;

/** Reads a query. Case does not matter. */
export function readQuery(text: string): Query {
  const query = text.trim();
  const selected = /^select\s*:(.*)$/is.exec(query)?.[1];
  if (selected !== undefined) {
    const names = selected
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return { kind: 'select', names: [...new Set(names)] };
  }
  if (/^mcp__\S*$/i.test(query)) return { kind: 'prefix', prefix: query.replace(/\*+$/, '').toLowerCase() };
  const given = query.toLowerCase().split(/\s+/);
  const required = given.filter((word) => word.length > 1 && word.startsWith('+')).map((word) => word.slice(1));
  const words = given.filter((word) => !word.startsWith('+') && word !== '');
  return { kind: 'words', words, required };
}

/** Tools that fit, best first; `select` keeps the order of its names. */
export function searchTools<T extends Searched>(tools: readonly T[], query: Query): readonly T[] {
  switch (query.kind) {
    case 'select':
      return [...new Set(query.names.flatMap((name) => exact(tools, name) ?? []))];
    case 'prefix':
      return [...tools.filter((tool) => tool.name.toLowerCase().startsWith(query.prefix))].sort(byName);
    case 'words':
      return tools
        .map((tool) => ({ tool, score: scoreOf(tool, query) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || byName(a.tool, b.tool))
        .map(({ tool }) => tool);
  }
}

/** The tool of this name, else of this old name, else of this name in other case. */
function exact<T extends Searched>(tools: readonly T[], name: string): T | undefined {
  const lower = name.toLowerCase();
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.aliases.includes(name)) ??
    tools.find((tool) => tool.name.toLowerCase() === lower)
  );
}

function byName(a: Searched, b: Searched): number {
  return a.name < b.name ? -1 : 1;
}

interface Texts {
  readonly name: Text;
  readonly hint: Text;
  readonly description: Text;
}

interface Text {
  readonly whole: string;
  readonly words: ReadonlySet<string>;
}

function scoreOf(tool: Searched, { words, required }: Extract<Query, { kind: 'words' }>): number {
  const texts: Texts = { name: textOf(tool.name), hint: textOf(tool.searchHint), description: textOf(tool.prompt) };
  const all = [...required, ...words];
  const scores = all.map((word) => wordScore(texts, word));
  if (scores.slice(0, required.length).some((score) => score === 0)) return 0;
  const named = all.length === 1 && all[0] === tool.name.toLowerCase() ? namePoints : 0;
  return named + scores.reduce((sum, score) => sum + score, 0);
}

function wordScore(texts: Texts, word: string): number {
  return (
    pointsIn(texts.name, word, 'name') +
    pointsIn(texts.hint, word, 'hint') +
    pointsIn(texts.description, word, 'description')
  );
}

function pointsIn(text: Text, word: string, place: keyof typeof points): number {
  if (text.words.has(word)) return points[place].whole;
  return text.whole.includes(word) ? points[place].part : 0;
}

/** `CronCreate` and `mcp__server__read_file` have several words. */
function textOf(text: string): Text {
  const split = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = split.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return { whole: text.toLowerCase(), words: new Set(words) };
}
