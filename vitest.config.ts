import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { Order } from './tests/fixture/order.ts'
import { conditionMs, testMs } from './tests/fixture/patience.ts'

// For the processes that run the tests, their threads, and the processes that they start with Node: without it each compiles
// all of the server.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/bailiwick-tests', import.meta.url))

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Only `npm run test:long` runs these.
    exclude: ['tests/**/*.long.test.ts'],
    pool: 'forks',
    // The server keeps nothing in its modules, so files can share them: loading them took a third of the time.
    isolate: false,
    // Node runs the TypeScript as it is, here as in the program.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many tests wait for processes and clocks rather than compute: one more than the cores of a small machine. Each further worker
    // makes all of them more expensive: the same run took 500 s of CPU time with three, 580 with four, 650 with five.
    maxWorkers: 3,
    sequence: { sequencer: Order },
    testTimeout: testMs,
    hookTimeout: testMs,
    expect: { poll: { timeout: conditionMs } },
    globalSetup: [
      'tests/fixture/begin-run.ts',
      'tests/fixture/postgres.ts',
      'tests/fixture/statements.ts',
      'tests/fixture/replies.ts',
    ],
    setupFiles: ['tests/fixture/worker.ts', 'tests/fixture/watch-statements.ts', 'tests/fixture/watch-replies.ts'],
    reporters: ['default', './scripts/slow-files-reporter.ts', './scripts/closing-line-reporter.ts'],
  },
})
