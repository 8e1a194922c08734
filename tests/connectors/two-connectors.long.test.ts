import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { importFile } from '#rooms/records/imports/index.ts'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { type Access, eventually, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { connectorFile } from '../imports/connector-file.ts'
import { askTls, callBaton, makeApp, makeConnector, tokenOf, upload } from './connector.ts'

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

const hostId = 'host-1'

/** `ada>staff`: the account ada, the group staff, and that ada is in it. `ada` and `>staff` are only one of the two. */
function fileOf(told: string, { groupType = 'group' } = {}): Buffer {
  const parts = told.split(' ').filter(Boolean)
  const halves = parts.map((part) => part.split('>') as [string, string?])
  const named = (place: 0 | 1) => [...new Set(halves.map((half) => half[place] ?? '').filter(Boolean))]
  return connectorFile({
    types: [
      { id: 'user', traits: [Trait.USER] },
      { id: groupType, traits: [Trait.GROUP] },
    ],
    resources: [
      ...named(0).map((id) => ({ type: 'user', id, name: id })),
      ...named(1).map((id) => ({ type: groupType, id, name: id, isGroup: true })),
    ],
    entitlements: named(1).map((id) => ({ id: `${id}:member`, type: groupType, resource: id, slug: 'member' })),
    grants: halves.flatMap(([user, group]) =>
      user && group ? [{ entitlement: `${group}:member`, principal: ['user', user] as const }] : [],
    ),
  })
}

type Told = string | Buffer

async function connect(appId: string) {
  const made = await makeConnector(access, access.tenant, appId)
  const baton = callBaton(server, (await tokenOf(server, made)).token)
  const stateOf = async (id: string) =>
    (
      await server.db<{ state: string; error: string }[]>`
      select state, error from connector_tasks where task_id = ${id}`
    )[0]
  /** Answers how it ended. */
  const sync = async (told: Told): Promise<string> => {
    await server.db`update connectors set next_sync_at = now() where connector_id = ${made.connectorId}`
    const { task } = await baton.getTask({ hostId })
    expect(task?.taskType.case).toBe('syncFull')
    const taskId = task?.id as string
    await upload(baton, { hostId, taskId }, typeof told === 'string' ? fileOf(told) : told)
    await baton.finishTask({ hostId, taskId, finalState: { case: 'success', value: {} } })
    expect(await eventually(async () => (await stateOf(taskId))?.state !== 'merging')).toBe(true)
    const ended = await stateOf(taskId)
    return ended?.state === 'done' ? 'done' : `${ended?.state}: ${ended?.error}`
  }
  return { ...made, baton, sync }
}

/** What the app has, as it is told to `fileOf`; grants first. */
async function shown(appId: string): Promise<string> {
  const rows = await server.db<{ line: string }[]>`
    select replace(a.external_id, 'user:', '') || '>' || replace(e.external_id, ':member', '') as line
    from grants g join accounts a using (tenant_id, app_id, account_id)
    join entitlements e using (tenant_id, app_id, entitlement_id)
    where g.app_id = ${appId} and g.ended_at is null and g.source = 'import'
    union all select replace(external_id, 'user:', '') from accounts where app_id = ${appId} and deleted_at is null
    union all select '>' || replace(external_id, ':member', '') from entitlements where app_id = ${appId} and deleted_at is null
    union all select '[' || external_id || ']' from resources where app_id = ${appId} and deleted_at is null
    union all select '{' || external_id || '}' from resource_types where app_id = ${appId} and deleted_at is null`
  return rows
    .map(({ line }) => line)
    .toSorted()
    .join(' ')
}
const fileByHand = (appId: string, told: string, isFull: boolean) =>
  importFile(access.world, operatorCause(access.tenant, 'test'), {
    source: (async function* () {
      yield fileOf(told)
    })(),
    ...{ format: 'c1z', kind: null, app: appId, isFull, isDryRun: false, isForced: true },
  })
/** As before it was kept who reports what. */
const forget = async (appId: string): Promise<void> => {
  await server.db`update connectors set has_reported = false where app_id = ${appId}`
  for (const table of ['resource_types', 'resources', 'entitlements', 'accounts', 'connector_objects'])
    await server.db`update ${server.db(table)} set connector_ids = null where app_id = ${appId}`
  await server.db`update grants set connector_ids = null where app_id = ${appId} and ended_at is null`
}
const open = async () => {
  const appId = await makeApp(access, access.tenant)
  return { appId, a: await connect(appId), b: await connect(appId) }
}

describe('of two connectors of an app', () => {
  test('each removes what it no longer reports, and nothing of the other', async () => {
    const { appId, a, b } = await open()
    expect(await a.sync('ada>staff bo>staff')).toBe('done')
    expect(await b.sync('cy>admins')).toBe('done')
    const both = '>admins >staff [admins] [staff] ada ada>staff bo bo>staff cy cy>admins {group} {user}'
    expect(await shown(appId)).toBe(both)
    expect(await a.sync('ada>staff')).toBe('done')
    expect(await shown(appId)).toBe('>admins >staff [admins] [staff] ada ada>staff cy cy>admins {group} {user}')
    expect(await b.sync('>admins')).toBe('done')
    expect(await shown(appId)).toBe('>admins >staff [admins] [staff] ada ada>staff {group} {user}')
    const change = (set: string) =>
      transact(server.db, (tx) => tx.unsafe(`update grants set ${set} where app_id = '${appId}' and ended_at is null`))
    // Nothing else of an open grant changes.
    const sets = [
      "reason = 'x'",
      'reason = reason',
      ...["reason = 'x'", "granted_by = 'x'"].map((to) => `connector_ids = '{}', ${to}`),
    ]
    for (const set of sets) await expect(change(set)).rejects.toThrow('written once')
    await change(`connector_ids = '{}'`)
  })

  test('a record that both report stays until neither does', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff bo>staff')
    await b.sync('ada>staff cy>staff')
    await a.sync('bo')
    expect(await shown(appId)).toBe('>staff [staff] ada ada>staff bo cy cy>staff {group} {user}')
    await b.sync('cy')
    expect(await shown(appId)).toBe('bo cy {group} {user}')
    // What was removed comes back as the record of whoever reports it then.
    await a.sync('bo ada>staff')
    await b.sync('cy')
    expect(await shown(appId)).toBe('>staff [staff] ada ada>staff bo cy {group} {user}')
  })

  test('one removes nothing that a record of the other hangs on, until that is gone', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff')
    // Its own grant of an account and an entitlement that only the first reports.
    const grant = { entitlement: 'staff:member', principal: ['user', 'bo'] as const }
    await a.sync('ada>staff bo')
    await b.sync(connectorFile({ types: [{ id: 'user', traits: [Trait.USER] }], grants: [grant] }))
    expect(await shown(appId)).toContain('bo>staff')
    await a.sync('ada')
    expect(await shown(appId)).toBe('>staff [staff] ada bo bo>staff {group} {user}')
    await b.sync('cy')
    await a.sync('ada')
    expect(await shown(appId)).toBe('ada cy {group} {user}')
  })

  test('a sync is held by its share of its own records', async () => {
    const { appId, a, b } = await open()
    const many = Array.from({ length: 20 }, (_, i) => `p${i}`).join(' ')
    const others = Array.from({ length: 200 }, (_, i) => `q${i}`).join(' ')
    await a.sync(many)
    await b.sync(others)
    expect(await a.sync('p1 p2')).toContain('held: This sync would remove 18 of 20 accounts.')
    expect((await shown(appId)).split(' ')).toHaveLength(222)
  })

  test('a deleted one leaves its records, which the other takes over as far as it reports them', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff bo')
    await b.sync('cy')
    const path = `/api/v1/apps/${appId}/connectors/${a.connectorId}`
    expect((await askTls(server, path, { method: 'DELETE', token })).status).toBe(200)
    await b.sync('cy ada')
    expect(await shown(appId)).toBe('>staff [staff] ada ada>staff bo cy {group} {user}')
    await b.sync('cy')
    // Its grant hangs on the account, and goes with it: it is no living connector's.
    expect(await shown(appId)).toBe('>staff [staff] bo cy {group} {user}')
  })

  test('records from before are taken over, and removed once each has synced without them', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff bo>staff old')
    await b.sync('cy>admins dee>admins')
    await forget(appId)
    await a.sync('ada>staff bo>staff')
    expect(await shown(appId)).toContain(' old ')
    expect(await shown(appId)).toContain(' dee dee>admins ')
    await b.sync('cy>admins')
    expect(await shown(appId)).toBe(
      '>admins >staff [admins] [staff] ada ada>staff bo bo>staff cy cy>admins {group} {user}',
    )
  })

  test('neither removes what someone imported, and a full import removes nothing of theirs', async () => {
    const { appId, a } = await open()
    await fileByHand(appId, 'by-hand>files', false)
    await a.sync('ada>staff')
    expect(await shown(appId)).toBe('>files >staff [files] [staff] ada ada>staff by-hand by-hand>files {group} {user}')
    await fileByHand(appId, 'again', true)
    expect(await shown(appId)).toBe('>staff [staff] ada ada>staff again {group} {user}')
    // What a connector reports too is the connector's.
    await a.sync('ada again')
    await a.sync('ada')
    expect(await shown(appId)).toBe('ada {group} {user}')
  })

  test('what is kept to change the app stays with its connector, which is the one to change it', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff')
    await b.sync('cy>admins')
    await a.sync('ada>staff')
    const objects = await server.db<{ key: string; of: string[] }[]>`
      select external_id as key, connector_ids as of from connector_objects where app_id = ${appId} order by 1`
    expect(objects.map(({ key, of }) => [key, ...of])).toEqual([
      ['admins:member', b.connectorId],
      ['group:admins', b.connectorId],
      ['group:staff', a.connectorId],
      ['staff:member', a.connectorId],
      ['user:ada', a.connectorId],
      ['user:cy', b.connectorId],
    ])
    const capabilities = [{ resourceType: { id: 'group' }, capabilities: [1, 2] }]
    const connectorMetadata = {
      displayName: 'Test',
      capabilities: { connectorCapabilities: [1, 2], resourceTypeCapabilities: capabilities },
    }
    for (const { baton } of [a, b]) await baton.hello({ hostId, connectorMetadata })
    const [ids] = await server.db<{ entitlementId: string; accountId: string }[]>`
      select e.entitlement_id as "entitlementId", a.account_id as "accountId" from entitlements e, accounts a
      where e.app_id = ${appId} and e.external_id = 'admins:member' and a.app_id = ${appId} and a.external_id = 'user:cy'`
    const path = `/api/v1/apps/${appId}/entitlements/${ids?.entitlementId}/remove-membership`
    const removed = await askTls(server, path, { method: 'DELETE', token, body: { appUserId: ids?.accountId } })
    expect(removed.status, removed.text).toBe(200)
    const placed = () => server.db<{ kind: string; of: string }[]>`
      select kind, connector_id as of from connector_tasks where app_id = ${appId} and kind <> 'sync'`
    expect(await eventually(async () => (await placed()).length > 0)).toBe(true)
    expect(await placed()).toEqual([{ kind: 'revoke', of: b.connectorId }])
  })

  test('a grant whose terms someone changed stays with its connectors', async () => {
    const { appId, a, b } = await open()
    await a.sync('ada>staff')
    await b.sync('cy')
    const [before] = await server.db<{ path: string }[]>`
      select '/api/v1/apps/' || app_id || '/entitlements/' || entitlement_id || '/users/' || account_id as path
      from grants where app_id = ${appId} and ended_at is null`
    const reply = await askTls(server, `${before?.path}/update-grant-duration`, {
      ...{ method: 'POST', token, body: { newDeprovisionAt: new Date(Date.now() + 86_400_000).toISOString() } },
    })
    expect(reply.status, reply.text).toBe(200)
    const rows = await server.db<{ of: string[] }[]>`
      select connector_ids as of from grants where app_id = ${appId} and ended_at is null`
    expect(rows).toEqual([{ of: [a.connectorId] }])
    await b.sync('cy')
    expect(await shown(appId)).toContain('ada>staff')
    await a.sync('ada')
    expect(await shown(appId)).toBe('ada cy {group} {user}')
  })
})
