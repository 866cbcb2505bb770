import { isUtf8 } from 'node:buffer';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import { failure, systemFailure } from '../failure';
import { changeCell } from './cellText';
import { describeChange } from './change';
import { utf8Bom } from './contentType';
import { replaceAndKeep } from './keep';
import { largestNotebook } from './notebook';
import { type ExistingFile, withExisting } from './replace';
import { hashBytes } from './stat';

/** Changes one cell of a notebook, or says what that would change. */
export async function editCell(operation: OperationOf<'file.editCell'>): Promise<OperationAnswers['file.editCell']> {
  try {
    return await withExisting(operation, (existing) => editExisting(operation, existing));
  } catch (error) {
    return systemFailure(error, operation.path);
  }
}

async function editExisting(
  operation: OperationOf<'file.editCell'>,
  existing: ExistingFile | undefined,
): Promise<OperationAnswers['file.editCell']> {
  const { path, dryRun, keep } = operation;
  if (existing === undefined)
    return failure('missing', `${path} does not exist. Check the path, or use Write to create the notebook.`);
  const { found } = existing;
  if (found.size > largestNotebook)
    return failure('tooLarge', `${path} is larger than ${largestNotebook / 1e6} MB. Change it with a command.`);
  const before = await existing.bytes();
  if (hashBytes(before) !== operation.hash)
    return failure('changed', `${path} was changed by something else since it was read. Read it again, then edit it.`);
  if (!isUtf8(before)) return failure('notText', `${path} is not UTF-8 text, so it is no notebook.`);
  const start = before.indexOf(utf8Bom) === 0 ? utf8Bom.length : 0;
  const change = changeCell(before.toString('utf8', start), operation);
  if (change.kind === 'problem')
    return failure(change.reason, `Nothing was changed in ${path}: ${change.words}. Read the notebook again.`);
  const after = Buffer.concat([before.subarray(0, start), Buffer.from(change.text, 'utf8')]);
  const facts = { created: false, replacements: 1, ...describeChange(before, after) };
  if (dryRun) return { kind: 'changed', ...facts, size: after.length, mtimeMs: found.mtimeMs, hash: hashBytes(after) };
  const written = await replaceAndKeep({ granted: operation, found, before, after, change: facts, keep });
  return 'kind' in written ? written : { kind: 'changed', ...facts, ...written };
}
