// Files of results in memory, behind the calls of the contract, for tests of the page.
import type { ResultFile, SearchQuery, TextIndex, TextMatch, TextRow } from '#shared/api/results';
import { RpcError } from '#shared/rpc/errors';
import type { FakeHandlers } from '../../../testing/fakeCore';

export const now = Date.UTC(2026, 10, 3, 12);
const day = 24 * 60 * 60_000;

/** A file of the list. */
export function resultFile(part: Partial<ResultFile> & { readonly id: string }): ResultFile {
  return {
    origin: 'gatehouse',
    file: `/home/ada/.local/share/gatehouse/projects/app/s1/tool-results/${part.id}.txt`,
    bytes: 4_800_000,
    modifiedAt: now - 4 * 60_000,
    session: { id: 's1', title: 'Upgrade the parser', folder: '/srv/app' },
    call: { callId: `call-${part.id}`, tool: 'Bash', what: `npm run ${part.id}` },
    seen: { kind: 'preview', chars: 4_096 },
    kept: false,
    goesAt: now + 26 * day,
    ...part,
  };
}

function rowsOf(text: string): TextRow[] {
  return text.split('\n').map((line, row) => ({ row, line: row + 1, part: 0, text: line }));
}

function matchesOf(rows: readonly TextRow[], { text, regex, caseSensitive }: SearchQuery): TextMatch[] {
  const source = regex ? text : text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, caseSensitive ? 'gu' : 'giu');
  } catch {
    throw new RpcError('invalid', 'The expression ends too early.');
  }
  return rows.flatMap(({ row, line, text: inRow }) =>
    [...inRow.matchAll(pattern)].map(({ index, 0: found }) => ({
      row,
      line,
      start: index,
      end: index + found.length,
    })),
  );
}

/** Answers about files whose texts are given by id. Ids without a text cannot be opened. */
export function fakeResults(
  files: readonly ResultFile[],
  texts: Readonly<Record<string, string>> = {},
): Partial<FakeHandlers> {
  const searches = new Map<string, readonly TextMatch[]>();
  let count = 0;
  const rows = (id: string): TextRow[] => {
    const text = texts[id];
    if (text === undefined) throw new RpcError('notFound', 'The file is not there any more.');
    return rowsOf(text);
  };
  const index = (id: string): TextIndex => {
    const { length } = rows(id);
    return { rows: length, lines: length, bytesDone: texts[id]?.length ?? 0, done: true };
  };
  return {
    'results.list': () => ({
      files: [...files],
      retentionDays: 30,
      folder: '/home/ada/.local/share/gatehouse/projects',
      limitChars: 20_000,
    }),
    'results.open': ({ id }) => ({
      bytes: texts[id]?.length ?? 0,
      modifiedAt: now,
      modes: ['text', 'hex'],
      encoding: 'utf-8',
      index: index(id),
      rows: rows(id).slice(0, 200),
    }),
    'results.rows': ({ id, from, count: wanted }) => ({ rows: rows(id).slice(from, from + wanted), index: index(id) }),
    'results.rowOfLine': ({ id, line }) => ({ row: Math.min(line, rows(id).length) - 1 }),
    'results.search': ({ id, query }) => {
      const matches = matchesOf(rows(id), query);
      count += 1;
      const searchId = `search${count}`;
      searches.set(searchId, matches);
      return {
        searchId,
        matches: matches.length,
        lines: new Set(matches.map(({ line }) => line)).size,
        bytesDone: texts[id]?.length ?? 0,
        done: true,
        truncated: false,
        problem: '',
      };
    },
    'results.matches': ({ searchId, from, count: wanted }) => ({
      matches: (searches.get(searchId) ?? []).slice(from, from + wanted),
    }),
    'results.matchesIn': ({ searchId, fromRow, toRow }) => {
      const all = searches.get(searchId) ?? [];
      const matches = all.filter(({ row }) => row >= fromRow && row <= toRow);
      return { matches, first: Math.max(0, all.indexOf(matches[0] ?? { row: 0, line: 1, start: 0, end: 0 })) };
    },
    'results.matchingLines': ({ id, searchId, from, count: wanted }) => {
      const all = searches.get(searchId) ?? [];
      const lines = rows(id)
        .map((row) => ({ ...row, matches: all.filter((match) => match.row === row.row) }))
        .filter(({ matches }) => matches.length > 0);
      return { rows: lines.slice(from, from + wanted) };
    },
  };
}
