import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../fixture/access.ts'
import { headersOf } from '../fixture/smtp.ts'
import { target } from '../tasks/scene.ts'
import { startChild } from '../tasks/start-child.ts'
import { prepareMail } from './scene.ts'

const scene = prepareMail()

test('kill -9 in the middle of sending: every mail arrives, and repeats have the same Message-ID', async () => {
  const { db } = scene.access.world
  const approvers = await Promise.all(Array.from({ length: 15 }, () => scene.caller(['system:user'])))
  // Nothing is taken yet: what the first server sends is refused for now.
  scene.smtp.behave({ answer: (line) => (line.startsWith('MAIL') ? '451 4.3.0 Later' : undefined) })
  for (const { userId } of approvers) {
    const ref = await scene.target(await scene.policy([{ approval: { users: { userIds: [userId] } } }]))
    await scene.post('/api/v1/task/grant', target(ref), scene.basic)
  }
  // From now on only those that are killed send anything.
  await scene.server.serving.stop()
  expect(approvers.flatMap(({ userId }) => scene.mailsTo(userId))).toEqual([])
  const flags = {
    'smtp-host': '127.0.0.1',
    'smtp-port': String(scene.smtp.port),
    'smtp-tls': 'none',
    'mail-from': 'access@example.com',
  }
  /** The time of whoever was killed is over. */
  const endLeases = async (): Promise<void> => {
    await db`update notification_messages set due_at = now(), lease_id = '' where state = 'waiting'`
    await db`delete from leases`
  }
  const hurried = async (isEnough: () => boolean): Promise<boolean> =>
    eventually(async () => {
      await scene.hurry()
      await sleep(30)
      return isEnough()
    })
  // Every other mail is taken, and its answer never comes: whoever sent it cannot know.
  scene.smtp.behave({ answerToMail: (_mail, count) => (count % 2 === 0 ? null : undefined) })
  for (let round = 0; round < 3; round++) {
    await endLeases()
    const before = scene.smtp.mails.length
    const child = await startChild(scene.server, flags)
    expect(await hurried(() => scene.smtp.mails.length > before)).toBe(true)
    await sleep(Math.random() * 60)
    await child.kill()
  }
  scene.smtp.behave({})
  await endLeases()
  const last = await startChild(scene.server, flags)
  expect(await hurried(() => approvers.every(({ userId }) => scene.mailsTo(userId).length > 0))).toBe(true)
  for (const { userId } of approvers) {
    const ids = scene.mailsTo(userId).map((mail) => headersOf(mail)['message-id'])
    expect(new Set(ids).size).toBe(1)
  }
  await last.kill()
})
