import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import type { Caller } from '../grants/scene.ts'
import { automatic, prepareTasks, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'

type Replayed = {
  tasksReplayed: number
  complete: boolean
  tasksSame: number
  tasksDifferent: number
  tasksStuck: number
  tasksRefused: number
  tasks: { taskId: string; changes: Json[]; end: string; why: string }[]
  people: { userId: string; decisionsBefore: number; decisions: number; weeks: number[] }[]
  weeks: { decisionsBefore: number; decisions: number }[]
}
const draft = (steps: Json[], rules: Json[] = [], others: Record<string, Json> = {}) => ({
  displayName: 'A draft',
  policyType: 'POLICY_TYPE_GRANT',
  policySteps: { grant: { steps }, ...others },
  rules,
})
const send = (body: object, by?: Caller) => scene.post('/api/v1/policies/plan', body, by)
async function replay(body: object, by?: Caller): Promise<Replayed> {
  const reply = await send(body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as unknown as Replayed
}
const byUsers = (...userIds: string[]): Json => ({ approval: { users: { userIds } } })

test('a draft is replayed over the tasks of its policy: steps added, removed and changed, and who decides how often', async () => {
  const [first, second] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const manager = await scene.caller(['system:user'])
  const policyId = await scene.policy([byUsers(first.userId)])
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const asker = await scene.caller(['system:user'], manager.userId)
    ids.push(scene.task(await scene.post(grant, target(await scene.target(policyId)), asker)).id)
  }
  scene.task(await scene.post(grant, target(await scene.target(automatic)), first))
  const same = await replay({ policyId, policy: draft([byUsers(first.userId)]) })
  expect(same).toMatchObject({ tasksReplayed: 3, complete: true, tasksSame: 3, tasksDifferent: 0, tasks: [] })
  expect(same.people).toMatchObject([{ userId: first.userId, decisionsBefore: 3, decisions: 3 }])
  const other = await replay({ policyId, policy: draft([byUsers(second.userId), { approval: { manager: {} } }]) })
  expect(other).toMatchObject({ tasksReplayed: 3, tasksSame: 0, tasksDifferent: 3, tasksStuck: 0 })
  expect(other.tasks.map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted())
  expect(other.tasks[0]?.changes).toMatchObject([
    { kind: 'POLICY_PLAN_CHANGE_CHANGED', place: 1, otherPeople: true },
    { kind: 'POLICY_PLAN_CHANGE_ADDED', place: 2, step: 'Approval by the manager of the person.' },
  ])
  const counts = Object.fromEntries(other.people.map(({ userId, ...counted }) => [userId, counted]))
  expect(counts[first.userId]).toMatchObject({ decisionsBefore: 3, decisions: 0 })
  expect(counts[second.userId]).toMatchObject({
    decisionsBefore: 0,
    decisions: 3,
    weeks: expect.arrayContaining([3]) as unknown,
  })
  expect(counts[manager.userId]).toMatchObject({ decisions: 3 })
  expect(other.weeks[0]).toEqual({ decisionsBefore: 3, decisions: 6 })
  const none = await replay({ policyId, policy: draft([{ accept: {} }]) })
  expect(none.tasks[0]).toMatchObject({
    end: 'done',
    changes: expect.arrayContaining([expect.objectContaining({ kind: 'POLICY_PLAN_CHANGE_REMOVED' })]) as unknown,
  })
  // It saved nothing.
  const { json } = await scene.get(`/api/v1/policies/${policyId}`)
  expect((json['policy'] as Json)['displayName']).toBe('A policy')
})

test('rules of a draft are asked about each task, and what fails would have been refused', async () => {
  const decider = await scene.caller(['system:user'])
  const asker = await scene.caller(['system:user'])
  const policyId = await scene.policy([{ accept: {} }])
  const asked = await scene.target(policyId)
  scene.task(await scene.post(grant, target(asked), asker))
  const other = await scene.caller(['system:user'])
  scene.task(await scene.post(grant, target(asked), other))
  const rules = [{ condition: `subject.id == "${asker.userId}"`, policyKey: 'some' }]
  const found = await replay({
    policyId,
    policy: draft([{ accept: {} }], rules, { some: { steps: [byUsers(decider.userId)] } }),
  })
  expect(found).toMatchObject({ tasksReplayed: 2, tasksSame: 1, tasksDifferent: 1 })
  expect(found.people).toMatchObject([{ userId: decider.userId, decisions: 1 }])
  const fails = [{ condition: 'int(subject.profile.nothing) > 1', policyKey: 'some' }]
  const refused = await replay({
    policyId,
    policy: draft([{ accept: {} }], fails, { some: { steps: [byUsers(decider.userId)] } }),
  })
  expect(refused).toMatchObject({ tasksRefused: 2 })
  expect(refused.tasks[0]?.why).toContain('fails')
})

test('a draft that could not be saved is refused as when saving, and so is who may not', async () => {
  expect(outcomeOf(await send({}))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await send({ policy: draft([]) }))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await send({ policy: draft([{ accept: {} }]), days: 91 }))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await send({ policyId: '2zzzzzzzzzzzzzzzzzzzzzzzzzz', policy: draft([{ accept: {} }]) }))).toBe(
    '404/5 POLICY_NOT_FOUND',
  )
  expect(outcomeOf(await send({ policy: draft([{ accept: {} }]) }, scene.basic))).toBe('403/7 PERMISSION_DENIED')
  const admin = await scene.caller(['system:request-admin'])
  expect((await send({ policy: draft([{ accept: {} }]), days: 1 }, admin)).status).toBe(200)
})

/** Copies of a task, earlier than it, with all that happened to it. */
async function copyTask(id: string, count: number): Promise<void> {
  const { db } = scene.server
  const { id: tenantId } = scene.access.tenant
  // Ids begin with the time: the copies have that of the task, and are told apart by their ends.
  await db`
    insert into tasks select (jsonb_populate_record(t, jsonb_build_object('number', 1000000 + n, 'is_open', false,
      'task_id', left(t.task_id, 21) || lpad(n::text, 6, '0')))).*
    from tasks t, generate_series(1, ${count}::int) n where t.tenant_id = ${tenantId} and t.task_id = ${id}`
  await db`
    insert into task_events select (jsonb_populate_record(e, jsonb_build_object(
      'task_id', left(e.task_id, 21) || lpad(n::text, 6, '0')))).*
    from task_events e, generate_series(1, ${count}::int) n where e.tenant_id = ${tenantId} and e.task_id = ${id}`
}

/** Plans under way, by what each holds: a transaction. */
const transactions = async (): Promise<number> => {
  const [row] = await scene.access.world.db<{ count: number }[]>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name like 'bailiwick serve%'
      and xact_start < clock_timestamp() - interval '50 ms'`
  return row?.count ?? 0
}

longTest('when the client goes away, the replay stops, and so does one that waits for its turn', async () => {
  const asker = await scene.caller(['system:user'])
  const policyId = await scene.policy([byUsers(asker.userId)])
  const { id } = scene.task(await scene.post(grant, target(await scene.target(policyId)), scene.basic))
  await copyTask(id, 1_500)
  // A condition is asked about each task: all of them take seconds.
  const rules = [{ condition: 'subject.emails.exists(e, e.endsWith("nowhere")) || task.id == ""', policyKey: 'some' }]
  const body = { policyId, policy: draft([byUsers(asker.userId)], rules, { some: { steps: [{ accept: {} }] } }) }
  const begin = () => {
    const leaving = new AbortController()
    const done = fetch(`${scene.server.url}/api/v1/policies/plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${scene.admin.token}` },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).then(
      ({ status }) => `${status}`,
      () => 'left',
    )
    return { done, leave: () => leaving.abort() }
  }
  await until(async () => (await transactions()) === 0)
  const plans = Array.from({ length: 4 }, begin)
  await until(async () => (await transactions()) > 0)
  for (const { leave } of plans) leave()
  expect(await Promise.all(plans.map(({ done }) => done))).toEqual(['left', 'left', 'left', 'left'])
  await until(async () => (await transactions()) === 0)
  // Nobody's turn is lost by it.
  const others = await scene.policy([{ accept: {} }])
  expect((await send({ policyId: others, policy: draft([{ accept: {} }]) })).status).toBe(200)
})
