// `npm run check`: everything that can be said without a browser. Quick checks two at a time, then the unit tests,
// which start real processes and want the cores for themselves.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson } from './cacheFolder.mjs';
import { run } from './command.mjs';
import { dist, root } from './entries.mjs';

const bin = (name) => join(root, 'node_modules', name);
const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });

/** Each counts as one in the sum. */
const quickChecks = [
  { name: 'types', ...node(bin('typescript/bin/tsc'), '-b') },
  { name: 'structure', ...node(join(root, 'build/structure.mjs')) },
  { name: 'lint', ...node(bin('@biomejs/biome/bin/biome'), 'lint', '--error-on-warnings', '.') },
  { name: 'format', ...node(bin('@biomejs/biome/bin/biome'), 'format', '.') },
  {
    name: 'unused code',
    ...node(bin('knip/bin/knip.js'), '--config', 'build/knip.json', '--no-progress', '--treat-config-hints-as-errors'),
  },
];

/** Counts of vitest's JSON report. A file that does not load, and an error outside of any test, count as failed. */
export function countUnitTests({ report, code }) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Runs vitest with a configuration of this folder; shows its output, resolves to the counts. */
export async function runVitest({ name, config }) {
  const file = join(dist, 'reports', `${name.replaceAll(' ', '-')}.json`);
  await mkdir(join(dist, 'reports'), { recursive: true });
  await rm(file, { force: true });
  const args = [
    'run',
    '--config',
    join('build', config),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { code, seconds } = await run({ ...node(bin('vitest/vitest.mjs'), ...args), cwd: root });
  return { name, seconds, ...countUnitTests({ report: await readJson(file), code }) };
}

async function runQuick(check) {
  const { code, output, seconds } = await run({ ...check, cwd: root, capture: true });
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds.toFixed(1)} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return { name: check.name, seconds, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** All checks, whatever fails: a list of {name, seconds, passed, failed, skipped}. */
export async function check() {
  const waiting = [...quickChecks];
  const results = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await runQuick(next));
  };
  await Promise.all([lane(), lane()]);
  results.push(await runVitest({ name: 'unit tests', config: 'vitest.config.mjs' }));
  return results;
}

/** `N passed, N failed`, with `, N skipped` where there are any. */
export function summary(results) {
  const sum = (key) => results.reduce((total, each) => total + each[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const results = await check();
  console.log(summary(results));
  process.exitCode = results.some((each) => each.failed > 0) ? 1 : 0;
}
