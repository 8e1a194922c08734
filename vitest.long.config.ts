import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

// The files that only run here, those that say how much more there is to try (tests/fixture/long.ts, stretch.ts), and those that look at pages.
const hasMore = /from '\.\.\/fixture\/(?:long|stretch)\.ts'|\bcheck(?:Page|State)\(/
const include = globSync('tests/**/*.test.ts').filter(
  (file) => file.endsWith('.long.test.ts') || hasMore.test(readFileSync(file, 'utf8')),
)

export default defineConfig({
  test: {
    ...usual.test,
    include,
    exclude: [],
    // For `onlyLongTest`.
    allowOnly: true,
    testTimeout: 600_000,
    env: { ...usual.test?.env, BAILIWICK_TESTS_LONG: '1' },
  },
})
