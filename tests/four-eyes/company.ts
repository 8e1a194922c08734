import { afterAll, beforeAll, expect } from 'vitest'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import {
  type Access,
  type Asking,
  ask,
  eventually,
  type Json,
  type Key,
  openAccess,
  outcomeOf,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byOwners, type TaskSeen } from '../tasks/scene.ts'

export type Person = Key & { token: string }

/** A tenant of its own, with two Super Administrators: what needs approval in one does not elsewhere. */
export type Company = {
  tenant: Tenant
  author: Person
  approver: Person
  ask(by: Person, path: string, asking?: Asking): Promise<Reply>
  post(by: Person, path: string, body?: object): Promise<Reply>
  person(roles: RoleName[]): Promise<Person>
  /** Has a kind of change need approval, by who has no task.  */
  require(kind: string, policyId?: string): Promise<void>
  /** The task in which a change waits; refused otherwise than so, the test fails. */
  held(reply: Reply): Promise<TaskSeen & Json>
  task(id: string): Promise<TaskSeen & Json>
  act(by: Person, id: string, action: string, more?: object): Promise<string>
  /** Approves, and answers how the task ended. */
  approve(id: string, by?: Person): Promise<string>
  roles(userId: string): Promise<string[]>
}

export const scene = { server: null as unknown as TestServer, access: null as unknown as Access }

export function prepare(): void {
  beforeAll(async () => {
    scene.server = await startServer()
    scene.access = await openAccess(scene.server)
  })
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
  })
}

let companies = 0

export async function company(): Promise<Company> {
  const { server, access } = scene
  companies += 1
  const host = `company${companies}.example`
  const tenant = await access.makeTenant(host)
  const person = async (roles: RoleName[]): Promise<Person> => {
    const key = await access.makeCaller(roles, {}, tenant)
    return { ...key, token: await access.makeToken(key, tenant) }
  }
  const made: Company = {
    tenant,
    author: await person(['system:owner']),
    approver: await person(['system:owner']),
    ask: (by, path, asking = {}) => ask(server, path, { token: by.token, host, ...asking }),
    post: (by, path, body = {}) => ask(server, path, { token: by.token, host, body }),
    person,
    async require(kind, policyId = byOwners) {
      const reply = await made.post(made.author, `/api/v1/four_eyes/${kind}`, { required: true, policyId })
      expect(reply.status, reply.text).toBe(200)
    },
    async held(reply) {
      expect(outcomeOf(reply), reply.text).toBe('409/9 CHANGE_NEEDS_APPROVAL')
      const { metadata } = (reply.json['details'] as { metadata: { taskId: string } }[])[0] as {
        metadata: { taskId: string }
      }
      return made.task(metadata.taskId)
    },
    async task(id) {
      const reply = await made.ask(made.approver, `/api/v1/tasks/${id}`)
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['taskView'] as { task: TaskSeen & Json }).task
    },
    async act(by, id, action, more = {}) {
      const { policy } = await made.task(id)
      const isAboutStep = !['close', 'reset', 'process'].includes(action)
      const body = { ...(isAboutStep && { policyStepId: policy.current?.id }), ...more }
      return outcomeOf(await made.post(by, `/api/v1/tasks/${id}/action/${action}`, body))
    },
    async approve(id, by = made.approver) {
      const answer = await made.act(by, id, 'approve')
      if (answer !== '200') return answer
      expect(await eventually(async () => (await made.task(id)).state === 'TASK_STATE_CLOSED')).toBe(true)
      const [row] = await server.db<{ outcome: string }[]>`select outcome from tasks where task_id = ${id}`
      return row?.outcome ?? ''
    },
    async roles(userId) {
      const rows = await server.db<{ name: string }[]>`
        select r.name from user_roles a join roles r using (tenant_id, role_id) where a.user_id = ${userId} order by 1`
      return rows.map(({ name }) => name)
    },
  }
  return made
}

/** Why a task ended as it did: the last comment of its events. */
export async function whyOf(id: string): Promise<string> {
  const [row] = await scene.server.db<{ why: string }[]>`
    select data ->> 'comment' as why from task_events where task_id = ${id} and kind = 'closed' order by number desc`
  return row?.why ?? ''
}

export const roleOf = (userId: string, role: string): string => `/api/v1/users/${userId}/roles/${role}`
