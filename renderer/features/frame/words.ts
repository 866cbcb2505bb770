// Numbers, times and paths as people read them.
import type { RuleFile } from '#shared/api/permissions';

/** Whole time since `at`, short: "now", "4 m", "2 h", "Tue", "3 Nov". */
export function age(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} m`;
  if (minutes < 24 * 60 && sameDay(at, now)) return `${Math.floor(minutes / 60)} h`;
  const date = new Date(at);
  if (minutes < 6 * 24 * 60) return date.toLocaleDateString('en', { weekday: 'short' });
  return date.toLocaleDateString('en', { day: 'numeric', month: 'short' });
}

/** Whether two moments lie on one calendar day here. */
export function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** "950", "18.4k", "1.2M". */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_950) return `${(count / 1_000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** "1 warning", "2 warnings". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A path with the home folder as `~`. */
export function homePath(path: string, home: string): string {
  if (home === '' || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

/** Last part of a path. */
export function baseName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  return parts.at(-1) ?? path;
}

/** A file's path with line and column, as far as known. */
export function placeOf(file: Pick<RuleFile, 'path' | 'line' | 'column'>, home: string): string {
  const place = [file.line, file.column].filter((part) => part !== undefined).join(':');
  return place === '' ? homePath(file.path, home) : `${homePath(file.path, home)}:${place}`;
}

/** A text as a sentence: first letter large, full stop at the end. Empty stays empty. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const upper = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** A time to come: "4:05 min", "40 s", "58 min". */
export function remainingTime(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes >= 10 ? `${minutes} min` : `${minutes}:${String(seconds % 60).padStart(2, '0')} min`;
}
