// Keys as texts (`Mod+Shift+L`), and the test whether a key press is one of them. Matched by key position (`code`), so that
// other alphabets work too.

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

/** Names of keys whose `code` is another word. */
const codes: Readonly<Record<string, string>> = {
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
  ';': 'Semicolon',
  "'": 'Quote',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  '\\': 'Backslash',
  '`': 'Backquote',
  '-': 'Minus',
  '=': 'Equal',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
};
const names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(codes).map(([name, code]) => [code, name]),
);

/** Keys that may stand alone: none of them writes anything. */
const alone = /^F([1-9]|1[0-9]|2[0-4])$/;
const named = /^(?:F([1-9]|1[0-9]|2[0-4])|Enter|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Tab|Space)$/;

interface Chord {
  readonly code: string;
  readonly mod: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** The keys of a text; null when it is none. `Ctrl` is that key on every machine, `Mod` is Cmd on a Mac and Ctrl elsewhere. */
function chordOf(keys: string): Chord | null {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const code =
    codes[key] ?? (/^[A-Z]$/.test(key) ? `Key${key}` : /^\d$/.test(key) ? `Digit${key}` : named.test(key) ? key : null);
  if (code === null || parts.some((part) => !['Mod', 'Ctrl', 'Alt', 'Shift'].includes(part))) return null;
  const has = (part: string) => parts.includes(part);
  return { code, mod: has('Mod'), ctrl: has('Ctrl'), alt: has('Alt'), shift: has('Shift') };
}

/** Whether a key press is these keys. Never true for one that is repeated or belongs to an input method. */
export function isPress(press: KeyPress, keys: string, { apple }: { readonly apple: boolean }): boolean {
  if (isComposing(press) || press.repeat) return false;
  const chord = chordOf(keys);
  if (chord === null || chord.code !== press.code) return false;
  const ctrl = chord.ctrl || (chord.mod && !apple);
  const meta = chord.mod && apple;
  return (
    press.ctrlKey === ctrl && press.metaKey === meta && press.altKey === chord.alt && press.shiftKey === chord.shift
  );
}

/** The text of a key press that may become a shortcut; null while only modifiers are held, or for what has no name. */
export function keysOf(press: KeyPress, { apple }: { readonly apple: boolean }): string | null {
  const { code } = press;
  const key =
    names[code] ?? /^Key([A-Z])$/.exec(code)?.[1] ?? /^Digit(\d)$/.exec(code)?.[1] ?? (named.test(code) ? code : null);
  if (key === null) return null;
  const mod = apple ? press.metaKey : press.ctrlKey;
  const parts = [
    ...(mod ? ['Mod'] : []),
    ...(apple && press.ctrlKey ? ['Ctrl'] : []),
    ...(press.altKey ? ['Alt'] : []),
    ...(press.shiftKey ? ['Shift'] : []),
  ];
  return [...parts, key].join('+');
}

/** Keys that the system, the browser, a text field or a screen reader needs for itself, with the reason. */
const taken: readonly (readonly [keys: RegExp, why: string])[] = [
  [/^Mod\+[CVXAZ]$/, 'Text fields need these keys.'],
  [/^Mod\+Shift\+[Z]$/, 'Text fields need these keys.'],
  [/^(Mod\+)?(Shift\+)?Tab$/, 'Moving through the page needs this key.'],
  [/^Mod\+[QR]$/, 'The system or the browser keeps these keys for itself.'],
  [/^F(5|11|12)$/, 'The browser keeps this key for itself.'],
  [/^(Ctrl\+Alt|Mod\+Alt)\+/, 'Screen readers and keyboards with AltGr need these keys.'],
];

/** Why keys cannot be a shortcut that works everywhere; empty when they can. */
export function whyNot(keys: string): string {
  const chord = chordOf(keys);
  if (chord === null) return 'These are no keys that Gatehouse knows.';
  if (!chord.mod && !chord.ctrl && !(chord.alt && chord.code !== 'Tab') && !alone.test(chord.code))
    return 'A key alone would fire while somebody types. Hold Ctrl, Cmd or Alt with it.';
  return taken.find(([pattern]) => pattern.test(keys))?.[1] ?? '';
}
