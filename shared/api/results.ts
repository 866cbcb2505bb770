// Files of results: those that Gatehouse keeps, and Claude Code's own, which are only read.
import { z } from 'zod';
import { call } from '../rpc/contract';

/** Names a file of results for this page. Not a path: what it stands for is looked up, never built from it. */
const id = z.string().min(1).max(2_000);
const whole = z.number().int().nonnegative();
const nothing = z.strictObject({});

/** How much of a result the model knows. */
export const Seen = z.discriminatedUnion('kind', [
  /** The beginning, with the result itself. */
  z.strictObject({ kind: z.literal('preview'), chars: whole }),
  /** It read the file afterwards: by that call, counted from 1 within the session. */
  z.strictObject({ kind: z.literal('again'), callId: z.string(), number: z.number().int().positive() }),
  z.strictObject({ kind: z.literal('whole') }),
  /** Nothing of it reached the model, for example because the turn was stopped. */
  z.strictObject({ kind: z.literal('never') }),
  /** The record does not say. */
  z.strictObject({ kind: z.literal('unknown') }),
]);
export type Seen = z.infer<typeof Seen>;

export const ResultFile = z.strictObject({
  id,
  origin: z.enum(['gatehouse', 'claudeCode']),
  /** Absolute. */
  file: z.string(),
  bytes: whole,
  /** Epoch milliseconds. */
  modifiedAt: z.number(),
  /** Null where no session or transcript of that name exists any more: then it is an orphan. */
  session: z.strictObject({ id: z.string(), title: z.string(), folder: z.string() }).nullable(),
  /** The call it is the result of; null where the record does not say. `what`: command, path, pattern, in one line. */
  call: z.strictObject({ callId: z.string(), tool: z.string(), what: z.string() }).nullable(),
  seen: Seen,
  /** Spared by every clean-up. */
  kept: z.boolean(),
  /** When the next clean-up after that time takes it, in epoch milliseconds; null: never. */
  goesAt: z.number().nullable(),
});
export type ResultFile = z.infer<typeof ResultFile>;

export const ResultMode = z.enum(['text', 'json', 'table', 'hex', 'image']);
export type ResultMode = z.infer<typeof ResultMode>;

/**
 * One row of a text: a line, or a part of a very long one. Rows count from 0 without gaps and are what is scrolled over; lines
 * count from 1. `text` holds escape sequences as they are and no line end.
 */
export const TextRow = z.strictObject({
  row: whole,
  line: z.number().int().positive(),
  /** 0 = the row begins the line. */
  part: whole,
  text: z.string(),
});
export type TextRow = z.infer<typeof TextRow>;

/** How far the line index is. Until `done`, `rows` and `lines` count what has been looked at. */
export const TextIndex = z.strictObject({ rows: whole, lines: whole, bytesDone: whole, done: z.boolean() });
export type TextIndex = z.infer<typeof TextIndex>;

export const SearchQuery = z.strictObject({
  text: z.string().min(1).max(1_000),
  /** `text` is a regular expression (JavaScript, flag u) that is tried on each line. */
  regex: z.boolean(),
  caseSensitive: z.boolean(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** Characters `start` to `end` of the text of a row. A match that goes on in the next row ends with the row. */
export const TextMatch = z.strictObject({ row: whole, line: z.number().int().positive(), start: whole, end: whole });
export type TextMatch = z.infer<typeof TextMatch>;

export const SearchState = z.strictObject({
  searchId: z.string(),
  matches: whole,
  /** Lines with a match. */
  lines: whole,
  bytesDone: whole,
  done: z.boolean(),
  /** True when only the first of more matches are kept. */
  truncated: z.boolean(),
  /** Why it ended early, for people; empty when all is well. */
  problem: z.string(),
});
export type SearchState = z.infer<typeof SearchState>;

/** A child of a JSON value. */
export const JsonNode = z.strictObject({
  /** Name in an object, index in a list. */
  key: z.union([z.string(), z.number()]),
  type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
  /** The value in one line, cut after 200 characters. */
  preview: z.string(),
  /** Of objects and lists: how many children. */
  children: whole,
});
export type JsonNode = z.infer<typeof JsonNode>;

const diffLine = z.strictObject({ sign: z.enum([' ', '+', '-']), text: z.string() });

/** Files that were taken away together and can be brought back together. */
export const TrashBatch = z.strictObject({
  batchId: z.string(),
  at: z.number(),
  files: whole,
  bytes: whole,
  /** When they are deleted for good. */
  goneAt: z.number(),
});
export type TrashBatch = z.infer<typeof TrashBatch>;

/** Which files a clean-up takes. Files that are kept and those of Claude Code are never among them. */
export const CleanUpChoice = z.strictObject({
  /** Just these; null: all that the rest says. */
  ids: z.array(id).max(100_000).nullable(),
  olderThanDays: z.number().int().min(0).max(3_650).nullable(),
  sessionId: z.string().nullable(),
  /** Only those whose session is gone. */
  orphansOnly: z.boolean(),
  /** Only those of which the model never read more than the preview. */
  unreadOnly: z.boolean(),
});
export type CleanUpChoice = z.infer<typeof CleanUpChoice>;

export const resultCalls = {
  /** All files, newest first. `retentionDays`: after how many days without a change Gatehouse's own are cleaned up. */
  'results.list': call(
    nothing,
    z.strictObject({ files: z.array(ResultFile), retentionDays: z.number(), folder: z.string(), limitChars: whole }),
  ),
  /**
   * Opens one for reading and begins its index. `modes` are those it can be shown in, the most fitting first. `rows`: the first
   * 200. `notFound`: gone; `refused`: no plain file, or not readable, with the cause.
   */
  'results.open': call(
    z.strictObject({ id }),
    z.strictObject({
      bytes: whole,
      modifiedAt: z.number(),
      modes: z.array(ResultMode).min(1),
      encoding: z.enum(['utf-8', 'binary']),
      index: TextIndex,
      rows: z.array(TextRow),
    }),
  ),
  /** The page no longer looks at it: index and searches are given up. */
  'results.close': call(z.strictObject({ id }), nothing),
  'results.rows': call(
    z.strictObject({ id, from: whole, count: z.number().int().min(1).max(1_000) }),
    z.strictObject({ rows: z.array(TextRow), index: TextIndex }),
  ),
  /** Where a line (from 1) begins; the nearest there is, waiting for the index to get there. */
  'results.rowOfLine': call(z.strictObject({ id, line: z.number().int().positive() }), z.strictObject({ row: whole })),
  /** A whole line for copying, cut after 1,000,000 characters. */
  'results.line': call(
    z.strictObject({ id, line: z.number().int().positive() }),
    z.strictObject({ text: z.string(), truncated: z.boolean() }),
  ),
  /**
   * Begins a search, ends an earlier one of this file, and answers once something is found or all is read; the rest is told by
   * `results.searching`. `invalidParams` with the position for a regular expression that is none.
   */
  'results.search': call(z.strictObject({ id, query: SearchQuery }), SearchState),
  'results.stopSearch': call(z.strictObject({ id }), nothing),
  /** Matches by number. */
  'results.matches': call(
    z.strictObject({ id, searchId: z.string(), from: whole, count: z.number().int().min(1).max(1_000) }),
    z.strictObject({ matches: z.array(TextMatch) }),
  ),
  /** Matches in a range of rows, for marking them (at most 5,000). */
  'results.matchesIn': call(
    z.strictObject({ id, searchId: z.string(), fromRow: whole, toRow: whole }),
    z.strictObject({ matches: z.array(TextMatch), /** Number of the first of them. */ first: whole }),
  ),
  /** Only lines with a match, by number: the row that holds the line's first match, with its matches. */
  'results.matchingLines': call(
    z.strictObject({ id, searchId: z.string(), from: whole, count: z.number().int().min(1).max(1_000) }),
    z.strictObject({ rows: z.array(TextRow.extend({ matches: z.array(TextMatch) })) }),
  ),
  'results.bytes': call(
    z.strictObject({ id, from: whole, count: z.number().int().min(1).max(65_536) }),
    z.strictObject({ base64: z.string() }),
  ),
  /** JPEG, PNG, GIF, WebP, at most 20 MB. */
  'results.image': call(z.strictObject({ id }), z.strictObject({ mediaType: z.string(), base64: z.string() })),
  /** Children of the value at a path; `path` [] is the root. Of files of lines of JSON, the root is a list. `refused`: too large, no JSON (with line). */
  'results.json': call(
    z.strictObject({
      id,
      path: z.array(z.union([z.string(), z.number().int()])).max(200),
      from: whole,
      count: z.number().int().min(1).max(1_000),
    }),
    z.strictObject({ root: JsonNode.omit({ key: true }), nodes: z.array(JsonNode), total: whole }),
  ),
  /** A JSON value at a path as text, for copying; cut after 1,000,000 characters. */
  'results.jsonText': call(
    z.strictObject({ id, path: z.array(z.union([z.string(), z.number().int()])).max(200) }),
    z.strictObject({ text: z.string(), truncated: z.boolean() }),
  ),
  /** JSON lists of objects, lines of JSON, CSV and TSV as rows and columns. `sort` goes by value, numbers as numbers. */
  'results.table': call(
    z.strictObject({
      id,
      from: whole,
      count: z.number().int().min(1).max(1_000),
      sort: z.strictObject({ column: whole, descending: z.boolean() }).nullable(),
    }),
    z.strictObject({ columns: z.array(z.string()), rows: z.array(z.array(z.string())), total: whole }),
  ),
  /** What differs between two; both at most 20 MB. */
  'results.diff': call(
    z.strictObject({ left: id, right: id }),
    z.strictObject({
      hunks: z.array(z.strictObject({ oldStart: whole, newStart: whole, lines: z.array(diffLine) })),
      added: whole,
      removed: whole,
      truncated: z.boolean(),
    }),
  ),
  /** Spares files from clean-up, or no longer. One of Claude Code's is copied into Gatehouse's own folder first, before its sweep. */
  'results.keep': call(z.strictObject({ ids: z.array(id).min(1).max(10_000), kept: z.boolean() }), nothing),
  /** What a clean-up would take. Nothing is changed. */
  'results.cleanUpPreview': call(
    CleanUpChoice,
    z.strictObject({ ids: z.array(id), bytes: whole, spared: whole, oldest: z.number().nullable() }),
  ),
  /** Moves files into the trash. `left`: how many could not be moved, with the first cause in `problem`. */
  'results.cleanUp': call(
    z.strictObject({ ids: z.array(id).min(1).max(100_000) }),
    z.strictObject({ batch: TrashBatch.nullable(), left: whole, problem: z.string() }),
  ),
  'results.trash': call(nothing, z.strictObject({ batches: z.array(TrashBatch) })),
  /** Brings a batch back to where its files lay; a place that is taken again keeps what is there. */
  'results.restore': call(z.strictObject({ batchId: z.string() }), z.strictObject({ restored: whole, left: whole })),
  /** Copies a file into a folder that the person chose, under a name that is free there. */
  'results.saveCopy': call(z.strictObject({ id, folder: z.string().min(1) }), z.strictObject({ file: z.string() })),
  /** Shows it in the system's file browser (capability `revealFile`). */
  'results.reveal': call(z.strictObject({ id }), nothing),
};

export const resultEvents = {
  /** Told while a file is being indexed, at most five times a second. */
  'results.indexed': z.strictObject({ id, index: TextIndex }),
  /** Told while a search goes on, at most five times a second, and when it is done. */
  'results.searching': z.strictObject({ id, state: SearchState }),
  /**
   * The file changes while it is looked at. `grew`: its index goes on by itself; `rewritten`: rows and matches no longer fit,
   * open it again; `gone`: what was opened can be read on until it is closed.
   */
  'results.fileChanged': z.strictObject({ id, how: z.enum(['grew', 'rewritten', 'gone']), bytes: whole }),
  /** Files came, went or were read: list again. */
  'results.changed': nothing,
};
