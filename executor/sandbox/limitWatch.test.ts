import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { LimitReached, SandboxLimits } from '#shared/api/executor';
import { LimitWatch } from './limitWatch';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a program that prints a line when it has taken what it is to take. */
async function started(file: string, ...args: string[]): Promise<number> {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? -1;
}

const holding = (mebibytes: number) => [
  '-e',
  `const held = Buffer.alloc(${mebibytes} * 1048576, 1); console.log(held.length); process.stdin.resume()`,
];

/** The first of two watches to be reached: one with limits above what is taken would never tell. */
function watched(rootPid: number, limits: SandboxLimits): Promise<LimitReached> {
  return new Promise((resolve) => {
    const watch = new LimitWatch({
      rootPid,
      limits,
      onReached(reached) {
        watch.dispose();
        resolve(reached);
      },
    });
  });
}

const mebibyte = 1_048_576;

test('processes, also those of processes', async () => {
  const pid = await started('bash', '-c', '(cat <&0 & cat <&0 & echo; wait); true');
  expect(await watched(pid, { processes: 3 })).toEqual({ what: 'processes', allowed: 3 });
});

test('the memory of one', async () => {
  const pid = await started(process.execPath, ...holding(150));
  expect(await watched(pid, { memoryBytes: 120 * mebibyte })).toEqual({ what: 'memory', allowed: 120 * mebibyte });
});

test('the memory of several, none of which takes too much', async () => {
  const one = `${process.execPath} -e '${holding(80)[1]}' <&0`;
  const script = `${one} & ${one} & wait`;
  const pid = await started('bash', '-c', script);
  expect(await watched(pid, { memoryBytes: 150 * mebibyte })).toEqual({ what: 'memory', allowed: 150 * mebibyte });
});

test('below the limits nothing is said', async () => {
  const pid = await started('bash', '-c', 'echo; read -r line');
  const other = await started('bash', '-c', 'cat <&0 & echo; wait');
  let told = 0;
  const watch = new LimitWatch({
    rootPid: pid,
    limits: { processes: 10, memoryBytes: 4_096 * mebibyte },
    onReached: () => {
      told += 1;
    },
  });
  // Started later, so it has looked at least as late.
  await watched(other, { processes: 1 });
  watch.dispose();
  expect(told).toBe(0);
});
