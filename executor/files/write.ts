import { lstat, readFile } from 'node:fs/promises';
import type { OperationAnswers, OperationFailure, OperationOf } from '#shared/api/executor';
import { failure, systemFailure } from '../failure';
import { describeChange } from './change';
import { replaceAndKeep } from './keep';
import { existingFile, type FileAsFound } from './replace';
import { hashBytes, presentOr } from './stat';

/** Larger files cannot be held as one piece to compare them. */
const largestCompared = 1024 ** 3;

/** Writes a whole file, or says what writing would change. */
export async function writeFile(operation: OperationOf<'file.write'>): Promise<OperationAnswers['file.write']> {
  const { path, content, expect, dryRun } = operation;
  try {
    const found = await existingFile(path);
    if (found !== undefined && 'kind' in found) return found;
    const refused = await checkExpectation(path, found, expect);
    if (refused !== undefined) return refused;
    const before = found === undefined ? Buffer.alloc(0) : await readFile(path);
    const after = Buffer.from(content, 'utf8');
    const change = { created: found === undefined, replacements: 0, ...describeChange(before, after) };
    if (dryRun)
      return { kind: 'changed', ...change, size: after.length, mtimeMs: found?.mtimeMs ?? 0, hash: hashBytes(after) };
    const written = await replaceAndKeep({ path, found, before, after, change, keep: operation.keep });
    return 'kind' in written ? written : { kind: 'changed', ...change, ...written };
  } catch (error) {
    return systemFailure(error, path);
  }
}

async function checkExpectation(
  path: string,
  found: FileAsFound | undefined,
  expect: OperationOf<'file.write'>['expect'],
): Promise<OperationFailure | undefined> {
  if (expect === 'absent') {
    if (found === undefined && (await presentOr(lstat(path))) === undefined) return undefined;
    return failure('exists', `${path} exists already. Read it first, then write it.`);
  }
  if (found === undefined)
    return failure('missing', `${path} is gone since it was read. Write it as a new file if that is meant.`);
  if (found.size > largestCompared)
    return failure('tooLarge', `${path} is larger than 1 GiB. Change it with a command.`);
  if (hashBytes(await readFile(path)) === expect.hash) return undefined;
  return failure('changed', `${path} was changed by something else since it was read. Read it again, then write it.`);
}
