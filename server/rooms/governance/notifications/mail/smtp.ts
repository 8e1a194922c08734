import { getCACertificates } from 'node:tls'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailSettings } from '#kernel/mail-settings.ts'
import { failureOf, MailFailed } from './failed.ts'

export type Envelope = { from: string; to: string }

/** A connection to the mail server. One mail at a time. */
export type MailDoor = {
  /** Resolves when the mail server has accepted the mail. Throws `MailFailed`. */
  send(envelope: Envelope, message: Buffer): Promise<void>
  /** Ends the connection: with QUIT, or at once. */
  close(isAtOnce?: boolean): void
}

export type MailTimes = { connectMs: number; silenceMs: number; messageMs: number; idleMs: number }
const usualTimes: MailTimes = { connectMs: 15_000, silenceMs: 20_000, messageMs: 60_000, idleMs: 15_000 }
const mailsPerConnection = 100

/** What must not appear in an error, in the forms in which it is sent. */
function secretsOf({ login }: MailSettings): string[] {
  if (!login) return []
  const { user, password } = login
  return [password, ...[password, `\0${user}\0${password}`].map((each) => Buffer.from(each).toString('base64'))]
}

type Begin<T> = (done: (error: Error | null | undefined, value?: T) => void) => void
type Step = ReturnType<typeof stepsWith>

/** One step of the conversation, which ends with a reply, an error of the connection, or a timeout. */
function stepsWith(settings: MailSettings) {
  const secrets = secretsOf(settings)
  return <T>(connection: SMTPConnection, ms: number, begin: Begin<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error): void => end(() => reject(failureOf(error, settings.host, secrets)))
      const gone = (): void => fail(new Error('Connection closed'))
      const timer = setTimeout(() => {
        fail(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' }))
        connection.close()
      }, ms)
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        connection.off('error', fail)
        connection.off('end', gone)
        settle()
      }
      connection.on('error', fail)
      connection.on('end', gone)
      begin((error, value) => (error ? fail(error) : end(() => resolve(value as T))))
    })
}

/** Connects and logs in. */
async function connect(settings: MailSettings, times: MailTimes, step: Step): Promise<SMTPConnection> {
  const { host, port, security, login, ca } = settings
  // Loaded only by processes that send mail.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: times.connectMs,
    greetingTimeout: times.connectMs,
    socketTimeout: times.silenceMs,
    dnsTimeout: times.connectMs,
    maxResponseSize: 64 * 1024,
    // Your own mail server is often on the same machine.
    allowInternalNetworkInterfaces: true,
    tls: {
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
    },
  })
  // Also between steps: an unhandled error would end the process.
  connection.on('error', () => {})
  try {
    await step<unknown>(connection, times.connectMs + 1_000, (done) => connection.connect(done))
    if (login)
      await step<unknown>(connection, times.silenceMs, (done) =>
        connection.login({ user: login.user, pass: login.password }, done),
      )
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

export function openMailDoor(settings: MailSettings, times: MailTimes = usualTimes): MailDoor {
  const step = stepsWith(settings)
  let open: { connection: SMTPConnection; count: number; idle: NodeJS.Timeout | null } | null = null

  const drop = (isAtOnce: boolean): void => {
    if (!open) return
    const { connection, idle } = open
    if (idle) clearTimeout(idle)
    open = null
    if (isAtOnce) connection.close()
    else connection.quit()
  }

  return {
    async send({ from, to }, message) {
      if (open && (open.count >= mailsPerConnection || open.connection.destroyed)) drop(false)
      if (open?.idle) clearTimeout(open.idle)
      open ??= { connection: await connect(settings, times, step), count: 0, idle: null }
      const used = open
      used.count++
      try {
        await step(used.connection, times.messageMs, (done) =>
          used.connection.send({ from, to: [to] }, message, (error, info) => done(error, info)),
        )
      } catch (error) {
        // The state of the conversation is unknown: the next mail uses a new connection.
        if (open === used) drop(true)
        throw error
      }
      used.idle = setTimeout(() => {
        if (open === used) drop(false)
      }, times.idleMs).unref()
    },
    close: (isAtOnce = false) => drop(isAtOnce),
  }
}

/** The message of a failure that was not caused by the mail server. */
export const asMailFailure = (error: unknown): MailFailed =>
  error instanceof MailFailed ? error : new MailFailed('message', 'The mail could not be written.', false)
