import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  alert,
  alerts,
  change,
  operatorCause,
  record,
  sealAll,
  verifyLog,
  witnesses,
} from '#rooms/foundation/systemlog/index.ts'
import { run, runProcess } from '../cli/command.ts'
import { eventually } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { type Event, prepare, tamper } from './support.ts'

const setting = prepare()

async function withWitnesses(...names: string[]): Promise<World> {
  const { world } = setting.access
  const made: World = {
    ...world,
    settings: { ...world.settings, witnesses: names },
    memory: openMemory(() => made),
  }
  return made
}
async function link(world: World, name: string): Promise<void> {
  const cause = operatorCause(setting.access.tenant, 'test')
  await transact(world.db, (tx) => record(tx, world, cause, change(cause, 'update', name, [])))
  await sealAll(world)
}
const told = async (file: string): Promise<{ tenant: string; domain: string; head: string }[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { tenant: string; domain: string; head: string })

test('a file gets each new end of the chain, and verify --witness finds what was removed since', async () => {
  const { server, access } = setting
  const file = join(server.config.dataDir, 'witness.jsonl')
  later(() => rm(file, { force: true }))
  const world = await withWitnesses(`file:${file}`)
  // The server seals too: what it has sealed first is told by it.
  for (const count of [1, 2, 3]) {
    const isTold = async (): Promise<boolean> => {
      await link(world, `event ${count}`)
      await world.memory(witnesses).report()
      return existsSync(file) && (await told(file)).length === count
    }
    while (!(await isTold()));
  }
  await world.memory(witnesses).report()
  const heads = await told(file)
  expect(heads).toHaveLength(3)
  for (const head of heads) expect(head).toMatchObject({ tenant: access.tenant.publicId, domain: access.tenant.domain })

  const verify = (witness: string) =>
    run([
      ...['systemlog', 'verify', '--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
      ...['--witness', witness],
    ])
  const intact = await verify(file)
  expect([intact.code, intact.stderr]).toEqual([0, ''])
  const last = heads.at(-1)?.head ?? ''
  const forged = `${Number(last.split(':')[0])}:${'0'.repeat(64)}`
  const other = join(server.config.dataDir, 'other.jsonl')
  later(() => rm(other, { force: true }))
  await writeFile(
    other,
    `${JSON.stringify({ heads })}\n\n${JSON.stringify({ ...heads[0], head: forged })}\nnonsense\n${JSON.stringify({ tenant: 'elsewhere', head: forged })}\n`,
  )
  const { findings } = await verifyLog(access.world, access.tenant.id, null, { witnessFile: other })
  expect(findings.map(({ what }) => what)).toEqual([
    'line 4 of the witness file is not a head',
    `the head ${Number(last.split(':')[0])} in line 3 of the witness file is not in the chain`,
  ])
  const missing = await verify(join(server.config.dataDir, 'nothing.jsonl'))
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--witness')])
})

test('a URL gets it by POST; one that fails or hangs delays neither sealing nor the others, and is retried later', async () => {
  const bodies: { heads: { head: string }[] }[] = []
  let mode: 'fail' | 'hang' | 'take' = 'fail'
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (mode === 'hang') return
      if (mode === 'take') bodies.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof bodies)[0])
      response.writeHead(mode === 'take' ? 204 : 500).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  later(async () => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const file = join(setting.server.config.dataDir, 'beside.jsonl')
  later(() => rm(file, { force: true }))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/heads`
  const world = await withWitnesses(url, `file:${file}`)
  await link(world, 'failing')
  await world.memory(witnesses).report()
  mode = 'hang'
  await link(world, 'hanging')
  // Ends although the receiver does not answer.
  await world.memory(witnesses).report()
  // What a file takes on a busy machine may be longer than it was waited for.
  expect(await eventually(async () => (await told(file)).length === 2)).toBe(true)
  receiver.closeAllConnections()
  mode = 'take'
  expect(
    await eventually(async () => {
      await world.memory(witnesses).report()
      return bodies.length > 0
    }),
  ).toBe(true)
  // The newest end holds what the ones before it held.
  expect(bodies[0]?.heads.map(({ head }) => head)).toEqual([(await told(file)).at(-1)?.head])
})

const newestEvent = async (like: string): Promise<Event> => {
  const [row] = await setting.server.db<{ event: string }[]>`
    select event from systemlog_events where event like ${like} order by event_id desc limit 1`
  return JSON.parse(row?.event ?? '{}') as Event
}

test('an operator command is logged with the system user, who used sudo, and the machine', async () => {
  const { server } = setting
  const flags = ['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl]
  expect((await runProcess(['tenant', 'rotate-keys', ...flags], { SUDO_USER: 'ada' })).code).toBe(0)
  const { username } = userInfo()
  expect(await newestEvent('%bailiwick tenant rotate-keys%')).toMatchObject({
    actor: { user: { name: 'operator' }, invoked_by: `ada as ${username} on ${hostname()}` },
    unmapped: { operator: { os_user: username, sudo_user: 'ada', host_name: hostname() } },
  })
})

test('a change of roles, also by a command, is of high severity, and the server warns of it and counts it', async () => {
  const { server, access } = setting
  const email = 'promoted@example.com'
  const userId = await access.makeUser({ roles: ['system:user'], email })
  const flags = ['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl]
  const done = await run(['user', 'set-roles', email, '--role', 'system:owner', ...flags])
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(await newestEvent('%bailiwick user set-roles%')).toMatchObject({ severity_id: 4, severity: 'High' })
  const warning = () => server.logged.find(({ msg }) => String(msg).startsWith('alert: Set the roles of'))
  expect(await eventually(async () => warning() !== undefined)).toBe(true)
  expect(warning()).toMatchObject({
    level: 'warn',
    operation: 'bailiwick user set-roles',
    by: expect.stringContaining(hostname()) as string,
    resources: [`user ${userId}`],
  })
  const metrics = await (await fetch(server.serving.metricsUrl as string)).text()
  expect(metrics).toContain('bailiwick_systemlog_alerts_total{operation="bailiwick user set-roles"} 1')
  expect(metrics).toMatch(/^bailiwick_systemlog_seal_lag_seconds \d/m)
  expect(metrics).toContain('bailiwick_systemlog_missing_events_total 0')
  // Once.
  const { world } = access
  await world.memory(alerts).send()
  expect(server.logged.filter(({ msg }) => String(msg).startsWith('alert: Set the roles of'))).toHaveLength(1)
})

test('an alert that another hand wrote is not believed', async () => {
  const { server, access } = setting
  const warnings: string[] = []
  const log = openLog('warn', { write: (line) => void warnings.push(line) })
  const world: World = { ...access.world, log, memory: openMemory(() => world) }
  await world.memory(alerts).send()
  const cause = operatorCause(access.tenant, 'test')
  await transact(world.db, (tx) => record(tx, world, cause, alert(cause, 'update', 'genuine', [])))
  await tamper(
    server.db,
    () => server.db`
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac)
      values (${access.tenant.id}, ${access.world.newId()}, now(), '{"severity_id":4,"message":"forged"}', '')`,
  )
  await world.memory(alerts).send()
  expect(warnings.join()).toContain('alert: genuine')
  expect(warnings.join()).not.toContain('forged')
})
