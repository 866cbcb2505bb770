import { expect, test } from 'vitest';
import { concurrencyFrom, Scheduler } from './scheduler';

/** Runs named calls (lower case safe, upper case unsafe), each ending when told to. */
function bench(concurrency: number) {
  const scheduler = new Scheduler(concurrency);
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string): void =>
    scheduler.add({
      concurrencySafe: name === name.toLowerCase(),
      run: () => {
        log.push(`+${name}`);
        return new Promise((resolve) =>
          ends.set(name, () => {
            log.push(`-${name}`);
            resolve();
          }),
        );
      },
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { scheduler, log, add, end };
}

test('safe calls overlap, an unsafe one is a barrier, order never changes', async () => {
  const { scheduler, log, add, end } = bench(10);
  for (const name of ['a', 'b', 'C', 'd']) add(name);
  expect(log).toEqual(['+a', '+b']);
  await end('b');
  expect(log).toEqual(['+a', '+b', '-b']);
  await end('a');
  expect(log).toEqual(['+a', '+b', '-b', '-a', '+C']);
  await end('C');
  await end('d');
  expect(log).toEqual(['+a', '+b', '-b', '-a', '+C', '-C', '+d', '-d']);
  await scheduler.drain();
});

test('concurrency is bounded and calls added late join the running batch', async () => {
  const { scheduler, log, add, end } = bench(2);
  for (const name of ['a', 'b', 'c']) add(name);
  expect(log).toEqual(['+a', '+b']);
  await end('a');
  expect(log).toEqual(['+a', '+b', '-a', '+c']);
  await end('b');
  add('d');
  expect(log.at(-1)).toBe('+d');
  await end('c');
  await end('d');
  await scheduler.drain();
});

test('a call that rejects does not hold up the others and surfaces in drain', async () => {
  const scheduler = new Scheduler(10);
  const ran: string[] = [];
  scheduler.add({ concurrencySafe: false, run: () => Promise.reject(new Error('bug')) });
  scheduler.add({ concurrencySafe: false, run: () => Promise.resolve(void ran.push('next')) });
  await expect(scheduler.drain()).rejects.toThrow('bug');
  expect(ran).toEqual(['next']);
});

test.each([
  ['', 10],
  ['0', 10],
  ['-3', 10],
  ['many', 10],
  ['2.5', 10],
  ['1e2', 10],
  ['4', 4],
  [' 16 ', 16],
])('concurrency %j is %i', (wish, expected) => {
  expect(concurrencyFrom(wish)).toBe(expected);
});
