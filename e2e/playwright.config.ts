import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** The browser: named by the environment, else the system's own Chromium, else the one on the search path. */
function chromiumPath(): string {
  const named = process.env.GATEHOUSE_CHROMIUM;
  if (named !== undefined && named !== '') return named;
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('No Chromium was found. Install the chromium package, or set GATEHOUSE_CHROMIUM to a browser.');
  return found;
}

const asRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'specs',
  outputDir: '../test-results/artifacts',
  fullyParallel: true,
  // One more than two cores: much of each story is waiting.
  workers: 3,
  retries: 0,
  // Walks through many states for eyes to look at. The stories judge what they pass through as well.
  ...(process.env.GATEHOUSE_PICTURES === '1' ? {} : { grepInvert: /@pictures/ }),
  forbidOnly: process.env.CI !== undefined,
  // Generous, because builds and other tests may share the machine: waiting ends as soon as the state is there.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    screenshot: 'only-on-failure',
    // Recording costs a third of the time, so it is for whoever looks into a failure.
    trace: process.env.GATEHOUSE_TRACE === '1' ? 'retain-on-failure' : 'off',
    // Without a graphics card each frame of a spinner is drawn by the processor.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        // Chromium's own sandbox does not start for root.
        ...(asRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
