import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners, type ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { recheckTask } from '#rooms/governance/tasks/rechecking/recheck.ts'
import type { Json } from '../fixture/access.ts'
import { isLong } from '../fixture/long.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { prepareTasks, type TaskSeen, target } from './scene.ts'

/**
 * What becomes of a task whose step waits, of each kind, when the world changes under it, in each way. Whatever it is: it is
 * over, or someone able is asked, or a clock is, or it says that it is stuck. And nobody who was asked before decides it.
 */
const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const user = () => scene.caller(['system:user'])
const db = () => scene.access.world.db

const kinds = [
  ...['users', 'manager', 'appOwners', 'group', 'entitlementOwners', 'resourceOwners', 'expression'],
  ...['fallback', 'reassigned', 'delegate', 'provision', 'form', 'wait', 'wait condition'],
] as const
type Kind = (typeof kinds)[number]

/** `by`: who is to take the step; the subject for forms, nobody for waits. */
type Made = {
  kind: Kind
  task: TaskSeen
  subject: Caller
  by: Caller | null
  ref: Ref
  group: Ref | null
  policyId: string
}

async function own(object: ObjectRef, userId: string): Promise<void> {
  const { world, tenant } = scene.access
  const owner = { object, roleSlug: 'primary', id: world.newId(), userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
}

async function emailOf({ userId }: Caller): Promise<string> {
  const [row] = await db()<{ email: string }[]>`select email from users where user_id = ${userId}`
  return row?.email ?? ''
}

async function holdersOf(caller: Caller): Promise<Ref> {
  const group = await scene.entitlement(await scene.app('Group'), 'Deciders')
  await scene.grant(group, await scene.account(group.appId, { userId: caller.userId }), { source: 'manual' })
  return group
}

const form = { displayName: 'Form', fields: [{ name: 'why', displayName: 'Why', required: true, stringField: {} }] }
const never = 'subject.department == "Nowhere"'
const byUsers = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })

async function make(kind: Kind): Promise<Made> {
  const [by, subject] = [await user(), await user()]
  const appId = await scene.app('Left behind')
  const resource = await scene.resource(appId)
  const ref = await scene.entitlement(appId, 'Asked', { resource })
  await scene.offer(ref)
  let group: Ref | null = null
  let step: Json = { approval: { [kind]: {} } }
  if (kind === 'users' || kind === 'reassigned') step = { approval: byUsers(by) }
  if (kind === 'manager') await db()`update users set manager_ids = ${[by.userId]} where user_id = ${subject.userId}`
  if (kind === 'appOwners') await own({ kind: 'app', appId, typeId: '', id: appId }, by.userId)
  if (kind === 'entitlementOwners') await own({ kind: 'entitlement', appId, typeId: '', id: ref.id }, by.userId)
  if (kind === 'resourceOwners')
    await own({ kind: 'resource', appId, typeId: resource.typeId, id: resource.id }, by.userId)
  if (kind === 'group') {
    group = await holdersOf(by)
    step = { approval: { group: { appId: group.appId, appGroupId: group.id } } }
  }
  if (kind === 'expression') {
    const text = `c1.directory.users.v1.FindByEmail("${await emailOf(by)}")`
    step = { approval: { expression: { expressions: [text] } } }
  }
  if (kind === 'fallback') step = { approval: { manager: { fallback: true, fallbackUserIds: [by.userId] } } }
  if (kind === 'delegate') {
    const boss = await user()
    await scene.post(`/api/v1/users/${boss.userId}/set-delegation-by-admin`, { delegatedUserId: by.userId })
    step = { approval: { ...byUsers(boss), allowDelegation: true } }
  }
  if (kind === 'provision')
    step = { provision: { provisionPolicy: { manual: { assignee: { users: { userIds: [by.userId] } } } } } }
  if (kind === 'form') step = { form: { form } }
  if (kind === 'wait') step = { wait: { name: 'a while', duration: { duration: '7200s' } } }
  if (kind === 'wait condition')
    step = { wait: { name: 'the move', condition: { condition: never }, timeoutDuration: '7200s' } }
  const policyId = await scene.policy([step])
  await db()`update entitlements set grant_policy_id = ${policyId} where entitlement_id = ${ref.id}`
  let task = scene.task(await scene.post(grant, target(ref), subject))
  const asked = { policyStepId: task.policy.current?.id, newStepUserIds: [by.userId] }
  if (kind === 'reassigned') task = scene.task(await scene.act(task.id, 'reassign', asked, scene.admin))
  const taker = kind === 'form' ? subject : kind.startsWith('wait') ? null : by
  return { kind, task, subject, by: taker, ref, group, policyId }
}

const disable = (userId: string) => db()`update users set status = 'DISABLED' where user_id = ${userId}`
const erase = (userId: string) => db()`update users set deleted_at = now() where user_id = ${userId}`

const changes: Record<string, (made: Made) => unknown> = {
  'who is asked is disabled': ({ by }) => by && disable(by.userId),
  'who is asked is deleted': ({ by }) => by && erase(by.userId),
  'the subject is disabled': ({ subject }) => disable(subject.userId),
  'the subject is deleted': ({ subject }) => erase(subject.userId),
  'the entitlement is deleted': ({ ref }) => scene.remove(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`, {}),
  'the app is deleted': ({ ref }) => scene.remove(`/api/v1/apps/${ref.appId}`, {}),
  'the policy is deleted': async ({ policyId, ref }) => {
    await db()`update entitlements set grant_policy_id = '' where entitlement_id = ${ref.id}`
    expect((await scene.remove(`/api/v1/policies/${policyId}`, {})).status).toBe(200)
  },
  'the group is emptied': ({ group }) =>
    group && db()`update grants set ended_at = now(), ended_why = 'revoked' where entitlement_id = ${group.id}`,
  'the group is deleted': async ({ group, policyId, ref }) => {
    if (!group) return
    await db()`update entitlements set grant_policy_id = '' where entitlement_id = ${ref.id}`
    await scene.remove(`/api/v1/policies/${policyId}`, {})
    expect((await scene.remove(`/api/v1/apps/${group.appId}/entitlements/${group.id}`, {})).status).toBe(200)
  },
  'owners leave': ({ ref }) => db()`
    update owners set ended_at = greatest(began_at, now()), ended_by = '', ended_why = 'removed'
    where app_id = ${ref.appId} and ended_at is null`,
  'the manager is another': async ({ subject }) => {
    const other = await user()
    await db()`update users set manager_ids = ${[other.userId]} where user_id = ${subject.userId}`
  },
  'there is no manager any more': ({ subject }) =>
    db()`update users set manager_ids = '{}' where user_id = ${subject.userId}`,
  'who is asked is the subject’s only able approver and becomes the subject’s delegate': async ({ subject, by }) => {
    if (by && by.userId !== subject.userId)
      await scene.post(`/api/v1/users/${by.userId}/set-delegation-by-admin`, { delegatedUserId: subject.userId })
  },
}

const ends = new Set([
  ...['the subject is disabled', 'the subject is deleted', 'the entitlement is deleted', 'the app is deleted'],
])

/** What is wrong with how a task stands; empty where it is over with a reason, or waits for someone able, a clock, or says why. */
async function wrongWith({ kind, task, subject }: Made, now: TaskSeen): Promise<string> {
  if (now.state === 'TASK_STATE_CLOSED') {
    const [row] = await db()<{ comment: string }[]>`
      select data ->> 'comment' as comment from task_events where task_id = ${task.id} and kind = 'closed'`
    const isTold = /deleted|disabled/.test(row?.comment ?? '')
    return isTold && now.type.grant?.outcome === 'GRANT_OUTCOME_CANCELLED' ? '' : `closed: ${JSON.stringify(row)}`
  }
  const able = await db()`
    select 1 from users where user_id = any(${now.stepApproverIds}::text[]) and status = 'ENABLED'
      and deleted_at is null`
  if (able.length !== now.stepApproverIds.length) return 'somebody is asked who cannot decide'
  if (now.stepApproverIds.includes(subject.userId) !== (kind === 'form')) return 'the subject is asked'
  const jobs = await db()`select 1 from jobs where subject_id = ${task.id} and due_at > now()`
  return able.length + jobs.length + now.annotations.length > 0 ? '' : 'it waits for nobody and does not say so'
}

/** Whether who was asked before, and is no longer, is heard all the same. */
async function isHeard({ kind, task, by }: Made, now: TaskSeen): Promise<boolean> {
  if (!by || kind === 'form' || now.stepApproverIds.includes(by.userId)) return false
  const action = kind === 'provision' ? 'provision-complete' : 'approve'
  const late = await scene.act(task.id, action, { policyStepId: task.policy.current?.id }, by)
  return late.status < 400 || late.status >= 500
}

// All of them take a minute and a half.
const few = ['who is asked is disabled']

describe.each(isLong ? Object.keys(changes) : few)('%s', (change) => {
  test('and each kind of step has an outcome that can be told', async () => {
    // One by one: all are put into one access profile, and on a busy machine that would be waited for too long.
    const all: Made[] = []
    for (const kind of kinds) all.push(await make(kind))
    const { tenant, world } = scene.access
    for (const made of all) {
      const before = made.task.stepApproverIds
      expect(before, made.kind).toEqual(made.by ? [made.by.userId] : [])
      await changes[change]?.(made)
      await recheckTask({ ...world, tenant }, made.task.id)
      const now = await scene.look(made.task.id)
      const told = `${made.kind}, ${change}`
      expect(await wrongWith(made, now), told).toBe('')
      expect(now.state, told).toBe(
        ends.has(change) || (made.kind === 'form' && change.startsWith('who is asked is d'))
          ? 'TASK_STATE_CLOSED'
          : 'TASK_STATE_OPEN',
      )
      expect(await isHeard(made, now), told).toBe(false)
      expect(await scene.holds(made.ref, made.subject.userId)).toEqual([])
    }
  })
})
