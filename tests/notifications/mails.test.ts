import { expect, test } from 'vitest'
import { until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { headersOf, partsOf } from '../fixture/smtp.ts'
import { target } from '../tasks/scene.ts'
import { prepareMail } from './scene.ts'

const scene = prepareMail()

test('people who can decide a request are notified in text and HTML, with a link; the requester is notified of the request and its result', async () => {
  const [approver, asker] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  const description = 'I need <b>this</b> & "that"'
  const task = scene.task(await scene.post('/api/v1/task/grant', target(ref, { description }), asker))
  const [mail] = await scene.got(approver.userId)
  if (!mail) throw new Error('no mail')
  const headers = headersOf(mail)
  expect(mail.from).toBe('access@example.com')
  expect(headers).toMatchObject({
    from: 'Access <access@example.com>',
    'auto-submitted': 'auto-generated',
  })
  expect(headers['list-unsubscribe']).toMatch(/^<http:\/\/localhost.*\/settings\/notifications>$/)
  expect(headers['subject']).toContain('Approval needed: ')
  expect(headers['references']).toContain(`task.${task.id}@`)
  const { text, html } = partsOf(mail)
  expect(text).toContain(`/tasks/${task.id}`)
  expect(text).toContain(description)
  expect(html).toContain(`/tasks/${task.id}`)
  expect(html).toContain('I need &lt;b&gt;this&lt;/b&gt; &amp; &quot;that&quot;')
  expect(html).toContain('prefers-color-scheme:dark')
  expect(html).not.toContain('<script')

  await scene.got(asker.userId)
  expect(scene.subjects(asker.userId)[0]).toContain('created')
  const { id: policyStepId } = (await scene.look(task.id)).policy.current ?? { id: '' }
  expect((await scene.act(task.id, 'approve', { policyStepId, comment: '' }, approver)).status).toBe(200)
  const all = await scene.got(asker.userId, 2)
  expect(scene.subjects(asker.userId)[1]).toContain('You have access to Asked in Asked app')
  // One thread, and no mail is the same as another.
  expect(new Set(all.map((each) => headersOf(each)['references'])).size).toBe(1)
  expect(new Set(all.map((each) => headersOf(each)['message-id'])).size).toBe(2)
  await scene.settled()
  expect(scene.mailsTo(approver.userId)).toHaveLength(1)
})

test('a comment is sent to the others, but not to its author; a denial is sent with its reason', async () => {
  const [approver, asker] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  const task = scene.task(await scene.post('/api/v1/task/grant', target(ref), asker))
  await scene.got(approver.userId)
  await scene.act(task.id, 'comment', { comment: 'Why\r\nBcc: all@example.com\r\n.\r\nso?' }, asker)
  const [, comment] = await scene.got(approver.userId, 2)
  expect(headersOf(comment ?? { raw: '' })).not.toHaveProperty('bcc')
  expect(partsOf(comment ?? { raw: '' }).text).toContain('> Bcc: all@example.com')
  const { id: policyStepId } = (await scene.look(task.id)).policy.current ?? { id: '' }
  await scene.act(task.id, 'deny', { policyStepId, comment: 'Not this year.' }, approver)
  const mails = await scene.got(asker.userId, 2)
  expect(scene.subjects(asker.userId)[1]).toContain('denied')
  expect(partsOf(mails[1] ?? { raw: '' }).text).toContain('Not this year.')
  await scene.settled()
  expect(scene.mailsTo(asker.userId)).toHaveLength(2)
  expect(scene.mailsTo(approver.userId)).toHaveLength(2)
})

test('names with line breaks and markup add no header and no element', async () => {
  const approver = await scene.caller(['system:user'])
  const asker = await scene.caller(['system:user'])
  const evil = 'Eve\r\nBcc: x@example.com\r\n\r\n<img src=x onerror=alert(1)>\u202e'
  await scene.server.db`update users set display_name = ${evil} where user_id in (${asker.userId}, ${approver.userId})`
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  await scene.server.db`update entitlements set display_name = ${evil} where entitlement_id = ${ref.id}`
  await scene.post('/api/v1/task/grant', target(ref), asker)
  const [mail] = await scene.got(approver.userId)
  const headers = headersOf(mail ?? { raw: '' })
  expect(headers).not.toHaveProperty('bcc')
  expect(mail?.to).toEqual([scene.emailOf(approver.userId)])
  expect(partsOf(mail ?? { raw: '' }).html).not.toContain('<img')
  expect(partsOf(mail ?? { raw: '' }).html).toContain('&lt;img src=x onerror=alert(1)&gt;')
})

test('what was decided before its mail is sent is not mailed, and disabled people get nothing', async () => {
  const [first, second, gone] = [
    await scene.caller(['system:user']),
    await scene.caller(['system:user']),
    await scene.caller(['system:user']),
  ]
  const asker = await scene.caller(['system:user'])
  const users = { userIds: [first.userId, second.userId, gone.userId] }
  const ref = await scene.target(await scene.policy([{ approval: { users } }]))
  scene.smtp.behave({ answer: (command) => (command.startsWith('MAIL') ? '451 4.3.0 Later' : undefined) })
  const task = scene.task(await scene.post('/api/v1/task/grant', target(ref), asker))
  const { id: policyStepId } = task.policy.current ?? { id: '' }
  await scene.act(task.id, 'approve', { policyStepId, comment: '' }, first)
  await scene.server.db`update users set status = 'DISABLED' where user_id = ${gone.userId}`
  scene.smtp.behave({})
  await scene.got(asker.userId)
  await scene.settled()
  expect(scene.mailsTo(second.userId)).toEqual([])
  expect(scene.mailsTo(gone.userId)).toEqual([])
})

test('manual provisioning is sent to the people who can do it', async () => {
  const ref = await scene.target('0builtinGrantAutomatic00001')
  const provisionerPolicy = { manual: { instructions: 'By hand', userIds: [ref.owner.userId] } }
  const change = {
    entitlement: { id: ref.id, appId: ref.appId, provisionerPolicy },
    updateMask: 'provisionerPolicy',
  }
  const set = await scene.post(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`, change)
  expect(set.status, set.text).toBe(200)
  await scene.post('/api/v1/task/grant', target(ref), await scene.caller(['system:user']))
  await scene.got(ref.owner.userId)
  expect(scene.subjects(ref.owner.userId)[0]).toContain('To do: ')
})

test('many requests at once are one or two mails', async () => {
  const count = fewOrMany(12, 60)
  const approver = await scene.caller(['system:user'])
  const policyId = await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }])
  const ref = await scene.target(policyId)
  const askers = await Promise.all(Array.from({ length: count }, () => scene.access.makeUser()))
  // None is due before all are noted, however long a busy machine takes for that.
  const isNoted = async () =>
    (
      await scene.server.db`
        update notifications set due_at = now() + interval '50 seconds'
        where user_id = ${approver.userId} and kind = 'approvalNeeded' and message_id = '' returning 1`
    ).length === count
  const noted = until(isNoted)
  await Promise.all(
    askers.map(async (identityUserId) => {
      const reply = await scene.post('/api/v1/task/grant', target(ref, { identityUserId }))
      expect(reply.status, reply.text).toBe(200)
    }),
  )
  await noted
  const [mail] = await scene.got(approver.userId)
  expect(scene.mailsTo(approver.userId).length).toBeLessThanOrEqual(2)
  expect(scene.subjects(approver.userId)[0]).toMatch(/^\d+ notifications$/)
  expect(partsOf(mail ?? { raw: '' }).html).toContain('/tasks/')
})

test('whoever was asked is reminded a day later, and not once it was decided', async () => {
  const approver = await scene.caller(['system:user'])
  const asker = await scene.caller(['system:user'])
  const policyId = await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }])
  const [one, two] = [await scene.target(policyId), await scene.target(policyId)]
  const open = scene.task(await scene.post('/api/v1/task/grant', target(one), asker))
  const decided = scene.task(await scene.post('/api/v1/task/grant', target(two), asker))
  await scene.got(approver.userId, 2)
  await scene.act(decided.id, 'approve', { policyStepId: decided.policy.current?.id, comment: '' }, approver)
  const reminders = () => scene.server.db<{ dueAt: Date; taskId: string; hours: number }[]>`
    select task_id as "taskId", round(extract(epoch from due_at - created_at) / 3600)::int as hours from notifications
    where user_id = ${approver.userId} and kind = 'taskReminders' order by notification_id`
  expect(await reminders()).toMatchObject([
    { taskId: open.id, hours: 24 },
    { taskId: decided.id, hours: 24 },
  ])
  await scene.server.db`
    update notifications set due_at = now() where user_id = ${approver.userId} and kind = 'taskReminders'`
  await scene.got(approver.userId, 3)
  await scene.settled()
  expect(scene.subjects(approver.userId).slice(2)).toEqual([expect.stringContaining('Reminder: Approval needed')])
  // The next one comes after three days.
  expect((await reminders()).slice(2)).toMatchObject([{ taskId: open.id, hours: 72 }])
})

test('people whose access ends in less than three days are notified once, but not about access for an hour', async () => {
  const { access, server } = scene
  const [holder, other] = [await scene.user(), await scene.user()]
  const appId = await scene.app('Ends')
  const ref = await scene.entitlement(appId, 'Soon')
  const [mine, theirs] = [await scene.account(appId, { userId: holder }), await scene.account(appId, { userId: other })]
  const at = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)
  await scene.grant(ref, mine, { grantedAt: at(-500), beganAt: at(-500), expiresAt: at(50) })
  await scene.grant(ref, theirs, { grantedAt: at(0), beganAt: at(0), expiresAt: at(1) })
  // Last: the server itself may look ahead in any moment, and would be past what is made after that.
  await server.db`update notification_cursors set days_ahead_until = now(), day_ahead_until = now()`
  const { noticeAhead } = await import('#rooms/governance/notifications/index.ts')
  const world = { ...access.world, settings: { ...access.world.settings, mail: {} as never } }
  await noticeAhead(world)
  await noticeAhead(world)
  await scene.hurry()
  const rows = await server.db`
    select user_id as id, kind from notifications where kind = 'expiringAccess' and user_id in (${holder}, ${other})`
  expect(rows).toEqual([{ id: holder, kind: 'expiringAccess' }])
})

test('administrators are notified of alerts in the system log, except their own actions', async () => {
  const admin = await scene.caller(['system:owner'])
  const second = await scene.caller(['system:owner'])
  const person = await scene.access.makeUser()
  const roleId = await scene.access.roleId('system:helpdesk')
  const reply = await scene.post(`/api/v1/users/${person}/roles/${roleId}`, {}, second)
  expect([200, 404], reply.text).toContain(reply.status)
  const done = await scene.post(
    '/api/v1/settings/chat_webhooks/slack',
    { url: 'https://hooks.example.com/secret-abc' },
    second,
  )
  expect(done.status, done.text).toBe(200)
  const mails = await scene.got(admin.userId)
  await scene.settled()
  const subjects = scene.subjects(admin.userId)
  expect(subjects.join()).toContain('Security notice: Set the webhook of Slack, at hooks.example.com')
  expect(mails.map(({ raw }) => raw).join()).not.toContain('secret-abc')
  expect(scene.subjects(second.userId).join()).not.toContain('Slack')
  expect((await scene.remove('/api/v1/settings/chat_webhooks/slack', {})).status).toBe(200)
})

test('contacts of the organization are mailed: about security for alerts, and about operations for connectors', async () => {
  // What the tests before this one did is told to others.
  await scene.settled()
  const admin = await scene.caller(['system:owner'])
  const contacts = { securityEmails: ['soc@example.com'], operationsEmails: ['ops@example.com'] }
  const done = await scene.post('/api/v1/settings/contacts', { contacts }, admin)
  expect(done.status, done.text).toBe(200)
  const [mail] = await scene.got('soc')
  expect(mail?.to).toEqual(['soc@example.com'])
  expect(scene.subjects('soc').join()).toContain('Security notice: Changed the contacts of the organization')
  expect(scene.mailsTo('ops')).toEqual([])
  // Whoever is no contact any more when it is sent is not told.
  const gone = await scene.post(
    '/api/v1/settings/contacts',
    { contacts: { securityEmails: [] }, updateMask: 'securityEmails' },
    admin,
  )
  expect(gone.status, gone.text).toBe(200)
  await scene.settled()
  expect(scene.mailsTo('soc')).toHaveLength(1)
})

/** Looks now at what is known by the time alone. */
async function lookAhead(): Promise<void> {
  const { noticeAhead } = await import('#rooms/governance/notifications/index.ts')
  const { world } = scene.access
  await noticeAhead({ ...world, settings: { ...world.settings, mail: {} as never } })
}

test('people whose API credential expires within a week are notified once, but not about one that was created for a day', async () => {
  const [holder, other] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const { db } = scene.server
  await db`update credentials set created_at = now() - interval '30 days', expires_at = now() + interval '3 days',
    display_name = 'nightly' where user_id = ${holder.userId}`
  await db`update credentials set created_at = now(), expires_at = now() + interval '1 day' where user_id = ${other.userId}`
  await db`update notification_cursors set credentials_until = now()`
  await lookAhead()
  await lookAhead()
  await scene.got(holder.userId)
  await scene.settled()
  expect(scene.subjects(holder.userId)).toEqual([expect.stringMatching(/^API credential nightly expires on /)])
  expect(scene.subjects(other.userId)).toEqual([])
})

test('the owner of a connector is notified that its sync failed, once per outage, and others are not', async () => {
  const [{ userId: owner }, { userId: other }] = [
    await scene.caller(['system:user']),
    await scene.caller(['system:user']),
  ]
  const appId = await scene.app('Ledger')
  const { tenant, world } = scene.access
  const { db } = scene.server
  const connectorId = world.newId()
  await db`insert into connectors (tenant_id, connector_id, app_id, display_name, created_at, updated_at)
    values (${tenant.id}, ${connectorId}, ${appId}, 'Ledger production', now(), now())`
  const sync = (
    state: string,
  ) => db`insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, created_at)
    values (${tenant.id}, ${connectorId}, ${world.newId()}, 'sync', ${state}, now())`
  const owners = `/api/v2/apps/${appId}/connectors/${connectorId}/owners`
  const owned = await scene.post(`${owners}/users/primary/${owner}`, {})
  expect(owned.status, owned.text).toBe(200)
  await sync('failed')
  await lookAhead()
  await sync('failed')
  await lookAhead()
  await scene.got(owner)
  await scene.settled()
  expect(scene.subjects(owner)).toEqual([expect.stringContaining('Ledger production')])
  await sync('done')
  await lookAhead()
  await sync('held')
  await lookAhead()
  await scene.got(owner, 2)
  await scene.settled()
  expect(scene.subjects(owner)).toHaveLength(2)
  expect(scene.subjects(other)).toEqual([])
})
