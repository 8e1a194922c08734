import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { conditionMs, patience, testMs } from './tests/fixture/patience.ts'
import usual from './vitest.config.ts'

/** What is larger or repeated takes longer to come true. */
const longer = 5

// The files that only run here, those that say how much more there is to try (tests/fixture/long.ts, stretch.ts), and those that look at pages.
const hasMore = /from '\.\.\/fixture\/(?:long|stretch)\.ts'|\bcheckPage\(/
const include = globSync('tests/**/*.test.ts').filter(
  (file) => file.endsWith('.long.test.ts') || hasMore.test(readFileSync(file, 'utf8')),
)

export default defineConfig({
  test: {
    ...usual.test,
    include,
    exclude: [],
    // One more than `npm test` has: more of it waits, for processes that start and browsers that draw.
    maxWorkers: 4,
    // For `onlyLongTest`.
    allowOnly: true,
    testTimeout: testMs * longer,
    hookTimeout: testMs * longer,
    expect: { poll: { timeout: conditionMs * longer } },
    env: { ...usual.test?.env, BAILIWICK_TESTS_LONG: '1', BAILIWICK_TEST_PATIENCE: String(patience * longer) },
  },
})
