import { defineConfig } from 'vitest/config'

const isOnOwnDatabase = Boolean(process.env['BAILIWICK_TEST_DATABASE_URL'])

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // The server keeps nothing in its modules, so files can share them: loading them took a third of the time.
    isolate: false,
    // Many tests wait for processes and disks rather than compute.
    maxWorkers: 2,
    // A cluster for trials has several PostgreSQLs on one machine.
    testTimeout: isOnOwnDatabase ? 120_000 : 30_000,
    hookTimeout: isOnOwnDatabase ? 120_000 : 60_000,
    globalSetup: ['tests/fixture/postgres.ts', 'tests/fixture/statements.ts'],
    setupFiles: ['tests/fixture/watch-statements.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})
