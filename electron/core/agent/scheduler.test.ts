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

test('changes of context hold after a batch, in the order of its calls; at once after a call that runs alone', async () => {
  const applied: string[] = [];
  const scheduler = new Scheduler(2);
  const ends: (() => void)[] = [];
  const add = (name: string) =>
    scheduler.add({
      concurrencySafe: name === name.toLowerCase(),
      run: () => new Promise((resolve) => ends.push(resolve)),
      applyContext: () => applied.push(name),
    });
  for (const name of ['a', 'b', 'c', 'D', 'e']) add(name);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  ends[1]?.();
  await settled();
  ends[0]?.();
  await settled();
  expect(applied).toEqual([]);
  ends[2]?.();
  await settled();
  expect(applied).toEqual(['a', 'b', 'c']);
  ends[3]?.();
  await settled();
  expect(applied).toEqual(['a', 'b', 'c', 'D']);
  ends[4]?.();
  await scheduler.drain();
  expect(applied).toEqual(['a', 'b', 'c', 'D', 'e']);
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
