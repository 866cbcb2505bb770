// Timing and tables for benches.

/** Runs `work(i)` for about `milliseconds` in blocks after a warm-up; microseconds of one run: median and the slow end. */
export function timeOf(work, { milliseconds = 700, block = 20 } = {}) {
  let count = 0;
  const until = (end) => {
    const samples = [];
    while (performance.now() < end) {
      const start = performance.now();
      for (let at = 0; at < block; at++) work(count++);
      samples.push(((performance.now() - start) * 1000) / block);
    }
    return samples.sort((a, b) => a - b);
  };
  until(performance.now() + milliseconds / 2);
  const samples = until(performance.now() + milliseconds);
  const at = (part) => samples[Math.min(samples.length - 1, Math.floor(samples.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Bytes in use after a collection, when the process may collect. */
export function heapInUse() {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** A table of texts: the first column left, the others right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]))),
    )
    .map((row) => row.join('  '))
    .join('\n');
}
