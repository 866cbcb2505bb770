// Step 3 of the tools that change files: is the file there, may it be changed in place, and does the model know what is in it.
import type { OperationAnswers } from '#shared/api/executor';
import type { FileState } from './fileStates';
import { failureText } from './operationFailure';
import { shortPath } from './paths';
import type { Validation, ValidationContext } from './tool';
import { counted, grouped } from './wording';

/** Larger files are not changed by tools (spec 1.4). */
const maxFileBytes = 1_073_741_824;

type Rejection = Extract<Validation, { verdict: 'reject' }>;

export type ChangeTarget =
  | { readonly kind: 'absent' }
  | { readonly kind: 'known'; readonly state: FileState }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** Looks at the file that a change is about. `absent` is no fault here: Write creates it. */
export async function changeTarget(path: string, context: ValidationContext): Promise<ChangeTarget> {
  const named = shortPath(path, context.cwd);
  const reject = (errorCode: string, message: string): ChangeTarget => ({
    kind: 'rejected',
    rejection: rejection(errorCode, message),
  });
  const found = await context.inspect.stat(path);
  if (found.kind === 'failure') return reject(found.reason, failureText(found));
  if (found.isLink) {
    const message = `${named} is a link to ${found.realPath}. Links are not written through; give the target's own path if that is what you mean.`;
    return reject('isLink', message);
  }
  if (!found.exists) {
    // What was read of it once counts no more.
    context.fileStates.forget(path);
    return { kind: 'absent' };
  }
  if (found.type === 'folder') return reject('isFolder', `${named} is a folder. Give the path of a file.`);
  if (found.type !== 'file') return reject('notFile', `${named} is not a regular file. Use Bash if you must.`);
  if (found.size > maxFileBytes) {
    return reject('tooLarge', `${named} has ${counted(found.size, 'byte')}; at most 1 GiB can be changed. Use Bash.`);
  }
  return knownState({ path, named, found, context });
}

function knownState(about: {
  readonly path: string;
  readonly named: string;
  readonly found: Extract<OperationAnswers['file.stat'], { kind: 'stat' }>;
  readonly context: ValidationContext;
}): ChangeTarget {
  const { path, named, found, context } = about;
  const state = context.fileStates.get(path);
  const reject = (errorCode: string, message: string): ChangeTarget => ({
    kind: 'rejected',
    rejection: rejection(errorCode, message),
  });
  if (state === undefined) {
    const message = `You have not read ${named} yet. Read it first with Read, so that the change fits what is in it; what a command printed of it does not count.`;
    return reject('notRead', message);
  }
  // An empty hash means that the file is too large to hash at a look; the executor compares again when it writes.
  if (found.hash !== '' && found.hash !== state.hash) {
    const message = `${named} has changed on disk since you read it, so nothing was written. Read it again, then repeat the change if it is still right.`;
    return reject('changed', message);
  }
  if (!state.whole) {
    const seen = (state.seen ?? []).map((range) => `${grouped(range.first)}–${grouped(range.last)}`).join(', ');
    const unit = state.unit ?? 'lines';
    const how = unit === 'pages' ? 'pages' : 'offset and limit';
    const message = `You have read only a part of ${named} (${unit} ${seen}). Read the rest too (${how}), then repeat the change.`;
    return reject('partlyRead', message);
  }
  return { kind: 'known', state };
}

/** A rejection of step 3. */
export function rejection(errorCode: string, message: string): Rejection {
  return { verdict: 'reject', errorCode, message };
}
