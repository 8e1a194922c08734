import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // The server keeps nothing in its modules, so files can share them: loading them took a third of the time.
    isolate: false,
    // Many tests wait for processes and disks rather than compute.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/fixture/postgres.ts', 'tests/fixture/statements.ts'],
    setupFiles: ['tests/fixture/watch-statements.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})
