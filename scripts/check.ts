/** Everything that is checked without running the service: `npm run check`, or only some: `npm run check -- types lint`. */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// The slowest first, so that the last to start is short.
const steps: Record<string, string[]> = {
  unused: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
  generated: ['node', 'scripts/generate.ts', '--check'],
  lint: ['oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  directions: ['node', 'scripts/check-directions.ts'],
  tables: ['node', 'scripts/check-tables.ts'],
  words: ['node', 'scripts/check-words.ts'],
  times: ['node', 'scripts/check-times.ts'],
  types: ['tsc'],
  console: ['tsc', '-p', 'console'],
  client: ['tsc', '-p', 'client'],
  format: ['biome', 'check', '--error-on-warnings'],
}

type Outcome = { failed: boolean; output: string }

const run = ([command = '', ...args]: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    let output = ''
    const add = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.on('error', (error) => resolve({ failed: true, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ failed: code !== 0, output }))
  })

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in steps))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`)
  process.exit(2)
}

const waiting = Object.entries(steps).filter(([name]) => asked.length === 0 || asked.includes(name))
const failures: { name: string; output: string }[] = []

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next
    const begun = performance.now()
    const { failed, output } = await run(command)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${failed ? 'FAILED' : 'ok    '}  ${name.padEnd(10)}  ${seconds.padStart(5)} s`)
    if (failed) failures.push({ name, output })
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))

for (const { name, output } of failures) console.log(`\n${name}: ${steps[name]?.join(' ')}\n\n${output.trimEnd()}`)
if (failures.length > 0) process.exitCode = 1
