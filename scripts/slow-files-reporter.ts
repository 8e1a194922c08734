import type { Reporter, TestModule } from 'vitest/node'

/** A file that takes longer on an idle machine with two cores makes everyone wait: see "Tests" in CONTRIBUTING.md. */
const secondsMax = 30

/** Names the files that took longer than any should. A warning, because a busy machine makes every file slow. */
export default class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .filter(({ seconds }) => seconds > secondsMax)
      .toSorted((a, b) => b.seconds - a.seconds)
    if (slow.length === 0 || process.env['BAILIWICK_TESTS_LONG'] === '1') return
    process.stdout.write(`Slow test files (more than ${secondsMax} s):\n`)
    for (const { name, seconds } of slow) process.stdout.write(`  ${name} ${seconds.toFixed(0)} s\n`)
  }
}
