// Timing and tables for benches.

/**
 * Runs each of the works `work(i)` in turns, so that what else the machine does falls on all of them alike; after a
 * warm-up. Median microseconds of one run, for each.
 */
export function timesOf(works, { milliseconds = 400, rounds = 10, block = 10 } = {}) {
  const samples = works.map(() => []);
  let count = 0;
  const spend = (work, into, time) => {
    const end = performance.now() + time;
    do {
      const start = performance.now();
      for (let at = 0; at < block; at++) work(count++);
      into.push(((performance.now() - start) * 1000) / block);
    } while (performance.now() < end);
  };
  for (const work of works) spend(work, [], milliseconds / 2);
  for (let round = 0; round < rounds; round++)
    for (const [index, work] of works.entries()) spend(work, samples[index], milliseconds / rounds);
  return samples.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
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
