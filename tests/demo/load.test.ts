import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#database/migrate.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { idMaker } from '#kernel/ids.ts'
import { openMemory } from '#kernel/memory.ts'
import { sealsOf, secretKeyBytes } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { type DemoCounts, loadDemoCompany } from '#server/demo/load.ts'

let folder: string
let database: Database
let world: World

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bailiwick-demo-'))
  await chmod(folder, 0o755)
  database = await openDatabase({ from: { dataDir: join(folder, 'data'), purpose: 'serve' } })
  await migrate(database.db)
  world = {
    db: database.db,
    now: () => new Date(),
    newId: idMaker(Date.now),
    log: pino({ level: 'silent' }),
    seals: sealsOf(Buffer.alloc(secretKeyBytes)),
    memory: openMemory(() => world),
    settings: {
      clientSecret: { serviceDomain: 'bailiwick.internal', hasVersion: false },
      tokenLifetimeSeconds: 600,
    },
  }
})

afterAll(async () => {
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

const load = (domain: string): Promise<{ tenantId: number; counts: DemoCounts }> =>
  transact(world.db, async (tx) => {
    const tenant = await foundTenant(tx, world, { domain, ownerEmail: 'owner@example.org' })
    if (typeof tenant === 'string') throw new Error(tenant)
    return { tenantId: tenant.id, counts: await loadDemoCompany(tx, world, tenant.id) }
  })

const countIn = async (table: string, tenantId: number): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`
    select count(*)::int as count from ${world.db(table)} where tenant_id = ${tenantId}`
  return row?.count as number
}

test('the demo company fits the schema, and what it says was loaded is in the tables', async () => {
  const { tenantId, counts } = await load('one.example')
  const { users, ...others } = counts
  // The person who founded the tenant was there before.
  expect(await countIn('users', tenantId)).toBe(users + 1)
  for (const [table, count] of Object.entries(others))
    expect([table, await countIn(table, tenantId)]).toEqual([table, count])
})

test('every human of the demo company is a basic user, and no machine is', async () => {
  const { tenantId } = await load('two.example')
  const rows = await world.db`
    select u.type, count(*)::int as people, count(r.name)::int as basic
    from users u
    left join user_roles ur using (tenant_id, user_id)
    left join roles r on r.tenant_id = ur.tenant_id and r.role_id = ur.role_id and r.name = 'system:user'
    where u.tenant_id = ${tenantId} and u.external_id is not null
    group by u.type order by u.type`
  expect([...rows]).toEqual([
    { type: 'USER_TYPE_HUMAN', people: 200, basic: 200 },
    { type: 'USER_TYPE_SERVICE', people: 5, basic: 0 },
  ])
})

test('the record of the demo company reaches back two years', async () => {
  const { tenantId } = await load('three.example')
  const [row] = await world.db`
    select count(*) filter (where began_at < now() - interval '18 months')::int as old,
      count(*) filter (where began_at > now())::int as ahead
    from grants where tenant_id = ${tenantId}`
  expect(row?.old).toBeGreaterThan(500)
  expect(row?.ahead).toBe(0)
})
