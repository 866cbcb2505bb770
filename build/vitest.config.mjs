import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './textFiles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  plugins: [textFiles()],
  test: {
    include: ['{shared,executor,electron,renderer,build}/**/*.test.{ts,tsx,mjs}'],
    // Packing has a run of its own.
    exclude: ['**/node_modules/**', 'build/package.test.mjs'],
    // Pages ask for jsdom themselves with a `@vitest-environment jsdom` comment.
    environment: 'node',
    testTimeout: 20_000,
    // What is waited for comes within milliseconds, but not beside other work: too short a wait would only judge the machine.
    expect: { poll: { timeout: 15_000 } },
    // One more than two cores: many of the tests wait for real processes.
    maxWorkers: 3,
  },
});
