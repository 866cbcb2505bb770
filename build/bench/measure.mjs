// Timing and tables for benches.

/** A block of runs takes about so long: enough for the clock, too short for a busy machine to interrupt most of them. */
const blockMicroseconds = 60;

/**
 * Runs each of the works `work(i)` in turns, so that what else the machine does falls on all of them alike; after a
 * warm-up. Median microseconds of one run, for each.
 */
export function timesOf(works, { milliseconds = 400, rounds = 10 } = {}) {
  let count = 0;
  const spend = (work, block, time) => {
    const samples = [];
    const end = performance.now() + time;
    do {
      const start = performance.now();
      for (let at = 0; at < block; at++) work(count++);
      samples.push(((performance.now() - start) * 1000) / block);
    } while (performance.now() < end);
    return samples;
  };
  const median = (samples) => samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)];
  const measured = works.map((work) => {
    const once = median(spend(work, 1, milliseconds / 2));
    return { work, block: Math.max(1, Math.min(50, Math.round(blockMicroseconds / once))), samples: [] };
  });
  for (let round = 0; round < rounds; round++)
    for (const one of measured) one.samples.push(...spend(one.work, one.block, milliseconds / rounds));
  return measured.map((one) => median(one.samples));
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
