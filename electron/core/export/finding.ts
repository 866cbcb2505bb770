/** A stretch of a text that must not leave this computer, and what stands there instead. */
export interface Finding {
  readonly start: number;
  /** First character behind it. */
  readonly end: number;
  /** For people: `api key`, `home folder`. */
  readonly kind: string;
  readonly shown: string;
}

/** Where a new word may begin: behind what is no part of one, or behind a line break written as `\n`. */
export const wordStart = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`;
