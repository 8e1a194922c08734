import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { secondsFile } from '../tests/fixture/order.ts'

/** A file that takes longer on an idle machine with two cores makes everyone wait: see "Tests" in CONTRIBUTING.md. */
const secondsMax = 30
/** Files that take less can be begun at any time. */
const worthKnowing = 4

/**
 * Names the files that took longer than any should. A warning, because a busy machine makes every file slow. With
 * BAILIWICK_TEST_SECONDS=write it notes down what each took, for the order of the next runs.
 */
export default class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    if (process.env['BAILIWICK_TESTS_LONG'] === '1') return
    if (process.env['BAILIWICK_TEST_SECONDS'] === 'write') {
      const long = timed.filter(({ seconds }) => seconds >= worthKnowing)
      const text = JSON.stringify(
        Object.fromEntries(long.map(({ name, seconds }) => [name, Math.round(seconds)])),
        null,
        2,
      )
      writeFileSync(secondsFile, `${text}\n`)
    }
    const slow = timed.filter(({ seconds }) => seconds > secondsMax)
    if (slow.length === 0) return
    process.stdout.write(`Slow test files (more than ${secondsMax} s):\n`)
    for (const { name, seconds } of slow) process.stdout.write(`  ${name} ${seconds.toFixed(0)} s\n`)
  }
}
