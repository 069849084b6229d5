import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/nothing-left.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // By default one core is left free, which on a machine of two is half of it.
    maxWorkers: availableParallelism(),
    // What was built is loaded as it is, not transformed for each test file.
    server: { deps: { external: [/\/dist\//] } },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
