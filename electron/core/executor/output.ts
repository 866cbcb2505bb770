/** Bounded view of a command's output: head and tail for eye and model, and the count of what lies between. */
export interface OutputCapture {
  /** Characters received so far. */
  readonly totalChars: number;
  /** Output with escapes, at most 64 Ki characters; `hiddenChars` were left out between head and tail. */
  terminal(): { readonly text: string; readonly hiddenChars: number };
  /** For the model: no escapes, redraws collapsed, valid text, at most `maxChars`, with a line that says what is left out. */
  plain(maxChars: number): string;
}
