import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { openGrants } from '#rooms/records/grants/index.ts'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { type Access, type Asking, eventually, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { connectorFile, type Told } from '../imports/connector-file.ts'
import { askTls, callBaton, type Made, makeConnector, tokenOf, upload } from './connector.ts'

let server: TestServer
let access: Access
let token: string

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const ask = (path: string, asking: Asking = {}): Promise<Reply> =>
  askTls(server, `/api/v1/drift${path}`, { token, ...asking })

type Found = { appUserDisplayName: string; kind: string; entitlementDisplayName: string; remedies: string[] } & Json
const listed = async ({ appId }: Made, kind = ''): Promise<Found[]> => {
  const reply = await ask(`?app_id=${appId}${kind && `&kind=${kind}`}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Found[]
}
const inWords = (found: readonly Found[]): string[] =>
  found.map((each) => `${each.appUserDisplayName}: ${each.kind.replace('DRIFT_KIND_', '').toLowerCase()}`).toSorted()
const counted = async ({ appId }: Made): Promise<Json> => {
  const { json } = await ask('/counts')
  return (json['apps'] as Json[]).find((each) => each['appId'] === appId) ?? {}
}
const resolve = async (remedy: string, items: readonly Found[], by = token): Promise<Json[]> => {
  const reply = await ask('/resolve', { method: 'POST', token: by, body: { remedy: `DRIFT_REMEDY_${remedy}`, items } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}
const errorsOf = (outcomes: readonly Json[]): unknown[] => outcomes.map((each) => each['error'])

/** People u0 to u5, a role and a group; who of them has the role, and by which group. */
const world = (holders: readonly string[], byGroup: readonly string[] = []): Told => ({
  types: [
    { id: 'user', traits: [Trait.USER] },
    { id: 'role', traits: [Trait.ROLE] },
    { id: 'group', traits: [Trait.GROUP] },
  ],
  resources: [
    ...['u0', 'u1', 'u2', 'u3', 'u4', 'u5'].map((id) => ({ type: 'user', id, name: id })),
    { type: 'role', id: 'admin', name: 'Admin' },
    { type: 'group', id: 'ops', name: 'Ops', isGroup: true },
  ],
  entitlements: [
    { id: 'role:admin', type: 'role', resource: 'admin', name: 'Admin' },
    { id: 'group:ops', type: 'group', resource: 'ops', name: 'Ops' },
  ],
  grants: [
    ...holders.map((id) => ({ entitlement: 'role:admin', principal: ['user', id] as const })),
    ...byGroup.flatMap((id) => [
      { entitlement: 'group:ops', principal: ['user', id] as const },
      { entitlement: 'role:admin', principal: ['user', id] as const, sources: ['group:ops'] },
    ]),
  ],
})

const hostId = 'host-1'
async function sync(made: Made, told: Told): Promise<void> {
  const baton = callBaton(server, (await tokenOf(server, made)).token)
  await server.db`update connectors set next_sync_at = now() where connector_id = ${made.connectorId}`
  const { task } = await baton.getTask({ hostId })
  const taskId = task?.id as string
  await upload(baton, { hostId, taskId }, connectorFile(told))
  const before = (await counted(made))['checkedAt']
  await baton.finishTask({ hostId, taskId, finalState: { case: 'success', value: {} } })
  const isCompared = async (): Promise<boolean> => ((await counted(made))['checkedAt'] ?? before) !== before
  expect(await eventually(isCompared)).toBe(true)
}

/** Recorded as given by hand. */
async function give({ appId }: Made, account: string): Promise<{ entitlementId: string; accountId: string }> {
  const [ref] = await server.db<{ entitlementId: string; accountId: string }[]>`
    select e.entitlement_id as "entitlementId", a.account_id as "accountId"
    from entitlements e join accounts a using (tenant_id, app_id)
    where tenant_id = ${access.tenant.id} and app_id = ${appId} and e.display_name = 'Admin' and a.display_name = ${account}`
  const { entitlementId, accountId } = ref as NonNullable<typeof ref>
  const wanted = [{ id: access.world.newId(), appId, entitlementId, accountId }]
  const giving = { source: 'manual', by: '', at: new Date() } as const
  await transact(access.world.db, (tx) => openGrants(tx, operatorCause(access.tenant, 'test'), wanted, giving))
  return { entitlementId, accountId }
}

test('what the first sync found is the baseline; what appears later without a reason, and what is missing, is listed', async () => {
  const made = await makeConnector(access, access.tenant)
  await sync(made, world(['u0', 'u1']))
  await give(made, 'u4')
  // Its connector still has to do it: it is not missing yet.
  const { entitlementId, accountId } = await give(made, 'u5')
  await server.db`
    insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, app_id, entitlement_id, account_id, created_at)
    values (${access.tenant.id}, ${made.connectorId}, ${access.world.newId()}, 'grant', 'queued', ${made.appId},
      ${entitlementId}, ${accountId}, now())`
  // Recorded after the sync began, which may not have seen it.
  expect(await listed(made)).toEqual([])
  await sync(made, world(['u0', 'u1', 'u2'], ['u3']))
  const found = await listed(made)
  expect(inWords(found)).toEqual(['u2: unexplained', 'u3: unexplained', 'u4: missing'])
  expect(inWords(await listed(made, 'DRIFT_KIND_MISSING'))).toEqual(['u4: missing'])
  // Of the two that u3 has, the group is listed and not what it gives.
  expect(found.find(({ appUserDisplayName }) => appUserDisplayName === 'u3')?.entitlementDisplayName).toBe('Ops')
  expect(await counted(made)).toMatchObject({ unexplained: 2, missing: 1 })
  await sync(made, world(['u0', 'u1', 'u4'], ['u3']))
  expect(inWords(await listed(made))).toEqual(['u3: unexplained'])
})

test('each difference has its remedies, for those who may give access, and is gone from the list at once', async () => {
  const made = await makeConnector(access, access.tenant)
  await sync(made, world([]))
  await give(made, 'u0')
  await sync(made, world(['u1', 'u2']))
  const found = (await listed(made)).toSorted((a, b) => a.appUserDisplayName.localeCompare(b.appUserDisplayName))
  expect(found.map((each) => each.remedies)).toEqual([
    ['DRIFT_REMEDY_REMOVE', 'DRIFT_REMEDY_PROVISION'],
    ['DRIFT_REMEDY_KEEP', 'DRIFT_REMEDY_REVOKE'],
    ['DRIFT_REMEDY_KEEP', 'DRIFT_REMEDY_REVOKE'],
  ])
  const [missing, kept, revoked] = found as [Found, Found, Found]

  const tokenAs = async (role: 'system:viewer' | 'system:user') =>
    (await tokenOf(server, await access.makeCaller([role]))).token
  const [viewer, user] = [await tokenAs('system:viewer'), await tokenAs('system:user')]
  const body = { remedy: 'DRIFT_REMEDY_KEEP', items: [kept] }
  expect((await ask('', { token: viewer })).status).toBe(200)
  expect((await ask('/resolve', { method: 'POST', body, token: viewer })).status).toBe(403)
  for (const path of ['', '/counts']) expect((await ask(path, { token: user })).status).toBe(403)
  for (const bad of [{ items: [kept] }, { remedy: 'DRIFT_REMEDY_KEEP' }, { ...body, items: Array(101).fill(kept) }])
    expect((await ask('/resolve', { method: 'POST', body: bad })).status).toBe(400)

  expect(errorsOf(await resolve('KEEP', [kept, missing]))).toEqual([
    '',
    '"keep" does not apply to access that is missing.',
  ])
  expect(inWords(await listed(made))).toEqual(['u0: missing', 'u2: unexplained'])
  // Twice at once: one does it.
  const both = await Promise.all([resolve('REMOVE', [missing]), resolve('REMOVE', [missing])])
  expect(both.flatMap(errorsOf).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    '',
    'This difference no longer exists.',
  ])
  const [task] = await resolve('REVOKE', [revoked])
  expect([task?.['error'], String(task?.['taskId']).length]).toEqual(['', 27])
  expect(errorsOf(await resolve('KEEP', [{ ...kept, appUserId: 'nobody' }]))).toEqual([
    'This difference no longer exists.',
  ])
})
