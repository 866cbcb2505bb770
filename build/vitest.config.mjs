import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './textFiles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Stores of the page live as long as their module, stand-ins take the place of modules, memory is measured. */
const ownProcess = [
  'renderer/**/*.test.{ts,tsx}',
  'electron/desktop/**/*.test.ts',
  'electron/core/faults/**/*.test.ts',
  'electron/core/executor/boundedOutput.test.ts',
  'electron/core/mcp/hostileServers.test.ts',
  'electron/node/forkExecutor.test.ts',
  'executor/files/files.test.ts',
  'executor/shell.test.ts',
];

// Packing has a run of its own.
const never = ['**/node_modules/**', 'build/package.test.mjs'];

export default defineConfig({
  root,
  plugins: [textFiles()],
  test: {
    // Pages ask for jsdom themselves with a `@vitest-environment jsdom` comment.
    environment: 'node',
    // Judges hangs alone: a test that takes seconds may take many beside other work.
    testTimeout: 60_000,
    // What is waited for comes within milliseconds, but not beside other work: too short a wait would only judge the machine.
    expect: { poll: { timeout: 15_000 } },
    // One more than two cores: many of the tests wait for real processes.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'own process', include: ownProcess, exclude: never } },
      {
        // Loading the core anew for each file would take a third of the whole time.
        extends: true,
        test: {
          name: 'shared process',
          include: ['{shared,executor,electron,build}/**/*.test.{ts,mjs}'],
          exclude: [...never, ...ownProcess],
          isolate: false,
        },
      },
    ],
  },
});
