import type { OperationAnswers } from '#shared/api/executor';
import type { FailureKind } from '#shared/session/toolCall';
import { assertNever } from '#shared/util/assertNever';
import { ToolFailure } from './tool';

export type OperationFailure = Extract<OperationAnswers['file.edit'], { kind: 'failure' }>;

/** What went wrong with `subject` (a path as the model may use it) and what to do next, for the model. */
export function failureText(failure: OperationFailure, subject: string): string {
  switch (failure.reason) {
    case 'missing':
      return `${subject} does not exist. Check the path, or look for the file with Glob.`;
    case 'isFolder':
      return `${subject} is a folder, not a file. List what is in it with Glob.`;
    case 'notFolder':
      return `${subject} is not a folder. Give a folder, or leave the path out to use the working folder.`;
    case 'denied':
      return `The system refused access to ${subject}: ${failure.message} Tell the person if you need it.`;
    case 'tooLarge':
      return `${subject} is too large for this: ${failure.message} Work on a part of it, for example with Grep or Bash.`;
    case 'binary':
    case 'notText':
      return `${subject} is not UTF-8 text, so it cannot be changed as text: ${failure.message} Use Bash with a fitting program.`;
    case 'changed':
      return `${subject} has changed on disk since you read it, so nothing was written. Read it again, then repeat the change if it is still right.`;
    case 'noMatch':
      return `old_string does not occur in ${subject}, so nothing was changed. Read the file again and copy the text exactly, with its indentation and without line numbers.`;
    case 'notUnique':
      return `old_string occurs more than once in ${subject}: ${failure.message} Add surrounding lines until it is unique, or set replace_all to change every occurrence.`;
    case 'exists':
      return `${subject} exists already, so nothing was written. Read it first, then use Edit or Write.`;
    case 'isLink':
      return `${subject} is a link: ${failure.message} Links are not written through; work on the target itself if that is what you mean.`;
    case 'badPattern':
      return `The pattern was not understood: ${failure.message} Correct it; escape characters such as ( [ { . to search for them literally.`;
    case 'io':
      return `The operation on ${subject} failed: ${failure.message}`;
    default:
      return assertNever(failure.reason, 'failure reason');
  }
}

/** The failure as a tool reports it. */
export function operationFailed(failure: OperationFailure, subject: string): ToolFailure {
  return new ToolFailure(kindOf(failure.reason), failureText(failure, subject), { note: notes[failure.reason] });
}

function kindOf(reason: OperationFailure['reason']): FailureKind {
  if (reason === 'missing') return 'notFound';
  return reason === 'denied' ? 'permission' : 'tool';
}

/** For the card's foot. */
const notes: Readonly<Record<OperationFailure['reason'], string>> = {
  missing: 'not found',
  isFolder: 'is a folder',
  notFolder: 'not a folder',
  denied: 'access refused',
  tooLarge: 'too large',
  binary: 'not text',
  notText: 'not text',
  changed: 'changed on disk',
  noMatch: 'text not found',
  notUnique: 'text not unique',
  exists: 'exists already',
  isLink: 'is a link',
  badPattern: 'bad pattern',
  io: 'failed',
};
