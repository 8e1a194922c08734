import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/fixture/postgres.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})
