import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { TaskState } from '#rooms/governance/tasks/machine/task.ts'
import { whyLate } from '#rooms/governance/tasks/view.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { allDisabled, usersDisabled } from '#rooms/identity/users/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { type Clock, systemClock } from '#server/engine/clock.ts'
import { eventually } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { prepare } from '../grants/scene.ts'
import { put } from '../jobs/support.ts'
import { prepareTasks, target } from '../tasks/scene.ts'

const yearMs = 365 * 86_400_000
const monthMs = 30 * 86_400_000
// The engine ends grants once a second.
const severalTicksMs = 2500

/** How far off the clocks are, in milliseconds, and how long they must be right before they are believed again. */
const off = { server: 0, database: 0 }
const settleMs = { afterStart: 0, afterJump: 300 }
const longMs = 60_000
const clock: Partial<Clock> = {
  now: () => new Date(Date.now() + off.server),
  databaseNow: async (db) => new Date((await systemClock.databaseNow(db)).getTime() + off.database),
  settleMs,
}
const scene = prepareTasks(prepare({ clock }))

const readyz = async () => (await (await fetch(`${scene.server.url}/readyz`)).json()) as { warnings?: string[] }
const believed = async () =>
  /bailiwick_clock_believed (\d)/.exec(await (await fetch(scene.server.serving.metricsUrl as string)).text())?.[1]
const said = (level: string) =>
  scene.server.logged.filter((line) => line['level'] === level).map(({ msg }) => String(msg))
const isCalm = () => eventually(async () => (await readyz()).warnings === undefined)
/** Until the engine has seen that a clock is wrong. */
const isDoubted = () => until(async () => (await readyz()).warnings !== undefined)

function putRight(): void {
  Object.assign(off, { server: 0, database: 0 })
  settleMs.afterJump = 300
}

beforeEach(async () => {
  putRight()
  // The engine looks at the database's clock once a second.
  await sleep(1100)
  expect(await isCalm()).toBe(true)
  scene.server.logged.length = 0
})

/** A grant until then, and whether it is still open. */
async function grantUntil(expiresAt: Date): Promise<() => Promise<boolean>> {
  const { world, tenant } = scene.access
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  const id = world.newId()
  const row = { id, appId: entitlement.appId, entitlementId: entitlement.id, accountId: account.id, expiresAt }
  const begun = new Date(Date.now() - 86_400_000)
  await transact(world.db, (tx) =>
    insertGrants(tx, operatorCause(tenant, 'test'), [{ ...row, source: 'manual' }], begun),
  )
  return async () =>
    (await world.db`select 1 from grants where tenant_id = ${tenant.id} and grant_id = ${id} and ended_at is null`)
      .length === 1
}
const inAMonth = () => grantUntil(new Date(Date.now() + monthMs))
const aMinuteAgo = () => grantUntil(new Date(Date.now() - 60_000))

const jumps: [string, Partial<typeof off>, RegExp][] = [
  [
    "the server's and the database's clock",
    { server: yearMs, database: yearMs },
    /^the clock jumped forward by 3153\d{4}\.\d s: /,
  ],
  ["the server's clock alone", { server: yearMs }, /^the clock jumped forward by 3153\d{4}\.\d s: /],
]
test.each(jumps.slice(0, fewOrMany(1, 2)))(
  '%s a year ahead for some seconds: nothing ends, and what is due ends once it is right again',
  async (_, ahead, words) => {
    const isOpen = await inAMonth()
    Object.assign(off, ahead)
    settleMs.afterJump = longMs
    const isDueOpen = await aMinuteAgo()
    await sleep(severalTicksMs)
    expect(await isOpen()).toBe(true)
    expect(await isDueOpen()).toBe(true)
    await isDoubted()
    expect((await readyz()).warnings).toEqual([expect.stringMatching(/^clock: the clock jumped forward/)])
    expect(await believed()).toBe('0')
    putRight()
    expect(await eventually(async () => !(await isDueOpen()))).toBe(true)
    expect(await isOpen()).toBe(true)
    expect(said('warn')).toContainEqual(expect.stringMatching(words))
    expect(said('warn')).toContainEqual(expect.stringMatching(/^the clock jumped back by 3153/))
    expect(said('info')).toContain('the clock is trusted again after a jump')
    expect(said('error')).toEqual([])
    expect(await isCalm()).toBe(true)
    expect(await believed()).toBe('1')
  },
)

longTest("the database's clock alone an hour ahead, or behind: nothing ends until they agree", async () => {
  for (const aheadMs of [3_600_000, -3_600_000]) {
    off.database = aheadMs
    settleMs.afterJump = longMs
    await isDoubted()
    const isDueOpen = await aMinuteAgo()
    await sleep(severalTicksMs)
    expect(await isDueOpen()).toBe(true)
    expect((await readyz()).warnings).toEqual([
      expect.stringMatching(`the database's clock is ${aheadMs > 0 ? 'ahead of' : 'behind'} this server's by 3[56]`),
    ])
    putRight()
    expect(await eventually(async () => !(await isDueOpen()))).toBe(true)
  }
  // Told when it begins, not once a second.
  expect(said('warn').filter((line) => line.includes('clock'))).toHaveLength(2)
})

test('a machine that was suspended: what is due ends once the clock has run evenly for a while, and not before', async () => {
  Object.assign(off, { server: 3_600_000, database: 3_600_000 })
  settleMs.afterJump = longMs
  const isOpen = await inAMonth()
  const isDueOpen = await grantUntil(new Date(Date.now() + 1_800_000))
  await isDoubted()
  await sleep(1500)
  expect(await isDueOpen()).toBe(true)
  settleMs.afterJump = 300
  expect(await eventually(async () => !(await isDueOpen()))).toBe(true)
  expect(await isOpen()).toBe(true)
})

const doubts: [string, Partial<typeof off>][] = [
  ['the clock has jumped', { server: 300_000, database: 300_000 }],
  ["the database's clock disagrees", { database: -300_000 }],
]
test.each(doubts.slice(0, fewOrMany(1, 2)))(
  'while %s, jobs and rules go on, and administrators are told what waits',
  async (_, ahead) => {
    const { db } = scene.access.world
    const entitlement = await scene.entitlement(await scene.app())
    await scene.account(entitlement.appId, { userId: scene.basic.userId })
    Object.assign(off, ahead)
    settleMs.afterJump = longMs
    await isDoubted()
    const isDueOpen = await aMinuteAgo()
    await put(scene.access.world, scene.access.tenant, usersDisabled, allDisabled)
    const of = `/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}`
    const made = await scene.post(`${of}/automation/create`, {
      automation: { enabled: true, cel: { expression: 'now() > timestamp("2020-01-01T00:00:00Z")' } },
    })
    expect(made.status, JSON.stringify(made.json)).toBe(200)
    expect(await eventually(async () => (await scene.all(`${of}/users`)).length > 0)).toBe(true)
    expect(await eventually(async () => (await db`select 1 from jobs where due_at <= now()`).length === 0)).toBe(true)
    const { json } = await scene.get('/api/v1/home/attention')
    const told = (json['list'] as { kind: string; examples: { displayName: string }[] }[]).find(
      ({ kind }) => kind === 'ATTENTION_KIND_CLOCK_NOT_TRUSTED',
    )
    expect(told?.examples[0]?.displayName).toMatch(
      /^The .*; access expires only after it has been correct for 60\.0 s\.$/,
    )
    expect((await readyz()).warnings).toHaveLength(1)
    expect(await isDueOpen()).toBe(true)
  },
)

test('a rule takes nothing away, and a step of a task does not end, because the clock jumped', async () => {
  const { db } = scene.access.world
  const entitlement = await scene.entitlement(await scene.app())
  await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const of = `/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}`
  const soon = new Date(Date.now() + 1_800_000).toISOString()
  const rule = { enabled: true, cel: { expression: `now() < timestamp("${soon}")` } }
  expect((await scene.post(`${of}/automation/create`, { automation: rule })).status).toBe(200)
  const holders = () => scene.holds(entitlement, scene.basic.userId)
  expect(await eventually(async () => (await holders()).length > 0)).toBe(true)
  const policyId = await scene.policy([{ wait: { name: 'a while', duration: { duration: '3600s' } } }])
  const wanted = await scene.target(policyId)
  const asked = await scene.post('/api/v1/task/grant', target(wanted), await scene.caller(['system:user']))
  const { id } = scene.task(asked)
  Object.assign(off, { server: 7_200_000, database: 7_200_000 })
  settleMs.afterJump = longMs
  const begunAt = new Date()
  await db`update jobs set due_at = now() where kind = 'tasks.due'`
  await db`update automations set due_at = now() where due_at > now()`
  const runs = () =>
    db`select 1 from automation_runs where entitlement_id = ${entitlement.id} and status = 'done' and started_at > ${begunAt}`
  expect(await eventually(async () => (await runs()).length > 0)).toBe(true)
  expect(await holders()).toHaveLength(1)
  const looked = () => db`select 1 from jobs where kind = 'tasks.due' and state = 'waiting' and due_at > now()`
  expect(await eventually(async () => (await looked()).length > 0)).toBe(true)
  expect(await db`select is_open as "isOpen" from tasks where task_id = ${id}`).toEqual([{ isOpen: true }])
})

test('a step that would have ended says why it has not', () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
  const ofStep = (expiresAt: Date | null) => ({ instances: [{ end: null, expiresAt }] }) as unknown as TaskState
  const jumped = { doubt: 'the clock jumped forward by 60.0 s', steadyNow: () => at(0) }
  const late = (expiresAt: Date | null, of: typeof jumped | null = jumped) =>
    whyLate({ now: () => at(60), ...(of && { clock: of }) }, ofStep(expiresAt))
  expect(late(at(30))).toBe('The time of this step has come, but the clock jumped forward by 60.0 s.')
  expect([late(at(90)), late(at(-1)), late(null), late(at(30), null)]).toEqual([null, null, null, null])
})

test('a server that is stopped while its clock is wrong deletes nothing on the way out', async () => {
  const { world, tenant } = scene.access
  const credentialId = world.newId()
  const jti = `jti-${credentialId}`
  const expiresAt = new Date(Date.now() + 120_000)
  await transact(world.db, async (tx) => {
    await makeLink(tx, world, operatorCause(tenant, 'a test'), scene.basic.userId)
    await tx`
      insert into used_assertions (tenant_id, credential_id, jti, expires_at)
      values (${tenant.id}, ${credentialId}, ${jti}, ${expiresAt})`
  })
  const kept = async () => {
    const [row] = await world.db`
      select (select count(*) from sign_in_links where tenant_id = ${tenant.id} and user_id = ${scene.basic.userId}) as links,
        (select count(*) from used_assertions where tenant_id = ${tenant.id} and jti = ${jti}) as assertions`
    return row
  }
  const isOpen = await inAMonth()
  const beside = await startServer({ beside: scene.server, clock })
  Object.assign(off, { server: yearMs, database: yearMs })
  settleMs.afterJump = longMs
  await beside.serving.stop()
  expect(await isOpen()).toBe(true)
  expect(await kept()).toEqual({ links: 1, assertions: 1 })
})

longTest('a server that was just started ends nothing before the clock has run evenly for a while', async () => {
  const settling = { ...clock, settleMs: { afterStart: longMs, afterJump: 300 } }
  // The scene's own server does not end it either: for it the clocks disagree.
  const isDueOpen = await aMinuteAgoUnseen()
  const beside = await startServer({
    beside: scene.server,
    clock: { ...settling, databaseNow: systemClock.databaseNow },
  })
  try {
    await sleep(1500)
    expect(await isDueOpen()).toBe(true)
    settling.settleMs.afterStart = 0
    expect(await eventually(async () => !(await isDueOpen()))).toBe(true)
  } finally {
    await beside.serving.stop()
  }
})

async function aMinuteAgoUnseen(): Promise<() => Promise<boolean>> {
  off.database = 3_600_000
  settleMs.afterJump = longMs
  await isDoubted()
  return aMinuteAgo()
}
