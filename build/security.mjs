// `npm run security`: every attempt to get out of the sandbox, made for real, as a table by kind. What cannot be tried on
// this machine is listed with its reason and never counted as contained.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson } from './cacheFolder.mjs';
import { run } from './command.mjs';
import { root } from './entries.mjs';
import { provide } from './systemPackages.mjs';

const suite = 'executor/sandbox/escape/escape.test.ts';

/**
 * What a report of the suite says of each attempt, in its order: {kind, name, verdict, reason}. One that did not come to
 * an outcome counts as `unclear`.
 */
export function attemptsOf(report) {
  return report.testResults
    .flatMap((file) => file.assertionResults)
    .flatMap(({ title, status, meta, failureMessages }) => {
      if (meta?.attempt !== undefined) return [meta.attempt];
      const reason = failureMessages?.[0]?.split('\n')[0] ?? 'it came to no outcome';
      return status === 'failed' ? [{ kind: 'the suite itself', name: title, verdict: 'unclear', reason }] : [];
    });
}

/** The table: a line for each kind, the sum, and every attempt that was not contained with its reason. */
export function tableOf(attempts) {
  const kinds = [...new Set(attempts.map(({ kind }) => kind))];
  const count = (list, verdict) => list.filter((each) => each.verdict === verdict).length;
  const row = (name, list) =>
    [
      name.padEnd(24),
      ...[list.length, ...['contained', 'escaped', 'unclear', 'skipped'].map((verdict) => count(list, verdict))].map(
        (number) => String(number).padStart(9),
      ),
    ].join(' ');
  const heads = ['attempts', 'contained', 'escaped', 'unclear', 'skipped'].map((word) => word.padStart(9));
  const others = ['escaped', 'unclear', 'skipped'].flatMap((verdict) =>
    attempts
      .filter((each) => each.verdict === verdict)
      .map(({ kind, name, reason }) => `${verdict}: ${kind}: ${name}\n  ${reason}`),
  );
  return [
    [''.padEnd(24), ...heads].join(' '),
    ...kinds.map((kind) =>
      row(
        kind,
        attempts.filter((each) => each.kind === kind),
      ),
    ),
    row('all', attempts),
    ...(others.length === 0 ? [] : ['', ...others]),
  ].join('\n');
}

/** Runs the suite; null when it did not report. */
async function runSuite() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-security-'));
  try {
    const file = join(folder, 'report.json');
    const { output } = await run({
      command: process.execPath,
      args: [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--config',
        'build/vitest.config.mjs',
        '--reporter=json',
        `--outputFile=${file}`,
        suite,
      ],
      cwd: root,
      capture: true,
    });
    const report = await readJson(file);
    if (report === undefined) console.log(output.trimEnd());
    return report ?? null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await provide({ purposes: ['sandbox'], log: console.log });
  const report = await runSuite();
  const attempts = report === null ? [] : attemptsOf(report);
  if (attempts.length > 0) console.log(tableOf(attempts));
  const bad = attempts.filter(({ verdict }) => verdict === 'escaped' || verdict === 'unclear').length;
  process.exitCode = attempts.length === 0 || bad > 0 ? 1 : 0;
}
