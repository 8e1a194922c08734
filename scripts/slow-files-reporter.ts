import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { cpuSecondsOf } from '../tests/fixture/cpu.ts'
import { secondsFile } from '../tests/fixture/order.ts'

/** A file that takes longer on an idle machine with two cores makes everyone wait: see "Tests" in CONTRIBUTING.md. */
const secondsMax = 30
/** Files that take less can be begun at any time. */
const worthKnowing = 4

const asLines = (seconds: readonly (readonly [name: string, seconds: number])[]): string =>
  `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`

/**
 * Names the files that took longer than any should, and says how much CPU time the run took: with all processes that it started,
 * PostgreSQL and browsers included. A slow file is a warning, because a busy machine makes every file slow.
 * BAILIWICK_TEST_SECONDS=write notes down what each file took, for the order of the next runs; BAILIWICK_TEST_CPU=FILE writes
 * the CPU time of each to a file.
 */
export default class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules
      .map((module) => ({
        name: module.relativeModuleId,
        seconds: module.diagnostic().duration / 1000,
        cpuSeconds: module.meta().cpuSeconds,
      }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const isLong = modules[0]?.project.config.env?.['BAILIWICK_TESTS_LONG'] === '1'
    if (process.env['BAILIWICK_TEST_SECONDS'] === 'write' && !isLong) {
      const long = timed.filter(({ seconds }) => seconds >= worthKnowing)
      writeFileSync(secondsFile, asLines(long.map(({ name, seconds }) => [name, Math.round(seconds)])))
    }
    const cpuFile = process.env['BAILIWICK_TEST_CPU']
    if (cpuFile) {
      const byCpu = timed.map(({ name, cpuSeconds = 0 }) => [name, Number(cpuSeconds.toFixed(1))] as const)
      writeFileSync(cpuFile, asLines(byCpu.toSorted(([, a], [, b]) => b - a)))
    }
    const slow = isLong ? [] : timed.filter(({ seconds }) => seconds > secondsMax)
    if (slow.length > 0) process.stdout.write(`Slow test files (more than ${secondsMax} s):\n`)
    for (const { name, seconds } of slow) process.stdout.write(`  ${name} ${seconds.toFixed(0)} s\n`)
    // The workers and their processes are still running here: the CPU time of a process that has exited is not known.
    const cpuSeconds = cpuSecondsOf(process.pid)
    if (cpuSeconds !== null) process.stdout.write(`CPU time: ${cpuSeconds.toFixed(0)} s\n`)
  }
}
