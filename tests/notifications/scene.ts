import { afterAll, beforeAll } from 'vitest'
import { eventually } from '../fixture/access.ts'
import type { TestServerOptions } from '../fixture/server.ts'
import { type GotMail, headersOf, type SmtpServer, startSmtp } from '../fixture/smtp.ts'
import { prepare, type Scene } from '../grants/scene.ts'
import { prepareTasks, type TaskScene } from '../tasks/scene.ts'

export type MailScene = Scene &
  TaskScene & {
    smtp: SmtpServer
    /** Has what waits for others to come, or for another attempt, sent now. */
    hurry(): Promise<void>
    emailOf(userId: string): string
    mailsTo(userId: string): GotMail[]
    /** Waits until somebody has got so many mails, and answers them. */
    got(userId: string, count?: number): Promise<GotMail[]>
    subjects(userId: string): string[]
    /** Until all that has happened is read, and nothing waits to be sent. */
    settled(): Promise<void>
  }

/** A server that mails to a mail server of this process. */
export function prepareMail(options: TestServerOptions = {}): MailScene {
  const flags: Record<string, string | boolean | string[]> = { ...options.flags }
  let smtp: SmtpServer
  beforeAll(async () => {
    smtp = await startSmtp()
    Object.assign(flags, {
      'smtp-host': '127.0.0.1',
      'smtp-port': String(smtp.port),
      'smtp-tls': 'none',
      'mail-from': 'Access <access@example.com>',
    })
  })
  const scene = prepareTasks(prepare({ ...options, flags })) as MailScene
  beforeAll(async () => {
    scene.smtp = smtp
    // From here on: whoever is made before is no news.
    await eventually(async () => (await scene.server.db`select 1 from notification_cursors`).length > 0)
  })
  afterAll(() => smtp?.close())
  scene.hurry = async () => {
    await scene.server.db`
      update notifications set due_at = now() 
      where message_id = '' and due_at > now() and due_at < now() + interval '1 minute'`
    await scene.server.db`update notification_messages set due_at = now() 
      where state = 'waiting' and lease_id = '' and due_at > now()`
  }
  scene.emailOf = (userId) => `${userId}@example.com`
  scene.mailsTo = (userId) => smtp.mails.filter(({ to }) => to.includes(scene.emailOf(userId)))
  scene.got = async (userId, count = 1) => {
    const isThere = await eventually(async () => {
      if (scene.mailsTo(userId).length >= count) return true
      await scene.hurry()
      return false
    })
    const subjects = JSON.stringify(scene.subjects(userId))
    if (!isThere) throw new Error(`${count} mails did not come; ${subjects} did`)
    return scene.mailsTo(userId)
  }
  scene.subjects = (userId) => scene.mailsTo(userId).map((mail) => headersOf(mail)['subject'] ?? '')
  scene.settled = async () => {
    const isSo = await eventually(async () => {
      await scene.hurry()
      const [row] = await scene.server.db<{ isDone: boolean }[]>`
        select not exists (select 1 from systemlog_events where seal_number is null)
          and not exists (select 1 from systemlog_heads h join notification_cursors c using (tenant_id)
            where h.seal_number > c.seal_number)
          and not exists (select 1 from notifications where message_id = '' and due_at <= now() + interval '1 minute')
          and not exists (select 1 from notification_messages where state = 'waiting') as "isDone"`
      return row?.isDone ?? false
    })
    if (!isSo) throw new Error('notifications did not come to rest')
  }
  return scene
}
