// Which keys an action has: those that the person chose, else those of the table.
import { useApp } from '../../stores/app';
import { isApple } from '../../ui/keyNames';
import { isPress, type KeyPress, whyNot } from '../frame/shortcuts';
import type { Action } from './action';
import { actionNamed, actions } from './actions';

/** The person's own choices by action id; empty text: no keys. */
export type OwnKeys = Readonly<Record<string, string>>;

const none: OwnKeys = {};

export function ownKeys(): OwnKeys {
  return useApp.getState().preferences?.shortcuts ?? none;
}

/** The same, kept in step with the preferences. */
export function useOwnKeys(): OwnKeys {
  return useApp((app) => app.preferences?.shortcuts ?? none);
}

/** All keys of an action. */
export function keysInForce({ id, keys }: Pick<Action, 'id' | 'keys'>, own: OwnKeys): readonly string[] {
  const chosen = own[id];
  if (chosen === undefined || (chosen !== '' && whyNot(chosen) !== '')) return keys;
  return chosen === '' ? [] : [chosen];
}

/** The keys to show beside an action; undefined: it has none. */
export function useKeys(id: string): string | undefined {
  const own = useOwnKeys();
  const action = actionNamed(id);
  return action === undefined ? undefined : keysInForce(action, own)[0];
}

/** Whether a key press belongs to an action, for those who listen in their own place. */
export function isPressOf(press: KeyPress, id: string): boolean {
  const action = actionNamed(id);
  const apple = isApple(navigator.platform);
  return action !== undefined && keysInForce(action, ownKeys()).some((keys) => isPress(press, keys, { apple }));
}

/** The action of a key press anywhere in the page; null when it is none. */
export function actionFor(
  press: KeyPress,
  context: { readonly apple: boolean; readonly typing: boolean; readonly own: OwnKeys },
): Action | null {
  const { apple, typing, own } = context;
  // A sign and not a place on the keyboard: it lies elsewhere on every layout.
  if (press.key === '?' && !press.ctrlKey && !press.metaKey && !press.altKey && !press.repeat && !press.isComposing)
    return typing ? null : (actionNamed('shortcutSheet') ?? null);
  const found = actions.find(
    (action) => action.local === undefined && keysInForce(action, own).some((keys) => isPress(press, keys, { apple })),
  );
  return found ?? null;
}

/** Actions that have the same keys as another one. */
export function conflictsOf(id: string, own: OwnKeys): readonly { readonly keys: string; readonly with: Action }[] {
  const action = actionNamed(id);
  if (action === undefined) return [];
  const mine = keysInForce(action, own);
  return actions.flatMap((other) =>
    other.id === id
      ? []
      : keysInForce(other, own).flatMap((keys) => (mine.includes(keys) ? [{ keys, with: other }] : [])),
  );
}
