// Replaces exact text in a file. Whatever the edit does not touch keeps its bytes: line endings, BOM, everything.
import { isUtf8 } from 'node:buffer';
import type { OperationAnswers, OperationFailure, OperationOf } from '#shared/api/executor';
import { failure, systemFailure } from '../failure';
import { describeChange } from './change';
import { replaceAndKeep } from './keep';
import { endingAround, findAll, lineAt, linesOf, type Match } from './match';
import { explainMiss } from './nearMiss';
import { type ExistingFile, withExisting } from './replace';
import { hashBytes } from './stat';

/** Larger files are refused (spec 1.4). */
const largestEdited = 1024 ** 3;
/** Lines named in a message about text that is there more than once. */
const namedLines = 5;

type Operation = OperationOf<'file.edit'>;
type Edit = Operation['edits'][number];

/** Applies the edits in order, each to what the one before left, or says what they would change. */
export async function editFile(operation: Operation): Promise<OperationAnswers['file.edit']> {
  try {
    return await withExisting(operation, (existing) => editExisting(operation, existing));
  } catch (error) {
    return systemFailure(error, operation.path);
  }
}

async function editExisting(
  operation: Operation,
  existing: ExistingFile | undefined,
): Promise<OperationAnswers['file.edit']> {
  const { path, edits, dryRun, keep } = operation;
  if (existing === undefined)
    return failure('missing', `${path} does not exist. Check the path, or use Write to create the file.`);
  const { found } = existing;
  if (found.size > largestEdited)
    return failure('tooLarge', `${path} is larger than 1 GiB, which is too large to edit. Change it with a command.`);
  const before = await existing.bytes();
  if (hashBytes(before) !== operation.hash)
    return failure('changed', `${path} was changed by something else since it was read. Read it again, then edit it.`);
  if (!isUtf8(before) || before.includes(0))
    return failure('notText', `${path} is not UTF-8 text, so it is not edited as text. Change it with a command.`);
  const applied = applyEdits({ path, bytes: before, edits });
  if ('kind' in applied) return applied;
  const { bytes: after, replacements } = applied;
  const change = { created: false, replacements, ...describeChange(before, after) };
  if (dryRun) return { kind: 'changed', ...change, size: after.length, mtimeMs: found.mtimeMs, hash: hashBytes(after) };
  const written = await replaceAndKeep({ granted: operation, found, before, after, change, keep });
  return 'kind' in written ? written : { kind: 'changed', ...change, ...written };
}

function applyEdits(options: {
  readonly path: string;
  readonly bytes: Buffer;
  readonly edits: readonly Edit[];
}): { readonly bytes: Buffer; readonly replacements: number } | OperationFailure {
  const { path, edits } = options;
  let { bytes } = options;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length} (none was made): ` : '';
    const result = applyEdit(bytes, edit);
    if ('problem' in result) return failure(result.problem, `${which}${result.words(path)}`);
    bytes = result.bytes;
    replacements += result.replacements;
  }
  return { bytes, replacements };
}

type Problem = { readonly problem: 'noMatch' | 'notUnique'; readonly words: (path: string) => string };

function applyEdit(bytes: Buffer, edit: Edit): { readonly bytes: Buffer; readonly replacements: number } | Problem {
  const { oldString, newString, replaceAll } = edit;
  if (oldString === newString)
    return { problem: 'noMatch', words: () => 'The old and the new text are the same, so there is nothing to change.' };
  if (oldString === '') {
    if (bytes.length === 0) return { bytes: Buffer.from(newString, 'utf8'), replacements: 1 };
    return {
      problem: 'noMatch',
      words: (path) => `The text to replace is empty, but ${path} has content. Give the text that is to be replaced.`,
    };
  }
  const matches = findAll(bytes, oldString);
  if (matches.length === 0) {
    const hint = explainMiss(bytes, oldString);
    return { problem: 'noMatch', words: (path) => `The text to replace was not found in ${path}. ${hint}` };
  }
  if (matches.length > 1 && !replaceAll) {
    const lines = matches.slice(0, namedLines).map((match) => lineAt(bytes, match.start));
    const more = matches.length > namedLines ? ' and more' : '';
    return {
      problem: 'notUnique',
      words: (path) =>
        `The text to replace stands ${matches.length} times in ${path} (lines ${lines.join(', ')}${more}). ` +
        'Add lines around it until it is unique, or set replace_all to change every one.',
    };
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (const match of matches) {
    parts.push(bytes.subarray(at, match.start), Buffer.from(replacementFor(bytes, match, edit), 'utf8'));
    at = match.end;
  }
  parts.push(bytes.subarray(at));
  return { bytes: Buffer.concat(parts), replacements: matches.length };
}

/** The new text with the endings of the place: lines that stay keep theirs, new lines take that of their neighbours. */
function replacementFor(bytes: Buffer, match: Match, edit: Edit): string {
  const around = endingAround(bytes, match.start);
  // A file without any line ending has no habit to follow.
  if (around === undefined) return edit.newString;
  const oldLines = linesOf(edit.oldString);
  const newLines = linesOf(edit.newString);
  const shared = Math.min(oldLines.length, newLines.length) - 1;
  let head = 0;
  while (head < shared && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shared - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1;
  const { endings } = match;
  let text = newLines[0] ?? '';
  for (let index = 1; index < newLines.length; index += 1) {
    const fromEnd = newLines.length - index;
    const kept = fromEnd <= tail ? endings[endings.length - fromEnd] : endings[Math.min(index, endings.length) - 1];
    text += (kept ?? around) + (newLines[index] ?? '');
  }
  return text;
}
