// What language servers answer, read leniently and made small: places, texts, symbols, diagnostics.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LanguageDiagnostic, LanguageLocation, LanguageServerResult } from '#shared/api/executor';

const maxLocations = 300;
const maxSymbols = 500;
const maxDiagnostics = 200;
const maxHoverChars = 20_000;
const maxTextChars = 2_000;
const deepestSymbol = 20;

type Answer<K extends LanguageServerResult['kind']> = Extract<LanguageServerResult, { kind: K }>;

const Count = z.number().int().min(0).max(2_000_000_000);
const Position = z.object({ line: Count, character: Count });
const Range = z.object({ start: Position, end: Position });
const Location = z.object({ uri: z.string(), range: Range });
const LocationLink = z.object({ targetUri: z.string(), targetSelectionRange: Range });

/** Of `Location`, lists of it or of `LocationLink`, or null; by path and line. */
export function locationsOf(answer: unknown): Answer<'locations'> {
  const items = Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer];
  const locations = items.slice(0, maxLocations).flatMap((item): LanguageLocation[] => {
    const plain = Location.safeParse(item).data;
    if (plain !== undefined) return [locationAt(plain.uri, plain.range.start)];
    const link = LocationLink.safeParse(item).data;
    return link === undefined ? [] : [locationAt(link.targetUri, link.targetSelectionRange.start)];
  });
  locations.sort((a, b) => (a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1));
  return { kind: 'locations', locations, total: Math.max(locations.length, items.length) };
}

function locationAt(uri: string, start: z.infer<typeof Position>): LanguageLocation {
  return { path: pathOf(uri), line: start.line + 1, column: start.character + 1 };
}

/** The path of a file's address; other addresses as they are. */
function pathOf(uri: string): string {
  try {
    return clean(fileURLToPath(uri), 4_096);
  } catch {
    return clean(uri, 4_096);
  }
}

const Marked = z.union([z.string(), z.object({ value: z.string() })]);

export function hoverOf(answer: unknown): Answer<'hover'> {
  const contents = z.object({ contents: z.union([Marked, z.array(Marked)]) }).safeParse(answer).data?.contents;
  const parts = contents === undefined ? [] : Array.isArray(contents) ? contents : [contents];
  const text = parts.map((part) => (typeof part === 'string' ? part : part.value)).join('\n\n');
  return { kind: 'hover', text: clean(text.trim(), maxHoverChars) };
}

/** Names by the protocol's numbers, from 1. */
const symbolKinds = (
  'file module namespace package class method property field constructor enum interface function variable constant ' +
  'string number boolean array object key null enumMember struct event operator typeParameter'
).split(' ');

const SymbolItem = z.object({
  name: z.string(),
  kind: z.number(),
  selectionRange: Range.optional(),
  location: z.object({ range: Range }).optional(),
  children: z.array(z.unknown()).optional(),
});

export function symbolsOf(answer: unknown): Answer<'symbols'> {
  const symbols: Answer<'symbols'>['symbols'] = [];
  let total = 0;
  const walk = (items: readonly unknown[], depth: number): void => {
    for (const item of items) {
      const symbol = SymbolItem.safeParse(item).data;
      const range = symbol?.selectionRange ?? symbol?.location?.range;
      if (symbol === undefined || range === undefined) continue;
      total += 1;
      const symbolKind = symbolKinds[symbol.kind - 1] ?? 'symbol';
      if (symbols.length < maxSymbols)
        symbols.push({ name: clean(symbol.name, 300), symbolKind, line: range.start.line + 1, depth });
      if (depth < deepestSymbol) walk(symbol.children ?? [], depth + 1);
    }
  };
  walk(Array.isArray(answer) ? answer : [], 0);
  return { kind: 'symbols', symbols, total };
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

const Diagnostic = z.object({
  range: Range,
  severity: z.number().optional(),
  message: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  source: z.string().optional(),
});

/** Worst first, then by line. */
export function diagnosticsOf(items: unknown, heard: boolean): Answer<'diagnostics'> {
  const list = Array.isArray(items) ? items : [];
  const read = list.slice(0, 10_000).flatMap((item): LanguageDiagnostic[] => {
    const found = Diagnostic.safeParse(item).data;
    if (found === undefined) return [];
    return [
      {
        line: found.range.start.line + 1,
        column: found.range.start.character + 1,
        severity: severities[(found.severity ?? 1) - 1] ?? 'error',
        message: clean(found.message, maxTextChars),
        code: clean(String(found.code ?? ''), 100),
        source: clean(found.source ?? '', 100),
      },
    ];
  });
  const rank = (one: LanguageDiagnostic) => severities.indexOf(one.severity);
  read.sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  return { kind: 'diagnostics', diagnostics: read.slice(0, maxDiagnostics), total: list.length, heard };
}

/** Bounded, without halves of pairs, without control characters but tabs and line ends. */
function clean(text: string, maxChars: number): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return cut.replaceAll(/\p{Cs}|[^\P{Cc}\t\n\r]/gu, '\uFFFD');
}
