import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#kernel/refusals.ts'
import { onOutcome, transactOnce } from '#kernel/sql.ts'
import {
  canonicalJson,
  fingerprintOf,
  notUndone,
  planOutdated,
  refuseOutdated,
  rehearse,
  undoneColumns,
  undoneSet,
} from '#rooms/foundation/plans/index.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  await access.world
    .db`create table test_plans (id int primary key, undone_by text not null default '', undone_at timestamptz,
    restored_count int not null default 0, left_count int not null default 0)`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const countRows = async (): Promise<number> => (await access.world.db`select 1 from test_plans`).length

describe('a fingerprint', () => {
  test('is another for another plan, kind, tenant or key, and the same for fields in another order', async () => {
    const { world, tenant } = access
    const of = (plan: unknown, more: object = {}) => fingerprintOf({ ...world, tenant, ...more }, 'bulk', plan)
    const other = await access.makeTenant('plans.example.com')
    const macWith = (key: string) => ({
      mac: (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest(),
    })
    const all = [
      of([1, 2]),
      of([2, 1]),
      of({ a: 1, b: { c: [null, 'x'] } }),
      of([1, 2], { tenant: other }),
      of([1, 2], { seals: macWith('k1') }),
      of([1, 2], { seals: macWith('k2') }),
      fingerprintOf({ ...world, tenant }, 'drift', [1, 2]),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(of({ b: { c: [null, 'x'] }, a: 1 })).toBe(all[2])
    expect(all[0]).toMatch(/^[\w-]{43}$/)
  })

  test('is of a text that says no more and no less than the JSON', () => {
    const shuffled = (json: unknown): unknown =>
      Array.isArray(json)
        ? json.map(shuffled)
        : typeof json === 'object' && json !== null
          ? Object.fromEntries(
              Object.entries(json)
                .toReversed()
                .map(([name, value]) => [name, shuffled(value)]),
            )
          : json
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json))
        expect(JSON.parse(canonicalJson(json))).toEqual(JSON.parse(JSON.stringify(json)))
      }),
    )
  })

  test('that differs is refused with 409, and the refusal names what the kind names', () => {
    expect(() => refuseOutdated('a', 'a')).not.toThrow()
    const metadata = { planId: 'p1' }
    expect(() => refuseOutdated('a', 'b', { metadata })).toThrow(planOutdated({ metadata }))
    expect(planOutdated({ metadata })).toMatchObject({ status: 409, reason: 'PLAN_OUTDATED', detail: { metadata } })
    expect(planOutdated({ reason: 'PLAN_CHANGED', message: 'Other steps.' })).toMatchObject({
      status: 409,
      reason: 'PLAN_CHANGED',
      message: 'Other steps.',
    })
  })
})

describe('a rehearsal', () => {
  test('does the work, answers what came of it, and leaves nothing', async () => {
    const outcomes: string[] = []
    const seen = await rehearse(access.world.db, async (tx) => {
      onOutcome(tx, (outcome) => void outcomes.push(outcome))
      await tx`insert into test_plans (id) values (1)`
      return (await tx`select 1 from test_plans`).length
    })
    expect({ seen, left: await countRows(), outcomes }).toEqual({ seen: 1, left: 0, outcomes: ['rolled back'] })
  })

  test('refuses what would be refused', async () => {
    const refused = rehearse(access.world.db, async (tx) => {
      await tx`insert into test_plans (id) values (1)`
      throw new Refusal('LAST_OWNER', 'That would leave nobody.')
    })
    await expect(refused).rejects.toMatchObject({ reason: 'LAST_OWNER' })
    expect(await countRows()).toBe(0)
  })

  test('is committed where it is to be kept, also in a transaction that is not repeated', async () => {
    for (const [id, begin] of [
      [1, undefined],
      [2, transactOnce],
    ] as const)
      await rehearse(access.world.db, (tx) => tx`insert into test_plans (id) values (${id})`, {
        isKept: () => true,
        ...(begin && { begin }),
      })
    expect(await countRows()).toBe(2)
  })
})

test('a row says that nothing undid it, and then who did and what came of it', async () => {
  const { db } = access.world
  await db`insert into test_plans (id) values (9)`
  const read = async () => (await db`select ${undoneColumns(db)} from test_plans where id = 9`)[0]
  expect(await read()).toEqual(notUndone)
  const at = new Date('2026-11-19T10:00:00Z')
  await db.begin(
    (tx) => tx`update test_plans set ${undoneSet(tx, { by: 'u1', at, restored: 3, left: 1 })} where id = 9`,
  )
  expect(await read()).toEqual({ undoneBy: 'u1', undoneAt: at, restoredCount: 3, leftCount: 1 })
})
