import { expect, test, vi } from 'vitest';
import { createPages } from './pages';

/** Numbers up to `count`, in pages of ten; each request is answered when told to. */
function numbers(count: { now: number }, maxWeight = 1_000) {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const onProblem = vi.fn();
  const pages = createPages<number>({
    size: 10,
    fetch: (from, wanted) => {
      asked.push(from);
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          if (count.now < 0) reject(new Error('gone'));
          else resolve(Array.from({ length: Math.max(0, Math.min(wanted, count.now - from)) }, (_, at) => from + at));
        });
      });
    },
    maxWeight,
    onProblem,
  });
  const answer = async (): Promise<void> => {
    for (const one of waiting.splice(0)) one();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { pages, asked, answer, onProblem };
}

test('rows in view are fetched in pages, each once, two requests at a time', async () => {
  const { pages, asked, answer } = numbers({ now: 100 });
  pages.want({ from: 5, to: 31, count: 100 });
  expect(asked).toEqual([0, 10]);
  await answer();
  expect(asked).toEqual([0, 10, 20, 30]);
  await answer();
  pages.want({ from: 5, to: 31, count: 100 });
  expect(asked).toHaveLength(4);
  expect([pages.at(5), pages.at(30), pages.at(40)]).toEqual([5, 30, undefined]);
});

test('what is scrolled past while it waits is not asked for', async () => {
  const { pages, asked, answer } = numbers({ now: 1_000 });
  pages.want({ from: 0, to: 50, count: 1_000 });
  pages.want({ from: 900, to: 910, count: 1_000 });
  await answer();
  expect(asked).toEqual([0, 10, 900]);
});

test('a page that was short is fetched again once there is more, and not before', async () => {
  const count = { now: 15 };
  const { pages, asked, answer } = numbers(count);
  pages.want({ from: 10, to: 15, count: 15 });
  await answer();
  pages.want({ from: 10, to: 15, count: 15 });
  expect(asked).toEqual([10]);
  count.now = 18;
  pages.want({ from: 10, to: 18, count: 18 });
  await answer();
  expect(pages.at(17)).toBe(17);
});

test('the pages looked at longest ago are given up', async () => {
  const { pages, answer } = numbers({ now: 1_000 }, 30);
  for (const from of [0, 100, 200, 300]) {
    pages.want({ from, to: from + 1, count: 1_000 });
    await answer();
  }
  expect([0, 100, 200, 300].map((at) => pages.at(at))).toEqual([undefined, 100, 200, 300]);
});

test('refreshed rows stay until new ones have come', async () => {
  const { pages, asked, answer } = numbers({ now: 20 });
  pages.want({ from: 0, to: 10, count: 20 });
  await answer();
  pages.refresh();
  expect(pages.at(3)).toBe(3);
  expect(asked).toEqual([0, 0]);
});

test('a failure is told, and not asked for again by itself', async () => {
  const count = { now: -1 };
  const { pages, asked, answer, onProblem } = numbers(count);
  pages.want({ from: 0, to: 10, count: 20 });
  await answer();
  expect(onProblem).toHaveBeenCalledTimes(1);
  expect(asked).toEqual([0]);
  count.now = 20;
  pages.want({ from: 0, to: 10, count: 20 });
  await answer();
  expect(pages.at(3)).toBe(3);
});
