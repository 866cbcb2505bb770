// The built program and a browser on its page, for benches: a home of their own, and what the browser tells of frames.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { dist } from '../entries.mjs';

/** The browser as the stories choose it: named by the environment, else the system's own, else one on the search path. */
function chromiumPath() {
  const named = process.env.GATEHOUSE_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('No Chromium was found. Install the chromium package, or set GATEHOUSE_CHROMIUM to a browser.');
  return found;
}

/** Folders of a person who never was. `data` is where the program keeps its things. */
export function makeHome() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  for (const name of ['home/.claude', 'data', 'config', 'cache', 'state', 'project'])
    mkdirSync(join(root, name), { recursive: true });
  return {
    root,
    data: join(root, 'data', 'gatehouse'),
    project: join(root, 'project'),
    environment: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: join(root, 'home'),
      XDG_DATA_HOME: join(root, 'data'),
      XDG_CONFIG_HOME: join(root, 'config'),
      XDG_CACHE_HOME: join(root, 'cache'),
      XDG_STATE_HOME: join(root, 'state'),
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts the built program on its loopback host. `memory()`: resident megabytes of the host process. */
export async function startProgram(home, environment = {}) {
  const child = spawn(
    process.execPath,
    [join(dist, 'server.mjs'), '--no-open', '--port', '0', '--folder', home.project],
    {
      cwd: home.root,
      env: { ...home.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  const url = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      printed += chunk;
      const ready = /^READY (\S+)$/m.exec(printed);
      if (ready !== null) resolve(ready[1]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`The program ended before it was ready:\n${printed}`)));
  });
  return {
    url,
    pid: child.pid,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** A browser with one page of the usual size. `send` talks to the browser's own inspector. */
export async function openBrowser() {
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--enable-precise-memory-info',
      '--disable-background-timer-throttling',
      '--disable-renderer-backgrounding',
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const inspector = await context.newCDPSession(page);
  await page.addInitScript(watchFrames);
  return { browser, page, inspector, close: () => browser.close() };
}

/** Runs in the page: notes frames, long tasks and how long each key took until it was painted. */
function watchFrames() {
  const watch = { frames: [], longTasks: [], keys: [], last: 0 };
  globalThis.benchWatch = watch;
  const frame = (now) => {
    if (watch.last !== 0) watch.frames.push(now - watch.last);
    watch.last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) watch.longTasks.push(task.duration);
  }).observe({ type: 'longtask', buffered: true });
  // From the key's own time to the frame after its input was handled: the glyph is on screen then.
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => {
    const now = performance.now();
    for (const at of waiting.splice(0)) watch.keys.push(now - at);
  };
  addEventListener(
    'keydown',
    (event) => {
      if (event.key.length !== 1) return;
      const at = event.timeStamp;
      addEventListener(
        'input',
        () =>
          requestAnimationFrame(() => {
            waiting.push(at);
            // Runs after the frame has been painted.
            channel.port2.postMessage(0);
          }),
        { once: true, capture: true },
      );
    },
    true,
  );
}

/** What the page noted since the last time, in milliseconds. */
export async function takeWatch(page) {
  return page.evaluate(() => {
    const watch = globalThis.benchWatch;
    const { frames, longTasks, keys } = watch;
    watch.frames = [];
    watch.longTasks = [];
    watch.keys = [];
    return { frames, longTasks, keys };
  });
}

/** The value below which this share of the samples lies. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Megabytes of the page's own heap after a collection. */
export async function pageMemory(inspector) {
  await inspector.send('HeapProfiler.collectGarbage');
  const { usedSize } = await inspector.send('Runtime.getHeapUsage');
  return usedSize / 1_048_576;
}

/**
 * Runs something under the browser's own tracing. `worked`: the milliseconds for which the processor was busy with the page's
 * longest task, beside what it gave. Unlike the time of a frame it does not grow with what else the machine does.
 */
export async function traced({ browser, page }, run) {
  await browser.startTracing(page, { categories: ['toplevel'] });
  const value = await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid}.${tid}`));
  const worked = tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0);
  return { ...value, worked };
}
