import type { OperationAnswers, OperationFailure, OperationOf } from '#shared/api/executor';
import { failure, systemFailure } from '../failure';
import { describeChange } from './change';
import { replaceAndKeep } from './keep';
import { type ExistingFile, withExisting } from './replace';
import { hashBytes } from './stat';

/** Larger files cannot be held as one piece to compare them. */
const largestCompared = 1024 ** 3;

/** Writes a whole file, or says what writing would change. */
export async function writeFile(operation: OperationOf<'file.write'>): Promise<OperationAnswers['file.write']> {
  const { path } = operation;
  try {
    return await withExisting(operation, (existing) => writeOver(operation, existing));
  } catch (error) {
    return systemFailure(error, path);
  }
}

async function writeOver(
  operation: OperationOf<'file.write'>,
  existing: ExistingFile | undefined,
): Promise<OperationAnswers['file.write']> {
  const { path, content, expect, dryRun, keep } = operation;
  const before = await checkExpectation({ path, existing, expect });
  if ('kind' in before) return before;
  const found = existing?.found;
  const after = Buffer.from(content, 'utf8');
  const change = { created: found === undefined, replacements: 0, ...describeChange(before, after) };
  if (dryRun)
    return { kind: 'changed', ...change, size: after.length, mtimeMs: found?.mtimeMs ?? 0, hash: hashBytes(after) };
  const written = await replaceAndKeep({ granted: operation, found, before, after, change, keep });
  return 'kind' in written ? written : { kind: 'changed', ...change, ...written };
}

/** What is there, when it is what was expected. */
async function checkExpectation(about: {
  readonly path: string;
  readonly existing: ExistingFile | undefined;
  readonly expect: OperationOf<'file.write'>['expect'];
}): Promise<Buffer | OperationFailure> {
  const { path, existing, expect } = about;
  if (expect === 'absent') {
    if (existing === undefined) return Buffer.alloc(0);
    return failure('exists', `${path} exists already. Read it first, then write it.`);
  }
  if (existing === undefined)
    return failure('missing', `${path} is gone since it was read. Write it as a new file if that is meant.`);
  if (existing.found.size > largestCompared)
    return failure('tooLarge', `${path} is larger than 1 GiB. Change it with a command.`);
  const before = await existing.bytes();
  if (hashBytes(before) === expect.hash) return before;
  return failure('changed', `${path} was changed by something else since it was read. Read it again, then write it.`);
}
