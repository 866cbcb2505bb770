/** Joins class names, leaving out what is false or undefined. */
export function classes(...parts: readonly (string | false | undefined | null)[]): string {
  return parts.filter(Boolean).join(' ');
}
