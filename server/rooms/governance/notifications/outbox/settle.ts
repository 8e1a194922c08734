import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findTenant, type Tenant } from '#rooms/foundation/tenants/index.ts'
import type { Channel } from '../kinds.ts'
import { triedForMs, waitAfterMs } from './decide.ts'
import type { Prepared } from './prepare.ts'
import { nextReminder, reminderKey } from './reminders.ts'
import { type Claimed, claimMessage, endMessage, insertNotifications, type NewNotification, putBack } from './store.ts'

/** Longer than sending one message takes, regardless of what the mail server does. */
export const leaseMs = 120_000
/** How long a message that is being sent has when the server stops. */
export const graceMs = 3_000

export type Message = Claimed & { tenant: Tenant }

/** The result of an attempt to send a message. */
export type Fate =
  | { is: 'sent'; prepared: Prepared }
  | { is: 'failed' | 'dropped'; error: string }
  | { is: 'again'; error: string; afterMs: number }

/** The next message of a tenant that is due, if any. */
export async function claimNext(world: World, tenantId: number, channels: readonly Channel[]): Promise<Message[]> {
  const message = await transact(world.db, (tx) => {
    const now = world.now()
    const until = new Date(now.getTime() + leaseMs)
    return claimMessage(tx, tenantId, { channels, now, until, leaseId: world.newId() })
  })
  const tenant = message && (await findTenant(world.db, tenantId))
  return tenant ? [{ ...message, tenant }] : []
}

/** Saves the result of an attempt, unless another process has claimed the message by now. */
export async function settle(world: World, message: Message, fate: Fate): Promise<void> {
  const { tenant } = message
  const now = world.now()
  const isOld = now.getTime() - message.createdAt.getTime() > triedForMs
  await transact(world.db, async (tx) => {
    if (fate.is === 'again' && !isOld) {
      const dueAt = new Date(now.getTime() + Math.max(fate.afterMs, waitAfterMs(message.attempts)))
      return putBack(tx, tenant.id, message, { error: fate.error, dueAt })
    }
    const state = fate.is === 'again' ? 'failed' : fate.is
    const error = 'error' in fate ? fate.error : ''
    const isOurs = await endMessage(tx, tenant.id, message, { state, error, at: now })
    if (isOurs && fate.is === 'sent')
      await insertNotifications(tx, tenant.id, remindersAfter(world, message, fate.prepared))
  })
  if (fate.is === 'failed')
    world.log.warn({ tenantId: tenant.id, messageId: message.id, reason: fate.error }, 'a notification was not sent')
}

/** The next reminders, for readers who were reminded and may still have to decide. */
function remindersAfter(world: World, { channel, userId }: Claimed, { told }: Prepared): NewNotification[] {
  const now = world.now()
  return told.flatMap(({ kind, taskId, stepId, data }) => {
    if (kind !== 'taskReminders' || !('place' in data)) return []
    const dueAt = nextReminder(data.place, now)
    const place = data.place + 1
    const of = { kind, taskId, stepId, channel, userId, key: reminderKey(stepId, place), data: { ...data, place } }
    return dueAt ? [{ ...of, id: world.newId(), createdAt: now, dueAt }] : []
  })
}
