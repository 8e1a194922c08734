import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { replay } from '#rooms/governance/tasks/machine/fold.ts'
import type { TaskState } from '#rooms/governance/tasks/machine/task.ts'
import { project } from '#rooms/governance/tasks/machine/unfold.ts'
import { findTask, listTaskEvents } from '#rooms/governance/tasks/store.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { eventually, type Json } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const castSize = 5
const person = fc.nat(castSize - 1)
const people = fc.uniqueArray(person, { minLength: 1, maxLength: 3 })

type Step =
  | {
      is: 'users'
      who: number[]
      self: boolean
      distinct: boolean
      reason: boolean
      escalation: 'skip' | 'cancel' | null
    }
  | { is: 'manager' | 'accept' | 'wait' | 'reject' }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('users' as const),
      who: people,
      self: fc.boolean(),
      distinct: fc.boolean(),
      reason: fc.boolean(),
      escalation: fc.constantFrom<'skip' | 'cancel' | null>(null, null, 'skip', 'cancel'),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ is: 'manager' }) },
  fc.constant<Step>({ is: 'accept' }),
  fc.constant<Step>({ is: 'wait' }),
)
const anyPolicy = fc
  .tuple(fc.array(anyStep, { minLength: 1, maxLength: 3 }), fc.nat(9))
  .map(([steps, n]): Step[] => (n === 0 ? [...steps, { is: 'reject' }] : steps))

const actions = [
  'approve',
  'approve',
  'approve',
  'deny',
  'comment',
  'close',
  'reassign',
  'restart',
  'reset',
  'skip-step',
  'process',
  'update-grant-duration',
  'provision-complete',
  'provision-complete',
  'provision-errored',
  'retry-provisioning',
] as const
type Doing =
  /** `who` of the cast; the last number is an administrator. */
  | { do: 'act'; who: number; action: (typeof actions)[number]; to: number; stale: boolean; comment: boolean }
  /** Everyone who is assigned decides at once. */
  | { do: 'all at once'; approve: boolean }
  | { do: 'disable' | 'enable' | 'manager'; who: number; to: number }
  | { do: 'time' }
const anyDoing: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      who: fc.nat(castSize),
      action: fc.constantFrom(...actions),
      to: person,
      stale: fc.nat(9).map((n) => n === 0),
      comment: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('all at once' as const), approve: fc.boolean() }) },
  fc.record({
    do: fc.constantFrom('disable' as const, 'enable' as const, 'manager' as const),
    who: person,
    to: person,
  }),
  fc.constant<Doing>({ do: 'time' }),
)
const anyLife = fc.record({
  policy: anyPolicy,
  asker: person,
  isByHand: fc.nat(2).map((n) => n === 0),
  hands: people,
  doings: fc.array(anyDoing, { minLength: 3, maxLength: 12, size: 'max' }),
})

let cast: Caller[] = []
const at = (place: number): Caller => (place === castSize ? scene.admin : (cast[place] as Caller))
const idsOf = (who: readonly number[]): string[] => who.map((place) => at(place).userId)

function wireOf(step: Step): Json {
  if (step.is === 'manager') return { approval: { manager: {} } }
  if (step.is === 'wait') return { wait: { duration: { duration: '3600s' } } }
  if (step.is !== 'users') return { [step.is]: {} }
  const { who, self: allowSelfApproval, distinct: requireDistinctApprovers, reason, escalation } = step
  const escalated = escalation && {
    escalationEnabled: true,
    escalation: { expiration: '3600', ...(escalation === 'skip' ? { skipStep: {} } : { cancelTicket: {} }) },
  }
  return {
    approval: {
      users: { userIds: idsOf(who), allowSelfApproval, requireDistinctApprovers },
      allowReassignment: true,
      requireApprovalReason: reason,
      ...escalated,
    },
  }
}

const enabledOf = async (): Promise<Set<string>> => {
  const rows = await scene.access.world.db<{ id: string }[]>`select user_id as id from users where status = 'ENABLED'`
  return new Set(rows.map(({ id }) => id))
}
const set = (userId: string, status: 'ENABLED' | 'DISABLED') => {
  const { world, tenant } = scene.access
  return transact(world.db, (tx) => setStatus(tx, world, operatorCause(tenant, 'a test'), userId, { status }))
}

/** Of a task, what the database says, and what its events say: at one moment, as the service may go on with it meanwhile. */
function stored(id: string, of: { ref: Ref; userId: string } | null = null) {
  const { world, tenant } = scene.access
  return world.db.begin('isolation level repeatable read read only', async (tx) => {
    const task = await findTask(tx, tenant.id, id)
    if (!task) throw new Error('there is no task')
    const events = await listTaskEvents(tx, tenant.id, id)
    const assignees = await tx<{ id: string }[]>`
      select user_id as id from task_assignees where tenant_id = ${tenant.id} and task_id = ${id} order by user_id`
    const held = of
      ? await tx`
          select 1 from grants g
          join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
          where g.tenant_id = ${tenant.id} and g.app_id = ${of.ref.appId} and g.entitlement_id = ${of.ref.id}
            and a.user_id = ${of.userId} and g.ended_at is null`
      : []
    return { task, events, state: replay(events), assigneeIds: assignees.map((each) => each.id), held }
  })
}

/** The steps of the last round that have not been passed as they demand. */
function leftOut({ route, instances, generation }: TaskState): string[] {
  return route.flatMap((step, place) => {
    const end = instances.findLast((each) => each.generation === generation && each.place === place)?.end
    const passed =
      step.kind === 'approval'
        ? end?.outcome === 'skipped' || (end?.outcome === 'approved' && end.by !== '')
        : end?.outcome ===
            { accept: 'accepted', wait: 'waited', form: 'answered', provision: 'provisioned', reject: '' }[step.kind] ||
          (end?.outcome === 'skipped' && step.kind !== 'provision' && step.kind !== 'reject')
    return passed ? [] : [`${place} ${step.kind} ${end?.outcome ?? 'not taken'}`]
  })
}

/** What must be true of a task at any time. */
async function check(id: string, ref: Ref, askerId: string): Promise<void> {
  const { task, events, state, assigneeIds, held } = await stored(id, { ref, userId: askerId })
  // Replaying the events yields the state that the lists are read from.
  const { commentCount: _c, updatedAt: _u, version, outcomeAt: _o, ...row } = task
  const {
    commentCount: _cc,
    updatedAt: _uu,
    version: _v,
    outcomeAt: _oo,
    ...projected
  } = project(task, state, [], task.updatedAt)
  expect(projected).toEqual(row)
  expect(version).toBe(events.length)
  const current = state.instances.at(-1)
  const open = current?.end === null ? [...new Set(current.assignees.map(({ userId }) => userId))].toSorted() : []
  expect(assigneeIds).toEqual(open)
  // Access is held by who asked if and only if every step was passed.
  expect(held.length).toBeLessThanOrEqual(1)
  if (held.length > 0) {
    const isGiven = events.some((event) => event.is === 'ended' && event.outcome === 'provisioned')
    expect(isGiven).toBe(true)
  }
  if (state.outcome === 'done') expect(leftOut(state)).toEqual([])
  if (events.filter(({ is }) => is === 'routed' || is === 'restarted').length === 1 && state.outcome !== 'done')
    expect(held).toEqual([])
}

/** An open task has someone able, waits for a time, or says why not. */
async function checkAble(id: string): Promise<void> {
  const isFine = async (): Promise<boolean> => {
    const { task, state } = await stored(id)
    const now = state.instances.at(-1)
    if (!task.isOpen || task.stuckWhy !== null || (now?.end === null && now.step.kind === 'wait')) return true
    const enabled = await enabledOf()
    return now?.end === null && now.assignees.some(({ userId }) => enabled.has(userId))
  }
  expect(await eventually(isFine)).toBe(true)
}

async function decideAll(id: string, isApproval: boolean): Promise<void> {
  const seen = await scene.look(id)
  const policyStepId = seen.policy.current?.id ?? ''
  const before = await stored(id)
  const able = [...cast, scene.admin].filter(({ userId }) => seen.stepApproverIds.includes(userId))
  const action = isApproval ? 'approve' : 'deny'
  const replies = await Promise.all(able.map((by) => scene.act(id, action, { policyStepId, comment: 'x' }, by)))
  expect(replies.every(({ status }) => status < 500)).toBe(true)
  if (seen.policy.current?.['approval'])
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  const after = await stored(id)
  const ended = after.events
    .slice(before.events.length)
    .filter((event) => event.is === 'ended' && event.stepId === policyStepId)
  expect(ended.length).toBeLessThanOrEqual(1)
}

async function actOnce(id: string, doing: Extract<Doing, { do: 'act' }>, askerId: string): Promise<void> {
  const by = at(doing.who)
  const looked = await scene.get(`/api/v1/tasks/${id}`, by)
  const seen = looked.status === 200 ? (looked.json['taskView'] as { task: TaskSeen }).task : null
  const before = await stored(id)
  const reply = await scene.act(
    id,
    doing.action,
    {
      policyStepId: doing.stale ? '0'.repeat(27) : (seen?.policy.current?.id ?? before.task.stepId),
      comment: doing.comment ? 'because' : '',
      newStepUserIds: [at(doing.to).userId],
      duration: '600s',
    },
    by,
  )
  expect(reply.status, reply.text).toBeLessThan(500)
  if (reply.status !== 200) return
  const names: Record<string, string> = { reset: 'HARD_RESET', process: 'PROCESS_NOW' }
  const name = names[doing.action] ?? doing.action.replaceAll('-', '_').toUpperCase()
  expect(seen?.actions, `${doing.action} was not among the actions`).toContain(`TASK_ACTION_TYPE_${name}`)
  const after = await stored(id)
  const news = after.events.slice(before.events.length)
  const isCancelled = news.some((event) => event.is === 'closed' && event.by === '' && event.outcome === 'cancelled')
  if (doing.action !== 'approve' || isCancelled) return
  // Nobody decides what they may not.
  const now = before.state.instances.at(-1)
  expect(now?.step.kind).toBe('approval')
  if (now?.step.kind !== 'approval') return
  expect(now.assignees.map(({ userId }) => userId)).toContain(by.userId)
  if (by.userId === askerId) expect(now.step.allowSelfApproval).toBe(true)
  if (now.step.needsReason.toApprove) expect(doing.comment).toBe(true)
  if (now.step.requireDistinctApprovers) {
    const earlier = before.state.instances.filter(
      ({ generation, end }) => generation === before.state.generation && end?.outcome === 'approved',
    )
    expect(earlier.map(({ end }) => end?.by)).not.toContain(by.userId)
  }
}

async function live({
  policy,
  asker,
  isByHand,
  hands,
  doings,
}: typeof anyLife extends fc.Arbitrary<infer T> ? T : never) {
  const { db } = scene.access.world
  const policyId = await scene.policy(policy.map(wireOf))
  const ref = await scene.target(policyId, { maxSeconds: 36_000 })
  if (isByHand) {
    const provisionerPolicy = { manual: { assignee: { users: { userIds: idsOf(hands) } } } }
    const path = `/api/v1/apps/${ref.appId}/entitlements/${ref.id}`
    const reply = await scene.post(path, { entitlement: { provisionerPolicy }, updateMask: 'provisionerPolicy' })
    if (reply.status !== 200) throw new Error(reply.text)
  }
  const askerId = at(asker).userId
  const { id } = scene.task(await scene.post('/api/v1/task/grant', target(ref), at(asker)))
  await check(id, ref, askerId)
  for (const doing of doings) {
    if (doing.do === 'act') await actOnce(id, doing, askerId)
    else if (doing.do === 'all at once') await decideAll(id, doing.approve)
    else if (doing.do === 'manager')
      await db`update users set manager_ids = ${[at(doing.to).userId]}, updated_at = now() where user_id = ${at(doing.who).userId}`
    else if (doing.do === 'time') {
      const { task } = await stored(id)
      await db`update task_events set data = jsonb_set(data, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
        where task_id = ${id} and kind in ('begun', 'reassigned')
          and coalesce(data->>'newStepId', data->>'stepId') = ${task.stepId} and data->>'expiresAt' is not null`
      await db`update tasks set step_due_at = '2020-01-01T00:00:00Z' where task_id = ${id} and step_due_at is not null`
      const isDue =
        await db`update jobs set due_at = now() where kind = 'tasks.due' and subject_id = ${id} and key = ${task.stepId} returning 1`
      if (isDue.length > 0 && task.stepDueAt !== null)
        await until(async () => (await stored(id)).task.version > task.version || !(await stored(id)).task.isOpen)
    } else await set(at(doing.who).userId, doing.do === 'disable' ? 'DISABLED' : 'ENABLED')
    await check(id, ref, askerId)
  }
  await checkAble(id)
  const disabled = new Set(doings.flatMap((each) => (each.do === 'disable' ? [each.who] : [])))
  for (const caller of [...disabled].map(at)) {
    await set(caller.userId, 'ENABLED')
    // That someone was disabled is remembered for a moment.
    const isIn = async () => (await scene.get('/api/v1/tasks/1', caller)).status !== 401
    expect(await eventually(isIn)).toBe(true)
  }
}

test('whatever people, policies, time and the world do to a request, its rules hold', async () => {
  cast = await Promise.all(Array.from({ length: castSize }, () => scene.caller(['system:user'])))
  await fc.assert(fc.asyncProperty(anyLife, live), { numRuns: fewOrMany(2, 100), endOnFailure: true })
})
