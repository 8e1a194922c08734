import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forEachTenant, inTurns, listTenantsWith } from '#kernel/tenants-with.ts'
import { later, until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.db`
    insert into tenants (public_id, domain, host, created_at)
    select lpad(i::text, 27, '0'), 'many' || i, 'many' || i, now() from generate_series(1, 1000) i`
  // What can be requested in each of them was checked a moment ago.
  await server.db`
    insert into profiles (tenant_id, profile_id, display_name, is_published, enrollment, unenrollment,
      unenrollment_entitlements, created_at, updated_at)
    select tenant_id, public_id, 'Everyone', true, '', '', '', now(), now() from tenants`
  await server.db`
    insert into answerable_rounds (tenant_id, seal_number, started_at, finished_at)
    select tenant_id, 0, now(), now() from tenants`
})
afterAll(() => server.stop())

test('a backlog of one tenant hides no other', async () => {
  const rows = server.db.begin(async (tx) => {
    // A table that no regular work looks at.
    await tx`create temporary table waiting on commit drop as
      select 3 as tenant_id from generate_series(1, 25000) union all select 5 union all select 4
      union all select 9 from generate_series(1, 10000) union all select 700`
    return listTenantsWith(tx, (after) => tx`select tenant_id from waiting where tenant_id > ${after}`)
  })
  expect(await rows).toEqual([3, 4, 5, 9, 700])
})

longTest('an idle server asks no more of the database for a thousand tenants', async () => {
  let count = 0
  const noted = (): void => void count++
  subscribe('bailiwick:statement:sent', noted)
  later(() => unsubscribe('bailiwick:statement:sent', noted))
  // What the start left to do is done sooner or later; a statement for each tenant would be 1,000 every time.
  await until(async () => {
    count = 0
    await sleep(2_000)
    return count < 200
  })
})

test('what is wrong with one tenant keeps no other waiting', async () => {
  const done: number[] = []
  const work = async (id: number): Promise<void> => {
    if (id === 2) throw new Error('of the second')
    done.push(id)
  }
  await expect(forEachTenant([1, 2, 3], work)).rejects.toThrow('of the second')
  expect(done).toEqual([1, 3])
})

test('tenants take turns, and the rest is left to the next time', async () => {
  const left = new Map([
    [1, 3],
    [2, 1],
    [3, 2],
  ])
  const order: number[] = []
  const work = async (id: number): Promise<boolean> => {
    order.push(id)
    left.set(id, (left.get(id) ?? 0) - 1)
    return (left.get(id) ?? 0) > 0
  }
  await inTurns([1, 2, 3], work)
  expect(order).toEqual([1, 2, 3, 1, 3, 1])
  left.set(1, 1_000_000)
  order.length = 0
  await inTurns([1], work, 0)
  expect(order).toEqual([1])
})
