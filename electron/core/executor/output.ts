/** Bounded view of a command's output: head and tail for eye and model, and the count of what lies between. */
export interface OutputCapture {
  /** Characters received so far. */
  readonly totalChars: number;
  /** Output with escapes, at most 64 Ki characters; `hiddenChars` were left out between head and tail. */
  terminal(): { readonly text: string; readonly hiddenChars: number };
  /** For the model: no escapes, redraws collapsed, valid text, at most `maxChars`, with a line that says what is left out. */
  plain(maxChars: number): string;
  /**
   * Plain text that came since offset `fromChar` of the plain text: the newest `maxChars` of it, how much was left out
   * before them, and the offset to go on from. Lines that are still being redrawn may be told again, changed.
   */
  plainSince(
    fromChar: number,
    maxChars: number,
  ): { readonly text: string; readonly skippedChars: number; readonly nextChar: number };
  /** Runs after each piece and at the end; answers with its unsubscribe. */
  onChange(listener: () => void): () => void;
  /** What is known once the command has ended; until then nothing is kept and nothing to be told. */
  readonly outcome: OutputOutcome;
}

export interface OutputOutcome {
  /** The file that holds the plain text, where it was long enough to be kept or belongs to a background task. */
  readonly written: { readonly file: string; readonly bytes: number } | null;
  /** The output was one image (its bytes, or a data: URL) and nothing else. */
  readonly image: { readonly mediaType: string; readonly base64: string } | null;
  /** Sentences for model and person: what was not text, what could not be written or was beyond the file's limit. */
  readonly notices: readonly string[];
  /** It was stopped because its file had reached the limit. */
  readonly full: boolean;
}
