// What a restore does, in words.
import type { FileRestore } from '#shared/api/changes';
import type { Chosen } from '../../stores/changes';
import { counted } from '../frame/words';

/** A path as the panel shows it: from the session's folder where it lies in there. */
export function shortPath(path: string, folder: string): string {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

const stateWords: Readonly<Record<FileRestore['state'], string>> = {
  ready: '',
  merged: 'changed since, fits together',
  conflict: 'changed since, conflict',
  same: 'is so already',
  lost: 'cannot be restored',
};

/** What is to be known of a file beside what would be written. */
export function stateOf({ state }: Pick<FileRestore, 'state'>): string {
  return stateWords[state];
}

/** What happens to one file: "deleted", "+3 −1". */
export function doesOf(file: Pick<FileRestore, 'does' | 'binary' | 'hunks' | 'truncated'>): string {
  if (file.does === 'create') return 'made again';
  if (file.does === 'delete') return 'deleted';
  if (file.does === 'nothing') return '';
  if (file.binary) return 'bytes change';
  return file.hunks.length === 0 && !file.truncated ? 'permissions change' : '';
}

/** The whole restore as one sentence, for the button's side. */
export function restoreWords(files: readonly FileRestore[], chosen: Chosen): string {
  const taken = files.filter(({ path }) => chosen[path] !== undefined);
  const rest = leftWords(files.filter(({ path }) => chosen[path] === undefined));
  if (taken.length === 0) return `Nothing is chosen.${rest}`;
  const count = (does: FileRestore['does']) => taken.filter((file) => file.does === does).length;
  const parts = [
    [count('change'), 'Changes'],
    [count('create'), 'makes'],
    [count('delete'), 'deletes'],
  ].flatMap(([number, verb]) => (number === 0 ? [] : [`${verb} ${counted(Number(number), 'file')}`]));
  const left = taken.filter(({ path, hunks }) => chosen[path] !== 'all' && (chosen[path]?.length ?? 0) < hunks.length);
  const some =
    left.length === 0 ? '' : `, ${left.length === taken.length ? '' : `${left.length} of them `}only in part`;
  const overwritten = taken
    .flatMap((file) => (file.state === 'conflict' ? [conflictsTaken(file, chosen)] : []))
    .reduce((sum, one) => sum + one, 0);
  const loses = overwritten === 0 ? '' : ` Overwrites ${counted(overwritten, 'later change')}.`;
  const sentence = `${parts.join(', ')}${some}.${loses}${rest}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** What stays as it is though it belongs to this. */
function leftWords(files: readonly FileRestore[]): string {
  const conflicts = files.filter(({ state }) => state === 'conflict').length;
  const lost = files.filter(({ state }) => state === 'lost').length;
  return [
    conflicts === 0 ? '' : ` ${counted(conflicts, 'file')} with a conflict left out.`,
    lost === 0 ? '' : ` ${counted(lost, 'file')} cannot be restored.`,
  ].join('');
}

function conflictsTaken({ path, hunks }: FileRestore, chosen: Chosen): number {
  const what = chosen[path];
  if (what === undefined) return 0;
  const places = hunks.filter(({ conflict }) => conflict !== null);
  if (places.length === 0) return 1;
  return places.filter(({ hunkId }) => what === 'all' || what.includes(hunkId)).length;
}
