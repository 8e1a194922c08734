import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import type { Caller } from '../grants/scene.ts'
import { automatic, byManager, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'

type Person = { userId: string; displayName: string; reason: string; why: string; forUserId: string }
type Step = {
  kind: string
  happens: string
  people: Person[]
  peopleCount: number
  leftOut: { userId: string; why: string }[]
  leftOutCount: number
  triedBefore: string[]
  stuckWhy: string
  provisioner: string
  approvedByUserId: string
  withoutEarlierApprovers: boolean
}
type Plan = {
  fingerprint: string
  policyId: string
  policyWhy: string[]
  grantPolicySource: Json | null
  maxDuration: string | null
  grantDuration: string | null
  steps: Step[]
  end: string
  decisionsNeeded: number
  alreadyHeld: { source: string; expiresAt: string | null }[]
  conflicts: string[]
  openTaskId: string
}
async function plan(body: object, by?: Caller): Promise<Plan> {
  const reply = await scene.post('/api/v1/task/plan', body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['plan'] as Plan
}
const idsOf = (people: readonly { userId: string }[]): string[] => people.map(({ userId }) => userId).toSorted()
const disable = async (userId: string): Promise<void> => {
  const reply = await scene.post(`/api/v1/users/${userId}/disable`, {})
  expect(reply.status, reply.text).toBe(200)
}

test('a plan of a request names every step with its people and why, and makes nothing', async () => {
  const manager = await scene.caller(['system:user'])
  const asker = await scene.caller(['system:user'], manager.userId)
  const gone = await scene.caller(['system:user'])
  await disable(gone.userId)
  const policy = await scene.policy([
    { approval: { manager: {} } },
    { approval: { users: { userIds: [gone.userId] } } },
    { wait: { duration: { duration: '3600s' } } },
  ])
  const asked = await scene.target(policy, { maxSeconds: 7200 })
  const seen = await plan(target(asked), asker)
  expect(seen).toMatchObject({
    maxDuration: '7200s',
    grantDuration: '7200s',
    end: 'REQUEST_PLAN_END_DONE',
    decisionsNeeded: 2,
    alreadyHeld: [],
    conflicts: [],
    openTaskId: '',
    // Where settings come from is for those who may read them.
    policyId: '',
    policyWhy: [],
    grantPolicySource: null,
    steps: [
      { kind: 'approval', happens: 'PLANNED_STEP_PEOPLE', people: [{ userId: manager.userId, reason: 'manager' }] },
      {
        kind: 'approval',
        people: expect.arrayContaining([expect.objectContaining({ reason: 'superAdministrator' })]) as unknown,
        leftOut: [],
        leftOutCount: 1,
        triedBefore: ['The people whom the policy names: none of them can decide.'],
      },
      { kind: 'wait', happens: 'PLANNED_STEP_TIME' },
      { kind: 'provision', happens: 'PLANNED_STEP_AUTOMATIC', provisioner: 'records' },
    ],
  })
  const full = await plan(target(asked, { identityUserId: asker.userId }))
  expect(full).toMatchObject({ policyId: policy, grantPolicySource: { why: 'The entitlement sets the policy.' } })
  expect(full.steps[1]?.leftOut).toMatchObject([{ userId: gone.userId, why: 'Disabled or deleted.' }])
  expect(await scene.all('/api/v1/search/tasks', { appEntitlementIds: [asked.id] })).toEqual([])
})

test('a request with the fingerprint of its plan is refused once it would go to someone else, and made as planned otherwise', async () => {
  const [first, second] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const asker = await scene.caller(['system:user'], first.userId)
  const asked = await scene.target(byManager)
  const { fingerprint } = await plan(target(asked), asker)
  await scene.server.db`update users set manager_ids = ${[second.userId]} where user_id = ${asker.userId}`
  const send = (planFingerprint: string, by = asker) =>
    scene.post(grant, target(asked, { planFingerprint, identityUserId: asker.userId }), by)
  expect(outcomeOf(await send(fingerprint))).toBe('409/10 PLAN_CHANGED')
  const now = await plan(target(asked), asker)
  expect(now.fingerprint).not.toBe(fingerprint)
  // It stands for who asks, too: another's plan says nothing about this request.
  expect(outcomeOf(await send(now.fingerprint, second))).toBe('409/10 PLAN_CHANGED')
  expect(outcomeOf(await send(`${now.fingerprint.slice(0, -1)}_`))).toBe('409/10 PLAN_CHANGED')
  expect(
    outcomeOf(
      await scene.post(grant, target(asked, { planFingerprint: now.fingerprint, grantDuration: '60s' }), asker),
    ),
  ).toBe('409/10 PLAN_CHANGED')
  expect(scene.task(await send(now.fingerprint)).stepApproverIds).toEqual([second.userId])
})

test('a plan says what is held and until when, what a rule gives anyway, and which task asks for it already', async () => {
  const asked = await scene.target(automatic)
  const asker = await scene.caller(['system:user'])
  scene.task(await scene.post(grant, target(asked, { grantDuration: '3600s' }), asker))
  const held = await plan(target(asked, { grantDuration: '60s' }), asker)
  expect(held.alreadyHeld).toEqual([{ source: 'request', expiresAt: expect.any(String) as unknown }])
  const rule = `/api/v1/apps/${asked.appId}/entitlements/${asked.id}/automation/create`
  const made = await scene.post(rule, { automation: { cel: { expression: `subject.id == "${asker.userId}"` } } })
  expect(made.status, made.text).toBe(200)
  expect((await plan(target(asked), asker)).conflicts).toEqual([
    'An automation rule grants this access anyway, as long as it matches.',
  ])
  const excluded = await scene.post(rule.replace('create', 'exclusions'), { userIds: [asker.userId] })
  expect(excluded.status, excluded.text).toBe(200)
  expect((await plan(target(asked), asker)).conflicts).toEqual([])
  expect((await plan(target(asked, { identityUserId: asker.userId }))).conflicts).toEqual([
    'This person is excluded from the automation rule of this entitlement.',
  ])
  const waits = await scene.target()
  const task = scene.task(await scene.post(grant, target(waits), asker))
  expect((await plan(target(waits), asker)).openTaskId).toBe(task.id)
})

test('a plan is refused where the request would be: for others, for what cannot be requested, and by another tenant', async () => {
  const asked = await scene.target()
  const hidden = await scene.target(automatic, { isOffered: false })
  const [asker, other] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const send = (body: object, by: Caller) => scene.post('/api/v1/task/plan', body, by)
  expect(outcomeOf(await send(target(asked, { identityUserId: other.userId }), asker))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await send(target(hidden), asker))).toBe('403/7 NOT_REQUESTABLE')
  expect(outcomeOf(await send({ appId: asked.appId }, asker))).toBe('400/3 INPUT_INVALID')
  const elsewhere = await scene.access.makeTenant('planning.example.com')
  const stranger = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, elsewhere))
  const reply = await send(target(asked), { userId: '', token: stranger })
  expect(reply.status).toBe(401)
})

const castSize = 5
type Planned = {
  by: 'users' | 'manager' | 'appOwners' | 'self' | 'accept'
  who: number[]
  self: boolean
  distinct: boolean
  fallback: number[]
}
const anyStep: fc.Arbitrary<Planned> = fc.record({
  by: fc.constantFrom('users', 'users', 'manager', 'appOwners', 'self', 'accept'),
  who: fc.uniqueArray(fc.nat(castSize - 1), { minLength: 1, maxLength: 3 }),
  self: fc.boolean(),
  distinct: fc.boolean(),
  fallback: fc.uniqueArray(fc.nat(castSize - 1), { maxLength: 2 }),
})

test('what a plan says is what then happens, step by step, whatever the policy', async () => {
  const cast: Caller[] = []
  for (let i = 0; i < castSize; i++) cast.push(await scene.caller(['system:user']))
  const at = (place: number): Caller => cast[place] as Caller
  const disabled = await scene.caller(['system:user'])
  await disable(disabled.userId)
  const wire = ({ by, who, self: allowSelfApproval, distinct: requireDistinctApprovers, fallback }: Planned): Json => {
    if (by === 'accept') return { accept: {} }
    const may = { allowSelfApproval, requireDistinctApprovers }
    const back = fallback.length > 0 && { fallback: true, fallbackUserIds: fallback.map((i) => at(i).userId) }
    if (by === 'users')
      return { approval: { users: { userIds: [...who.map((i) => at(i).userId), disabled.userId], ...may } } }
    if (by === 'appOwners') return { approval: { appOwners: may } }
    return { approval: by === 'self' ? { self: { ...back } } : { manager: { ...may, ...back } } }
  }
  const byId = (id: string, owner: Caller): Caller | undefined =>
    [...cast, owner, scene.admin].find(({ userId }) => userId === id)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 4 }),
      fc.nat(castSize - 1),
      fc.option(fc.nat(castSize - 1)),
      fc.array(fc.nat(5), { minLength: 5, maxLength: 5 }),
      async (steps, who, manager, choices) => {
        const asker = at(who)
        await scene.server.db`
          update users set manager_ids = ${manager === null ? [] : [at(manager).userId]} where user_id = ${asker.userId}`
        const asked = await scene.target(await scene.policy(steps.map(wire)))
        const planned = await plan(target(asked), asker)
        let task: TaskSeen = scene.task(
          await scene.post(grant, target(asked, { planFingerprint: planned.fingerprint }), asker),
        )
        const approved = new Set<string>()
        for (const [place, step] of planned.steps.entries()) {
          if (step.happens === 'PLANNED_STEP_AUTOMATIC') {
            // Who approved an earlier step does not approve this one by having asked: the plan said that it may be so.
            if (step.withoutEarlierApprovers && approved.has(step.approvedByUserId)) return
            if (step.approvedByUserId) approved.add(step.approvedByUserId)
            continue
          }
          expect(step.happens).toBe('PLANNED_STEP_PEOPLE')
          const real = task.stepApproverIds.toSorted()
          const left = idsOf(step.people).filter((id) => !(step.withoutEarlierApprovers && approved.has(id)))
          // Who approved an earlier step is out, and where nobody is left others come in: the plan said that it may be so.
          expect(left.length === 0 ? [] : real).toEqual(left)
          if (left.length < step.people.length && (left.length === 0 || real.includes(asker.userId))) return
          const known = real.flatMap((id) => byId(id, asked.owner) ?? [])
          // The tenant's founder is a Super Administrator who has no credential here: that the plan named them is shown above.
          if (known.length === 0) return
          const decider = known[(choices[place] ?? 0) % known.length]
          expect(decider).toBeDefined()
          const policyStepId = task.policy.current?.id
          approved.add(decider?.userId ?? '')
          task = scene.task(await scene.act(task.id, 'approve', { policyStepId }, decider as Caller))
        }
        expect(task).toMatchObject({
          state: 'TASK_STATE_CLOSED',
          type: { grant: { outcome: 'GRANT_OUTCOME_GRANTED' } },
        })
        expect(planned.end).toBe('REQUEST_PLAN_END_DONE')
        expect(await scene.holds(asked, asker.userId)).toHaveLength(1)
      },
    ),
    { numRuns: fewOrMany(5, 100) },
  )
})

type WhyStep = Step & { policyStepId: string; isOpen: boolean; outcome: string; whyNotMe: string; summary: string }
const why = async (id: string, by?: Caller) => {
  const reply = await scene.get(`/api/v1/tasks/${id}/why`, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as {
    rounds: { why: string[]; policyId: string }[]
    steps: WhyStep[]
    next: string[]
    upcoming: Step[]
  }
}

test('a task says why each step, why these people and why not the one who asks, for past and open steps', async () => {
  const manager = await scene.caller(['system:user'])
  const asker = await scene.caller(['system:user'], manager.userId)
  const spare = await scene.caller(['system:user'])
  const asked = await scene.target()
  const policy = await scene.policy([
    { approval: { users: { userIds: [asker.userId] } } },
    { approval: { manager: { fallback: true, fallbackUserIds: [spare.userId] } } },
    { approval: { appOwners: {} } },
  ])
  await scene.server.db`update entitlements set grant_policy_id = ${policy} where entitlement_id = ${asked.id}`
  const { id } = scene.task(await scene.post(grant, target(asked), asker))
  const first = await why(id, asker)
  expect(first.rounds).toMatchObject([
    { policyId: policy, why: expect.arrayContaining(['The policy is A policy.']) as unknown },
  ])
  expect(first.steps).toMatchObject([
    {
      isOpen: true,
      people: expect.arrayContaining([
        expect.objectContaining({ userId: scene.admin.userId, reason: 'superAdministrator' }),
      ]) as unknown,
      triedBefore: ['The people whom the policy names: none of them can decide.'],
      leftOut: [{ userId: asker.userId }],
      whyNotMe: 'You are excluded: the access is for you, and the policy does not allow self-approval.',
    },
  ])
  expect(first.next).toEqual([
    'Approval by the manager of the person.',
    'Approval by the owners of the app.',
    'Provisioning of the approved access.',
  ])
  // And who would be asked: of what a step says, what the plan of the request said.
  expect(first.upcoming).toMatchObject([
    { place: 2, kind: 'approval', happens: 'PLANNED_STEP_PEOPLE', people: [{ userId: manager.userId }] },
    { place: 3, people: [{ userId: asked.owner.userId, reason: 'appOwners' }], withoutEarlierApprovers: false },
    { place: 4, kind: 'provision', happens: 'PLANNED_STEP_AUTOMATIC', provisioner: 'records' },
  ])
  const approve = async (by: Caller) => {
    const { policy: route } = await scene.look(id)
    return scene.task(await scene.act(id, 'approve', { policyStepId: route.current?.id }, by))
  }
  await approve(scene.admin)
  await scene.server.db`update users set manager_ids = ${[manager.userId]} where user_id = ${asker.userId}`
  const second = await why(id, manager)
  // Of the past step, what was known when it began; of whom it left out, others than they and who sees all tasks hear the number.
  expect(second.steps[0]).toMatchObject({
    isOpen: false,
    outcome: 'approved',
    triedBefore: ['The people whom the policy names: none of them can decide.'],
    leftOut: [],
    leftOutCount: 1,
    whyNotMe: 'The policy does not name you for this step.',
  })
  expect(second.steps[1]).toMatchObject({
    isOpen: true,
    people: [{ reason: 'manager' }],
    whyNotMe: 'You can decide this step.',
  })
  expect((await why(id, asked.owner)).steps[1]?.whyNotMe).toBe(
    'You are not the manager of the person whose access it is.',
  )
  expect((await scene.get(`/api/v1/tasks/${id}/why`, spare)).status).toBe(404)
  expect((await scene.get('/api/v1/tasks/2zzzzzzzzzzzzzzzzzzzzzzzzzz/why')).status).toBe(404)
})
