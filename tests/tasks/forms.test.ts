import { describe, expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })
type Seen = TaskSeen & { form: (Json & { fields: Json[] }) | null; data: Json | null }
const seen = (task: TaskSeen) => task as Seen
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })

const fields = [
  { name: 'ticket', displayName: 'Ticket', required: true, stringField: { rules: { pattern: '^[A-Z]+-[0-9]+$' } } },
  { name: 'days', displayName: 'Days', int64Field: { defaultValue: '3', rules: { lte: '9' } } },
]

/** What can be requested under a policy, with a form. */
async function withForm(policyId: string, body: object = { fields }): Promise<Ref> {
  const ref = await scene.target(policyId, { maxSeconds: 36_000 })
  const made = await scene.post('/api/v1/request_schemas', { name: 'Why', ...body })
  expect(made.status, made.text).toBe(200)
  const { id: requestSchemaId } = made.json['requestSchema'] as { id: string }
  const entitlementRef = { appId: ref.appId, id: ref.id }
  const bound = await scene.post('/api/v1/request_schema_entitlement_binding', { entitlementRef, requestSchemaId })
  expect(bound.status, bound.text).toBe(200)
  return ref
}

describe('a form', () => {
  test('that is answered with the request is not asked again; what it says by itself is filled in', async () => {
    const asker = await user()
    const ref = await withForm(automatic)
    const reply = await scene.post(grant, target(ref, { requestData: { ticket: 'ABC-1' } }), asker)
    expect(seen(scene.task(reply))).toMatchObject({
      state: 'TASK_STATE_CLOSED',
      data: { ticket: 'ABC-1', days: 3 },
      type: { grant: { outcome: 'GRANT_OUTCOME_GRANTED' } },
    })
  })

  test('with wrong or unknown answers is refused, by their fields', async () => {
    const asker = await user()
    const ref = await withForm(automatic)
    for (const [data, field] of [
      [{ ticket: 'no' }, 'requestData.ticket'],
      [{ ticket: 'A-1', days: 99 }, 'requestData.days'],
      [{ ticket: 'A-1', more: 1 }, 'requestData.more'],
    ] as const)
      expect(fieldsOf(await scene.post(grant, target(ref, { requestData: data }), asker))).toEqual([field])
    const without = await scene.target(automatic)
    expect(fieldsOf(await scene.post(grant, target(without, { requestData: { a: 1 } }), asker))).toEqual([
      'requestData.a',
    ])
  })

  test('lets one pick only what is there', async () => {
    const asker = await user()
    const picks = [{ name: 'who', displayName: 'Who', stringField: { pickerField: { c1UserPicker: {} } } }]
    const ref = await withForm(automatic, { fields: picks })
    const ask = (who: string) => scene.post(grant, target(ref, { requestData: { who } }), asker)
    expect(fieldsOf(await ask('0'.repeat(27)))).toEqual(['requestData.who'])
    expect(seen(scene.task(await ask(asker.userId))).data).toEqual({ who: asker.userId })
  })

  test('that is not answered is the first step, and nothing goes on before it is', async () => {
    const [asker, approver] = [await user(), await user()]
    const ref = await withForm(await scene.policy([{ approval: users(approver) }]))
    const made = seen(scene.task(await scene.post(grant, target(ref), asker)))
    expect(made.stepApproverIds).toEqual([asker.userId])
    expect(made.form?.fields.map(({ name }) => name)).toEqual(['ticket', 'days'])
    expect(made.policy.current?.['form']).toMatchObject({ state: 'FORM_INSTANCE_STATE_WAITING' })
    expect(made.actions).toContain('TASK_ACTION_TYPE_UPDATE_REQUEST_DATA')
    expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), approver))).toBe('404/5 TASK_NOT_FOUND')
    const update = (data: Json, by = asker) => scene.act(made.id, 'update-request-data', { data }, by)
    expect(fieldsOf(await update({ days: 2 }))).toEqual(['data.ticket'])
    expect(fieldsOf(await update({ ticket: 'wrong' }))).toEqual(['data.ticket'])
    const answered = seen(scene.task(await update({ ticket: 'ABC-7' })))
    expect(answered).toMatchObject({
      form: null,
      data: { ticket: 'ABC-7', days: 3 },
      stepApproverIds: [approver.userId],
    })
    const changed = scene.task(await update({ days: 4 }))
    expect((changed as TaskSeen & { revision: string }).revision).toBe('2')
    const done = scene.task(await scene.act(made.id, 'approve', { ...stepOf(changed), revision: '2' }, approver))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  })

  test('that was not answered is answered by asking again with the answers, as cone does', async () => {
    const [asker, approver] = [await user(), await user()]
    const manager = await scene.caller(['system:helpdesk'])
    const ref = await withForm(await scene.policy([{ approval: users(approver) }]))
    const whose = { identityUserId: asker.userId, appUserId: '', grantDuration: '3600s', description: 'I need it' }
    const ask = (more: object, by = asker) => scene.post(grant, target(ref, { ...whose, ...more }), by)
    const made = seen(scene.task(await ask({})))
    const without = await ask({})
    expect(outcomeOf(without)).toBe('409/6 TASK_EXISTS')
    expect(without.json['message']).toContain('waits for the answers to its form')
    const requestData = { ticket: 'ABC-1' }
    expect(fieldsOf(await ask({ requestData: { days: 1 } }))).toEqual(['requestData.ticket'])
    expect(fieldsOf(await ask({ requestData: { ticket: 'no' } }))).toEqual(['requestData.ticket'])
    // What would not be done is not taken.
    const account = await scene.account(ref.appId, { userId: asker.userId })
    for (const [more, by] of [
      [{ planFingerprint: 'seen' }, asker],
      [{ appUserId: account.id }, asker],
      [{}, manager],
    ] as const)
      expect(outcomeOf(await ask({ requestData, ...more }, by))).toBe('409/6 TASK_EXISTS')
    const answered = seen(
      scene.task(await ask({ requestData, grantDuration: '7200s', description: 'I really need it' })),
    )
    expect(answered).toMatchObject({
      ...{ id: made.id, form: null, data: { ticket: 'ABC-1', days: 3 }, stepApproverIds: [approver.userId] },
      type: { grant: { grantDuration: '7200s' } },
      commentCount: 1,
    })
    expect(outcomeOf(await ask({ requestData }))).toBe('409/6 TASK_EXISTS')
    const done = scene.task(await scene.act(made.id, 'approve', stepOf(answered), approver))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })

  test('tells which options there are', async () => {
    const asker = await user()
    const options = ['prod', 'staging'].map((value) => ({ value, displayName: `In ${value}` }))
    const choice = { name: 'where', displayName: 'Where', stringField: { selectField: { options } } }
    const ref = await withForm(automatic, { fields: [choice] })
    const reply = await scene.post(grant, target(ref, { requestData: { where: 'test' } }), asker)
    expect(reply.text).toContain('must be one of the options: prod, staging')
  })

  test('whose answers change after an approval has the approval asked again', async () => {
    const [asker, one, two] = [await user(), await user(), await user()]
    const ref = await withForm(await scene.policy([{ approval: users(one) }, { approval: users(two) }]))
    const requestData = { ticket: 'ABC-1' }
    const made = scene.task(await scene.post(grant, target(ref, { requestData }), asker))
    scene.task(await scene.act(made.id, 'approve', stepOf(made), one))
    const changed = scene.task(await scene.act(made.id, 'update-request-data', { data: { ticket: 'ABC-2' } }, asker))
    expect(changed.stepApproverIds).toEqual([one.userId])
  })

  test('in the middle of a policy is filled in by the requester, and what was approved before it stays so', async () => {
    const [asker, one, two] = [await user(), await user(), await user()]
    const form = { displayName: 'Cost', fields: [{ name: 'center', required: true, stringField: {} }] }
    const ref = await scene.target(
      await scene.policy([{ approval: users(one) }, { form: { form } }, { approval: users(two) }]),
    )
    const made = scene.task(await scene.post(grant, target(ref), asker))
    const asked = seen(scene.task(await scene.act(made.id, 'approve', stepOf(made), one)))
    expect(asked).toMatchObject({ stepApproverIds: [asker.userId], form: { displayName: 'Cost' } })
    const answered = scene.task(await scene.act(made.id, 'update-request-data', { data: { center: '12' } }, asker))
    expect(answered.stepApproverIds).toEqual([two.userId])
    scene.task(await scene.act(made.id, 'approve', stepOf(answered), two))
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  })

  test('in a policy is checked when the policy is saved', async () => {
    const reply = await scene.post('/api/v1/policies', {
      displayName: 'Asks',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ form: { form: { fields: [{ name: 'a', fileField: {} }] } } }] } },
    })
    expect(reply.status).toBe(400)
    expect(String(fieldsOf(reply)[0])).toContain('policySteps.grant.steps[0].form.form.fields[0]')
  })
})
