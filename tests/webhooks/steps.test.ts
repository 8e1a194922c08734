import { expect, test } from 'vitest'
import { addedSteps } from '#rooms/governance/tasks/webhooks/added.ts'
import { eventually, type Json } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { type TaskSeen, target } from '../tasks/scene.ts'
import type { Receiver } from './receiver.ts'
import { callbackIn, prepareWebhooks } from './scene.ts'

const scene = prepareWebhooks()

type Asked = { id: string; asker: Caller; entitlement: Ref & { owner: Caller }; webhookId: string }

const byWebhook = (webhookId: string, more: Json = {}) => ({ approval: { webhook: { webhookId }, ...more } })

/** A request whose first step a webhook decides, which does what a test says. */
async function asked(
  does: Receiver['does'],
  { after = [], ...more }: { after?: Json[] } & Json = {},
  of: { asker?: Caller; duration?: string } = {},
): Promise<Asked> {
  scene.receiver.does = does
  const webhookId = await scene.webhook()
  const policyId = await scene.policy([byWebhook(webhookId, more), ...after])
  const entitlement = await scene.target(policyId)
  const asker = of.asker ?? (await scene.caller(['system:user']))
  const body = target(entitlement, { identityUserId: asker.userId, ...(of.duration && { grantDuration: of.duration }) })
  const { id } = scene.task(await scene.post('/api/v1/task/grant', body, asker))
  return { id, asker, entitlement, webhookId }
}

const until = async (id: string, isSo: (task: TaskSeen) => boolean): Promise<TaskSeen> => {
  let seen = await scene.look(id)
  let looks = 0
  const hurry = async (): Promise<boolean> => {
    seen = await scene.look(id)
    if (++looks % 5 === 0)
      await scene.server.db`update webhook_deliveries set due_at = now() where ticket_id = ${id} and state = 'error'`
    return isSo(seen)
  }
  if (!(await eventually(hurry))) expect(seen).toBe('otherwise')
  return seen
}
const isClosed = ({ state }: TaskSeen): boolean => state === 'TASK_STATE_CLOSED'
const isAssigned = ({ stepApproverIds }: TaskSeen): boolean => stepApproverIds.length > 0
const outcomeOf = ({ type }: TaskSeen): string | undefined => type.grant?.outcome

const history = (id: string): Promise<Json[]> => scene.all('/api/v1/task/audits', { taskId: id })
const told = async (id: string, field: string): Promise<Json[]> => (await history(id)).filter((event) => event[field])

test('a webhook approves: it is shown the task, access is given, and the history names it', async () => {
  const { id, asker, entitlement, webhookId } = await asked(() => [
    200,
    { version: 'v1', approve: { comment: 'Ticket 7' } },
  ])
  const done = await until(id, isClosed)
  expect(outcomeOf(done)).toBe('GRANT_OUTCOME_GRANTED')
  expect(await scene.holds(entitlement, asker.userId)).toHaveLength(1)
  // Nobody approved it: no person is named for it.
  expect(done.approverIds).toEqual([])
  const [{ body }] = scene.receiver.received as unknown as [{ body: Json }]
  expect(body['event']).toBe('c1.webhooks.v1.PayloadPolicyApprovalStep')
  const payload = body['payload'] as Json & { taskView: { task: TaskSeen & Json }; expanded: Json[] }
  expect(payload['@type']).toBe('type.googleapis.com/c1.webhooks.v1.PayloadPolicyApprovalStep')
  expect(payload.taskView.task).toMatchObject({ id, userId: asker.userId, state: 'TASK_STATE_OPEN' })
  expect(payload.taskView.task.policy.current).toMatchObject({ approval: { approval: { webhook: { webhookId } } } })
  expect(payload.expanded.some((each) => each['id'] === asker.userId)).toBe(true)
  const [delivery] = await scene.deliveries(webhookId)
  expect(delivery).toMatchObject({
    state: 'WEBHOOK_STATE_SUCCESS',
    outcome: 'approve',
    comment: 'Ticket 7',
    source: { approvalStep: { ticketId: id } },
  })
  const named = {
    webhookId,
    webhookName: 'Tickets',
    webhookInstanceId: delivery?.id,
    webhookUrl: `http://${scene.receiver.host}`,
  }
  expect(await told(id, 'webhookApprovalTriggered')).toMatchObject([{ webhookApprovalTriggered: named }])
  expect(await told(id, 'webhookApprovalAttempt')).toMatchObject([
    { webhookApprovalAttempt: named, note: 'Attempt 1: The receiver answered 200.' },
  ])
  expect(await told(id, 'webhookApprovalSuccess')).toMatchObject([
    { webhookApprovalSuccess: named, note: 'Approved: Ticket 7', userId: '' },
  ])
})

test('each attempt to reach a webhook is in the history when it has been made, with what came of it', async () => {
  let attempts = 0
  const { id } = await asked(() =>
    attempts++ === 0 ? [503, '', { 'retry-after': '3600' }] : [200, { version: 'v1', approve: {} }],
  )
  const failed = {
    note: 'Attempt 1: The receiver answered 503.',
    eventType: 'TASK_AUDIT_EVENT_TYPE_ERROR',
    currentState: 'TASK_STATE_OPEN',
  }
  await expect.poll(() => told(id, 'webhookApprovalAttempt')).toMatchObject([failed])
  await until(id, isClosed)
  expect((await told(id, 'webhookApprovalAttempt')).map(({ note }) => note)).toEqual([
    failed.note,
    'Attempt 2: The receiver answered 200.',
  ])
  const kinds = (await history(id)).flatMap((event) =>
    Object.keys(event).filter((key) => key.startsWith('webhook') && event[key]),
  )
  expect(kinds).toEqual([
    'webhookApprovalTriggered',
    'webhookApprovalAttempt',
    'webhookApprovalAttempt',
    'webhookApprovalSuccess',
  ])
})

test('a webhook denies', async () => {
  const { id, asker, entitlement } = await asked(() => [200, { deny: { comment: 'No seat' } }])
  expect(outcomeOf(await until(id, isClosed))).toBe('GRANT_OUTCOME_DENIED')
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
  expect(await told(id, 'webhookApprovalSuccess')).toMatchObject([{ note: 'Denied: No seat' }])
})

test('a webhook reassigns the step to people, who decide it', async () => {
  const other = await scene.caller(['system:user'])
  const { id } = await asked(() => [200, { reassign: { newStepUserIds: [other.userId], comment: 'Ask them' } }])
  const seen = await until(id, isAssigned)
  expect(seen.stepApproverIds).toEqual([other.userId])
  expect((await scene.act(id, 'approve', { policyStepId: seen.policy.current?.id }, other)).status).toBe(200)
  expect(outcomeOf(await until(id, isClosed))).toBe('GRANT_OUTCOME_GRANTED')
})

test('but not to the one whom the access is for, nor to whom the policy does not allow: Super Administrators decide then', async () => {
  const asker = await scene.caller(['system:user'])
  const toSelf = await asked(() => [200, { reassign: { newStepUserIds: [asker.userId] } }], {}, { asker })
  const seen = await until(toSelf.id, isAssigned)
  expect(seen.stepApproverIds).toContain(scene.admin.userId)
  expect(seen.stepApproverIds).not.toContain(asker.userId)
  expect(await told(toSelf.id, 'webhookApprovalBadResponse')).toHaveLength(1)
  const [stranger, allowed] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const beyond = await asked(() => [200, { reassign: { newStepUserIds: [stranger.userId] } }], {
    allowedReassignees: [allowed.userId],
  })
  expect((await until(beyond.id, isAssigned)).stepApproverIds).toContain(scene.admin.userId)
  const [delivery] = await scene.deliveries(beyond.webhookId)
  expect([delivery?.state, delivery?.error]).toEqual([
    'WEBHOOK_STATE_FATAL_ERROR',
    expect.stringContaining('does not allow'),
  ])
})

test('a webhook replaces its step by others, and cannot drop those that the policy has after it', async () => {
  const other = await scene.caller(['system:user'])
  const steps = [{ approval: { users: { userIds: [other.userId] } } }, { provision: {} }]
  const { id, entitlement, asker } = await asked(() => [200, { replacePolicy: { policySteps: steps } }], {
    after: [{ approval: { appOwners: {} } }],
  })
  const first = await until(id, isAssigned)
  expect(first.stepApproverIds).toEqual([other.userId])
  await scene.act(id, 'approve', { policyStepId: first.policy.current?.id }, other)
  const second = await scene.look(id)
  expect(second.stepApproverIds).toEqual([entitlement.owner.userId])
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
  await scene.act(id, 'approve', { policyStepId: second.policy.current?.id }, entitlement.owner)
  expect(outcomeOf(await until(id, isClosed))).toBe('GRANT_OUTCOME_GRANTED')
  expect(JSON.stringify(await history(id))).toContain('The webhook Tickets added 1 steps to replace its own step.')
})

test('steps that would allow self-approval are not followed: people decide', async () => {
  const steps = [{ approval: { manager: { allowSelfApproval: true } } }]
  const { id, asker, entitlement } = await asked(() => [200, { replacePolicy: { policySteps: steps } }])
  expect((await until(id, isAssigned)).stepApproverIds).toContain(scene.admin.userId)
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
})

test.each([
  ['nothing', []],
  ['only what carries it out', [{ provision: {} }]],
  ['self-approval', [{ approval: { self: {} } }]],
  ['a webhook', [byWebhook('x')]],
  ['another way to carry it out', [{ provision: { provisionPolicy: { unconfigured: {} } } }]],
  ['a step of no kind', [{}]],
  ['a step of two kinds', [{ accept: {}, reject: {} }]],
  ['an action', [{ action: { automation: {} } }]],
  ['no object', ['accept']],
])('a webhook cannot answer with steps that are %s', (_, steps) => {
  const added = addedSteps(steps, 3)
  expect('error' in added && added.error).toContain('policySteps')
})

test('what a webhook adds is bounded', () => {
  const steps = Array.from({ length: 32 }, () => ({ approval: { manager: {} } }))
  expect('route' in addedSteps(steps, 32)).toBe(true)
  expect('error' in addedSteps(steps, 33)).toBe(true)
})

test.each([
  ['410', () => [410] as const],
  ['answers that are none', () => [200, '<html>Welcome</html>'] as const],
])(
  'a webhook that fails for good decides nothing (%s): Super Administrators do, but not the requester',
  async (_, does) => {
    const asker = await scene.caller(['system:owner'])
    const { id, entitlement } = await asked(does, {}, { asker })
    const seen = await until(id, isAssigned)
    expect(seen.stepApproverIds).toContain(scene.admin.userId)
    expect(seen.stepApproverIds).not.toContain(asker.userId)
    expect(await scene.holds(entitlement, asker.userId)).toEqual([])
    expect(seen.policy.history).toMatchObject([{ approval: { reassignedByError: { errorCode: 'WEBHOOK' } } }])
    expect(await told(id, 'webhookApprovalFatalError')).toHaveLength(1)
    expect((await scene.act(id, 'approve', { policyStepId: seen.policy.current?.id }, scene.admin)).status).toBe(200)
    expect(outcomeOf(await until(id, isClosed))).toBe('GRANT_OUTCOME_GRANTED')
  },
)

test('a denial without a reason is none where the policy requires one', async () => {
  const { id } = await asked(() => [200, { deny: {} }], { requireDenialReason: true })
  expect((await until(id, isAssigned)).stepApproverIds).toContain(scene.admin.userId)
})

test('202, then a callback, then another: one decision', async () => {
  const { id, webhookId } = await asked(() => [202])
  expect(
    await eventually(async () => (await scene.deliveries(webhookId))[0]?.state === 'WEBHOOK_STATE_WAITING_CALLBACK'),
  ).toBe(true)
  const url = callbackIn(scene.receiver.received[0] as never)
  // What cannot be read is refused, and does not use the address up.
  const wrong = await scene.callBack(url, { complete: {} })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('is not a valid answer to this event')])
  // Nor is it in the log, though it is still good.
  const token = url.split('/').at(-1) as string
  expect(JSON.stringify(scene.server.logged)).not.toContain(token)
  expect(scene.server.logged.some(({ path }) => path === '/api/v1/webhooks/callback/[removed]')).toBe(true)
  const both = await Promise.all([scene.callBack(url, { approve: {} }), scene.callBack(url, { deny: {} })])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
  await until(id, isClosed)
  expect(await told(id, 'webhookApprovalSuccess')).toHaveLength(1)
  expect((await scene.callBack(url, { deny: {} })).status).toBe(400)
})

test('an answer that comes after the step has ended otherwise does not count', async () => {
  const { id, webhookId } = await asked(() => [202], { after: [{ approval: { appOwners: {} } }] })
  expect(
    await eventually(async () => (await scene.deliveries(webhookId))[0]?.state === 'WEBHOOK_STATE_WAITING_CALLBACK'),
  ).toBe(true)
  const { policy } = await scene.look(id)
  expect((await scene.act(id, 'skip-step', { policyStepId: policy.current?.id }, scene.admin)).status).toBe(200)
  const reply = await scene.callBack(callbackIn(scene.receiver.received[0] as never), { deny: {} })
  expect(reply.status).toBe(400)
  expect((await scene.look(id)).state).toBe('TASK_STATE_OPEN')
  expect((await scene.deliveries(webhookId))[0]).toMatchObject({ state: 'WEBHOOK_STATE_FATAL_ERROR' })
})

test('what was asked for has changed: the webhook is asked again, and its answer to the first question does not count', async () => {
  const { id, webhookId } = await asked(() => [202], {}, { duration: '3600s' })
  expect(await eventually(async () => scene.receiver.received.length === 1)).toBe(true)
  expect((await scene.act(id, 'update-grant-duration', { duration: '360000s' }, scene.admin)).status).toBe(200)
  expect(await eventually(async () => scene.receiver.received.length === 2)).toBe(true)
  const [first, second] = scene.receiver.received.map((each) => callbackIn(each))
  expect((await scene.callBack(first as string, { approve: {} })).status).toBe(400)
  expect(
    await eventually(async () => (await scene.deliveries(webhookId))[0]?.state === 'WEBHOOK_STATE_WAITING_CALLBACK'),
  ).toBe(true)
  expect((await scene.callBack(second as string, { approve: {} })).status).toBe(200)
  expect((await until(id, isClosed)).type.grant?.grantDuration).toBe('360000s')
})

test('a webhook that was deleted is not asked: Super Administrators decide, and the plan says why', async () => {
  const webhookId = await scene.webhook()
  const entitlement = await scene.target(await scene.policy([byWebhook(webhookId)]))
  const asker = await scene.caller(['system:user'])
  const body = target(entitlement, { identityUserId: asker.userId })
  const planned = async (): Promise<Json[]> =>
    ((await scene.post('/api/v1/task/plan', body, asker)).json['plan'] as { steps: Json[] }).steps
  expect((await planned())[0]).toMatchObject({
    happens: 'PLANNED_STEP_WEBHOOK',
    summary: 'Approval by a webhook.',
    people: [],
  })
  await scene.remove(`/api/v1/webhooks/${webhookId}`, {})
  expect((await planned())[0]).toMatchObject({
    happens: 'PLANNED_STEP_PEOPLE',
    triedBefore: ['A webhook: there is nobody.'],
  })
  const { id } = scene.task(await scene.post('/api/v1/task/grant', body, asker))
  expect((await scene.look(id)).stepApproverIds).toContain(scene.admin.userId)
})

test('what waits for a webhook goes to people when the webhook is deleted', async () => {
  const { id, webhookId } = await asked(() => [202])
  expect(await eventually(async () => scene.receiver.received.length === 1)).toBe(true)
  await scene.remove(`/api/v1/webhooks/${webhookId}`, {})
  expect((await until(id, isAssigned)).stepApproverIds).toContain(scene.admin.userId)
})

test('a request administrator undoes what a webhook decided, and it is asked again', async () => {
  let answers = 0
  const { id } = await asked(() => (++answers === 1 ? [200, { deny: {} }] : [202]))
  await until(id, isClosed)
  const undone = await scene.post(`/api/v1/tasks/${id}/action/undo`, { comment: 'Wrong' })
  expect(undone.status, undone.text).toBe(200)
  expect(await eventually(async () => answers === 2)).toBe(true)
  expect((await scene.look(id)).state).toBe('TASK_STATE_OPEN')
})

/** A request that is approved automatically, and carried out by a webhook. */
async function provisioned(does: Receiver['does']): Promise<Asked> {
  scene.receiver.does = does
  const webhookId = await scene.webhook()
  const policyId = await scene.policy([{ accept: {} }, { provision: { provisionPolicy: { webhook: { webhookId } } } }])
  const entitlement = await scene.target(policyId)
  const asker = await scene.caller(['system:user'])
  const body = target(entitlement, { identityUserId: asker.userId })
  const { id } = scene.task(await scene.post('/api/v1/task/grant', body, asker))
  return { id, asker, entitlement, webhookId }
}

test('a webhook carries access out, which is held once it says so', async () => {
  const { id, asker, entitlement, webhookId } = await provisioned(() => [202])
  expect(await eventually(async () => scene.receiver.received.length === 1)).toBe(true)
  await expect.poll(() => told(id, 'webhookAttempt')).toHaveLength(1)
  const [{ body }] = scene.receiver.received as unknown as [{ body: Json }]
  expect(body['event']).toBe('c1.webhooks.v1.PayloadProvisionStep')
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
  expect((await scene.look(id)).policy.current).toMatchObject({
    provision: { state: 'PROVISION_INSTANCE_STATE_WEBHOOK_WAITING', webhookId },
  })
  expect((await scene.callBack(callbackIn({ body }), { complete: { comment: 'Done' } })).status).toBe(200)
  expect(outcomeOf(await until(id, isClosed))).toBe('GRANT_OUTCOME_GRANTED')
  expect(await scene.holds(entitlement, asker.userId)).toHaveLength(1)
  expect(await told(id, 'webhookAttempt')).toMatchObject([{ note: 'Attempt 1: The receiver answered 202.' }])
  expect(await told(id, 'webhookSuccess')).toHaveLength(1)
})

test.each([
  ['says that it could not', () => [200, { errored: { comment: 'No licence' } }] as const],
  ['is gone', () => [410] as const],
])('a webhook that %s leaves it to people', async (_, does) => {
  const { id, asker, entitlement } = await provisioned(does)
  const seen = await until(id, isAssigned)
  expect(seen.stepApproverIds).toEqual([entitlement.owner.userId])
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
  const body = { policyStepId: seen.policy.current?.id }
  expect((await scene.act(id, 'provision-complete', body, entitlement.owner)).status).toBe(200)
  expect(await scene.holds(entitlement, asker.userId)).toHaveLength(1)
})

test('an entitlement can have a webhook as its provisioner, which also removes access', async () => {
  const webhookId = await scene.webhook()
  scene.receiver.does = () => [200, { complete: {} }]
  const entitlement = await scene.target('0builtinGrantAutomatic00001')
  const path = `/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}`
  const changed = await scene.post(path, { entitlement: { provisionerPolicy: { webhook: { webhookId } } } })
  expect(changed.status, changed.text).toBe(200)
  const asker = await scene.caller(['system:user'])
  const body = target(entitlement, { identityUserId: asker.userId })
  const given = scene.task(await scene.post('/api/v1/task/grant', body, asker))
  await until(given.id, isClosed)
  expect(await scene.holds(entitlement, asker.userId)).toHaveLength(1)
  const revoked = scene.task(await scene.post('/api/v1/task/revoke', body))
  await until(revoked.id, isClosed)
  expect(await scene.holds(entitlement, asker.userId)).toEqual([])
  expect(scene.receiver.received).toHaveLength(2)
})
