import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // Many tests wait for processes and disks rather than compute.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/fixture/postgres.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})
