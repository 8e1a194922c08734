import { readFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

type Counts = { passed: number; failed: number; skipped: number }

/** No test fails if a file did not load or a hook threw: each counts as one failure. */
function count(modules: readonly TestModule[], errorsElsewhere: number, isLong: boolean): Counts {
  const counts = { passed: 0, failed: errorsElsewhere, skipped: 0 }
  for (const module of modules) {
    // What `onlyLongTest` leaves out is not skipped: `npm test` runs it.
    const isLeftOut = isLong && /\bonlyLongTest\b/.test(readFileSync(module.moduleId, 'utf8'))
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'skipped' && isLeftOut) continue
      counts[state === 'pending' ? 'failed' : state]++
    }
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
  }
  return counts
}

const firstLine = (errors: readonly { message: string }[] | undefined): string =>
  (errors?.[0]?.message ?? '').split('\n', 1)[0]?.slice(0, 300) ?? ''

/** One line for each failure: its file first, so that a script can run that file again. */
function failures(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const line = (name: string, errors: readonly { message: string }[] | undefined) =>
      `failed: ${module.relativeModuleId} > ${name}: ${firstLine(errors)}`
    const tests = [...module.children.allTests()].filter((test) => ['failed', 'pending'].includes(test.result().state))
    const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
    return [
      ...(module.errors().length > 0 ? [line('the file itself', module.errors())] : []),
      ...suites.map((suite) => line(suite.fullName, suite.errors())),
      ...tests.map((test) => line(test.fullName, test.result().errors)),
    ]
  })
}

/** Ends the output with each failure, and then a line with only `N passed, N failed`, for scripts that read nothing else. */
export default class ClosingLineReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  #failures: string[] = []
  #isLong = false

  onInit(vitest: Vitest): void {
    this.#isLong = vitest.config.env?.['BAILIWICK_TESTS_LONG'] === '1'
    // At exit, because global teardown may print after the last test.
    process.once('exit', (code) => {
      const { passed, failed, skipped } = this.#counts
      for (const line of this.#failures) process.stdout.write(`${line}\n`)
      // A run that broke outside every test (global setup, a typo in a file name) has not passed.
      const failedInAll = code !== 0 && failed === 0 ? 1 : failed
      process.stdout.write(`${passed} passed, ${failedInAll} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#counts = count(modules, unhandledErrors.length, this.#isLong)
    this.#failures = failures(modules)
  }
}
