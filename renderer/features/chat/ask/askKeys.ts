// Which key answers an ask. Only chords, only with focus inside the ask, never a repeat, never half-composed text.

export type AskChord = 'allowOnce' | 'always' | 'deny' | 'denyOnce' | null;

export interface AskKey {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
}

/** The answer a key press inside the ask stands for; null for every key that is no chord. */
export function askChord(event: AskKey): AskChord {
  if (event.repeat || event.isComposing || event.keyCode === 229 || event.altKey) return null;
  const mod = event.ctrlKey || event.metaKey;
  if (event.key === 'Escape') return mod || event.shiftKey ? null : 'denyOnce';
  if (!mod) return null;
  if (event.key === 'Enter') return event.shiftKey ? 'always' : 'allowOnce';
  if (event.key === 'Backspace' && !event.shiftKey) return 'deny';
  return null;
}
