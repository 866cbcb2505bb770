// How a call looks, as plain data: tools produce it, the page draws it, and neither knows the other.
import { z } from 'zod';

export const DiffLine = z.strictObject({
  sign: z.enum([' ', '+', '-']),
  text: z.string(),
  /** How the line ends, where that is not a line feed: with both signs of Windows, or not at all. */
  end: z.enum(['crlf', 'none']).optional(),
});
export const DiffHunk = z.strictObject({
  oldStart: z.number().int().nonnegative(),
  newStart: z.number().int().nonnegative(),
  lines: z.array(DiffLine),
});
export type DiffHunk = z.infer<typeof DiffHunk>;

export const View = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('terminal'),
    command: z.string(),
    /** Output with its escape sequences, bounded: head and tail. Absent before the command has run. */
    output: z.string().optional(),
    /** Characters between head and tail that are not in `output`. */
    hiddenChars: z.number().int().nonnegative().optional(),
    exitCode: z.number().int().nullable().optional(),
  }),
  z.strictObject({
    kind: z.literal('diff'),
    path: z.string(),
    created: z.boolean(),
    hunks: z.array(DiffHunk),
    added: z.number().int().nonnegative(),
    removed: z.number().int().nonnegative(),
    /** True when `hunks` does not hold the whole change. */
    truncated: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('text'),
    text: z.string(),
    language: z.string().optional(),
    firstLine: z.number().int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal('markdown'), text: z.string() }),
  z.strictObject({ kind: z.literal('image'), mediaType: z.string(), base64: z.string(), alt: z.string() }),
  z.strictObject({ kind: z.literal('table'), columns: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  z.strictObject({ kind: z.literal('json'), value: z.json() }),
  z.strictObject({
    kind: z.literal('files'),
    files: z.array(z.strictObject({ path: z.string(), note: z.string().optional() })),
    truncated: z.boolean(),
  }),
]);
export type View = z.infer<typeof View>;

/** Names of pictures that cards may carry; the page maps them to its icon set. */
export const CardIcon = z.enum([
  'terminal',
  'file',
  'fileEdit',
  'filePlus',
  'search',
  'folderSearch',
  'checklist',
  'question',
  'plug',
  'globe',
  'tool',
]);
export type CardIcon = z.infer<typeof CardIcon>;

/** What a card shows about a call before any result. */
export const CallPresentation = z.strictObject({
  /** The tool's name for people, for example `Bash`. */
  title: z.string(),
  /** One line: command, path, pattern. */
  summary: z.string(),
  /** What is going on, for the status line: "Running npm test". */
  activity: z.string(),
  icon: CardIcon,
  /** Absolute path the call is about, if it is about one. */
  path: z.string().optional(),
  view: View.optional(),
});
export type CallPresentation = z.infer<typeof CallPresentation>;
