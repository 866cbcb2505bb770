import type { OperationFailure } from '#shared/api/executor';
import type { FailureKind } from '#shared/session/toolCall';
import { ToolFailure } from './tool';

type Reason = OperationFailure['reason'];

/** What the executor's words do not say: how the model goes on. */
const advice: { readonly [R in Reason]?: string } = {
  missing: 'Check the path, or look for the file with Glob.',
  denied: 'Do not try to get around it; tell the person if you need this.',
  noMatch: 'Copy the text exactly as it stands in the file, without the line numbers that Read shows.',
  badPattern: 'Correct it; to search for characters such as ( [ { . literally, escape them.',
};

/** For the card's foot. */
const notes: Readonly<Record<Reason, string>> = {
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
  locked: 'needs a password',
  damaged: 'cannot be read',
  io: 'failed',
};

/** What went wrong and what to do next, for the model. */
export function failureText(failure: OperationFailure): string {
  const next = advice[failure.reason];
  return next === undefined ? failure.message : `${failure.message} ${next}`;
}

/** The failure as a tool reports it. */
export function operationFailed(failure: OperationFailure): ToolFailure {
  return new ToolFailure(kindOf(failure.reason), failureText(failure), { note: notes[failure.reason] });
}

function kindOf(reason: Reason): FailureKind {
  if (reason === 'missing') return 'notFound';
  return reason === 'denied' ? 'permission' : 'tool';
}
