// Numbers, times and paths as people read them.

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
