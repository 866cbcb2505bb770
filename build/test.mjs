// `npm test`: from a fresh clone to one line, `N passed, N failed`. Installs what is missing, builds, checks, packs, and
// drives the built program in a browser.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson } from './cacheFolder.mjs';
import { check, runVitest, summary } from './check.mjs';
import { run } from './command.mjs';
import { dist, root } from './entries.mjs';
import { install } from './install.mjs';
import { findBrowser, provide } from './systemPackages.mjs';

/** Enough for a dozen turns on a slow machine, and for some thousand inputs; `npm run soak` and `npm run fuzz` go on for longer. */
const soakMinutes = 1;
const fuzzMinutes = 2;
/** The same inputs each time, so that a change is judged and not luck. */
const fuzzSeed = 1;

/** Counts of Playwright's JSON report. A test that passed only when repeated counts as failed. */
export function countBrowserTests({ report, code }) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + flaky;
  return { passed: expected, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}

async function runBrowserTests() {
  const file = join(dist, 'reports', 'browser-tests.json');
  await mkdir(join(dist, 'reports'), { recursive: true });
  await rm(file, { force: true });
  const { code, seconds } = await run({
    command: process.execPath,
    args: [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--reporter=list,json',
    ],
    cwd: root,
    env: { ...process.env, GATEHOUSE_CHROMIUM: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  return { name: 'browser tests', seconds, ...countBrowserTests({ report: await readJson(file), code }) };
}

/**
 * The short form of `npm run soak` (random turns of the built command line) or `npm run fuzz` (hostile inputs into all that
 * reads them), with the seed that is printed.
 */
async function runRandom({ name, args }) {
  const { code, output, seconds } = await run({
    command: process.execPath,
    args: [`build/${name}.mjs`, ...args.map(String)],
    cwd: root,
    capture: true,
  });
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)\n${output.trimEnd()}`);
  return { name, seconds, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function runRandoms() {
  const soaked = await runRandom({ name: 'soak', args: [soakMinutes] });
  return [soaked, await runRandom({ name: 'fuzz', args: [fuzzMinutes, fuzzSeed] })];
}

async function build() {
  const { code, output, seconds } = await run({
    command: process.execPath,
    args: ['build/bundle.mjs'],
    cwd: root,
    capture: true,
  });
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} build (${seconds.toFixed(1)} s)`);
  if (code !== 0) console.log(output.trimEnd());
  return { name: 'build', seconds, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** A step that could not begin counts as one failure, with the reason above the sum. */
function couldNot({ name, reason }) {
  console.log(`FAIL ${name}: ${reason}`);
  return { name, seconds: 0, passed: 0, failed: 1, skipped: 0 };
}

async function test() {
  const trouble = await install();
  if (trouble !== null) return [couldNot({ name: 'install', reason: trouble })];
  const programs = await provide({ purposes: ['browser', 'sandbox'], log: console.log });

  const built = await build();
  const results = [built, ...(await check())];
  if (built.failed > 0) return [...results, couldNot({ name: 'browser tests', reason: 'the build failed' })];
  results.push(await runVitest({ name: 'package layout', config: 'vitest.package.config.mjs' }));
  const browser = findBrowser();
  if (programs.missing.length > 0 || browser === undefined || !existsSync(browser)) {
    const reason = programs.message || `there is no browser at ${browser}: set GATEHOUSE_CHROMIUM to a Chromium`;
    return [...results, couldNot({ name: 'browser tests', reason })];
  }
  // Browsers wait for their pages now and then, and random turns fill the time.
  const [browserTests, randoms] = await Promise.all([runBrowserTests(), runRandoms()]);
  return [...results, browserTests, ...randoms];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const results = await test();
  console.log('');
  for (const { name, seconds, passed, failed, skipped } of results) {
    const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    console.log(`${name.padEnd(16)} ${counts} (${seconds.toFixed(1)} s)`);
  }
  console.log(summary(results));
  process.exitCode = results.some((each) => each.failed > 0) ? 1 : 0;
}
