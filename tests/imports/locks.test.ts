import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Access, ask, getToken, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { importRecords, type Rec, type Tried } from './support.ts'

/** What others may do while an import is writing: it holds what its rows hang on, and no more than it must. */

let server: TestServer
let access: Access
let tried: Tried
let token: string
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  tried = { world: access.world, tenant: access.tenant }
  token = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

type Ids = { app: string; type: string; resource: string; entitlement: string }
let ids: Ids
let named = 0
let app: string
beforeEach(async () => {
  app = `app${named++}`
  await importRecords(tried, [
    { kind: 'app', externalId: app, displayName: 'App' },
    { kind: 'resource_type', app, externalId: 't', displayName: 'Type' },
    { kind: 'resource', app, resourceType: 't', externalId: 'r', displayName: 'Resource' },
    { kind: 'entitlement', app, externalId: 'e', displayName: 'Right', resourceType: 't', resource: 'r' },
    { kind: 'account', app, externalId: 'old', displayName: 'Old' },
  ])
  const [found] = await server.db<Ids[]>`
    select e.app_id as app, resource_type_id as type, resource_id as resource, entitlement_id as entitlement
    from entitlements e join apps a using (tenant_id, app_id) where a.external_id = ${app}`
  ids = found as Ids
})

// Also where a test failed: the next one begins with no import under way.
let letEnd: () => Promise<void> = async () => {}
afterEach(() => letEnd())

/** An import that has written its lines and is about to commit; `end` lets it. */
async function halt(records: readonly Rec[]) {
  const { promise: mayEnd, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  // The last thing that an import with a user asks for, after all that it writes.
  const holding = server.db.begin(async (tx) => {
    await tx`select 1 from roles where tenant_id = ${tried.tenant.id} and name = 'system:owner' for no key update`
    held()
    await mayEnd
  })
  await isHeld
  const importing = importRecords(tried, [{ kind: 'user', externalId: `u-${app}`, displayName: 'User' }, ...records])
  await expect.poll(waiting).toBe(1)
  letEnd = async () => {
    release()
    await holding
    await importing.catch(() => {})
  }
  return async () => {
    release()
    await holding
    return importing
  }
}

const waiting = async (): Promise<number> => {
  const rows = await listWaiting(server.db)
  return rows.length
}

const send = (method: string, path: string, body: object = {}): Promise<Reply> =>
  ask(server, `/api/v1/apps/${ids.app}${path}`, { method, token, body })

const openGrants = async (): Promise<number> => {
  const [row] = await server.db<{ count: number }[]>`
    select count(*) from grants where app_id = ${ids.app} and ended_at is null`
  return row?.count as number
}

const grantLines = (): Rec[] => [{ kind: 'grant', app, entitlement: 'e', account: 'old' }]
const allLines = (): Rec[] => [
  { kind: 'resource_type', app, externalId: 't2', displayName: 'Type' },
  { kind: 'resource', app, resourceType: 't', externalId: 'r2', displayName: 'Resource' },
  { kind: 'entitlement', app, externalId: 'e2', displayName: 'Right', resourceType: 't', resource: 'r' },
  { kind: 'account', app, externalId: 'new', displayName: 'New' },
  { kind: 'grant', app, entitlement: 'e', account: 'new' },
  ...grantLines(),
]

test('an app, and what lies in it, is changed while an import hangs records on it', async () => {
  const end = await halt(allLines())
  const resource = `/resource_types/${ids.type}/resources/${ids.resource}`
  const changes = await Promise.all([
    send('POST', '', { app: { displayName: 'App, renamed' } }),
    send('POST', `/resource_types/${ids.type}`, { appResourceType: { displayName: 'Type, renamed' } }),
    send('POST', resource, { appResource: { displayName: 'Resource, renamed' } }),
    send('POST', `/entitlements/${ids.entitlement}`, { entitlement: { displayName: 'Right, renamed' } }),
    send('POST', '/usage_controls', { appUsageControls: { notify: true, notifyAfterDays: 30 } }),
    // What is made in it by others meanwhile.
    send('POST', '/entitlements', { displayName: 'Another' }),
  ])
  expect(changes.map(outcomeOf)).toEqual(changes.map(() => '200'))
  await expect.poll(waiting).toBe(1)
  await end()
  const kept = await server.db<{ name: string }[]>`
    select display_name as name from apps where app_id = ${ids.app}
    union all select display_name from resource_types where app_id = ${ids.app} and external_id = 't'
    union all select display_name from resources where app_id = ${ids.app} and external_id = 'r'
    union all select display_name from entitlements where app_id = ${ids.app} and external_id = 'e'`
  expect(kept.map(({ name }) => name)).toEqual(['App, renamed', 'Type, renamed', 'Resource, renamed', 'Right, renamed'])
  expect(await openGrants()).toBe(2)
})

const deletions = {
  app: () => '',
  'resource type': () => `/resource_types/${ids.type}`,
  resource: () => `/resource_types/${ids.type}/resources/${ids.resource}`,
  entitlement: () => `/entitlements/${ids.entitlement}`,
}

for (const [what, path] of Object.entries(deletions)) {
  for (const [lines, records] of [
    ['grants', grantLines],
    ['records of all kinds', allLines],
  ] as const)
    (lines === 'grants' || what === 'app' ? test : longTest)(
      `the ${what} is deleted after an import of ${lines} that was under way, with what came in`,
      async () => {
        const end = await halt(records())
        const deleting = send('DELETE', path())
        await expect.poll(waiting).toBe(2)
        await end()
        expect(outcomeOf(await deleting)).toBe('200')
        expect(await openGrants()).toBe(0)
        const [alive] = await server.db<{ count: number }[]>`
        select count(*) from entitlements e join apps a using (tenant_id, app_id)
        left join resources r using (tenant_id, app_id, resource_type_id, resource_id)
        where app_id = ${ids.app} and e.deleted_at is null and (a.deleted_at is not null or r.deleted_at is not null)`
        expect(alive?.count).toBe(0)
      },
    )
}
