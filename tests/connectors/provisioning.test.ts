import { create } from '@bufbuild/protobuf'
import { type Any, AnySchema, anyPack } from '@bufbuild/protobuf/wkt'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { carryToConnectors, endLapsedLeases } from '#rooms/records/connectors/index.ts'
import {
  CreateAccountResponseSchema,
  type Grant,
  GrantManagerServiceGrantResponseSchema,
} from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import type { Task } from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, eventually, type Json, openAccess } from '../fixture/access.ts'
import { longDescribe, onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import type { Told } from '../imports/connector-file.ts'
import { openApp, type SharedApp, shareApp, type TestApp } from './app.ts'
import { askTls, callBaton, codeOf, makeApp, makeConnector, tokenOf } from './connector.ts'

let server: TestServer
let access: Access
let token: string
let shared: SharedApp
let changed: SharedApp

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
  shared = await shareApp(server, access, token, { views: 24 })
  changed = await shareApp(server, access, token, { views: 10 })
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const open = () => shared.view()
/** For what is told of the whole app. */
const openOwn = () => openApp(server, access, token)
/** For what changes the connector itself: it begins as it was. The last test deletes it. */
const openChanged = async (): Promise<TestApp> => {
  const app = changed.view()
  await app.hello()
  return app
}
const isClosed = async (app: TestApp, id: string): Promise<boolean> =>
  (await app.task(id)).state === 'TASK_STATE_CLOSED'
const untilClosed = async (app: TestApp, id: string): Promise<void> => {
  expect(await eventually(() => isClosed(app, id)), JSON.stringify(await app.task(id))).toBe(true)
}
const lapse = async (id: string): Promise<void> => {
  await server.db`update connector_tasks set lease_until = now() - interval '1 second' where task_id = ${id}`
  await endLapsedLeases(access.world)
}
const states = async (app: TestApp): Promise<string[]> =>
  (await app.tasks()).map(({ kind, state }) => `${kind} ${state}`).toReversed()
/** What rules and people did is carried on by the engine; here, at once. */
const carry = () => carryToConnectors(access.world)
const byHand = async (app: TestApp, user: string, group: string): Promise<void> => {
  const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}/add-manual-user`
  const reply = await app.post(path, { userIds: [app.userIds[user]] })
  expect(reply.status, reply.text).toBe(200)
  await carry()
}
const takeByHand = async (app: TestApp, user: string, group: string): Promise<void> => {
  const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}/remove-membership`
  const reply = await app.ask(path, { method: 'DELETE', body: { appUserId: await app.account(user) } })
  expect(reply.status, reply.text).toBe(200)
  await carry()
}

longDescribe('a revocation', () => {
  const annotation = (name: string, value = ''): Any =>
    create(AnySchema, { typeUrl: `type.googleapis.com/c1.connector.v2.${name}`, value: Buffer.from(value) })
  const metadata = annotation('GrantMetadata', 'what it was assigned by')
  type Grants = NonNullable<Told['grants']>
  const syncWith = async (app: TestApp, grants: Grants): Promise<void> =>
    app.endSync(await app.beginSync(), app.file(grants))
  const revoked = async (app: TestApp, user: string, group: string) => {
    const requestId = await app.request('revoke', user, group)
    const task = await app.next()
    expect(task?.taskType.case).toBe('revoke')
    const { grant } = (task as Task).taskType.value as { grant: { id: string; annotations: Any[] } }
    expect(await app.finish(task as Task)).toBe('ok')
    await untilClosed(app, requestId)
    return { id: grant.id, annotations: grant.annotations.map(({ value }) => Buffer.from(value).toString()) }
  }
  const ofMetadata = ['what it was assigned by']

  onlyLongTest(
    'names the grant as its connector did, with its annotations, where it cannot be made of its parts',
    async () => {
      const app = await openOwn()
      const [ada, bo] = [['user', 'ada-0'] as const, ['user', 'bo-0'] as const]
      await syncWith(app, [
        { entitlement: 'staff:member', principal: ada, id: 'assignment-17', annotations: [metadata] },
        { entitlement: 'admins:member', principal: ada, id: 'usual', annotations: [metadata] },
        { entitlement: 'staff:member', principal: bo, id: 'usual', annotations: [annotation('V1Identifier', 'old')] },
        { entitlement: 'admins:member', principal: bo },
      ])
      const kept = await server.db`select 1 from connector_grants where app_id = ${app.appId}`
      expect(kept.length).toBe(3)
      expect(await revoked(app, 'ada', 'staff')).toEqual({ id: 'assignment-17', annotations: ofMetadata })
      expect(await revoked(app, 'ada', 'admins')).toEqual({ id: 'admins:member:user:ada-0', annotations: ofMetadata })
      expect(await revoked(app, 'bo', 'staff')).toEqual({ id: 'staff:member:user:bo-0', annotations: [] })
      expect(await revoked(app, 'bo', 'admins')).toEqual({ id: 'admins:member:user:bo-0:3', annotations: [] })
      expect(await server.db`select 1 from connector_grants where app_id = ${app.appId}`).toHaveLength(0)
    },
  )

  onlyLongTest('names a grant that the connector gave as it reported it, until a sync tells of it', async () => {
    const app = await openOwn()
    const give = async (id: string, begun?: string) => {
      const requestId = await app.request('grant', 'ada', 'staff')
      const task = (await app.next()) as Task
      expect(task.taskType.case).toBe('grant')
      const { entitlement, principal } = task.taskType.value as Pick<Grant, 'entitlement' | 'principal'>
      const others = { id: 'of-another', entitlement: { id: 'admins:member' }, ...(principal && { principal }) }
      const own = { id, ...(entitlement && { entitlement }), ...(principal && { principal }), annotations: [metadata] }
      const response = create(GrantManagerServiceGrantResponseSchema, { grants: [others, own] })
      await app.baton.finishTask({
        hostId: 'host-1',
        taskId: task.id,
        finalState: {
          case: 'success',
          value: { response: anyPack(GrantManagerServiceGrantResponseSchema, response) },
        },
      })
      await untilClosed(app, requestId)
      // A sync that read the app before does not tell of it, and does not make it forgotten.
      if (begun) await app.endSync(begun, app.file([]))
    }
    await give('assignment-18')
    expect(await revoked(app, 'ada', 'staff')).toEqual({ id: 'assignment-18', annotations: ofMetadata })
    await give('assignment-19', await app.beginSync())
    expect(await revoked(app, 'ada', 'staff')).toEqual({ id: 'assignment-19', annotations: ofMetadata })
    await give('assignment-20')
    await syncWith(app, [{ entitlement: 'staff:member', principal: ['user', 'ada-0'], id: 'usual' }])
    expect(await revoked(app, 'ada', 'staff')).toEqual({ id: 'staff:member:user:ada-0', annotations: [] })
  })

  onlyLongTest('of what the connector says cannot be revoked goes to people, with that reason', async () => {
    const app = await openOwn()
    const principal = ['user', 'ada-0'] as const
    const annotations = [annotation('GrantImmutable')]
    await syncWith(app, [
      { entitlement: 'staff:member', principal, id: 'usual', annotations },
      { entitlement: 'admins:member', principal, id: 'usual', annotations, sources: ['staff:member'] },
    ])
    // What is held through a group is known to be so already.
    expect(await server.db`select 1 from connector_grants where app_id = ${app.appId}`).toHaveLength(1)
    const id = await app.request('revoke', 'ada', 'staff')
    expect(await app.next()).toBeNull()
    const { state, policy } = await app.task(id)
    expect(state).toBe('TASK_STATE_OPEN')
    expect(JSON.stringify(policy)).toContain('does not allow this access to be removed directly')
  })
})

describe('a request', () => {
  test('waits for the connector, is done when that says so, and the next sync agrees', async () => {
    const app = open()
    const id = await app.request('grant', 'ada', 'staff')
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
    expect(await app.holds('ada', 'staff')).toEqual([])
    expect(await states(app)).toEqual(['grant queued'])
    const why = async () => (await app.ask(`/api/v1/tasks/${id}/why`)).json['connectors']
    expect(await why()).toMatchObject([{ connectorId: app.connectorId, state: 'queued' }])
    const task = await app.next()
    expect(await states(app)).toEqual(['grant with the connector'])
    expect(await why()).toMatchObject([{ state: 'with the connector' }])
    const granted = task?.taskType.case === 'grant' ? task.taskType.value : null
    expect(granted?.entitlement).toMatchObject({ id: 'staff:member', slug: 'member' })
    expect(granted?.principal?.annotations[0]?.typeUrl).toContain('UserTrait')
    app.carryOut(task as never)
    expect(await app.finish(task as never)).toBe('ok')
    await untilClosed(app, id)
    expect(await why()).toEqual([])
    expect(await app.holds('ada', 'staff')).toEqual(['request'])
    await app.sync()
    expect(await app.holds('ada', 'staff')).toEqual(['import', 'request'])

    const revoked = await app.request('revoke', 'ada', 'staff')
    expect((await app.task(revoked)).state).toBe('TASK_STATE_OPEN')
    expect(await app.holds('ada', 'staff')).toEqual(['import', 'request'])
    expect(await app.workAll()).toEqual(['revoke'])
    await untilClosed(app, revoked)
    expect(await app.holds('ada', 'staff')).toEqual([])
    expect([...app.members]).toEqual([])
    await carry()
    expect(app.calls).toEqual(['grant ada/staff', 'revoke ada/staff'])
    const [events] = await server.db<{ count: number }[]>`
      select count(*) as count from systemlog_events where event like '%in the app: done%'`
    expect(events?.count).toBeGreaterThanOrEqual(2)
  })
  test('that the connector refuses goes to people, with the words of the connector', async () => {
    // Another app: what is still looked at of tests before it would have the connector asked.
    const app = await openChanged()
    const id = await app.request('grant', 'ada', 'staff')
    const task = await app.next()
    await app.finish(task as never, 'the group is locked')
    const failed = async () =>
      (await app.task(id)).policy.history.some((step) => JSON.stringify(step).includes('the group is locked'))
    expect(await eventually(failed), JSON.stringify(await app.task(id))).toBe(true)
    expect(JSON.stringify((await app.task(id)).policy.current)).toContain('"assigned":true')
    expect(await app.holds('ada', 'staff')).toEqual([])
    expect(await states(app)).toEqual(['grant failed'])
    // They do it, and say so: the connector is not asked again, not even where its failure was not looked at yet.
    const { policy } = await app.task(id)
    await transact(access.world.db, async (tx) => {
      await tx`
        select 1 from connectors where tenant_id = ${access.tenant.id} and connector_id = ${app.connectorId} for update`
      await server.db`
        insert into provisioning_changes (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
        select tenant_id, app_id, entitlement_id, account_id, task_id, 'settled' from connector_tasks
        where connector_id = ${app.connectorId} and kind = 'grant' on conflict do nothing`
      const completed = await app.post(`/api/v1/tasks/${id}/action/provision-complete`, {
        policyStepId: policy.current?.['id'],
      })
      expect(completed.status, completed.text).toBe(200)
    })
    expect(await app.holds('ada', 'staff')).toEqual(['request'])
    await carry()
    expect(await states(app)).toEqual(['grant failed'])
  })
  test('of an app whose connector only reads goes to people, with that reason; the app says so', async () => {
    const app = await openChanged()
    await app.hello({ group: [2], user: [2], connector: [2] })
    const shown = (await app.ask(`/api/v1/apps/${app.appId}/provisioning`)).json['provisioning'] as Json
    expect(shown).toMatchObject({ isSupported: false, connectorId: app.connectorId })
    expect(shown['reason']).toContain('only reads')
    const id = await app.request('grant', 'ada', 'staff')
    const task = JSON.stringify((await app.task(id)).policy)
    expect(task).toContain('only reads')
    expect(task).toContain('"assigned":true')
    expect(await app.tasks()).toEqual([])
    await app.hello({ group: [2], connector: [1, 2] })
    const other = await app.request('grant', 'bo', 'staff')
    expect(JSON.stringify((await app.task(other)).policy)).toContain('resources of the type group')
  })
  test('is reported if the connector was started without provisioning, and no further tasks are sent to it', async () => {
    const app = await openChanged()
    const first = await app.request('grant', 'ada', 'staff')
    await app.finish((await app.next()) as never, 'error: provisioning is not enabled')
    expect(await eventually(async () => JSON.stringify(await app.task(first)).includes('not enabled'))).toBe(true)
    const second = await app.request('grant', 'bo', 'staff')
    expect(JSON.stringify((await app.task(second)).policy)).toContain('refuses to provision')
    await app.hello()
    await app.request('grant', 'bo', 'admins')
    expect((await states(app)).at(-1)).toBe('grant queued')
  })
  test('that is closed before the connector fetched it leaves nothing to do; later, what was done is undone', async () => {
    const app = open()
    const close = async (id: string) => {
      const reply = await app.post(`/api/v1/tasks/${id}/action/close`)
      expect(reply.status, reply.text).toBe(200)
    }
    const first = await app.request('grant', 'ada', 'staff')
    await close(first)
    await carry()
    expect(await states(app)).toEqual(['grant cancelled'])
    expect(await app.next()).toBe(null)
    const second = await app.request('grant', 'ada', 'staff')
    const task = await app.next()
    await close(second)
    app.carryOut(task as never)
    await app.finish(task as never)
    await carry()
    expect(await app.workAll()).toEqual(['revoke'])
    expect([...app.members]).toEqual([])
    expect(await app.holds('ada', 'staff')).toEqual([])
  })
})

longDescribe('a revocation from several accounts of a person', () => {
  /** Both accounts of the view are those of ada, in the order in which they are revoked. */
  const openBoth = async (): Promise<{ app: TestApp; ids: string[] }> => {
    const app = open()
    app.members.add('ada/staff')
    app.members.add('bo/staff')
    await app.sync()
    const ids = [await app.account('ada'), await app.account('bo')].toSorted()
    await server.db`
      update accounts set user_id = ${app.userIds['ada'] as string} where app_id = ${app.appId} and account_id = any(${ids})`
    return { app, ids }
  }
  onlyLongTest('places none where one of them is impossible: people do all of it', async () => {
    const { app, ids } = await openBoth()
    const [first, last] = ids as [string, string]
    for (const derived of [last, first]) {
      await server.db`delete from grant_sources where app_id = ${app.appId} and account_id = any(${ids})`
      await server.db`
        insert into grant_sources (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
        values (${access.tenant.id}, ${app.appId}, ${await app.entitlement('staff')}, ${derived},
          ${await app.entitlement('admins')})`
      const id = await app.request('revoke', 'ada', 'staff')
      const policy = JSON.stringify((await app.task(id)).policy)
      expect(policy).toContain('through another entitlement')
      expect(policy).toContain('"assigned":true')
      await carry()
      expect(await states(app)).toEqual([])
      expect((await app.post(`/api/v1/tasks/${id}/action/close`)).status).toBe(200)
    }
    expect(await app.next()).toBe(null)
  })
  onlyLongTest('waits for all of them', async () => {
    const { app } = await openBoth()
    const id = await app.request('revoke', 'ada', 'staff')
    expect(await states(app)).toEqual(['revoke queued', 'revoke queued'])
    await app.finish((await app.next()) as never)
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
    expect(await app.workAll()).toEqual(['revoke'])
    await untilClosed(app, id)
    expect(await app.holds('ada', 'staff')).toEqual([])
  })
})

describe('access by rules and manual grants', () => {
  test('is given and removed in the app; looked at twice it is one task', async () => {
    const app = open()
    await byHand(app, 'ada', 'staff')
    await carry()
    expect(await app.holds('ada', 'staff')).toEqual(['manual'])
    expect(await states(app)).toEqual(['grant queued'])
    const id = await app.request('grant', 'ada', 'staff')
    expect(await states(app)).toEqual(['grant queued'])
    expect(await app.workAll()).toEqual(['grant'])
    await untilClosed(app, id)
    await carry()
    await takeByHand(app, 'ada', 'staff')
    expect(await app.workAll()).toEqual(['revoke'])
    await carry()
    expect(app.calls).toEqual(['grant ada/staff', 'revoke ada/staff'])
    expect(await app.holds('ada', 'staff')).toEqual([])
  })
  onlyLongTest(
    'that is given and taken before the connector asked is the last word only; with the connector, one after the other',
    async () => {
      const app = open()
      await byHand(app, 'ada', 'staff')
      await takeByHand(app, 'ada', 'staff')
      expect(await states(app)).toEqual(['grant cancelled', 'revoke queued'])
      expect(await app.workAll()).toEqual(['revoke'])
      await byHand(app, 'ada', 'staff')
      const grant = await app.next()
      await takeByHand(app, 'ada', 'staff')
      expect((await states(app)).slice(2)).toEqual(['grant with the connector', 'revoke queued'])
      expect(await app.next('host-2')).toBe(null)
      app.carryOut(grant as never)
      await app.finish(grant as never)
      expect(await app.workAll()).toEqual(['revoke'])
      expect([...app.members]).toEqual([])
    },
  )
  onlyLongTest('that the app had before is not taken in it when a reason here ends', async () => {
    const app = open()
    app.members.add('ada/staff')
    await app.sync()
    expect(await app.holds('ada', 'staff')).toEqual(['import'])
    const forSeconds = (seconds: number | null) => server.db`
      update entitlements set duration_grant_seconds = ${seconds}
      where app_id = ${app.appId} and external_id = 'staff:member'`
    await forSeconds(4)
    await byHand(app, 'ada', 'staff')
    await forSeconds(null)
    // It may have ended by now, on a slow machine.
    const given = await server.db`
      select 1 from grants where app_id = ${app.appId} and source = 'manual' and account_id = ${await app.account('ada')}`
    expect(given).toHaveLength(1)
    expect(await app.tasks()).toEqual([])
    expect(await eventually(async () => (await app.holds('ada', 'staff')).join() === 'import')).toBe(true)
    await carry()
    expect(await app.tasks()).toEqual([])
  })
  onlyLongTest('by a rule reaches the app, and leaves it when the rule no longer matches', async () => {
    const app = open()
    const ref = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement('admins')}`
    const cel = (name: string) => ({ cel: { expression: `subject.id == "${app.userIds[name]}"` } })
    const created = await app.post(`${ref}/automation/create`, { automation: cel('ada') })
    expect(created.status, created.text).toBe(200)
    expect(await eventually(async () => (await states(app)).includes('grant queued'))).toBe(true)
    expect(await app.workAll()).toEqual(['grant'])
    const updated = await app.post(`${ref}/automation/update`, cel('bo'))
    expect(updated.status, updated.text).toBe(200)
    const both = ['grant done', 'grant queued', 'revoke queued']
    const areQueued = async () => (await states(app)).toSorted().join() === both.join()
    expect(await eventually(areQueued), (await states(app)).join()).toBe(true)
    await app.workAll()
    expect([...app.members]).toEqual(['bo/admins'])
  })
})

describe('an account', () => {
  test('that is missing is created first, then the access is given', async () => {
    const app = open()
    const id = await app.request('grant', 'cy', 'staff')
    expect(await states(app)).toEqual(['create_account queued', 'grant queued'])
    const creating = await app.next()
    expect(creating?.taskType.case).toBe('createAccount')
    expect(await app.next()).toBe(null)
    app.carryOut(creating as never)
    await app.finish(creating as never)
    expect(await app.workAll()).toEqual(['grant'])
    await untilClosed(app, id)
    expect(app.calls).toEqual(['create cy', 'grant cy/staff'])
    await app.sync()
    expect(await app.holds('cy', 'staff')).toEqual(['import', 'request'])
    const [row] = await server.db`select count(*) as count from accounts
      where app_id = ${app.appId} and user_id = ${app.userIds['cy'] as string}`
    expect(row).toEqual({ count: 1 })
  })
  onlyLongTest('that cannot be created sends the request to people, with the reason', async () => {
    const app = await openChanged()
    await app.hello({ user: [2], connector: [1, 2] })
    const id = await app.request('grant', 'cy', 'staff')
    expect(JSON.stringify((await app.task(id)).policy)).toContain('does not support creating accounts')
    await app.hello()
    const other = await app.request('grant', 'cy', 'admins')
    await app.finish((await app.next()) as never, 'no licence left')
    expect(await eventually(async () => JSON.stringify(await app.task(other)).includes('no licence left'))).toBe(true)
    expect((await states(app)).slice(-2)).toEqual(['create_account failed', 'grant failed'])
  })
  test('is created with what its connector requires to be told, and with a password only where that insists', async () => {
    const app = await openChanged()
    const required = { required: true, field: { case: 'stringField' as const, value: {} } }
    const field = { case: 'stringListField' as const, value: { defaultValue: ['person'] } }
    const preset = { required: true, field }
    await app.baton.hello({
      hostId: 'host-1',
      connectorMetadata: {
        capabilities: {
          connectorCapabilities: [1, 2, 5],
          credentialDetails: { capabilityAccountProvisioning: { supportedCredentialOptions: [2] } },
        },
        accountCreationSchema: { fieldMap: { path: required, rdn: required, objectClass: preset, email: required } },
      },
    })
    const cyId = app.userIds['cy'] as string
    await server.db`
      insert into user_roles (tenant_id, user_id, role_id, granted_at)
      select ${access.tenant.id}::int, unnest(${[cyId, app.userIds['ada'] as string]}::text[]), ${await access.roleId('system:user')}, now()`
    const cy = await access.makeKey(cyId)
    await access.makeKey(cyId, { roles: ['system:user'] })
    await byHand(app, 'cy', 'staff')
    expect(await app.next()).toBeNull()
    const failed = (await app.tasks()).find(({ kind }) => kind === 'create_account')
    expect(failed?.['state']).toBe('failed')
    expect(failed?.['error']).toContain('requires path, rdn.')

    const set = (accountProfile?: object) =>
      app.post(`/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`, {
        ...(accountProfile && { accountProfile }),
      })
    expect((await set({ rdn: '{nickname}' })).text).toContain('{nickname}, which is not an attribute')
    expect((await set({ path: 'ou=users', rdn: 'uid={first_name}', more: { mail: ['{email}'] } })).status).toBe(200)
    // What is not given stays as it is.
    expect((await set()).json['provisioning']).toMatchObject({
      accountProfile: { path: 'ou=users' },
      requiredAccountFields: ['path', 'rdn', 'email'],
    })
    const { status } = await app.post(`/api/v1/apps/${app.appId}/provisioning_tasks/${failed?.id}/retry`)
    expect(status).toBe(200)
    const task = (await app.next()) as Task
    const { email } = (
      await server.db`select email from users where user_id = ${app.userIds['cy'] as string}`
    )[0] as Json
    expect(task.taskType).toMatchObject({
      case: 'createAccount',
      value: { credentialOptions: { options: { case: 'randomPassword', value: { length: 32n } } } },
    })
    // Of the person, what the connector names, and nothing else.
    const { accountInfo } = task.taskType.value as { accountInfo: { profile: Json } }
    expect(accountInfo.profile).toEqual({
      ...{ path: 'ou=users', rdn: 'uid=cy', objectClass: ['person'], more: { mail: [email] }, email },
    })
    // Encrypted for the person: with the keys of their API credentials, but not of those that may do less than they.
    const { encryptionConfigs } = task.taskType.value as {
      encryptionConfigs: { keyId: string; config: { value: Json } }[]
    }
    expect(encryptionConfigs).toHaveLength(1)
    const [{ keyId, config }] = encryptionConfigs as [(typeof encryptionConfigs)[0]]
    const jwk = JSON.parse(Buffer.from(config.value['pubKey'] as Uint8Array).toString()) as JWK
    expect(await calculateJwkThumbprint(jwk, 'sha256')).toBe(Buffer.from(keyId, 'hex').toString('base64url'))
    const sent = Buffer.from('sealed for cy')
    const response = create(CreateAccountResponseSchema, {
      result: {
        case: 'success',
        value: { resource: { id: { resourceType: 'user', resource: 'cy' }, displayName: 'cy' } },
      },
      encryptedData: [{ provider: 'baton/jwk/v1', keyIds: [keyId], name: 'password', encryptedBytes: sent }],
    })
    const done = { case: 'success' as const, value: { response: anyPack(CreateAccountResponseSchema, response) } }
    await app.baton.finishTask({ hostId: 'host-1', taskId: task.id, finalState: done })
    // As the command of a client does it: the apps, the accounts in them, and what was sent for one's own.
    const own = await access.makeToken(cy)
    const accounts = await app.ask(`/api/v1/apps/${app.appId}/app_users`, { token: own })
    const list = accounts.json['list'] as { appUser: { id: string; identityUserId: string } }[]
    expect(list.map(({ appUser }) => appUser.identityUserId)).toEqual([app.userIds['cy']])
    const path = `/api/v1/apps/${app.appId}/app_users/${list[0]?.appUser.id}/credentials`
    expect((await app.ask(path, { token: own })).json['list']).toMatchObject([
      {
        appUserId: list[0]?.appUser.id,
        encryptedData: { keyId, name: 'password', encryptedBytes: sent.toString('base64') },
      },
    ])
    const other = await access.makeToken(await access.makeKey(app.userIds['ada'] as string))
    expect((await app.ask(path, { token: other })).status).toBe(404)
  })

  onlyLongTest(
    'that was created for someone stays theirs, also where the app tells nothing by which they could be found',
    async () => {
      const app = await openOwn()
      await byHand(app, 'cy', 'staff')
      expect(await app.workAll()).toEqual(['createAccount', 'grant'])
      await app.endSync(await app.beginSync(), app.file(undefined, { noAddresses: true }))
      expect(await app.account('cy')).toBeTypeOf('string')
      expect(await app.holds('cy', 'staff')).toEqual(['import', 'manual'])
      // Of those that the app had, nobody knows whose they are.
      expect(await app.account('ada')).toBe(undefined)
    },
  )

  onlyLongTest('created while a sync read the app is not removed by that sync', async () => {
    const app = open()
    const stale = app.file()
    const sync = await app.beginSync()
    const id = await app.request('grant', 'cy', 'staff')
    await app.workAll()
    await untilClosed(app, id)
    await app.endSync(sync, stale)
    expect(await app.holds('cy', 'staff')).toEqual(['request'])
  })
  onlyLongTest('of someone who leaves is deleted where the settings say so, after what it held', async () => {
    const app = await openChanged()
    const settings = await app.post(`/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`, {
      deletesAccounts: true,
    })
    expect(settings.json['provisioning']).toMatchObject({ deletesAccounts: true, isEnabled: true, isSupported: true })
    const id = await app.request('grant', 'ada', 'staff')
    await app.workAll()
    await untilClosed(app, id)
    const left = await app.post('/api/v1/task/offboarding', { subjectUserId: app.userIds['ada'] })
    expect(left.status, left.text).toBe(200)
    expect(await eventually(async () => (await states(app)).includes('revoke queued'))).toBe(true)
    expect(await app.workAll()).toEqual(['revoke'])
    expect(await eventually(async () => (await states(app)).includes('delete_account queued'))).toBe(true)
    expect(await app.workAll()).toEqual(['deleteResource'])
    expect([...app.accounts]).toEqual(['bo'])
    expect(await app.account('ada')).toBe(undefined)
  })
})

describe('a policy that leaves access to the connector', () => {
  const setPolicy = async (app: TestApp, group: string, provisionerPolicy: object) =>
    app.post(`/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}`, {
      ...{ entitlement: { provisionerPolicy }, updateMask: 'provisionerPolicy' },
    })
  onlyLongTest('is kept as it was sent, and carried out by the connector that it chooses', async () => {
    const app = await openOwn()
    const other = await makeConnector(access, access.tenant, app.appId)
    const connector = { defaultBehavior: {} }
    const reply = await setPolicy(app, 'staff', { connector })
    expect(reply.status, reply.text).toBe(200)
    const { appEntitlement } = (reply.json['appEntitlementView'] ?? {}) as { appEntitlement: Json }
    expect(appEntitlement).toMatchObject({
      provisionerPolicy: { connector: { defaultBehavior: { connectorId: '' } } },
      sourceConnectorIds: { [app.connectorId]: 'staff:member' },
    })
    const id = await app.request('grant', 'ada', 'staff')
    expect(await app.workAll()).toEqual(['grant'])
    await untilClosed(app, id)
    expect(
      (await setPolicy(app, 'admins', { connector: { defaultBehavior: { connectorId: '0'.repeat(27) } } })).text,
    ).toContain('names a connector that does not exist')
    expect((await setPolicy(app, 'admins', { connector: { account: {} } })).status).toBe(400)
    // One that cannot do it: people do.
    await setPolicy(app, 'admins', { connector: { defaultBehavior: { connectorId: other.connectorId } } })
    const manual = await app.request('grant', 'ada', 'admins')
    expect(await eventually(async () => JSON.stringify(await app.task(manual)).includes('"assigned":true'))).toBe(true)
    expect(JSON.stringify(await app.task(manual))).toContain('has not connected yet')
    const found = (sourceConnectorId: string) => app.post('/api/v1/search/entitlements', { sourceConnectorId })
    expect((await found(app.connectorId)).json['list']).toHaveLength(2)
    expect((await found(other.connectorId)).json['list']).toHaveLength(0)
  })
  test('goes to people where the app has no connector, and is not only recorded', async () => {
    const app = open()
    const appId = await makeApp(access, access.tenant)
    const created = await app.post(`/api/v1/apps/${appId}/entitlements`, {
      ...{ displayName: 'Badge', grantPolicyId: '0builtinGrantAutomatic00001' },
      provisionPolicy: { connector: { defaultBehavior: {} } },
    })
    expect(created.status, created.text).toBe(200)
    const { id: appEntitlementId } = (created.json['appEntitlementView'] as { appEntitlement: { id: string } })
      .appEntitlement
    const asked = await app.post('/api/v1/task/grant', { appId, appEntitlementId, identityUserId: app.userIds['ada'] })
    const { id } = (asked.json['taskView'] as { task: { id: string } }).task
    expect(JSON.stringify(await app.task(id))).toContain('The app has no connector.')
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
  })
})

longDescribe('a connector that is started again', () => {
  onlyLongTest('gets at once what it had to revoke; what it had to give, the next sync tells', async () => {
    const app = open()
    app.members.add('ada/staff').add('bo/staff')
    await app.sync()
    const id = await app.request('revoke', 'ada', 'staff')
    const lost = await app.next()
    expect(lost?.taskType.case).toBe('revoke')
    await app.hello()
    const again = await app.next()
    expect(again?.id).toBe(lost?.id)
    app.carryOut(again as never)
    expect(await app.finish(again as never)).toBe('ok')
    await untilClosed(app, id)
    expect([...app.members]).toEqual(['bo/staff'])
    await app.request('grant', 'ada', 'admins')
    await app.next()
    await app.hello()
    expect(await states(app)).toEqual(['revoke done', 'grant unknown'])
    expect(await app.workAll()).toEqual(['grant'])
  })
  onlyLongTest('elsewhere gets what the other host had, unless that one still polls', async () => {
    const app = await openOwn()
    app.members.add('ada/staff')
    await app.sync()
    await app.request('revoke', 'ada', 'staff')
    const task = await app.next()
    const lasts = async (seconds: number): Promise<boolean | undefined> => {
      const [row] = await server.db<{ lasts: boolean }[]>`
        select lease_until > now() + ${seconds} * interval '1 second' as lasts from connector_tasks
        where task_id = ${task?.id as string}`
      return row?.lasts
    }
    expect(await lasts(600)).toBe(true)
    await app.baton.hello({ hostId: 'host-2' })
    expect(await lasts(13)).toBe(false)
    // What polls meanwhile comes again soon.
    expect((await app.baton.getTask({ hostId: 'host-2' })).nextPoll?.seconds).toBe(5n)
    // Each poll of the first host gives it as long again.
    await server.db`update connector_tasks set lease_until = now() + interval '1 minute' where task_id = ${task?.id as string}`
    await app.next()
    expect(await lasts(13)).toBe(false)
    await lapse(task?.id as string)
    const fetched = async () => (await app.baton.getTask({ hostId: 'host-2' })).task?.id
    expect(await fetched()).toBe(task?.id)
    // A revocation that ends its process each time is not repeated for ever.
    await app.baton.hello({ hostId: 'host-2' })
    expect(await fetched()).toBe(task?.id)
    await app.baton.hello({ hostId: 'host-2' })
    expect(await states(app)).toEqual(['revoke unknown'])
  })
})

describe('a result that is lost', () => {
  test('is unknown, never repeated by itself, and settled by the next sync: it was carried out', async () => {
    const app = open()
    const id = await app.request('grant', 'ada', 'staff')
    const task = await app.next()
    app.carryOut(task as never)
    await lapse(task?.id as string)
    expect(await states(app)).toEqual(['grant unknown'])
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
    const retry = await app.post(`/api/v1/apps/${app.appId}/provisioning_tasks/${task?.id}/retry`)
    expect([retry.status, retry.text]).toEqual([400, expect.stringContaining('unknown')])
    // The sync is requested at once, and comes before anything else.
    expect(await app.next()).toBe(null)
    await untilClosed(app, id)
    expect(await states(app)).toEqual(['grant done'])
    expect((await app.tasks())[0]?.['settledBySyncId']).not.toBe('')
    expect(await app.holds('ada', 'staff')).toEqual(['import', 'request'])
    // What the host says now changes nothing.
    expect(await app.finish(task?.id as string, 'too late')).toBe('ok')
    expect(await states(app)).toEqual(['grant done'])
    expect(app.calls).toEqual(['grant ada/staff'])
    // The record begins after what the sync showed, and it was given by us all the same.
    await app.post('/api/v1/task/offboarding', { subjectUserId: app.userIds['ada'] })
    expect(await eventually(async () => (await states(app)).includes('revoke queued'))).toBe(true)
    expect(await app.workAll()).toEqual(['revoke'])
    expect([...app.members]).toEqual([])
  })
  onlyLongTest('of what was not carried out is tried once more, and then has failed', async () => {
    const app = open()
    const id = await app.request('grant', 'ada', 'staff')
    await lapse((await app.next())?.id as string)
    const again = await app.next()
    expect(again?.taskType.case).toBe('grant')
    expect(await states(app)).toEqual(['grant failed', 'grant with the connector'])
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
    await lapse(again?.id as string)
    expect(await app.next()).toBe(null)
    expect(await states(app)).toEqual(['grant failed', 'grant failed'])
    expect(await eventually(async () => JSON.stringify(await app.task(id)).includes('"assigned":true'))).toBe(true)
    expect(await app.holds('ada', 'staff')).toEqual([])
  })
  onlyLongTest('that is reported late is accepted from the same host, but not from another host', async () => {
    const app = open()
    const id = await app.request('grant', 'ada', 'staff')
    const task = await app.next()
    app.carryOut(task as never)
    await lapse(task?.id as string)
    expect(await app.finish(task as never, null, 'host-2')).toBe('NotFound')
    expect(await states(app)).toEqual(['grant unknown'])
    expect(await app.finish(task as never)).toBe('ok')
    await untilClosed(app, id)
    expect(await app.holds('ada', 'staff')).toEqual(['request'])
    expect(await app.workAll()).toEqual([])
  })
  onlyLongTest(
    'is repeated at once only when someone accepts that it may happen twice; the request waits on',
    async () => {
      const app = open()
      const id = await app.request('grant', 'ada', 'staff')
      const first = await app.next()
      await lapse(first?.id as string)
      await server.db`update connectors set next_sync_at = null where connector_id = ${app.connectorId}`
      const path = `/api/v1/apps/${app.appId}/provisioning_tasks/${first?.id}/retry`
      const again = await app.post(path, { acceptUnknown: true })
      expect(again.status, again.text).toBe(200)
      expect(await states(app)).toEqual(['grant failed', 'grant queued'])
      expect(await app.finish(first as never)).toBe('ok')
      expect(await app.workAll()).toEqual(['grant'])
      await untilClosed(app, id)
      expect(await app.holds('ada', 'staff')).toEqual(['request'])
    },
  )
  onlyLongTest('is not settled by a sync that began before it was lost', async () => {
    const app = open()
    await app.request('grant', 'ada', 'staff')
    const stale = app.file()
    const task = await app.next()
    const sync = await app.beginSync()
    app.carryOut(task as never)
    await lapse(task?.id as string)
    await app.endSync(sync, stale)
    expect(await states(app)).toEqual(['grant unknown'])
    await app.sync()
    expect(await states(app)).toEqual(['grant done'])
  })
})

longDescribe('a sync that read the app before a change', () => {
  const readBefore = async (app: TestApp): Promise<void> => {
    app.members.add('bo/staff')
    await app.sync()
    const stale = app.file()
    const sync = await app.beginSync()
    const given = await app.request('grant', 'ada', 'staff')
    const taken = await app.request('revoke', 'bo', 'staff')
    expect(await app.workAll()).toEqual(['grant', 'revoke'])
    await untilClosed(app, given)
    await untilClosed(app, taken)
    await app.endSync(sync, stale)
    expect(await app.holds('bo', 'staff')).toEqual([])
    expect(await app.holds('ada', 'staff')).toEqual(['request'])
    await carry()
    expect(await app.next()).toBe(null)
  }
  onlyLongTest('does not bring back what was revoked meanwhile, nor end what was given', () => readBefore(open()))
  onlyLongTest('is followed by one that is believed', async () => {
    const app = open()
    await readBefore(app)
    await app.sync()
    expect(await app.holds('ada', 'staff')).toEqual(['import', 'request'])
    // A later sync that shows it again is believed: the app has it, whoever gave it.
    app.members.add('bo/staff')
    await app.sync()
    expect(await app.holds('bo', 'staff')).toEqual(['import'])
    await carry()
    expect(app.calls).toEqual(['grant ada/staff', 'revoke bo/staff'])
  })
})

describe('a connector that misbehaves', () => {
  test('finishes twice, and nothing happens the second time', async () => {
    const app = open()
    const id = await app.request('grant', 'ada', 'staff')
    const task = await app.next()
    const all = await Promise.all([app.finish(task as never), app.finish(task as never), app.finish(task as never)])
    expect(all).toEqual(['ok', 'ok', 'ok'])
    expect(await app.finish(task as never, 'no, it failed')).toBe('ok')
    await untilClosed(app, id)
    expect(await states(app)).toEqual(['grant done'])
    const rows = await server.db`select 1 from grants 
      where app_id = ${app.appId} and source = 'request' and account_id = ${await app.account('ada')}`
    expect(rows.length).toBe(1)
  })
  test("reports what it never fetched, another's task or another tenant's, and is not believed", async () => {
    const app = open()
    await app.request('grant', 'ada', 'staff')
    const [queued] = await app.tasks()
    expect(await app.finish(queued?.id as string)).toBe('NotFound')
    const task = await app.next()
    expect(await app.finish(task as never, null, 'host-2')).toBe('NotFound')
    const other = await makeConnector(access, access.tenant)
    const theirs = callBaton(server, (await tokenOf(server, other)).token)
    const success = { case: 'success', value: {} } as const
    const report = { hostId: 'host-1', taskId: task?.id as string, finalState: success }
    expect(await codeOf(theirs.finishTask(report))).toBe('NotFound')
    const tenant = await access.makeTenant(`t${Date.now()}.example`)
    const far = await makeConnector(access, tenant)
    const token2 = await tokenOf(server, far, tenant.domain)
    const elsewhere = callBaton(server, token2.token)
    expect(['NotFound', 'Unauthenticated']).toContain(await codeOf(elsewhere.finishTask(report)))
    expect(await states(app)).toEqual(['grant with the connector'])
    expect(await app.holds('ada', 'staff')).toEqual([])
    const reply = await askTls(server, `/api/v1/apps/${other.appId}/provisioning_tasks/${task?.id}/cancel`, {
      ...{ token, method: 'POST', body: {} },
    })
    expect(reply.status).toBe(404)
  })
  test('asks with many hosts at once, and one gets the task', async () => {
    const app = open()
    await app.request('grant', 'ada', 'staff')
    await app.request('grant', 'ada', 'admins')
    const got = await Promise.all(Array.from({ length: 6 }, (_, i) => app.next(`h${i}`)))
    expect(got.filter((task) => task !== null).map((task) => task.taskType.case)).toEqual(['grant', 'grant'])
    expect(new Set(got.flatMap((task) => (task ? [task.id] : []))).size).toBe(2)
  })
})

describe('tasks', () => {
  test('are cancelled while they wait, repeated when they failed, and listed by state and kind', async () => {
    const app = open()
    await byHand(app, 'ada', 'staff')
    await byHand(app, 'bo', 'staff')
    const [ofBo, ofAda] = await app.tasks()
    const path = `/api/v1/apps/${app.appId}/provisioning_tasks`
    expect((await app.post(`${path}/${ofBo?.id}/retry`)).status).toBe(400)
    expect((await app.post(`${path}/${ofBo?.id}/cancel`)).status).toBe(200)
    expect((await app.post(`${path}/${ofBo?.id}/cancel`)).status).toBe(400)
    await app.finish((await app.next()) as never, 'busy')
    expect(await states(app)).toEqual(['grant failed', 'grant cancelled'])
    await carry()
    expect(await states(app)).toEqual(['grant failed', 'grant cancelled'])
    const retried = await app.post(`${path}/${ofAda?.id}/retry`)
    expect(retried.json['task']).toMatchObject({ state: 'queued', kind: 'grant', retryOf: ofAda?.id })
    expect((await app.post(`${path}/${ofAda?.id}/retry`)).status).toBe(400)
    expect(await app.workAll()).toEqual(['grant'])
    expect((await app.tasks('?state=failed,cancelled')).map(({ state }) => state)).toEqual(['cancelled', 'failed'])
    expect((await app.tasks('?state=done&kind=grant')).length).toBe(1)
    expect((await app.tasks('?kind=revoke')).length).toBe(0)
    expect((await app.ask(`${path}?state=odd`)).status).toBe(400)
    expect((await app.tasks(`?connector_id=${app.connectorId}`)).length).toBe(3)
  })
  onlyLongTest(
    'wait while provisioning is switched off, syncs go on, and are sent when it is switched on again',
    async () => {
      const app = await openChanged()
      await app.request('grant', 'ada', 'staff')
      const settings = `/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`
      expect((await app.post(settings, { isDisabled: true })).status).toBe(200)
      expect(await app.next()).toBe(null)
      expect(await states(app)).toEqual(['grant queued'])
      await app.sync()
      expect(await app.next()).toBe(null)
      expect((await app.post(settings, { isDisabled: false })).status).toBe(200)
      expect(await app.workAll()).toEqual(['grant'])
    },
  )
  test('of a paused connector wait, of a deleted one go to people', async () => {
    const app = await openChanged()
    const id = await app.request('grant', 'ada', 'staff')
    const of = `/api/v1/apps/${app.appId}/connectors/${app.connectorId}`
    expect((await app.post(`${of}/pause`)).status).toBe(200)
    expect(await app.next()).toBe(null)
    expect(await states(app)).toEqual(['grant queued'])
    expect((await app.post(`${of}/resume`)).status).toBe(200)
    const other = await app.request('grant', 'bo', 'staff')
    expect((await app.next())?.taskType.case).toBe('grant')
    expect((await app.ask(of, { method: 'DELETE' })).status).toBe(200)
    expect(await states(app)).toEqual(['grant failed', 'grant failed'])
    for (const each of [id, other])
      expect(await eventually(async () => JSON.stringify(await app.task(each)).includes('was deleted'))).toBe(true)
  })
})
