// THE table of keys that work everywhere in the page, and the test whether a key press is one of them.

export type ShortcutAction =
  | 'newSession'
  | 'toggleSidebar'
  | 'toggleInspector'
  | 'settings'
  | 'search'
  | 'rules'
  | 'results'
  | 'trace'
  | 'hooks'
  | 'tools'
  | 'switcher'
  | 'shortcutSheet'
  | 'nextWaiting'
  | 'nextPane'
  | 'previousPane';

export interface Shortcut {
  readonly action: ShortcutAction;
  /** As shown; matched by key position (`code`), so that other alphabets work too. */
  readonly keys: string;
  readonly code: string;
  readonly mod: boolean;
  readonly shift: boolean;
}

export const shortcuts: readonly Shortcut[] = [
  { action: 'newSession', keys: 'Mod+Shift+O', code: 'KeyO', mod: true, shift: true },
  // A browser keeps this one for itself; a window of our own gets it.
  { action: 'newSession', keys: 'Mod+N', code: 'KeyN', mod: true, shift: false },
  { action: 'switcher', keys: 'Mod+K', code: 'KeyK', mod: true, shift: false },
  { action: 'search', keys: 'Mod+Shift+F', code: 'KeyF', mod: true, shift: true },
  { action: 'nextWaiting', keys: 'Mod+Shift+A', code: 'KeyA', mod: true, shift: true },
  { action: 'toggleSidebar', keys: 'Mod+B', code: 'KeyB', mod: true, shift: false },
  { action: 'toggleInspector', keys: 'Mod+J', code: 'KeyJ', mod: true, shift: false },
  { action: 'settings', keys: 'Mod+,', code: 'Comma', mod: true, shift: false },
  { action: 'rules', keys: 'Mod+Shift+L', code: 'KeyL', mod: true, shift: true },
  { action: 'results', keys: 'Mod+Shift+U', code: 'KeyU', mod: true, shift: true },
  { action: 'trace', keys: 'Mod+Shift+Y', code: 'KeyY', mod: true, shift: true },
  { action: 'hooks', keys: 'Mod+Shift+H', code: 'KeyH', mod: true, shift: true },
  { action: 'tools', keys: 'Mod+Shift+E', code: 'KeyE', mod: true, shift: true },
  { action: 'nextPane', keys: 'F6', code: 'F6', mod: false, shift: false },
  { action: 'previousPane', keys: 'Shift+F6', code: 'F6', mod: false, shift: true },
  { action: 'shortcutSheet', keys: 'Mod+/', code: 'Slash', mod: true, shift: false },
];

/** Key code of a key press that belongs to an input method, in browsers that do not set `isComposing`. */
const composingKeyCode = 229;

export interface KeyPress {
  readonly code: string;
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
  readonly repeat: boolean;
}

/** True while the person writes with an input method: such a key press means nothing else. */
export function isComposing(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
  return press.isComposing || press.keyCode === composingKeyCode;
}

/** The action of a key press; null when it is none, is repeated, or belongs to an input method. */
export function actionFor(
  press: KeyPress,
  context: { readonly apple: boolean; readonly typing: boolean },
): ShortcutAction | null {
  if (isComposing(press) || press.repeat || press.altKey) return null;
  const mod = context.apple ? press.metaKey : press.ctrlKey;
  const otherMod = context.apple ? press.ctrlKey : press.metaKey;
  if (otherMod) return null;
  if (press.key === '?' && !mod) return context.typing ? null : 'shortcutSheet';
  const found = shortcuts.find(
    (shortcut) => shortcut.code === press.code && shortcut.mod === mod && shortcut.shift === press.shiftKey,
  );
  return found?.action ?? null;
}
