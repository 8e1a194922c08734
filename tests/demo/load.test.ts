import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#database/open.ts'
import { idMaker } from '#kernel/ids.ts'
import { openMemory } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { sealsOf, secretKeyBytes } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { insertBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { replay } from '#rooms/governance/tasks/machine/fold.ts'
import { assigneesOf, project } from '#rooms/governance/tasks/machine/unfold.ts'
import { findTask, listEventsOf } from '#rooms/governance/tasks/store.ts'
import { findUserByEmail, foundTenant } from '#rooms/identity/users/index.ts'
import { type DemoCounts, loadDemoCompany } from '#server/demo/load.ts'
import { routes } from '#server/registry/routes.ts'
import { makeDatabase } from '../fixture/server.ts'

let scratch: Awaited<ReturnType<typeof makeDatabase>>
let database: Database
let world: World

beforeAll(async () => {
  scratch = await makeDatabase()
  database = await openDatabase({ from: { url: scratch.url } })
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
  await scratch?.drop()
})

const load = (domain: string): Promise<{ tenant: Tenancy; ownerId: string; counts: DemoCounts }> =>
  transact(world.db, async (tx) => {
    const tenant = await foundTenant(tx, world, { domain, ownerEmail: 'owner@example.org' })
    if (typeof tenant === 'string') throw new Error(tenant)
    await insertBuiltInPolicies(tx, world, tenant.id)
    const ownerId = (await findUserByEmail(tx, tenant.id, 'owner@example.org'))?.id ?? ''
    return { tenant, ownerId, counts: await loadDemoCompany(tx, world, { tenant, ownerId, routes }) }
  })

let loaded: Awaited<ReturnType<typeof load>>
let tenantId: number
beforeAll(async () => {
  loaded = await load('one.example')
  tenantId = loaded.tenant.id
})

const countIn = async (table: string): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`
    select count(*)::int as count from ${world.db(table)} where tenant_id = ${tenantId}`
  return row?.count as number
}

test('the demo company fits the schema, and what it says was loaded is in the tables', async () => {
  const { users, grants, ...others } = loaded.counts
  // The person who founded the tenant was there before.
  expect(await countIn('users')).toBe(users + 1)
  // The app of access profiles, the enrollment in the one that has members, and accounts that requests have opened.
  const beside: Record<string, number> = { apps: 1, entitlements: 1, accounts: 2 }
  for (const [table, count] of Object.entries(others))
    expect([table, await countIn(table)]).toEqual([table, count + (beside[table] ?? 0)])
  // Beside what requests have given.
  const [imported] = await world.db<{ count: number }[]>`
    select count(*)::int as count from grants where tenant_id = ${tenantId} and source <> 'request'`
  expect(imported?.count).toBe(grants)
})

test('every human of the demo company is a basic user, and no machine is', async () => {
  const rows = await world.db`
    select u.type, count(distinct u.user_id)::int as people, count(r.name)::int as basic
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

test('who owns an app of the demo company may manage it', async () => {
  const owners = await world.db<{ id: string }[]>`
    select distinct user_id as id from owners
    where tenant_id = ${tenantId} and kind = 'app' and user_id is not null and ended_at is null order by 1`
  const admins = await world.db<{ id: string }[]>`
    select ur.user_id as id from user_roles ur join roles r using (tenant_id, role_id)
    where ur.tenant_id = ${tenantId} and r.name = 'system:application-admin' order by 1`
  expect(owners.length).toBeGreaterThan(0)
  expect([...admins]).toEqual([...owners])
})

test('the record of the demo company reaches back two years', async () => {
  const [row] = await world.db`
    select count(*) filter (where began_at < now() - interval '18 months')::int as old,
      count(*) filter (where began_at > now())::int as ahead
    from grants where tenant_id = ${tenantId}`
  expect(row?.old).toBeGreaterThan(500)
  expect(row?.ahead).toBe(0)
})

test('every grant that came by import names an import that exists, was there by then, and counts what it brought', async () => {
  const [strays] = await world.db<{ count: number }[]>`
    select count(*)::int as count from grants g
    left join imports i on i.tenant_id = ${tenantId} and i.import_id = g.granted_by
    where g.tenant_id = ${tenantId} and g.source = 'import' and (i.import_id is null or i.finished_at > g.began_at)`
  expect(strays?.count).toBe(0)
  const wrong = await world.db`
    select i.import_id, i.counts from imports i
    where i.tenant_id = ${tenantId} and i.format = 'jsonl'
      and (select (c ->> 'added')::int from jsonb_array_elements(i.counts) c where c ->> 'kind' = 'grant') <> (
        select count(*) from grants g where g.tenant_id = ${tenantId} and g.source = 'import' and g.granted_by = i.import_id)`
  expect([...wrong]).toEqual([])
  // Nobody holds anything by an account, and no account is of a user, that was not there yet.
  const [early] = await world.db<{ count: number }[]>`
    select count(*)::int as count from grants g
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where g.tenant_id = ${tenantId} and g.source = 'import' and (g.began_at < a.created_at or a.created_at < u.created_at)`
  expect(early?.count).toBe(0)
})

test('requests are at every kind of step, stuck, and over in every way, and go back several weeks', async () => {
  const rows = await world.db<{ what: string; count: number }[]>`
    select case when is_open then coalesce(nullif(step_approvers, ''), nullif(step_kind, ''), 'stuck')
      else kind || ' ' || outcome end as what, count(*)::int as count
    from tasks where tenant_id = ${tenantId} group by 1`
  const counts = new Map(rows.map(({ what, count }) => [what, count]))
  const waiting = ['manager', 'appOwners', 'group', 'expression', 'form', 'provision', 'stuck']
  const over = ['grant done', 'grant denied', 'grant cancelled', 'grant failed', 'revoke done']
  expect([...counts.keys()].toSorted()).toEqual([...waiting, ...over].toSorted())
  const [span] = await world.db`
    select min(created_at) < now() - interval '30 days' as "isLong", max(updated_at) <= now() as "isPast",
      count(*) filter (where is_emergency)::int as emergencies
    from tasks where tenant_id = ${tenantId}`
  expect(span).toEqual({ isLong: true, isPast: true, emergencies: 1 })
})

test('the events of every request yield its row, and the people who are asked', async () => {
  const { db } = world
  const rows = await db<{ id: string; assignees: string[] }[]>`
    select t.task_id as id, array(select a.user_id::text from task_assignees a
      where a.tenant_id = ${tenantId} and a.task_id = t.task_id order by 1) as assignees
    from tasks t where t.tenant_id = ${tenantId}`
  const events = await listEventsOf(
    db,
    tenantId,
    rows.map(({ id }) => id),
  )
  for (const { id, assignees } of rows) {
    const task = await findTask(db, tenantId, id)
    const told = events.get(id) ?? []
    const state = replay(told)
    if (!task) throw new Error(`no task ${id}`)
    const born = { ...task, commentCount: 0, version: 0 }
    expect(project(born, state, told, task.updatedAt)).toEqual(task)
    expect(assigneesOf(state).toSorted()).toEqual(assignees)
    expect(told.at(-1)?.at).toEqual(task.updatedAt)
  }
})

test('what was granted by request is held by it, from when it was granted and for as long as was asked', async () => {
  const rows = await world.db<{ number: number; isRight: boolean }[]>`
    select t.number::int as number, exists (
      select 1 from grants g where g.tenant_id = ${tenantId} and g.source = 'request' and g.granted_by = t.task_id
        and g.app_id = t.app_id and g.entitlement_id = t.entitlement_id and g.began_at = t.outcome_at
        and g.expires_at is not distinct from t.outcome_at + t.duration_seconds * interval '1 second') as "isRight"
    from tasks t where t.tenant_id = ${tenantId} and t.kind = 'grant' and t.outcome = 'done'`
  expect(rows.filter(({ isRight }) => !isRight)).toEqual([])
  const [others] = await world.db`
    select count(*)::int as strays from grants g
    where g.tenant_id = ${tenantId} and g.source = 'request' and not exists (
      select 1 from tasks t where t.tenant_id = ${tenantId} and t.task_id = g.granted_by and t.outcome = 'done')`
  expect(others?.strays).toBe(0)
  // What is over and not ended yet is left to the first sweep, which asks its owner.
  const [due] = await world.db`
    select count(*)::int as count from grants
    where tenant_id = ${tenantId} and source = 'request' and ended_at is null and expires_at <= now()`
  expect(due?.count).toBe(1)
})

test('an employee, a manager, an owner and the administrator each have something to do or to see', async () => {
  const waitingFor = async (title: string): Promise<number> => {
    const [row] = await world.db<{ count: number }[]>`
      select count(*)::int as count from task_assignees a
      join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
      where a.tenant_id = ${tenantId} and (u.job_title = ${title} or a.user_id = ${title})`
    return row?.count ?? 0
  }
  expect(await waitingFor('Firmware Engineering Manager')).toBeGreaterThan(5)
  expect(await waitingFor('Director of IT')).toBeGreaterThan(2)
  expect(await waitingFor(loaded.ownerId)).toBeGreaterThan(0)
  const made = await world.db<{ table: string; count: number }[]>`
    select 'policies' as table, count(*)::int as count from policies where tenant_id = ${tenantId} and built_in is null
    union all select 'profiles', count(*)::int from profiles where tenant_id = ${tenantId}
    union all select 'form_bindings', count(*)::int from form_bindings where tenant_id = ${tenantId}
    union all select 'routing_rules', count(*)::int from routing_rules where tenant_id = ${tenantId}
    union all select 'request_defaults', count(*)::int from request_defaults where tenant_id = ${tenantId}
    union all select 'user_delegations', count(*)::int from user_delegations where tenant_id = ${tenantId}`
  expect(made.filter(({ count }) => count === 0)).toEqual([])
})
