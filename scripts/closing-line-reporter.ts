import type { Reporter, TestModule } from 'vitest/node'

type Counts = { passed: number; failed: number; skipped: number }

/** A file that did not load and a hook that threw fail no test of their own: each counts as one failure. */
function count(modules: readonly TestModule[], errorsElsewhere: number): Counts {
  const counts = { passed: 0, failed: errorsElsewhere, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state]++
    }
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
  }
  return counts
}

/** Ends the output with `N passed, N failed` alone on a line, for readers that look at nothing else. */
export default class ClosingLineReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 }

  onInit(): void {
    // At exit, because global teardown may print after the last test.
    process.once('exit', (code) => {
      const { passed, failed, skipped } = this.#counts
      // A run that broke outside every test (global setup, a typo in a file name) has not passed.
      const failures = code !== 0 && failed === 0 ? 1 : failed
      process.stdout.write(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#counts = count(modules, unhandledErrors.length)
  }
}
