// Numbers and cuts in the texts of tools.

/** `1,204`. Whole numbers without the tables of languages, which a start would have to read for its first one. */
export const grouped = (value: number) =>
  Number.isSafeInteger(value) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',') : value.toLocaleString('en');

/** `1 line`, `2,000 lines`. */
export const counted = (value: number, noun: string, plural = `${noun}s`) =>
  `${grouped(value)} ${value === 1 ? noun : plural}`;

/** At most `maxChars` characters from the start, never half a surrogate pair. */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}

/** The first `maxChars` characters on one line, line breaks shown, `…` where something is left out. */
export function oneLine(text: string, maxChars = 200): string {
  const line = text.trim().replaceAll(/\r\n|[\r\n]/g, ' ⏎ ');
  return line.length > maxChars ? `${headOf(line, maxChars)}…` : line;
}

/** `450 ms`, `12 s`, `2 min`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** `+3 −1`. */
export const changeCount = (added: number, removed: number) => `+${grouped(added)} −${grouped(removed)}`;
