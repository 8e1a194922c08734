import { randomBytes } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import {
  CreateAccountResponseSchema,
  ResourceType_Trait as Trait,
} from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import type { Task } from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, type Asking, eventually, type Json, type Reply } from '../fixture/access.ts'
import type { TestServer } from '../fixture/server.ts'
import { connectorFile, type Told } from '../imports/connector-file.ts'
import { askTls, type Baton, callBaton, codeOf, type Made, makeConnector, tokenOf, upload } from './connector.ts'

const automatic = '0builtinGrantAutomatic00001'
const hostId = 'host-1'

/**
 * An app with people and two groups, the connector that stands before it, and what Bailiwick shows of both. Of a shared app, each
 * test sees its own people only, by short names.
 */
export type TestApp = Made & {
  baton: Baton
  /** What the app has: `user/group`, and who has an account. */
  members: Set<string>
  accounts: Set<string>
  /** How often each was granted and revoked in the app. */
  calls: string[]
  userIds: Record<string, string>
  hello(of?: { group?: number[]; user?: number[]; connector?: number[] }): Promise<void>
  /** The next task for the host; null where there is none. A sync that comes first is done. */
  next(by?: string): Promise<Task | null>
  /** Does to the app what a task says. */
  carryOut(task: Task): void
  finish(task: Task | string, error?: string | null, by?: string): Promise<string>
  /** Fetches, carries out and reports all that there is; answers the kinds. */
  workAll(): Promise<string[]>
  sync(): Promise<string>
  beginSync(): Promise<string>
  endSync(taskId: string, file: Buffer): Promise<void>
  /** What the connector tells of the app; with other grants, where they are given. */
  file(grants?: Told['grants'], telling?: { noAddresses?: boolean }): Buffer
  entitlement(group: string): Promise<string>
  account(user: string): Promise<string>
  tasks(query?: string): Promise<(Json & { id: string; kind: string; state: string; error: string })[]>
  holds(user: string, group: string): Promise<string[]>
  request(kind: 'grant' | 'revoke', user: string, group: string): Promise<string>
  task(id: string): Promise<Json & { state: string; policy: { current: Json | null; history: Json[] }; type: Json }>
  ask(path: string, asking?: Asking): Promise<Reply>
  post(path: string, body?: object): Promise<Reply>
}

type Opening = {
  /** For how many tests. */
  views?: number
  /** All but `cy` have an account in the app. */
  people?: readonly string[]
}

export type SharedApp = { view(): TestApp }

/** An app of its own for one test. */
export const openApp = async (server: TestServer, access: Access, token: string): Promise<TestApp> =>
  (await shareApp(server, access, token)).view()

/** An app for the tests of a file, with people for each: a sync takes longer than most of the tests. */
export async function shareApp(
  server: TestServer,
  access: Access,
  token: string,
  { views: count = 1, people = ['ada', 'bo', 'cy'] }: Opening = {},
): Promise<SharedApp> {
  const made = await makeConnector(access, access.tenant)
  const baton = callBaton(server, (await tokenOf(server, made)).token)
  const { db } = access.world
  const views: TestApp[] = []
  const ask: TestApp['ask'] = (path, asking = {}) => askTls(server, path, { token, ...asking })
  const domain = `${randomBytes(5).toString('hex')}.example`

  const file: TestApp['file'] = (grants, { noAddresses = false } = {}) =>
    connectorFile({
      types: [
        { id: 'user', traits: [Trait.USER] },
        { id: 'group', traits: [Trait.GROUP] },
      ],
      resources: [
        ...views.flatMap((view, i) =>
          [...view.accounts].map((name) => ({
            type: 'user',
            id: `${name}-${i}`,
            name,
            user: noAddresses ? {} : { emails: [{ address: `${name}-${i}@${domain}`, isPrimary: true }] },
          })),
        ),
        ...['staff', 'admins'].map((id) => ({ type: 'group', id, name: id, isGroup: true })),
      ],
      entitlements: ['staff', 'admins'].map((id) => ({
        ...{ id: `${id}:member`, type: 'group', resource: id, slug: 'member' },
      })),
      grants:
        grants ??
        views.flatMap((view, i) =>
          [...view.members].map((member) => {
            const [user, group] = member.split('/') as [string, string]
            return { entitlement: `${group}:member`, principal: ['user', `${user}-${i}`] as const }
          }),
        ),
    })
  const get = async (by = hostId): Promise<Task | null> => {
    const { task } = await baton.getTask({ hostId: by })
    return task && task.taskType.case !== 'none' ? task : null
  }
  const endSync: TestApp['endSync'] = async (taskId, of) => {
    await upload(baton, { hostId, taskId }, of)
    await baton.finishTask({ hostId, taskId, finalState: { case: 'success', value: {} } })
    const stateOf = async () => (await db`select state, error from connector_tasks where task_id = ${taskId}`)[0]
    expect(await eventually(async () => (await stateOf())?.['state'] !== 'merging')).toBe(true)
    expect(await stateOf()).toMatchObject({ state: 'done' })
  }
  const beginSync = async (): Promise<string> => {
    await db`update connectors set next_sync_at = now() where connector_id = ${made.connectorId}`
    const task = await get()
    expect(task?.taskType.case).toBe('syncFull')
    return task?.id as string
  }
  /** `name-3`, the person that a task is about. */
  const personIn = ({ taskType }: Task): string => {
    if (taskType.case === 'grant') return taskType.value.principal?.id?.resource ?? ''
    if (taskType.case === 'revoke') return taskType.value.grant?.principal?.id?.resource ?? ''
    if (taskType.case === 'createAccount') return taskType.value.accountInfo?.login.split('@')[0] ?? ''
    return taskType.case === 'deleteResource' ? (taskType.value.resourceId?.resource ?? '') : ''
  }
  const nameIn = (task: Task): string => personIn(task).split('-')[0] as string
  const finish: TestApp['finish'] = (task, error = null, by = hostId) => {
    const taskId = typeof task === 'string' ? task : task.id
    const isNew = typeof task !== 'string' && task.taskType.case === 'createAccount'
    const id = isNew ? personIn(task) : ''
    const resource = { id: { resourceType: 'user', resource: id }, displayName: id }
    const response = create(CreateAccountResponseSchema, { result: { case: 'success', value: { resource } } })
    return codeOf(
      baton.finishTask({
        hostId: by,
        taskId,
        ...(error === null ? {} : { status: { code: 9, message: error } }),
        finalState:
          error === null
            ? { case: 'success', value: isNew ? { response: anyPack(CreateAccountResponseSchema, response) } : {} }
            : { case: 'error', value: { nonRetryable: true } },
      }),
    )
  }
  const hello: TestApp['hello'] = async ({ group = [1, 2], user = [2, 5, 8], connector = [1, 2, 5, 8] } = {}) => {
    await baton.hello({
      hostId,
      connectorMetadata: {
        displayName: 'Test',
        capabilities: {
          connectorCapabilities: connector,
          resourceTypeCapabilities: [
            { resourceType: { id: 'group' }, capabilities: group },
            { resourceType: { id: 'user' }, capabilities: user },
          ],
        },
      },
    })
  }
  const groups = async (): Promise<Record<string, string>> => {
    const rows = await db<{ key: string; id: string }[]>`
      select external_id as key, entitlement_id as id from entitlements where app_id = ${made.appId}`
    return Object.fromEntries(rows.map(({ key, id }) => [key.split(':')[0] as string, id]))
  }

  const makeView = async (number: number): Promise<void> => {
    const app = { ...made, baton, userIds: {} as Record<string, string> } as TestApp
    const users = people.map((name) => ({ id: access.world.newId(), name }))
    for (const { id, name } of users) app.userIds[name] = id
    await transact(db, (tx) =>
      insertUsers(
        tx,
        access.tenant.id,
        users.map(({ id, name }) => ({ id, displayName: `${name} ${number}`, email: `${name}-${number}@${domain}` })),
        access.world.now(),
      ),
    )
    app.members = new Set()
    app.accounts = new Set(people.filter((name) => name !== 'cy'))
    app.calls = []
    views[number] = app
    Object.assign(app, { hello, file, beginSync, endSync, finish, ask })
    app.post = (path, body = {}) => ask(path, { method: 'POST', body })
    app.next = async (by = hostId) => {
      for (;;) {
        const task = await get(by)
        if (!task) return null
        if (task.taskType.case === 'syncFull') await endSync(task.id, file())
        // What another test left behind.
        else if (!personIn(task).endsWith(`-${number}`)) await finish(task, 'left over', by)
        else return task
      }
    }
    app.carryOut = (task) => {
      const { taskType } = task
      const name = nameIn(task)
      const of = taskType.case === 'grant' ? taskType.value : taskType.case === 'revoke' ? taskType.value.grant : null
      const group = of?.entitlement?.resource?.id?.resource ?? ''
      if (of) expect(of.entitlement).toMatchObject({ id: `${group}:member`, resource: { displayName: group } })
      const verb = { grant: 'grant', revoke: 'revoke', createAccount: 'create', deleteResource: 'delete' }
      app.calls.push(`${verb[taskType.case as 'grant']} ${name}${group === '' ? '' : `/${group}`}`)
      if (taskType.case === 'grant') app.members.add(`${name}/${group}`)
      if (taskType.case === 'revoke') app.members.delete(`${name}/${group}`)
      if (taskType.case === 'createAccount') app.accounts.add(name)
      if (taskType.case === 'deleteResource') {
        app.accounts.delete(name)
        for (const member of app.members) if (member.startsWith(`${name}/`)) app.members.delete(member)
      }
    }
    app.workAll = async () => {
      const kinds: string[] = []
      for (;;) {
        const task = await app.next()
        if (!task) return kinds
        app.carryOut(task)
        expect(await finish(task)).toBe('ok')
        kinds.push(task.taskType.case as string)
      }
    }
    app.sync = async () => {
      const id = await beginSync()
      await endSync(id, file())
      return id
    }
    app.entitlement = async (group) => (await groups())[group] as string
    app.account = async (user) =>
      (
        await db`select account_id as id from accounts
        where app_id = ${made.appId} and user_id = ${app.userIds[user] as string} and deleted_at is null`
      )[0]?.['id'] as string
    app.tasks = async (query = '') => {
      const reply = await ask(`/api/v1/apps/${made.appId}/provisioning_tasks${query}`)
      expect(reply.status, reply.text).toBe(200)
      const rows = await db<{ id: string }[]>`
        select account_id as id from accounts
        where app_id = ${made.appId} and user_id = any(${Object.values(app.userIds)}::text[])`
      const own = new Set(rows.map(({ id }) => id))
      const list = reply.json['list'] as (Json & { appUserId: string })[]
      return list.filter(({ appUserId }) => own.has(appUserId)) as never
    }
    app.holds = async (user, group) =>
      (
        await db<{ source: string }[]>`
          select g.source from grants g join accounts a using (tenant_id, app_id, account_id)
          where g.app_id = ${made.appId} and g.entitlement_id = ${await app.entitlement(group)}
            and a.user_id = ${app.userIds[user] as string} and g.ended_at is null order by g.source`
      ).map(({ source }) => source)
    app.request = async (kind, user, group) => {
      const reply = await app.post(`/api/v1/task/${kind}`, {
        appId: made.appId,
        appEntitlementId: await app.entitlement(group),
        identityUserId: app.userIds[user] as string,
      })
      expect(reply.status, reply.text).toBe(200)
      return ((reply.json['taskView'] as Json)['task'] as { id: string }).id
    }
    app.task = async (id) => {
      const reply = await ask(`/api/v1/tasks/${id}`)
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['taskView'] as Json)['task'] as never
    }
  }
  for (let number = 0; number < count; number++) await makeView(number)
  await hello()
  await (views[0] as TestApp).sync()
  await db`update entitlements set grant_policy_id = ${automatic}, revoke_policy_id = '' where app_id = ${made.appId}`
  let given = 0
  return {
    view() {
      const app = views[given++]
      if (!app) throw new Error(`there are people for ${count} tests`)
      return app
    },
  }
}
