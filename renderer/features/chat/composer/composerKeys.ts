// What a key does in the message box. Pure, so that every combination is a row in a table.

export interface ComposerKey {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  /** True while an input method composes a character: Enter then only confirms the composition. */
  readonly isComposing: boolean;
}

export type ComposerAction = 'send' | 'stop' | 'none';

/**
 * `none` leaves the key to the text box. `sendWith` is the person's preference; `empty` and `running` tell whether
 * Esc may stop the run: it never does while text is being written.
 */
export function composerAction(
  event: ComposerKey,
  situation: { readonly sendWith: 'enter' | 'modEnter'; readonly empty: boolean; readonly running: boolean },
): ComposerAction {
  // 229 is what browsers report for a key that an input method has taken.
  if (event.isComposing || event.keyCode === 229) return 'none';
  if (event.key === 'Escape') return situation.running && situation.empty && !event.repeat ? 'stop' : 'none';
  if (event.key !== 'Enter' || event.repeat || event.altKey || event.shiftKey) return 'none';
  const mod = event.ctrlKey || event.metaKey;
  return mod || situation.sendWith === 'enter' ? 'send' : 'none';
}
