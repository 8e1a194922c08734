import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { cleanEnvironment } from '../cli/command.ts'
import { later, temporaryFolder, until } from '../fixture/later.ts'

const checkout = join(import.meta.dirname, '../..')
const readme = readFileSync(join(checkout, 'README.md'), 'utf8')

type Step = { commands: string; output: string | null }

/** The blocks of commands of a section, each with the block of what it prints, where there is one. */
function stepsOf(heading: string): Step[] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(heading)) as string
  const blocks = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }))
  return blocks.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return []
    const next = blocks[i + 1]
    return [{ commands: text as string, output: next?.language === '' ? (next.text as string) : null }]
  })
}

/** What differs each time, by what it is. */
const normal = (line: string): string =>
  line
    .replaceAll(/sign-in#[\w-]{43}/g, 'sign-in#SECRET')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g, 'TIME')
    .replaceAll(/\b[0-9A-Za-z]{27}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'MAC')
    .replaceAll(/\b[0-9a-f]{20}@/g, 'CLIENT@')
    .replaceAll(/127\.0\.0\.1:\d+\/metrics/g, '127.0.0.1:PORT/metrics')
    // Sealed four times a second: which events share a link is a matter of moments.
    .replaceAll(
      /\d+ events in \d+ links, \d+ not yet sealed; head \d+:/g,
      'N events in N links, N not yet sealed; head N:',
    )
    // Which of the rules is the first to run is not said.
    .replaceAll(/The rule of [\w ]+ added \d+/g, 'The rule of SOMETHING added N')
    // Written every five seconds.
    .replaceAll(/"lastUsedAt": null/g, '"lastUsedAt": "TIME"')

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Line by line. `…` in a line stands for the rest of a long value, and alone on a line for any number of lines. */
function expectPrinted(printed: string, shown: string): void {
  const have = printed.trimEnd().split('\n').map(normal)
  let at = 0
  const want = shown.trimEnd().split('\n').map(normal)
  for (const [i, line] of want.entries()) {
    if (line.trim() === '…') {
      const next = want[i + 1] as string
      while (at < have.length && have[at] !== next) at++
      continue
    }
    expect(have[at] ?? '(nothing more)', printed).toMatch(new RegExp(`^${line.split('…').map(escaped).join('.+')}$`))
    at++
  }
  expect(have.slice(at), printed).toEqual([])
}

/** Waits for the rules of the demo company: who reads the README has not typed the first command before they have run. */
async function demoRulesRun(dataDir: string): Promise<void> {
  const url = `postgres://bailiwick@localhost/bailiwick?host=${join(dataDir, 'postgres/socket')}`
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
  try {
    await expect.poll(() => db`select 1 from automations where last_completed_at is null`).toHaveLength(0)
    // A grant that has expired, which the first sweep asks its owner about.
    await expect.poll(() => db`select 1 from grants where ended_at is null and expires_at <= now()`).toHaveLength(0)
  } finally {
    await close()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

// The Node in the checkout, as `npm ci` leaves it, before the one of the machine.
const env = { ...cleanEnvironment, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }

/** The server in a folder of its own, once it has said all that it says; `take` is what it said since it was asked last. */
async function startHere() {
  for (;;) {
    const folder = temporaryFolder()
    for (const name of ['bin', 'package.json', 'node_modules']) symlinkSync(join(checkout, name), join(folder, name))
    // Its tenant has the port in its name, so it is chosen before.
    const port = await freePort()
    const server = spawn('node', ['bin/bailiwick.mjs', 'serve', '--port', String(port), '--metrics-port', '0'], {
      cwd: folder,
      env,
      stdio: 'pipe',
    })
    const over = new Promise((resolve) => server.once('close', resolve))
    later(async () => {
      server.kill('SIGKILL')
      await over
    })
    let [said, complaints] = ['', '']
    server.stdout.setEncoding('utf8').on('data', (text) => (said += text))
    server.stderr.setEncoding('utf8').on('data', (text) => (complaints += text))
    await until(() => /^ {2}Try .*\n/m.test(said) || server.exitCode !== null)
    const take = (): string => {
      const taken = said
      said = ''
      return taken
    }
    if (server.exitCode === null) return { folder, port, server, over, take }
    // Others may have taken the port meanwhile.
    await over
    expect(complaints).toMatch(/EADDRINUSE|in use/)
  }
}

test('the tour of the README prints what the README says, and so does the start', async () => {
  const { folder, port, server, over, take } = await startHere()
  const here = (text: string): string => text.replaceAll('localhost:8080', `localhost:${port}`)

  const script = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
  expect(script.scripts.start).toBe('node bin/bailiwick.mjs serve')
  const [start] = stepsOf('Quick start')
  expect(start?.commands).toBe('npm ci && npm start\n')
  expectPrinted(take(), here(start?.output as string))

  await demoRulesRun(join(folder, 'data'))

  const steps = stepsOf('Five-minute tour')
  expect(steps.filter(({ output }) => output !== null).length).toBeGreaterThan(5)
  const mark = '--- the next step ---'
  const tour = spawn('bash', ['-c', steps.map(({ commands }) => `${here(commands)}\necho '${mark}'`).join('\n')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let complaints = ''
  tour.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  tour.stderr.setEncoding('utf8').on('data', (text) => (complaints += text))
  await new Promise((resolve) => tour.once('close', resolve))
  expect(complaints).toBe('')
  const outputs = printed.split(`${mark}\n`)
  for (const [i, { output }] of steps.entries()) expectPrinted(outputs[i] as string, here(output ?? ''))

  server.kill('SIGINT')
  await over
  expect(readme).toContain(`It prints \`${take().trim()}\``)
})
