import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepCertificate } from '#http/certificate.ts'
import { ask, fieldsOf, type Json, outcomeOf, type Reply, reasonOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer } from '../fixture/server.ts'
import { partsOf, type SmtpServer, startSmtp } from '../fixture/smtp.ts'
import { type Caller, prepare } from '../grants/scene.ts'

const path = '/api/v1/settings/mail_server'
const channels = '/api/v1/settings/notifications/channels'
const password = 'hunter2-very-secret'
const login = { user: 'bailiwick', password }

const scene = prepare({ flags: { 'outgoing-allow': ['127.0.0.1', 'localhost'] } })
let folder: string
let ca: string
let smtp: SmtpServer
let plain: SmtpServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bailiwick-mail-server-'))
  const pair = await keepCertificate(folder, ['localhost', '127.0.0.1'], new Date())
  ca = pair.cert
  smtp = await startSmtp({ tls: pair, login })
  plain = await startSmtp()
})
afterAll(async () => {
  await Promise.all([smtp?.close(), plain?.close()])
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  smtp.behave({})
  // Each test begins with all of its test messages.
  await scene.server.db`delete from budgets`
})

const encrypted = () => ({
  host: 'localhost',
  port: smtp.port,
  security: 'starttls',
  username: login.user,
  password,
  caCertificates: ca,
  fromAddress: 'access@example.com',
})
const open = () => ({ host: '127.0.0.1', port: plain.port, security: 'none', fromAddress: 'access@example.com' })
const set = (body: object, by?: Caller) => scene.post(path, body, by)
const view = async (by?: Caller) => (await scene.get(path, by)).json['mailServer'] as Json
const sendTest = (channel = 'email', by?: Caller) => scene.post(`${channels}/${channel}/test`, {}, by)
const confirm = (code: string, channel = 'email', by?: Caller) =>
  scene.post(`${channels}/${channel}/confirm`, { code }, by)
const emailChannel = async () =>
  ((await scene.get(channels)).json['list'] as Json[]).find(({ channel }) => channel === 'email') as Json
/** Other administrators are mailed about the changes at any time. */
const lastTest = () => smtp.mails.findLast(({ raw }) => raw.includes('Subject: Test message'))
const codeIn = (raw: string): string => /\b\d{3} \d{3}\b/.exec(partsOf({ raw }).text)?.[0] ?? ''
const messageOf = (reply: Reply) => reply.json['message']
const addressOf = async ({ userId }: Caller): Promise<string> => {
  const [row] = await scene.server.db<{ email: string }[]>`select email from users where user_id = ${userId}`
  return row?.email ?? ''
}

test('a mail server is set in the API and used at once; a code from the test message proves that mail arrives', async () => {
  expect(await view()).toMatchObject({ source: '', host: '' })
  expect(reasonOf(await sendTest())).toBe('CHANNEL_NOT_CONFIGURED')
  const reply = await set(encrypted())
  expect(reply.status, reply.text).toBe(200)
  expect(await view()).toMatchObject({
    source: 'organization',
    host: 'localhost',
    username: 'bailiwick',
    hasPassword: true,
    updatedByUserId: scene.admin.userId,
  })
  expect(await emailChannel()).toMatchObject({ source: 'organization', isConfirmed: false, testedAt: null })
  const address = await addressOf(scene.admin)
  expect((await sendTest()).json).toEqual({
    success: true,
    message: `localhost accepted a message to ${address}. It replied: 250 2.0.0 Accepted`,
  })
  const mail = lastTest()
  expect(mail).toMatchObject({ isEncrypted: true, user: 'bailiwick', from: 'access@example.com', to: [address] })
  const code = codeIn(mail?.raw ?? '')
  expect(await emailChannel()).toMatchObject({ isAccepted: true, isCodeExpected: true, isConfirmed: false })
  const wrong = code === '000 000' ? '111111' : '000000'
  expect(fieldsOf(await confirm(wrong))).toEqual(['code'])
  expect((await confirm(code)).json['channel']).toMatchObject({
    isConfirmed: true,
    confirmedByUserId: scene.admin.userId,
    isCodeExpected: false,
  })
  // Used once.
  expect(fieldsOf(await confirm(code))).toEqual(['code'])
  expect((await scene.logged('settings.v1.NotificationChannels.Confirm')).at(-1)?.message).toBe(
    'Confirmed that messages by email arrive',
  )
  // It is proven for these settings only, and remains so while another message is under way.
  await sendTest()
  expect(await emailChannel()).toMatchObject({ isConfirmed: true, isCodeExpected: true })
  await set({ ...encrypted(), fromAddress: 'another@example.com' })
  expect(await emailChannel()).toMatchObject({ isConfirmed: false, testedAt: null, isCodeExpected: false })
  expect(fieldsOf(await confirm(codeIn(lastTest()?.raw ?? '')))).toEqual(['code'])
})

test('five wrong codes end a test, and an old code has expired', async () => {
  await set(encrypted())
  await sendTest()
  const code = codeIn(lastTest()?.raw ?? '')
  const wrong = code === '000 000' ? '111111' : '000000'
  for (let times = 0; times < 5; times++) await confirm(wrong)
  expect((await confirm(code)).text).toContain('too many wrong codes')
  await sendTest()
  await scene.server.db`update channel_tests set tested_at = tested_at - interval '2 hours'`
  expect((await confirm(codeIn(lastTest()?.raw ?? ''))).text).toContain('expired')
})

test('notifications go through the mail server of their own organization', async () => {
  const other = await scene.access.makeTenant('mail.other.example')
  const key = await scene.access.makeCaller(['system:owner'], {}, other)
  const headers = { headers: { host: other.domain } }
  const token = await scene.access.makeToken(key, other)
  const askOther = (of: string, body?: object) => ask(scene.server, of, { token, ...headers, ...(body && { body }) })
  await set(encrypted())
  expect((await askOther(path)).json['mailServer']).toMatchObject({ source: '', host: '' })
  expect((await askOther(path, open())).status).toBe(200)
  smtp.mails.length = 0
  const [one] = await scene.server.db<{ id: number }[]>`
    select tenant_id as id from users where user_id = ${scene.admin.userId}`
  const systemNotice = (tenantId: number, userId: string) => scene.server.db`
    insert into notifications (tenant_id, notification_id, channel, user_id, kind, key, task_id, step_id, data, created_at, due_at)
    values (${tenantId}, ${scene.access.world.newId()}, 'email', ${userId}, 'system', ${scene.access.world.newId()}, '', '',
      ${JSON.stringify({ message: 'Something happened', by: 'Ada', at: new Date().toISOString() })}::text::jsonb, now(), now())`
  await systemNotice(one?.id ?? 0, scene.admin.userId)
  await systemNotice(other.id, key.userId)
  const address = await addressOf(scene.admin)
  await until(async () => smtp.mails.some(({ to }) => to.includes(address)) && plain.mails.length > 0)
  expect(plain.mails.flatMap(({ to }) => to)).not.toContain(address)
})

test('a tenant reaches neither internal addresses nor other services, and is told nothing about them', async () => {
  // A server whose operator allows nothing.
  const strict = await startServer({ beside: scene.server })
  try {
    const askStrict = (of: string, body: object) => ask(strict, of, { token: scene.admin.token, body })
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '100.100.100.200'])
      expect(fieldsOf(await askStrict(path, { ...encrypted(), host })), host).toEqual(['host'])
    // A name, or an unusual way to write an address, is checked when it is resolved.
    for (const host of ['localhost', '127.1', '2130706433', '0x7f.1']) {
      expect((await askStrict(path, { ...encrypted(), host })).status, host).toBe(200)
      const connections = smtp.connections()
      const tested = await askStrict(`${channels}/email/test`, {})
      expect(tested.json, host).toMatchObject({
        success: false,
        message: expect.stringMatching('not public|was not called') as string,
      })
      expect(smtp.connections()).toBe(connections)
    }
    await scene.server.db`delete from budgets`
    await askStrict(path, { ...open(), host: 'localhost', port: 25 })
    expect(messageOf(await askStrict(`${channels}/email/test`, {}))).toContain('localhost was not called')
  } finally {
    await strict.stop()
  }
  for (const host of ['a b', 'x\r\ny', 'http://mail.example', '-oProxyCommand=x', ''])
    expect(fieldsOf(await set({ ...encrypted(), host })), host).toEqual(['host'])
})

test('nothing of the settings becomes another header or command', async () => {
  for (const fromAddress of ['a@b.c\r\nBcc: d@e.f', 'a@b.c> RCPT TO:<d@e.f', 'a b@c.d', 'Ada <a@b.c>'])
    expect(fieldsOf(await set({ ...encrypted(), fromAddress })), fromAddress).toEqual(['fromAddress'])
  expect(fieldsOf(await set({ ...encrypted(), username: 'x\r\nMAIL FROM:<a@b.c>' }))).toEqual(['username'])
  expect(fieldsOf(await set({ ...encrypted(), password: 'x\u0001' }))).toEqual(['password'])
  expect(fieldsOf(await set({ ...encrypted(), caCertificates: 'no certificate' }))).toEqual(['caCertificates'])
  expect(fieldsOf(await set({ ...encrypted(), port: 70_000 }))).toEqual(['port'])
  expect(fieldsOf(await set({ ...encrypted(), security: 'none' }))).toEqual(['security'])
  await set(encrypted())
  const evil = 'Eve\r\nBcc: all@example.com\r\n\r\n.'
  await scene.server.db`update users set display_name = ${evil} where user_id = ${scene.admin.userId}`
  await sendTest()
  const raw = lastTest()?.raw ?? ''
  expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im)
  expect(lastTest()?.to).toEqual([await addressOf(scene.admin)])
})

test('the password is in no response, event, log or row, and is not sent to a host that it was not entered for', async () => {
  await set(encrypted())
  const { password: _password, ...without } = encrypted()
  expect((await set({ ...without, fromAddress: 'other@example.com' })).status).toBe(200)
  expect((await sendTest()).json['success']).toBe(true)
  for (const change of [
    { host: '127.0.0.1' },
    { port: plain.port },
    { security: 'tls' },
    { username: 'someone' },
    { caCertificates: '' },
  ])
    expect(fieldsOf(await set({ ...without, ...change })), JSON.stringify(change)).toEqual(['password'])
  // A mail server that repeats what it was told.
  smtp.behave({ answer: (line) => (line.startsWith('MAIL') ? `550 ${password}` : undefined) })
  const told = await sendTest()
  expect(told.json).toEqual({ success: false, message: 'localhost refused the sender.' })
  smtp.behave({ answerToMail: () => `250 ${password}` })
  const accepted = await sendTest()
  expect(accepted.json['success']).toBe(true)
  const encoded = Buffer.from(password).toString('base64')
  const everywhere = [
    told.text,
    accepted.text,
    (await scene.get(path)).text,
    (await scene.get(channels)).text,
    (await scene.post('/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' })).text,
    JSON.stringify(scene.server.logged),
    JSON.stringify(await scene.server.db`select encode(sealed, 'escape') as row from mail_servers`),
    JSON.stringify(await scene.server.db`select reply from channel_tests`),
  ].join()
  expect(everywhere).not.toContain(password)
  expect(everywhere).not.toContain(encoded)
  // A row that this program did not write is not used.
  await scene.server.db`update mail_servers set sealed = sealed || '\\x00'`
  expect((await view())['problem']).toContain('set it again')
  expect(reasonOf(await sendTest())).toBe('CHANNEL_NOT_CONFIGURED')
  expect((await scene.remove(path, {})).status).toBe(200)
  expect(outcomeOf(await scene.remove(path, {}))).toBe('404/5 MAIL_SERVER_NOT_FOUND')
})

test('who may not is refused; a principal without an address, and the eleventh test message, too', async () => {
  await set(encrypted())
  for (const by of [scene.basic, scene.viewer]) {
    expect(outcomeOf(await set(encrypted(), by))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await scene.remove(path, {}, by))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await sendTest('email', by))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await confirm('1', 'email', by))).toBe('403/7 PERMISSION_DENIED')
  }
  expect(outcomeOf(await scene.get(path, scene.basic))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await scene.get(channels, scene.basic))).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(channels, scene.viewer)).status).toBe(200)
  expect(outcomeOf(await sendTest('pager'))).toBe('404/5 CHAT_NOT_FOUND')
  const key = await scene.access.makeKey(await scene.access.makeUser({ roles: ['system:owner'], email: 'nowhere' }))
  const nowhere = { userId: key.userId, token: await scene.access.makeToken(key) }
  expect(reasonOf(await sendTest('email', nowhere))).toBe('EMAIL_ADDRESS_MISSING')
  for (let times = 0; times < 10; times++) expect((await sendTest()).status).toBe(200)
  expect(outcomeOf(await sendTest())).toBe('429/8 TOO_MANY_REQUESTS')
})
