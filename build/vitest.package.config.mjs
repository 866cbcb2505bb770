import { defineConfig } from 'vitest/config';
import { root } from './entries.mjs';

/** Packing takes a while and needs a build, so it is a run of its own. */
export default defineConfig({
  root,
  test: { include: ['build/package.test.mjs'], testTimeout: 120_000, hookTimeout: 120_000 },
});
