import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepCertificate } from '#http/certificate.ts'
import { openMailDoor } from '#rooms/governance/notifications/mail/smtp.ts'
import { eventually } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { headersOf, type SmtpServer, startSmtp } from '../fixture/smtp.ts'
import { target } from '../tasks/scene.ts'
import { prepareMail } from './scene.ts'

const scene = prepareMail()
beforeEach(() => scene.smtp?.behave({}))

// Only one that hangs is waited for so long.
const limitsOf = (ms: number) => ({ connectMs: ms, silenceMs: ms, messageMs: ms, idleMs: ms })
const patient = limitsOf(30_000)
const hanging = limitsOf(300)
const envelope = { from: 'a@example.com', to: 'b@example.com' }
const letter = Buffer.from('Subject: x\r\n\r\nx\r\n')
const plain = (port: number) => ({
  ...{ host: '127.0.0.1', port, security: 'none' as const },
  from: { name: '', address: 'a@example.com' },
})

const failure = async (smtp: SmtpServer, behaviour: Parameters<SmtpServer['behave']>[0], limits = patient) => {
  smtp.behave(behaviour)
  const door = openMailDoor(plain(smtp.port), limits)
  const error = await door.send(envelope, letter).then(
    () => null,
    (thrown: unknown) => thrown as Error & { of: string; mayRetry: boolean },
  )
  door.close(true)
  return error && { of: error.of, mayRetry: error.mayRetry, message: error.message }
}

test('a mail server that hangs, disconnects or refuses is distinguished: whether it concerns this message, and whether to retry', async () => {
  const smtp = await startSmtp()
  later(() => smtp.close())
  const at = (command: string, reply: string | null) => ({
    answer: (line: string) => (line.startsWith(command) ? reply : undefined),
  })
  expect(await failure(smtp, {})).toBe(null)
  for (const command of ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA']) {
    expect(await failure(smtp, at(command, null), hanging), `${command} hangs`).toMatchObject({
      of: 'server',
      mayRetry: true,
    })
    expect(await failure(smtp, at(command, 'drop')), `${command} drops`).toMatchObject({ of: 'server', mayRetry: true })
  }
  expect(await failure(smtp, at('MAIL', '550 5.7.1 No'))).toMatchObject({ of: 'server', mayRetry: true })
  expect(await failure(smtp, at('RCPT', '451 4.7.1 Greylisted'))).toMatchObject({ of: 'message', mayRetry: true })
  expect(await failure(smtp, at('RCPT', '550 5.1.1 Unknown'))).toMatchObject({
    of: 'message',
    mayRetry: false,
    message: '127.0.0.1 refused the recipient. It replied: 550 5.1.1 Unknown',
  })
  expect(await failure(smtp, at('DATA', '552 5.3.4 Too big'))).toMatchObject({ of: 'message', mayRetry: false })
  expect(await failure(smtp, { answerToMail: () => '451 4.3.0 Later' })).toMatchObject({
    of: 'message',
    mayRetry: true,
  })
  expect(await failure(smtp, { answerToMail: () => null }, hanging)).toMatchObject({ of: 'server', mayRetry: true })
  expect(await failure(smtp, { answerToMail: () => 'drop' })).toMatchObject({ of: 'server', mayRetry: true })
})

test('if nothing listens, the error has the code', async () => {
  const smtp = await startSmtp()
  const { port } = smtp
  await smtp.close()
  const door = openMailDoor(plain(port), patient)
  await expect(door.send(envelope, letter)).rejects.toThrow('The connection to 127.0.0.1 failed (ECONNREFUSED).')
})

let folder: string
let pair: { cert: string; key: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bailiwick-mail-'))
  pair = await keepCertificate(folder, ['localhost', '127.0.0.1'], new Date())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('TLS is required and its certificate verified; a password is sent only then, and is never told', async () => {
  const login = { user: 'bailiwick', password: 'hunter2-very-secret' }
  const smtp = await startSmtp({ tls: pair, login })
  later(() => smtp.close())
  const settings = { ...plain(smtp.port), host: 'localhost', security: 'starttls' as const, login, ca: pair.cert }
  const send = (of: object, limits = { ...patient, idleMs: 100 }) =>
    openMailDoor({ ...settings, ...of }, limits).send(envelope, letter)
  await send({})
  expect(smtp.mails).toMatchObject([{ isEncrypted: true, user: 'bailiwick' }])
  await expect(send({ ca: undefined })).rejects.toThrow(/could not be encrypted and verified/)
  const wrong = await send({ login: { ...login, password: 'another-secret' } }).catch(
    (error: unknown) => error as Error,
  )
  expect(wrong).toMatchObject({ message: 'localhost did not accept the user name and password (535).' })

  const without = await startSmtp({ login })
  later(() => without.close())
  // It says nothing to STARTTLS, which it does not know.
  await expect(send({ port: without.port }, hanging)).rejects.toThrow(/localhost/)
  expect(without.mails).toEqual([])
  expect(without.said.join()).not.toContain('AUTH')

  // One that repeats what it was told.
  const echo = Buffer.from(`\0${login.user}\0${login.password}`).toString('base64')
  smtp.behave({ answer: (line) => (line.startsWith('MAIL') ? `550 ${echo} ${login.password}` : undefined) })
  const told = await send({}).catch((error: unknown) => error as Error)
  expect((told as Error).message).toBe('localhost refused the sender.')
})

/** A request that somebody has to decide. */
async function asked() {
  const approver = await scene.caller(['system:user'])
  const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }]))
  const task = scene.task(await scene.post('/api/v1/task/grant', target(ref), await scene.caller(['system:user'])))
  return { approver, task }
}
const stateOf = async (userId: string) =>
  scene.server.db<{ state: string; attempts: number; error: string; wait: number }[]>`
    select state, attempts, error, round(extract(epoch from due_at - now()))::int as wait from notification_messages
    where user_id = ${userId} order by message_id`

test('a message that is rejected temporarily is retried, and one that is rejected permanently is not', async () => {
  scene.smtp.behave({ answer: (line) => (line.startsWith('RCPT') ? '450 4.2.1 Later' : undefined) })
  const { approver } = await asked()
  const isTried = async () => {
    const [row] = await stateOf(approver.userId)
    if (!row || row.attempts === 0) await scene.hurry()
    return row !== undefined && row.attempts > 0 && row.error !== ''
  }
  expect(await eventually(isTried)).toBe(true)
  const [waiting] = await stateOf(approver.userId)
  expect(waiting).toMatchObject({ state: 'waiting', error: expect.stringContaining('450 4.2.1 Later') as string })
  expect(waiting?.wait).toBeGreaterThan(15)
  expect(scene.mailsTo(approver.userId)).toEqual([])
  scene.smtp.behave({})
  await scene.got(approver.userId)

  scene.smtp.behave({ answer: (line) => (line.startsWith('RCPT') ? '550 5.1.1 No such user' : undefined) })
  const { approver: unknown } = await asked()
  const hasFailed = async () => {
    await scene.hurry()
    return (await stateOf(unknown.userId))[0]?.state === 'failed'
  }
  expect(await eventually(hasFailed)).toBe(true)
  const failed = await scene.get('/api/v1/settings/notifications/messages?state=failed')
  expect(failed.text).toContain('No such user')
  const status = await scene.get('/api/v1/settings/notifications/status')
  expect(status.json['status']).toMatchObject({ isMailConfigured: true, failed: expect.any(Number) as number })
})

longTest('a mail whose answer was lost is sent again with the same Message-ID', async () => {
  const seen: string[] = []
  scene.smtp.behave({
    answerToMail(mail) {
      const id = headersOf(mail)['message-id'] ?? ''
      seen.push(id)
      return seen.filter((each) => each === id).length === 1 && seen.length === 1 ? 'drop' : undefined
    },
  })
  const { approver } = await asked()
  await scene.got(approver.userId)
  const mails = scene.mailsTo(approver.userId)
  await scene.settled()
  const ids = seen.filter((id) => id === seen[0])
  expect(ids).toHaveLength(2)
  expect(mails.length).toBeGreaterThan(0)
  // Everyone else got theirs once.
  expect(seen.length - 1).toBe(new Set(seen).size)
})

test('while the mail server is down, requests go on, and nothing is lost', async () => {
  let dropped = 0
  scene.smtp.behave({
    answer() {
      dropped++
      return 'drop'
    },
  })
  const all = [await asked(), await asked(), await asked()]
  const isTried = async () => {
    await scene.hurry()
    return dropped > 0
  }
  expect(await eventually(isTried)).toBe(true)
  expect(all.flatMap(({ approver }) => scene.mailsTo(approver.userId))).toEqual([])
  scene.smtp.behave({})
  for (const { approver } of all) await scene.got(approver.userId)
})

test('the command sends a test message, and says why one was not taken; mail settings must fit each other', async () => {
  const { readServeConfig } = await import('#server/settings/config.ts')
  const read = (flags: Record<string, string>) => () => readServeConfig(flags, {})
  expect(read({ 'smtp-host': 'mail.example.com' })).toThrow('--smtp-host and --mail-from must be used together')
  expect(read({ 'smtp-host': 'm', 'mail-from': 'nobody' })).toThrow('--mail-from "nobody" is not an address')
  expect(read({ 'smtp-host': 'm', 'mail-from': 'a@b.c\nBcc: x@y.z' })).toThrow('is not an address')
  expect(read({ 'smtp-host': 'm', 'mail-from': 'a@b.c', 'smtp-user': 'u' })).toThrow(
    '--smtp-password-file must be used together',
  )
  const file = join(folder, 'password')
  await writeFile(file, 'secret\n')
  expect(
    read({
      'smtp-host': 'm.example.com',
      'mail-from': 'a@b.c',
      'smtp-user': 'u',
      'smtp-password-file': file,
      'smtp-tls': 'none',
    }),
  ).toThrow('unencrypted')
})
