import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually, fieldsOf, type Json, outcomeOf, type Reply, reasonOf } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { partsOf } from '../fixture/smtp.ts'
import { target } from '../tasks/scene.ts'
import { prepareMail } from './scene.ts'

const scene = prepareMail({ flags: { 'outgoing-allow': ['127.0.0.1'], 'outgoing-http': true } })

const org = '/api/v1/settings/notifications/org'
const own = '/api/v1/settings/notifications/user'
type Channels = Record<'email' | 'slack' | 'teams', Record<string, Json> & { enabled: boolean; isConfigured?: boolean }>
const channelsIn = (reply: Reply): Channels => {
  expect(reply.status, reply.text).toBe(200)
  const [settings] = Object.values(reply.json) as { channelSettings: Channels }[]
  return (settings as { channelSettings: Channels }).channelSettings
}
const set = async (path: string, channelSettings: object, by?: { userId: string; token: string }) =>
  channelsIn(await scene.post(path, { channelSettings }, by))

/** A request that an approver has to decide. */
async function askedOf(approver: { userId: string }) {
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  const asker = await scene.caller(['system:user'])
  return { asker, task: scene.task(await scene.post('/api/v1/task/grant', target(ref), asker)) }
}

test('what is sent of the settings counts, and the rest stays; the notices of the system are always on', async () => {
  const before = channelsIn(await scene.get(org))
  expect(before.email).toMatchObject({
    enabled: true,
    approvalNeeded: { enabled: true, locked: false },
    system: { enabled: true, locked: true },
    digest: { enabled: false, locked: false, frequency: 'DIGEST_FREQUENCY_DAILY', dayOfWeek: 'WEEKDAY_MONDAY' },
  })
  expect(before.slack).toMatchObject({ enabled: false, isConfigured: false, requestCreated: { enabled: false } })
  const after = await set(org, { email: { comment_on_request: { enabled: false } } })
  expect(after.email).toMatchObject({
    enabled: true,
    commentOnRequest: { enabled: false },
    completion: { enabled: true },
  })
  // Sending back what was read changes nothing.
  expect(await set(org, after)).toEqual(after)
  const refused = await scene.post(org, { channelSettings: { email: { system: { enabled: false } } } })
  expect(fieldsOf(refused)).toEqual(['channelSettings.email.system.enabled'])
  expect(await set(org, { email: { commentOnRequest: { enabled: true } } })).toEqual(before)
  const operation = 'settings.v1.OrgNotificationSettingsService.Update'
  expect((await scene.logged(operation)).at(-1)).toMatchObject({ message: 'Changed the notification settings' })
})

test('people choose for themselves, but for what the organisation locked; chats are not theirs', async () => {
  const me = await scene.caller(['system:user'])
  expect((await set(own, { email: { completion: { enabled: false } } }, me)).email['completion']).toEqual({
    enabled: false,
    locked: false,
  })
  await set(org, { email: { completion: { locked: true }, digest: { locked: true } } })
  const locked = channelsIn(await scene.get(own, me))
  expect(locked.email['completion']).toEqual({ enabled: true, locked: true })
  expect(locked.slack['approvalNeeded']).toMatchObject({ locked: true })
  expect(await set(own, locked, me)).toEqual(locked)
  const wrong = {
    email: { completion: { enabled: false }, digest: { enabled: true }, reviews: { locked: true } },
    slack: { enabled: true },
  }
  expect(fieldsOf(await scene.post(own, { channelSettings: wrong }, me))).toEqual([
    'channelSettings.email.completion.enabled',
    'channelSettings.email.reviews.locked',
    'channelSettings.email.digest',
    'channelSettings.slack.enabled',
  ])
  // What they chose before counts again once it is theirs.
  await set(org, { email: { completion: { locked: false }, digest: { locked: false } } })
  expect(channelsIn(await scene.get(own, me)).email['completion']).toEqual({ enabled: false, locked: false })
})

test('who may not is refused, and nobody changes the settings of others', async () => {
  const { basic, viewer } = scene
  for (const path of [
    org,
    '/api/v1/settings/email-provider',
    '/api/v1/settings/chat_webhooks',
    '/api/v1/settings/notifications/status',
  ])
    expect(outcomeOf(await scene.get(path, basic)), path).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(org, viewer)).status).toBe(200)
  for (const path of [
    org,
    '/api/v1/settings/email-provider',
    '/api/v1/settings/email-provider/test',
    '/api/v1/settings/chat_webhooks/slack',
  ])
    expect(outcomeOf(await scene.post(path, {}, viewer)), path).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get('/api/v1/settings/email-capabilities', basic)).json).toEqual({ externalEmailSupported: true })
})

test('what is switched off is not mailed', async () => {
  const approver = await scene.caller(['system:user'])
  await set(own, { email: { approvalNeeded: { enabled: false }, taskReminders: { enabled: false } } }, approver)
  const { asker } = await askedOf(approver)
  await scene.got(asker.userId)
  await scene.settled()
  expect(scene.mailsTo(approver.userId)).toEqual([])
  await set(own, { email: { approvalNeeded: { enabled: true } } }, approver)
  await askedOf(approver)
  await scene.got(approver.userId)
})

test('a digest collects, and is one mail at its time; notices of the system do not wait for it', async () => {
  // What the tests before this one did is told to others.
  await scene.settled()
  const approver = await scene.caller(['system:owner'])
  const weekly = { enabled: true, frequency: 'DIGEST_FREQUENCY_WEEKLY', dayOfWeek: 'WEEKDAY_FRIDAY' }
  await set(own, { email: { digest: weekly } }, approver)
  await askedOf(approver)
  await askedOf(approver)
  const due = () => scene.server.db<{ day: number; hour: number }[]>`
    select extract(isodow from due_at at time zone 'UTC')::int as day, extract(hour from due_at at time zone 'UTC')::int as hour
    from notifications where user_id = ${approver.userId} and kind = 'approvalNeeded'`
  expect(await eventually(async () => (await due()).length === 2)).toBe(true)
  expect(await due()).toEqual([
    { day: 5, hour: 6 },
    { day: 5, hour: 6 },
  ])
  await scene.server.db`
    update notifications set due_at = now() where user_id = ${approver.userId} and kind = 'approvalNeeded'`
  const [mail] = await scene.got(approver.userId)
  expect(scene.subjects(approver.userId)).toEqual(['Your digest: 2 notifications'])
  expect(partsOf(mail ?? { raw: '' }).html.match(/\/tasks\//g)).toHaveLength(2)
})

test('mail is shown as the built-in provider: others are refused by name, and the sender can be named', async () => {
  const path = '/api/v1/settings/email-provider'
  expect((await scene.get(path)).json['emailProvider']).toMatchObject({
    c1Builtin: {},
    awsSes: null,
    fromAddress: 'access@example.com',
    fromName: 'Access',
    replyToAddress: '',
  })
  const change = (emailProvider: object, updateMask = '') => scene.post(path, { emailProvider, updateMask })
  for (const [name, config] of Object.entries({
    awsSes: { roleArn: 'arn:aws:iam::1:role/x', region: 'eu-west-1' },
    sendgrid: { apiKey: 'SG.secret' },
    microsoftGraph: { clientId: 'x', clientSecret: 'secret' },
    googleWorkspace: { delegatedUser: 'a@b.c' },
  })) {
    const reply = await change({ [name]: config })
    expect(reasonOf(reply), name).toBe('FIELD_NOT_SUPPORTED')
    expect(reply.text).toContain('SMTP')
    expect(reply.text).not.toContain('secret')
  }
  expect(fieldsOf(await change({ fromAddress: 'ceo@example.com' }))).toEqual(['emailProvider.fromAddress'])
  expect(fieldsOf(await change({ fromName: 'A\r\nBcc: x@y.z' }))).toEqual(['emailProvider.fromName'])
  expect(fieldsOf(await change({ replyToAddress: 'no address' }))).toEqual(['emailProvider.replyToAddress'])
  const sent = {
    c1Builtin: {},
    fromAddress: 'access@example.com',
    fromName: 'Access desk',
    replyToAddress: 'desk@example.com',
  }
  expect((await change(sent)).json['emailProvider']).toMatchObject(sent)

  const tested = await scene.post(`${path}/test`, { testRecipientEmail: 'tester@example.com' })
  expect(tested.json).toEqual({ success: true, message: '127.0.0.1 accepted a message to tester@example.com.' })
  const mail = scene.smtp.mails.find(({ to }) => to.includes('tester@example.com'))
  expect(mail?.raw).toContain('From: Access desk <access@example.com>')
  expect(mail?.raw).toContain('Reply-To: desk@example.com')
  expect(fieldsOf(await scene.post(`${path}/test`, { testRecipientEmail: 'a@b.c, d@e.f' }))).toEqual([
    'testRecipientEmail',
  ])
  scene.smtp.behave({ answer: (line) => (line.startsWith('RCPT') ? '550 5.1.1 Unknown' : undefined) })
  expect((await scene.post(`${path}/test`, { testRecipientEmail: 'x@example.com' })).json).toMatchObject({
    success: false,
    message: expect.stringContaining('550 5.1.1 Unknown') as string,
  })
  scene.smtp.behave({})
  const audit = await scene.post(`${path}/audit-events`, {})
  expect((audit.json['list'] as Json[]).map(({ message }) => message)).toEqual([
    'Could not send a test mail to x@example.com',
    'Sent a test mail to tester@example.com',
    'Changed the sender of mails',
  ])
})

test('messages are posted to the webhook of a chat, whose URL is never shown', async () => {
  const got: { path: string; body: Json }[] = []
  let status = 200
  const chat = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      got.push({ path: request.url ?? '', body: JSON.parse(text) as Json })
      response.writeHead(status).end('ok')
    })
  })
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
  later(() => new Promise((resolve) => chat.close(resolve)))
  const { port } = chat.address() as AddressInfo
  const path = '/api/v1/settings/chat_webhooks/slack'
  const url = `http://127.0.0.1:${port}/services/T0/B0/very-secret`
  expect(fieldsOf(await scene.post(path, { url: 'http://169.254.169.254/latest' }))).toEqual(['url'])
  expect(fieldsOf(await scene.post(path, { url: 'http://10.0.0.1/x' }))).toEqual(['url'])
  expect(outcomeOf(await scene.post('/api/v1/settings/chat_webhooks/irc', { url }))).toBe('404/5 CHAT_NOT_FOUND')
  const reply = await scene.post(path, { url })
  expect(reply.json['chatWebhook']).toMatchObject({ isConfigured: true, host: `127.0.0.1:${port}` })
  expect((await scene.post(`${path}/test`, {})).json).toEqual({
    success: true,
    message: `127.0.0.1:${port} accepted the message.`,
  })
  expect((await set(org, { slack: { enabled: true } })).slack).toMatchObject({ enabled: true, isConfigured: true })

  const approver = await scene.caller(['system:user'])
  const evil = 'Eve <!channel> <https://evil.example|click> & co'
  await scene.server.db`update users set display_name = ${evil} where user_id = ${approver.userId}`
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  await scene.post('/api/v1/task/grant', target(ref), approver)
  const isPosted = async () => {
    await scene.hurry()
    return got.some(({ body }) => JSON.stringify(body).includes('is waiting for your decision'))
  }
  await eventually(isPosted)
  await scene.settled()
  const posted = got.find(({ body }) => JSON.stringify(body).includes('/tasks/'))
  expect(posted?.path).toBe('/services/T0/B0/very-secret')
  // As plain text it is shown as it is; where markup counts it is escaped.
  const { text, blocks } = (posted ?? { body: {} }).body as {
    text: string
    blocks: { text: { type: string; text: string } }[]
  }
  const markup = blocks.filter(({ text: { type } }) => type === 'mrkdwn').map((block) => block.text.text)
  expect([text, ...markup].join()).not.toMatch(/<!|<https:\/\/evil/)
  expect(text).toContain('&lt;!channel&gt;')

  status = 404
  await askedOf(approver)
  const isFailed = async () => {
    await scene.hurry()
    return (
      (await scene.server.db`select 1 from notification_messages where channel = 'slack' and state = 'failed'`).length >
      0
    )
  }
  expect(await eventually(isFailed)).toBe(true)
  const failed = await scene.get('/api/v1/settings/notifications/messages?state=failed')
  expect(failed.text).toContain('answered 404')
  const everywhere = [
    failed.text,
    (await scene.get('/api/v1/settings/chat_webhooks')).text,
    (await scene.post('/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' })).text,
    JSON.stringify(scene.server.logged),
    JSON.stringify(await scene.server.db`select host, sealed_url::text from chat_webhooks`),
  ]
  expect(everywhere.join()).not.toContain('very-secret')
  expect((await scene.remove(path, {})).status).toBe(200)
  expect(outcomeOf(await scene.remove(path, {}))).toBe('404/5 CHAT_NOT_FOUND')
})

test('every message has a preview: JSON for programs, and a page that runs and loads nothing for browsers', async () => {
  const path = '/api/v1/settings/notifications/previews'
  const { json } = await scene.get(path, scene.basic)
  const names = (json['list'] as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['approvalNeeded', 'expiringAccess', 'system', 'digest', 'summary']))
  for (const name of names) {
    const one = await scene.get(`${path}/${name}`, scene.basic)
    expect(one.json['html']).toContain('Choose which notifications you get')
    expect(one.json['html']).not.toMatch(/<(?:script|img|link|iframe|form)|url\(/)
    expect(one.json['text']).not.toMatch(/<(?:p|div|table|br|a)\b/)
  }
  expect(outcomeOf(await scene.get(`${path}/constructor`, scene.basic))).toBe('404/5 PREVIEW_NOT_FOUND')
  const { ask } = await import('../fixture/access.ts')
  const page = await ask(scene.server, `${path}/approvalNeeded`, {
    token: scene.basic.token,
    headers: { accept: 'text/html,*/*' },
  })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.headers['content-security-policy']).toContain('sandbox')
  expect(page.text).toContain('<!doctype html>')
})
