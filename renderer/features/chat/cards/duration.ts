/** A length of time for people: `0.4 ms`, `38 ms`, `2.1 s`, `1 m 12 s`, `2 h 5 m`. */
export function formatDuration(ms: number): string {
  if (ms < 0.95) return `${Math.max(0, ms).toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds / 60) % 60} m`;
}

/** A running time in whole seconds, so that it ticks calmly. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds / 60) % 60} m`;
}
