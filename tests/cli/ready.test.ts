import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dataFolder } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { freePort } from '../fixture/port.ts'
import { plainLines, run, start } from './command.ts'

/** What `/readyz` answers from the start of the server until it is ready. */
async function waitUntilReady(url: string): Promise<Set<string>> {
  const seen = new Set<string>()
  for (;;) {
    const reply = await fetch(`${url}/readyz`).catch(() => null)
    if (reply?.status === 200) return seen
    if (reply) seen.add(`${reply.status} ${reply.headers.get('retry-after')} ${await reply.text()}`)
    await sleep(5)
  }
}

/** Starts a server, waits until it says that it is ready, and lists its users: answers what it said before, and how many there are. */
async function startUntilReady(...flags: string[]): Promise<{ before: string[]; users: number }> {
  const dataDir = dataFolder()
  const port = String(await freePort())
  const running = start(['serve', '--data-dir', dataDir, '--port', port, '--metrics-port', '0', ...flags])
  const seen = await waitUntilReady(`http://localhost:${port}`)
  // At once, as a script does.
  const users = await run(['user', 'list', '--data-dir', dataDir, '--json'])
  expect(users).toMatchObject({ code: 0 })
  running.child.kill('SIGTERM')
  const { stderr } = await running.exit
  expect(plainLines(stderr)).toEqual([])
  const lines = stderr.split('\n').filter((line) => line.includes('created the first tenant'))
  expect(lines).toHaveLength(1)
  // On a machine so busy that the database takes two seconds to answer, that is said first.
  const before = [...seen].filter((each) => !each.includes('DATABASE_AWAY'))
  return { before, users: (JSON.parse(users.stdout) as unknown[]).length }
}

const starting = '503 1 {"status":"starting"}'

test('when /readyz answers 200, the first tenant is there: until then 503', async () => {
  const { before, users } = await startUntilReady('--empty')
  expect(users).toBe(1)
  // It takes a moment, in which nobody may have asked.
  expect([[], [starting]]).toContainEqual(before)
})

for (const flags of [[], ['--workers', '2']])
  longTest(`and the demo company too: serve ${flags.join(' ')}`, async () => {
    const { before, users } = await startUntilReady(...flags)
    expect(users).toBeGreaterThan(150)
    expect(before).toEqual([starting])
  })

longTest('with --log-format text the start is told in a few lines for people', async () => {
  const dataDir = dataFolder()
  const running = start(['serve', '--data-dir', dataDir, '--port', '0', '--empty', '--log-format', 'text'])
  while (!/^ +Try /m.test(running.said().stdout)) await sleep(20)
  running.child.kill('SIGTERM')
  const { stderr } = await running.exit
  const lines = stderr.trim().split('\n')
  expect(lines.map((line) => line.replaceAll(/\d+/g, 'N'))).toEqual(
    expect.arrayContaining([
      'N:N:N PostgreSQL (process N) up in N ms.',
      expect.stringMatching(/^N:N:N created the first tenant \(N(\.N)? m?s\)$/),
    ]),
  )
  // On a busy machine the database may be said to be slow.
  expect(lines.filter((line) => !/database/i.test(line)).length).toBeLessThan(6)
})
