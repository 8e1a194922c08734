import { create } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carryToConnectors } from '#rooms/records/connectors/index.ts'
import { CreateAccountResponseSchema } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import type { Task } from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, eventually, type Json, openAccess } from '../fixture/access.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { openApp, type SharedApp, shareApp, type TestApp } from './app.ts'
import { askTls, type Credential, tokenOf } from './connector.ts'

/** Where provisioning by connectors meets what else gives and ends access, and what connectors and people may tell of it. */

let server: TestServer
let access: Access
let token: string
let shared: SharedApp
let others: SharedApp

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
  shared = await shareApp(server, access, token, { views: 10 })
  others = await shareApp(server, access, token, { views: 4 })
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const states = async (app: TestApp): Promise<string[]> =>
  (await app.tasks()).map(({ kind, state }) => `${kind} ${state}`).toReversed()
const closed = async (app: TestApp, id: string): Promise<void> => {
  const isClosed = async () => (await app.task(id)).state === 'TASK_STATE_CLOSED'
  expect(await eventually(isClosed), JSON.stringify(await app.task(id))).toBe(true)
}
const byHand = async (app: TestApp, user: string, group: string): Promise<void> => {
  const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}/add-manual-user`
  const reply = await app.post(path, { userIds: [app.userIds[user]] })
  expect(reply.status, reply.text).toBe(200)
}
const takeByHand = async (app: TestApp, user: string, group: string): Promise<void> => {
  const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}/remove-membership`
  const reply = await app.ask(path, { method: 'DELETE', body: { appUserId: await app.account(user) } })
  expect(reply.status, reply.text).toBe(200)
}
const carry = () => carryToConnectors(access.world)
/** Whether nothing of an app is left to be looked at. */
const isDrained = (app: TestApp): Promise<boolean> =>
  eventually(async () => {
    await carry()
    const rows = await server.db`select 1 from provisioning_changes where app_id = ${app.appId}`
    return rows.length === 0
  })

describe('what changes while a connector carries nothing out', () => {
  const settings = (app: TestApp) => `/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`

  test('is not kept while provisioning is switched off, and is looked at as it is when it is on again', async () => {
    const app = others.view()
    app.members.add('bo/staff')
    await byHand(app, 'bo', 'admins')
    await carry()
    expect(await app.workAll()).toEqual(['grant'])
    await app.sync()
    expect((await app.post(settings(app), { isDisabled: true })).status).toBe(200)
    for (let time = 0; time < 3; time++) {
      await byHand(app, 'ada', 'staff')
      await carry()
      await takeByHand(app, 'ada', 'staff')
      await carry()
    }
    await byHand(app, 'ada', 'admins')
    // What was given here, and what only the app had.
    await takeByHand(app, 'bo', 'admins')
    await takeByHand(app, 'bo', 'staff')
    await carry()
    expect(await isDrained(app)).toBe(true)
    expect((await states(app)).slice(1)).toEqual([])
    // A sync meanwhile shows what the app has: that is no reason to leave it there.
    expect((await app.post(settings(app), { isDisabled: false })).status).toBe(200)
    await carry()
    expect((await app.workAll()).toSorted()).toEqual(['grant', 'revoke', 'revoke'])
    expect([...app.members].toSorted()).toEqual(['ada/admins'])
    await carry()
    expect(await app.workAll()).toEqual([])
    expect(await isDrained(app)).toBe(true)
  })
  onlyLongTest(
    'is carried out once the connector is started with provisioning, and never by one that only reads or is gone',
    async () => {
      const app = await openApp(server, access, token)
      await app.request('grant', 'bo', 'admins')
      await app.finish((await app.next()) as never, 'provisioning is not enabled')
      await byHand(app, 'ada', 'staff')
      await carry()
      expect(await states(app)).toEqual(['grant failed'])
      expect(await isDrained(app)).toBe(true)
      await app.hello()
      await carry()
      expect((await states(app)).slice(1)).toEqual(['grant queued'])
      expect(await app.workAll()).toEqual(['grant'])
      await app.hello({ group: [2], user: [2], connector: [2] })
      await byHand(app, 'ada', 'admins')
      await carry()
      expect(await isDrained(app)).toBe(true)
      const of = `/api/v1/apps/${app.appId}/connectors/${app.connectorId}`
      expect((await app.ask(of, { method: 'DELETE' })).status).toBe(200)
      await takeByHand(app, 'ada', 'staff')
      await carry()
      expect(await isDrained(app)).toBe(true)
      expect(await states(app)).toEqual(['grant failed', 'grant done'])
    },
  )
  onlyLongTest('waits as one task for each access while the connector is paused', async () => {
    const app = await openApp(server, access, token)
    const of = `/api/v1/apps/${app.appId}/connectors/${app.connectorId}`
    expect((await app.post(`${of}/pause`)).status).toBe(200)
    for (let time = 0; time < 3; time++) {
      await byHand(app, 'ada', 'staff')
      await carry()
      await takeByHand(app, 'ada', 'staff')
      await carry()
    }
    await byHand(app, 'ada', 'staff')
    await carry()
    expect((await states(app)).filter((state) => state.endsWith('queued'))).toEqual(['grant queued'])
    expect(await isDrained(app)).toBe(true)
    expect((await app.post(`${of}/resume`)).status).toBe(200)
    expect(await app.workAll()).toEqual(['grant'])
    expect([...app.members]).toEqual(['ada/staff'])
  })
})

describe('a created account', () => {
  /** The task that creates the account of cy, fetched. */
  const creating = async (app: TestApp): Promise<Task> => {
    await app.request('grant', 'cy', 'staff')
    const task = await app.next()
    expect(task?.taskType.case).toBe('createAccount')
    return task as Task
  }
  const report = async (app: TestApp, task: Task, type: string, id: string): Promise<string> => {
    const resource = { id: { resourceType: type, resource: id }, displayName: id }
    const response = create(CreateAccountResponseSchema, { result: { case: 'success', value: { resource } } })
    await app.baton.finishTask({
      ...{ hostId: 'host-1', taskId: task.id },
      finalState: { case: 'success', value: { response: anyPack(CreateAccountResponseSchema, response) } },
    })
    const found = (await app.tasks()).find((each) => each.id === task.id)
    return `${found?.state}: ${found?.error}`
  }
  const objectOf = async (app: TestApp, externalId: string): Promise<unknown> =>
    (
      await server.db`select md5(data) as sum, type_id from connector_objects
        where app_id = ${app.appId} and external_id = ${externalId}`
    )[0]

  test('that is a group, or of another type, is refused in words, and the group stays what it was', async () => {
    const app = shared.view()
    const before = await objectOf(app, 'group:staff')
    expect(before).toBeDefined()
    expect(await report(app, await creating(app), 'group', 'staff')).toBe(
      'failed: The connector reported group:staff as the account that it created. It creates accounts of the type user.',
    )
    expect(await objectOf(app, 'group:staff')).toEqual(before)
    const own = others.view()
    await own.hello({ user: [2], connector: [1, 2, 5] })
    expect(await report(own, await creating(own), 'group', 'staff')).toBe(
      'failed: The connector reported group:staff as the account that it created, which is not an account.',
    )
    expect(await states(own)).toEqual(['create_account failed', 'grant failed'])
    await own.hello()
  })
  test("that is another's, here or there, does not become this person's", async () => {
    const app = shared.view()
    const [taken] = await server.db<{ id: string; key: string }[]>`
      select account_id as id, external_id as key from accounts
      where app_id = ${app.appId} and account_id = ${await app.account('ada')}`
    const name = taken?.key.split(':')[1] as string
    expect(await report(app, await creating(app), 'user', name)).toBe(
      `failed: The connector reported the account user:${name}, which is already another account.`,
    )
    expect(await app.account('ada')).toBe(taken?.id)
    // The same id in another app, which has no such account yet, is another account.
    const ofLast = async () =>
      (
        await server.db`
          select account_id, user_id from accounts where app_id = ${app.appId} and external_id = 'user:ada-9'`
      )[0]
    const before = await ofLast()
    expect(before).toBeDefined()
    const other = others.view()
    expect(await report(other, await creating(other), 'user', 'ada-9')).toBe('done: ')
    expect(await ofLast()).toEqual(before)
  })
  onlyLongTest('with an id that is none is unknown, in words, until the next sync', async () => {
    const app = shared.view()
    const words =
      'unknown: The connector reported success, but the id of the account is longer than 1,024 bytes or contains control characters. The next sync shows whether it exists.'
    expect(await report(app, await creating(app), 'user', 'cy\nDROP')).toBe(words)
    await app.sync()
    expect((await states(app))[0]).toBe('create_account failed')
    const long = shared.view()
    expect(await report(long, await creating(long), 'user', 'x'.repeat(1025))).toBe(words)
    const longest = shared.view()
    expect(await report(longest, await creating(longest), 'user', 'y'.repeat(1024))).toBe('done: ')
  })
  onlyLongTest('that was deleted, and is in the app again, is there again without what it held', async () => {
    const app = await openApp(server, access, token)
    await app.post(`/api/v1/apps/${app.appId}/connectors/${app.connectorId}/provisioning`, { deletesAccounts: true })
    const id = await app.request('grant', 'ada', 'staff')
    await app.workAll()
    await closed(app, id)
    await app.sync()
    const account = await app.account('ada')
    await app.post('/api/v1/task/offboarding', { subjectUserId: app.userIds['ada'] })
    expect(await eventually(async () => (await states(app)).includes('revoke queued'))).toBe(true)
    await app.workAll()
    expect(await eventually(async () => (await states(app)).includes('delete_account queued'))).toBe(true)
    const deletion = await app.next()
    // Deleted and created again before the connector reports.
    await app.finish(deletion as never)
    expect(await app.account('ada')).toBe(undefined)
    await app.sync()
    expect(await app.account('ada')).toBe(account)
    expect(await app.holds('ada', 'staff')).toEqual([])
    expect(await app.finish(deletion as never)).toBe('ok')
    expect(await app.account('ada')).toBe(account)
  })
})

describe('access that a connector gave', () => {
  test('is revoked in the app when the decision is undone', async () => {
    const app = shared.view()
    const approver = await access.makeCaller(['system:user'])
    const { token: theirs } = await tokenOf(server, approver)
    const created = await app.post('/api/v1/policies', {
      displayName: 'One approves',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ approval: { users: { userIds: [approver.userId] } } }] } },
    })
    expect(created.status, created.text).toBe(200)
    const policyId = (created.json['policy'] as { id: string }).id
    await server.db`update entitlements set grant_policy_id = ${policyId}
      where app_id = ${app.appId} and entitlement_id = ${await app.entitlement('admins')}`
    const id = await app.request('grant', 'ada', 'admins')
    const { policy } = await app.task(id)
    const act = (path: string, body: object) =>
      askTls(server, `/api/v1/tasks/${id}${path}`, { method: 'POST', token: theirs, body })
    const approved = await act('/action/approve', { policyStepId: policy.current?.['id'] })
    expect(approved.status, approved.text).toBe(200)
    expect(await app.workAll()).toEqual(['grant'])
    await closed(app, id)
    expect([...app.members]).toEqual(['ada/admins'])
    const undone = await act('/action/undo', {})
    expect(undone.status, undone.text).toBe(200)
    await carry()
    expect(await app.workAll()).toEqual(['revoke'])
    expect([...app.members]).toEqual([])
    expect((await app.task(id)).state).toBe('TASK_STATE_OPEN')
  })
  onlyLongTest('is revoked in the app when its time has ended, and the past shows that it was held', async () => {
    const app = shared.view()
    const forSeconds = (seconds: number | null) => server.db`
      update entitlements set duration_grant_seconds = ${seconds}
      where app_id = ${app.appId} and external_id = 'staff:member'`
    await forSeconds(3)
    const id = await app.request('grant', 'ada', 'staff')
    await forSeconds(null)
    // This one only: the revocation may be there before all is done, on a slow machine.
    const grant = (await app.next()) as Task
    app.carryOut(grant)
    expect(await app.finish(grant)).toBe('ok')
    await closed(app, id)
    const [given] = await server.db<{ at: Date }[]>`
      select began_at as at from grants where app_id = ${app.appId} and source = 'request' and granted_by = ${id}`
    const during = given?.at.toISOString() ?? ''
    const isQueued = async () => {
      await carry()
      return (await states(app)).includes('revoke queued')
    }
    expect(await eventually(isQueued), (await states(app)).join()).toBe(true)
    expect(await app.workAll()).toEqual(['revoke'])
    expect([...app.members]).toEqual([])
    const held = async (asOf: string | null): Promise<number> => {
      const body = { userId: app.userIds['ada'], appIds: [app.appId], ...(asOf !== null && { asOf }) }
      const reply = await app.post('/api/v1/search/grants', body)
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['list'] as Json[]).length
    }
    expect(await held(during)).toBe(1)
    expect(await eventually(async () => (await held(null)) === 0)).toBe(true)
  })
  test('and what is still to be given is named in the plan of who leaves', async () => {
    const app = shared.view()
    await byHand(app, 'ada', 'staff')
    await carry()
    const plan = async () =>
      ((await app.ask(`/api/v1/users/${app.userIds['ada']}/leaver_plan`)).json['plan'] as Json)['connectorTasks']
    expect(await plan()).toMatchObject([{ kind: 'grant', state: 'queued', appId: app.appId }])
    await app.next()
    expect(await plan()).toMatchObject([{ state: 'with the connector' }])
  })
})

describe('tasks of connectors', () => {
  test('are for those who may change apps, for owners of their own app, and for nobody of another tenant', async () => {
    const app = shared.view()
    const other = others.view()
    await byHand(app, 'ada', 'staff')
    await byHand(other, 'ada', 'staff')
    await carry()
    const [task] = await app.tasks()
    const [foreign] = await other.tasks()
    const asked = async (by: Credential, of: string, id: string | undefined, host?: string): Promise<number[]> => {
      const { token: theirs } = await tokenOf(server, by, host)
      const path = `/api/v1/apps/${of}/provisioning_tasks`
      const as = { token: theirs, ...(host !== undefined && { host }) }
      const post = { ...as, method: 'POST', body: {} }
      return [
        (await askTls(server, path, as)).status,
        (await askTls(server, `${path}/${id}/retry`, post)).status,
        (await askTls(server, `${path}/${id}/cancel`, post)).status,
      ]
    }
    expect(await asked(await access.makeCaller(['system:user']), app.appId, task?.id)).toEqual([403, 403, 403])
    expect(await asked(await access.makeCaller(['system:viewer']), app.appId, task?.id)).toEqual([200, 403, 403])
    const owner = await access.makeCaller(['system:application-admin'])
    const made = await app.post(`/api/v1/apps/${app.appId}/owners/${owner.userId}`)
    expect(made.status, made.text).toBe(200)
    const tenant = await access.makeTenant(`far${Date.now()}.example`)
    const far = await access.makeCaller(['system:owner'], undefined, tenant)
    expect(await asked(far, app.appId, task?.id, tenant.domain)).toEqual([404, 404, 404])
    // Of another app, and of one's own app by the id of another's task.
    expect(await asked(owner, other.appId, foreign?.id)).toEqual([404, 404, 404])
    expect((await asked(owner, app.appId, foreign?.id)).slice(1)).toEqual([404, 404])
    expect(await states(app)).toEqual(['grant queued'])
    expect(await asked(owner, app.appId, task?.id)).toEqual([200, 400, 200])
    expect(await states(app)).toEqual(['grant cancelled'])
    expect(await states(other)).toEqual(['grant queued'])
  })
})
