import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { endRequested } from '#rooms/governance/tasks/index.ts'
import {
  endGrants,
  expireGrants,
  insertGrants,
  listHolders,
  listHoldingUsers,
  openGrants,
} from '#rooms/records/grants/index.ts'
import { eventually } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { prepare } from './scene.ts'

const scene = prepare()

test('access with an expiry ends on time: it is refused immediately, and ended within two seconds', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const of = `/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}`
  await scene.server.db`update entitlements set duration_grant_seconds = 1 where entitlement_id = ${entitlement.id}`
  await scene.post(`${of}/add-manual-user`, { userIds: [scene.basic.userId] })
  const [held] = await scene.server.db<{ expiresAt: Date }[]>`
    select expires_at as "expiresAt" from grants where entitlement_id = ${entitlement.id}`
  const until = held?.expiresAt.getTime() as number
  await sleep(until - Date.now() + 1)
  expect(await scene.all(`${of}/users`)).toEqual([])

  const row = async () => {
    const [found] = await scene.server.db<{ id: string; endedAt: Date | null; why: string | null }[]>`
      select grant_id as id, ended_at as "endedAt", ended_why as why from grants
      where entitlement_id = ${entitlement.id}`
    return found
  }
  expect(await eventually(async () => (await row())?.endedAt !== null)).toBe(true)
  const ended = await row()
  expect([ended?.why, ended?.endedAt?.getTime()]).toEqual(['expired', until])
  const events = (await scene.logged('expire grants')).filter(({ resources }) => resources[0]?.uid === ended?.id)
  const [named] = await scene.server.db<{ name: string }[]>`
    select display_name as name from entitlements where entitlement_id = ${entitlement.id}`
  expect(events.map(({ message }) => message)).toEqual([`A grant of ${named?.name} expired`])
  expect((await scene.all(`${of}/grants`))[0]).toMatchObject({
    expired: new Date(until).toISOString(),
    grantReasons: [{ derivedIdType: 'manual', derivedIdData: scene.admin.userId }],
  })
})

test('several servers end expired grants together: each grant once, with one event', async () => {
  const beside = await startServer({ beside: scene.server })
  try {
    const entitlement = await scene.entitlement(await scene.app())
    const { world, tenant } = scene.access
    const accounts = await Promise.all(Array.from({ length: fewOrMany(4, 30) }, () => scene.account(entitlement.appId)))
    const due = new Date(Date.now() - 1000)
    const sources = ['manual', 'import', 'rule', 'request'] as const
    const others = await Promise.all(Array.from({ length: 11 }, () => scene.entitlement(entitlement.appId)))
    const rows = others.flatMap(({ id: entitlementId }) =>
      accounts.flatMap(({ appId, id: accountId }) =>
        sources.map((source) => ({ id: world.newId(), appId, entitlementId, accountId, source, expiresAt: due })),
      ),
    )
    await transact(world.db, (tx) =>
      insertGrants(tx, operatorCause(tenant, 'test'), rows, new Date(due.getTime() - 1000)),
    )
    await Promise.all([
      expireGrants(world, endRequested),
      expireGrants(world, endRequested),
      expireGrants(world, endRequested),
    ])
    const isDone = async () => {
      const [row] = await scene.server.db<{ open: number }[]>`
        select count(*)::int as open from grants where app_id = ${entitlement.appId} and ended_at is null`
      return row?.open === 0
    }
    expect(await eventually(isDone)).toBe(true)
    const [told] = await scene.server.db<{ events: number; grants: number }[]>`
      select count(*)::int as events, count(distinct event::jsonb #>> '{resources,0,uid}')::int as grants
      from systemlog_events where event::jsonb #>> '{resources,0,data,appId}' = ${entitlement.appId}`
    expect(told).toEqual({ events: rows.length, grants: rows.length })
  } finally {
    await beside.serving.stop()
  }
})

test('what is over does not stand in the way of what begins, though the engine has not ended it yet', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const { world, tenant } = scene.access
  const ref = { appId: entitlement.appId, entitlementId: entitlement.id, accountId: account.id }
  const give = (at: Date, expiresAt: Date | null) =>
    transact(world.db, async (tx) => {
      // Over before anyone else can see it: no engine is faster.
      const past = new Date(at.getTime() - 60_000)
      if (expiresAt)
        await openGrants(tx, operatorCause(tenant, 'test'), [{ ...ref, id: world.newId(), expiresAt }], {
          source: 'rule',
          by: '',
          at: past,
        })
      return openGrants(tx, operatorCause(tenant, 'test'), [{ ...ref, id: world.newId() }], {
        source: 'rule',
        by: '',
        at,
      })
    })
  const now = new Date()
  expect(await give(now, new Date(now.getTime() - 1000))).toHaveLength(1)
  expect(await give(now, null)).toHaveLength(0)
  const { userId } = scene.basic
  const holding = (source: string) =>
    listHoldingUsers(world.db, tenant.id, entitlement, [userId], { at: new Date(), source })
  expect([await holding('rule'), await holding('manual')]).toEqual([[userId], []])
  const moment = { at: new Date(), isNow: true }
  const holders = await listHolders(world.db, tenant.id, entitlement, moment, { after: null, limit: 10 })
  expect(holders).toMatchObject([{ ...ref, expiresAt: null }])
  const take = (source: 'rule' | 'manual') =>
    transact(world.db, (tx) =>
      endGrants(tx, operatorCause(tenant, 'test'), [ref], { by: 'test', at: new Date(), source }),
    )
  expect(await take('manual')).toEqual([])
  expect(await take('rule')).toMatchObject([{ ...ref, source: 'rule' }])
  expect(await holding('rule')).toEqual([])
})

test('a grant is written once and ended once: nothing else about it can be changed, and it stays', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  const id = await scene.grant(entitlement, account)
  const { db } = scene.server
  const guarded = 'a grant is written once and ended once'
  await expect(db`update grants set granted_by = 'me' where grant_id = ${id}`).rejects.toThrow(guarded)
  await expect(db`update grants set granted_by = granted_by where grant_id = ${id}`).rejects.toThrow(guarded)
  await expect(
    db`update grants set ended_at = now(), ended_why = 'revoked', expires_at = now() where grant_id = ${id}`,
  ).rejects.toThrow(guarded)
  await expect(db`delete from grants where grant_id = ${id}`).rejects.toThrow(guarded)
  await expect(db`truncate grants`).rejects.toThrow(guarded)
  await db`update grants set ended_at = now(), ended_why = 'revoked' where grant_id = ${id}`
  await expect(db`update grants set ended_at = now() where grant_id = ${id}`).rejects.toThrow(guarded)
  await expect(db`update grants set ended_at = null, ended_why = null where grant_id = ${id}`).rejects.toThrow(guarded)
})
