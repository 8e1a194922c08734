/**
 * Runs the tests on a machine that is busy: `npm run test:busy` runs `npm test` three times in a row beside four endless loops, and
 * `npm run test:busy -- --long` runs `npm run test:long` once. `--runs N` and `--loops N` set other numbers, and names
 * of files or folders run only those. No test may fail.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { whenStarterGoes } from '../cli/lineage.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    runs: { type: 'string' },
    loops: { type: 'string', default: '4' },
  },
})
const runs = Number(values.runs ?? (values.long ? 1 : 3))
const loops = Number(values.loops)
if (!(Number.isInteger(runs) && runs > 0 && Number.isInteger(loops) && loops >= 0)) {
  console.error('--runs and --loops take a number.')
  process.exit(2)
}

// A busy loop receives no events: it checks whether its parent has exited.
const loop = `for (let n = 0; ; n++) if (n % 1e7 === 0 && process.ppid !== ${process.pid}) process.exit()`
const started = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }))
whenStarterGoes(() => process.exit(1))

type Result = { isPassed: boolean; line: string }

/** Vitest itself, not npm: it ends when this process does. */
function runTests(): Promise<Result> {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(values.long ? ['--config', 'vitest.long.config.ts'] : []),
  ].concat(positionals)
  const begun = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'test' },
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    said = `${said}${text}`.slice(-10_000)
  })
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const seconds = (performance.now() - begun) / 1000
      const counts = /^\d+ passed, \d+ failed.*$/m.exec(said)?.[0] ?? 'no result'
      const cpu = /^CPU time: (\d+) s$/m.exec(said)?.[1] ?? '?'
      resolve({ isPassed: code === 0, line: `${seconds.toFixed(0)} s, ${cpu} s of CPU time, ${counts}` })
    }),
  )
}

const results: Result[] = []
for (let run = 1; run <= runs; run++) results.push(await runTests())
for (const child of started) child.kill('SIGKILL')
console.log(`\nBeside ${loops} busy loops:`)
for (const [index, { line }] of results.entries()) console.log(`run ${index + 1}: ${line}`)
if (!results.every(({ isPassed }) => isPassed)) process.exitCode = 1
