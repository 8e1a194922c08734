import { describe, expect, test } from 'vitest'
import { checkOf, isOfType, nameOf, type Reading } from '#rooms/governance/tasks/proving/decide.ts'
import { ask, type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
type Target = Ref & { owner: Caller }
const set = (appId: string, more: object = {}) =>
  scene.post(`/api/v1/apps/${appId}/enforcement`, { withoutConnector: 'WITHOUT_CONNECTOR_MANUAL', ...more })
async function manual(more: object = {}): Promise<Target> {
  const ref = await scene.target(automatic, { maxSeconds: 36_000 })
  const reply = await set(ref.appId, more)
  expect(reply.status, reply.text).toBe(200)
  return ref
}
const request = async (ref: Ref, by: Caller): Promise<TaskSeen> =>
  scene.task(await scene.post('/api/v1/task/grant', target(ref, { description: 'x' }), by))
const stepOf = (task: TaskSeen): string => task.policy.current?.id ?? ''
const provisioningOf = async (id: string, by: Caller): Promise<Json> => {
  const reply = await scene.get(`/api/v1/tasks/${id}/provisioning`, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const attach = (
  task: TaskSeen,
  by: Caller,
  { name = 'proof.txt', type = 'text/plain', body = 'Done on Monday.' } = {},
) =>
  ask(
    scene.server,
    `/api/v1/tasks/${task.id}/attachments?policy_step_id=${stepOf(task)}&name=${encodeURIComponent(name)}`,
    {
      method: 'POST',
      token: by.token,
      headers: { 'content-type': type },
      body,
    },
  )
const done = (task: TaskSeen, by: Caller, comment = '') =>
  scene.act(task.id, 'provision-complete', { policyStepId: stepOf(task), comment }, by)

describe('a change that people make', () => {
  test('is due within three days, or as the app says, and its reminder comes before that', async () => {
    const [ref, sooner] = [await manual(), await manual({ dueDays: 1 })]
    const asker = await scene.caller(['system:user'])
    const daysLeft = async (of: Target): Promise<number> => {
      const made = await request(of, asker)
      const { dueAt } = await provisioningOf(made.id, of.owner)
      const [row] = await scene.server.db<{ dueAt: Date; createdAt: Date }[]>`
        select step_due_at as "dueAt", created_at as "createdAt" from tasks where task_id = ${made.id}`
      expect(row?.dueAt.toISOString()).toBe(dueAt)
      return Math.floor(((row?.dueAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)) / 86_400_000)
    }
    expect(await daysLeft(ref)).toBe(3)
    expect(await daysLeft(sooner)).toBe(1)
    expect(outcomeOf(await set(ref.appId, { dueDays: 91 }))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await set(ref.appId, { dueDays: -1 }))).toBe('400/3 INPUT_INVALID')
    // What is not given stays.
    const reply = await set(sooner.appId, { proof: 'MANUAL_PROOF_COMMENT' })
    expect(reply.json['enforcement']).toMatchObject({ dueDays: 1, proof: 'MANUAL_PROOF_COMMENT' })
  })

  test('is marked as done only with the comment or the file that the app requires', async () => {
    const [withComment, withFile] = [
      await manual({ proof: 'MANUAL_PROOF_COMMENT' }),
      await manual({ proof: 'MANUAL_PROOF_FILE' }),
    ]
    const asker = await scene.caller(['system:user'])
    const first = await request(withComment, asker)
    expect(outcomeOf(await done(first, withComment.owner, ' '))).toBe('400/3 TASK_REASON_REQUIRED')
    scene.task(await done(first, withComment.owner, 'Added by the admin page.'))
    const second = await request(withFile, asker)
    expect(outcomeOf(await done(second, withFile.owner, 'I did it.'))).toBe('400/9 TASK_FILE_REQUIRED')
    expect(await scene.holds(withFile, asker.userId)).toEqual([])
    expect((await attach(second, withFile.owner)).status).toBe(200)
    scene.task(await done(second, withFile.owner))
    expect(await scene.holds(withFile, asker.userId)).toHaveLength(1)
  })

  test('has files that those who see the task see, in the history with the name, sealed in the database', async () => {
    const ref = await manual()
    const [asker, stranger] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
    const task = await request(ref, asker)
    const reply = await attach(task, ref.owner, { name: '../../etc/"proof".txt' })
    expect(reply.status, reply.text).toBe(200)
    const attachment = reply.json['attachment'] as Json
    expect(attachment).toMatchObject({ name: '.._.._etc_proof_.txt', byteCount: 15, addedByUserId: ref.owner.userId })
    const path = `/api/v1/tasks/${task.id}/attachments/${String(attachment['id'])}`
    const file = await fetch(`${scene.server.url}${path}`, { headers: { authorization: `Bearer ${asker.token}` } })
    expect(await file.text()).toBe('Done on Monday.')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=".._.._etc_proof_.txt"')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(outcomeOf(await scene.get(path, stranger))).toBe('404/5 TASK_NOT_FOUND')
    // Neither by another task that the caller sees.
    const other = await request(await manual(), stranger)
    const elsewhere = `/api/v1/tasks/${other.id}/attachments/${String(attachment['id'])}`
    expect(outcomeOf(await scene.get(elsewhere, stranger))).toBe('404/5 FILE_NOT_FOUND')
    const [row] = await scene.server.db<{ sealed: Buffer }[]>`
      select sealed from task_attachments where task_id = ${task.id}`
    expect(row?.sealed.includes('Monday')).toBe(false)
    const audits = await scene.all('/api/v1/task/audits', { taskId: task.id }, asker)
    const said = audits.find((each) => JSON.stringify(each).includes('Attached .._.._etc_proof_.txt (15 bytes).'))
    expect(said?.['userId']).toBe(ref.owner.userId)
    expect((await scene.logged('bailiwick.v1.TaskProvisioning.Attach')).at(-1)?.message).toMatch(
      /^Attached a file to task/,
    )
  })

  test('takes files of few types and sizes, from those who are asked, in the step that they saw', async () => {
    const ref = await manual()
    const asker = await scene.caller(['system:user'])
    const task = await request(ref, asker)
    const { owner } = ref
    expect(outcomeOf(await attach(task, asker))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(outcomeOf(await attach(task, await scene.caller(['system:user'])))).toBe('404/5 TASK_NOT_FOUND')
    expect(outcomeOf(await attach(task, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await attach(task, owner, { body: '' }))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await attach(task, owner, { type: 'image/png', body: '<svg onload=alert(1)>' }))).toBe(
      '400/3 INPUT_INVALID',
    )
    expect((await attach(task, owner, { type: 'text/html', body: '<p>' })).status).toBe(415)
    expect(outcomeOf(await attach(task, owner, { body: 'x'.repeat(5 * 1024 * 1024 + 1) }))).toBe('413/3 FILE_TOO_LARGE')
    for (let count = 0; count < 5; count++) expect((await attach(task, owner)).status).toBe(200)
    expect(outcomeOf(await attach(task, owner))).toBe('400/9 TOO_MANY_FILES')
    scene.task(await done(task, owner))
    expect(outcomeOf(await attach(task, owner))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(((await provisioningOf(task.id, asker))['attachments'] as Json[]).length).toBe(5)
  })
})

describe('what was marked as done', () => {
  const importing = (lines: readonly Json[], query = '?full=true') =>
    ask(scene.server, `/api/v1/imports${query}&force=true`, {
      method: 'POST',
      token: scene.admin.token,
      headers: { 'content-type': 'application/jsonl' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })

  test('is confirmed by the next full import, or is not there; removed access is confirmed likewise', async () => {
    const asker = await scene.caller(['system:user'])
    await scene.server.db`update users set external_id = 'ann-lee' where user_id = ${asker.userId}`
    const app = { kind: 'app', externalId: 'ledger', displayName: 'Ledger' }
    const records: Json[] = [
      app,
      { kind: 'entitlement', app: 'ledger', externalId: 'clerk', displayName: 'Clerk' },
      { kind: 'entitlement', app: 'ledger', externalId: 'other', displayName: 'Other' },
      { kind: 'account', app: 'ledger', externalId: 'ann', displayName: 'ann', user: 'ann-lee' },
    ]
    const given = { kind: 'grant', app: 'ledger', entitlement: 'clerk', account: 'ann' }
    const always = { kind: 'grant', app: 'ledger', entitlement: 'other', account: 'ann' }
    expect((await importing([...records, always])).status).toBe(200)
    const [row] = await scene.server.db<{ appId: string; id: string; userId: string }[]>`
      select e.app_id as "appId", e.entitlement_id as id, a.user_id as "userId" from entitlements e
      join accounts a on a.app_id = e.app_id where e.external_id = 'clerk' and a.external_id = 'ann'`
    if (!row) throw new Error('nothing was imported')
    expect(row.userId).toBe(asker.userId)
    await scene.server.db`update entitlements set grant_policy_id = ${automatic} where entitlement_id = ${row.id}`
    const ref = { appId: row.appId, id: row.id }
    await scene.offer(ref)
    await set(row.appId)
    const checkOfTask = async (id: string) => (await provisioningOf(id, scene.admin))['check']
    const task = await request(ref, asker)
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_UNSPECIFIED')
    scene.task(await done(task, scene.admin))
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_WAITING')
    // A part of the records says nothing of what it does not contain.
    expect((await importing([app, always], '?full=false')).status).toBe(200)
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_WAITING')
    expect((await importing([...records, always])).status).toBe(200)
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_NOT_CONFIRMED')
    expect((await importing([...records, always, given])).status).toBe(200)
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_CONFIRMED')
    const back = scene.task(await scene.post('/api/v1/task/revoke', target(ref, { description: 'x' }), asker))
    scene.task(await done(back, scene.admin))
    expect((await importing([...records, always, given])).status).toBe(200)
    expect(await checkOfTask(back.id)).toBe('PROVISION_CHECK_NOT_CONFIRMED')
    expect((await importing([...records, always])).status).toBe(200)
    expect(await checkOfTask(back.id)).toBe('PROVISION_CHECK_CONFIRMED')
    // What was removed later does not make the earlier grant untrue.
    expect(await checkOfTask(task.id)).toBe('PROVISION_CHECK_CONFIRMED')
  })

  test('is judged by complete readings since, and by what they found', () => {
    const at = (day: number): Date => new Date(Date.UTC(2026, 0, day))
    const reading = (day: number): Reading => ({
      importId: '',
      startedAt: at(day),
      finishedAt: at(day),
      byConnector: true,
    })
    const none = { first: null, last: null, found: [] }
    expect(checkOf('grant', at(1), none).is).toBe('waiting')
    expect(checkOf('revoke', at(1), none).is).toBe('waiting')
    // A part that has it confirms it; a part that lacks it says nothing.
    const later = [{ beganAt: at(2), endedAt: null }]
    expect(checkOf('grant', at(1), { ...none, found: later })).toMatchObject({ is: 'confirmed', at: at(2) })
    const both = { first: reading(3), last: reading(5) }
    expect(checkOf('grant', at(1), { ...both, found: [] })).toMatchObject({ is: 'not confirmed', at: at(5) })
    expect(checkOf('grant', at(1), { ...both, found: later })).toMatchObject({ is: 'confirmed', at: at(3) })
    const before = [{ beganAt: at(0), endedAt: at(4) }]
    expect(checkOf('revoke', at(1), { ...both, found: before })).toMatchObject({ is: 'confirmed', at: at(5) })
    expect(checkOf('revoke', at(1), { ...both, found: [] })).toMatchObject({ is: 'confirmed', at: at(3) })
    expect(checkOf('revoke', at(1), { ...both, found: later })).toMatchObject({ is: 'not confirmed', at: at(5) })
  })

  test('names and types of files are what they say', () => {
    expect(nameOf('a/b\\c\u202e.txt')).toBe('a_b_c_.txt')
    expect(nameOf('  ')).toBe('file')
    expect(isOfType('application/pdf', Buffer.from('%PDF-1.7'))).toBe(true)
    expect(isOfType('application/pdf', Buffer.from('<html>'))).toBe(false)
    expect(isOfType('text/plain', Buffer.from([0xff, 0xfe]))).toBe(false)
    expect(isOfType('image/svg+xml', Buffer.from('<svg>'))).toBe(false)
  })
})
