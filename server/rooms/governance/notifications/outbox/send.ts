import { isMailAddress } from '#kernel/mail-settings.ts'
import { slot } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { findUser, isPrincipal } from '#rooms/identity/users/index.ts'
import { postToChat } from '../chat/post.ts'
import { openUrl } from '../chat/seal.ts'
import { listWebhooks } from '../chat/store.ts'
import { type ChatChannel, chatChannels } from '../kinds.ts'
import { compose } from '../mail/compose.ts'
import type { MailFailed } from '../mail/failed.ts'
import { letterTo } from '../mail/letter.ts'
import { asMailFailure, type MailDoor, openMailDoor } from '../mail/smtp.ts'
import { contactAddress } from '../people.ts'
import { placeOf } from '../place.ts'
import { findSender } from '../sender/store.ts'
import { effective, isInChat } from '../settings/decide.ts'
import { findOrganisation, findPersonal } from '../settings/store.ts'
import { triedForMs, waitAfterMs } from './decide.ts'
import { type Prepared, prepare } from './prepare.ts'
import { nextReminder, reminderKey } from './reminders.ts'
import {
  type Claimed,
  claimMessage,
  endMessage,
  findNextToSend,
  insertNotifications,
  listTenantsToSend,
  type NewNotification,
  putBack,
} from './store.ts'

/** Longer than one message takes to be sent, whatever the mail server does. */
const leaseMs = 120_000
const forMs = 2_000
const chatsAtOnce = 16
const stopGraceMs = 3_000
const firstPauseMs = 5_000
const lastPauseMs = 300_000

type Fate = { is: 'sent'; prepared: Prepared } | { is: 'failed' | 'dropped'; error: string } | Again
type Again = { is: 'again'; error: string; afterMs: number }

/**
 * Sends messages: mails one after the other over one connection, chats of several tenants at once. While the mail server takes
 * nothing, it is tried now and then with one message, and the others wait without being touched.
 */
export const postOffice = slot((world) => {
  const { mail } = world.settings
  let door: MailDoor | null = null
  let pausedUntil = 0
  let pauseMs = firstPauseMs
  let isStopped = false
  let sending: Promise<unknown> = Promise.resolve()
  const stopping = new AbortController()

  const lease = (at: World, tenantId: number, channels: readonly Claimed['channel'][]) =>
    transact(at.db, (tx) => {
      const now = at.now()
      const until = new Date(now.getTime() + leaseMs)
      return claimMessage(tx, tenantId, { channels, now, until, leaseId: at.newId() })
    })

  const settle = async (at: World, tenantId: number, message: Claimed, fate: Fate): Promise<void> => {
    const now = at.now()
    const isOld = now.getTime() - message.createdAt.getTime() > triedForMs
    await transact(at.db, async (tx) => {
      if (fate.is === 'again' && !isOld) {
        const dueAt = new Date(now.getTime() + Math.max(fate.afterMs, waitAfterMs(message.attempts)))
        return putBack(tx, tenantId, message, { error: fate.error, dueAt })
      }
      const state = fate.is === 'again' ? 'failed' : fate.is
      const error = 'error' in fate ? fate.error : ''
      const isOurs = await endMessage(tx, tenantId, message, { state, error, at: now })
      if (isOurs && fate.is === 'sent')
        await insertNotifications(tx, tenantId, remindersAfter(at, message, fate.prepared))
    })
    if (fate.is === 'failed')
      at.log.warn({ tenantId, messageId: message.id, reason: fate.error }, 'a notification was not sent')
  }

  const hold = (failure: MailFailed): void => {
    if (failure.of !== 'server') return
    pausedUntil = performance.now() + pauseMs
    pauseMs = Math.min(pauseMs * 2, lastPauseMs)
  }

  const mailNext = async (at: World, tenantId: number): Promise<boolean> => {
    if (!mail || isStopped || performance.now() < pausedUntil) return false
    const message = await lease(at, tenantId, ['email'])
    if (!message) return false
    const tenant = await findTenant(at.db, tenantId)
    if (!tenant) return false
    const fate = await mailOne(at, tenant, message)
    await settle(at, tenantId, message, fate)
    return fate.is !== 'again'
  }

  async function mailOne(at: World, tenant: Tenancy, message: Claimed): Promise<Fate> {
    const { db } = at
    if (!mail) return { is: 'again', error: 'No mail server is set.', afterMs: 0 }
    const [to, organisation, personal, sender] = await Promise.all([
      findRecipient(at, tenant.id, message.userId),
      findOrganisation(db, tenant.id),
      findPersonal(db, tenant.id, [message.userId]),
      findSender(db, tenant.id),
    ])
    if (!to) return { is: 'dropped', error: 'The person is disabled or deleted.' }
    if (!isMailAddress(to.address))
      return { is: 'dropped', error: 'The person has no email address that email can be sent to.' }
    const wanted = effective(organisation.email, personal.get(message.userId) ?? {})
    const place = placeOf(tenant)
    const prepared = await prepare(at, tenant, place, message, (kind) => wanted.kinds[kind])
    if (!prepared) return { is: 'dropped', error: 'There was nothing left to send.' }
    try {
      const written = { id: message.id, taskId: prepared.taskId, at: message.createdAt, notice: prepared.notice }
      const letter = await compose(letterTo(mail, sender, tenant, place, to, written))
      door ??= openMailDoor(mail)
      await door.send({ from: mail.from.address, to: to.address }, letter)
      pauseMs = firstPauseMs
      return { is: 'sent', prepared }
    } catch (error) {
      const failure = asMailFailure(error)
      hold(failure)
      if (failure.of === 'server') at.log.warn({ reason: failure.message }, 'mail cannot be sent at the moment')
      return failure.mayRetry
        ? { is: 'again', error: failure.message, afterMs: 0 }
        : { is: 'failed', error: failure.message }
    }
  }

  const chatNext = async (at: World, tenantId: number): Promise<void> => {
    const message = await lease(at, tenantId, chatChannels)
    const tenant = message && (await findTenant(at.db, tenantId))
    if (message && tenant) await settle(at, tenantId, message, await chatOne(at, tenant, message))
  }

  async function chatOne(at: World, tenant: Tenancy, message: Claimed): Promise<Fate> {
    const channel = message.channel as ChatChannel
    const webhook = (await listWebhooks(at.db, tenant.id)).find((each) => each.channel === channel)
    if (!webhook) return { is: 'dropped', error: 'The channel no longer has a webhook.' }
    const url = openUrl(at, tenant.id, webhook)
    if (url === null) return { is: 'failed', error: 'The webhook cannot be read: set it again.' }
    const organisation = await findOrganisation(at.db, tenant.id)
    const prepared = await prepare(at, tenant, placeOf(tenant), message, (kind) =>
      isInChat(organisation[channel], kind),
    )
    if (!prepared) return { is: 'dropped', error: 'There was nothing left to send.' }
    const posted = await postToChat(at, channel, url, prepared.notice, stopping.signal)
    if (posted.isSent) return { is: 'sent', prepared }
    const { error, mayRetry, afterMs } = posted
    return mayRetry ? { is: 'again', error, afterMs } : { is: 'failed', error }
  }

  const noted = <T>(work: Promise<T>): Promise<T> => {
    sending = Promise.allSettled([sending, work])
    return work
  }

  return {
    /** Sends mails that are due, some of each tenant's in turn. */
    async sendMails(at: World): Promise<void> {
      if (!mail || isStopped || performance.now() < pausedUntil) return
      const tenantIds = await listTenantsToSend(at.db, at.now(), ['email'])
      await noted(inTurns(tenantIds, (tenantId) => mailNext(at, tenantId), forMs))
    },
    /** Posts what is due to chats: one message of each tenant's, so that a slow one holds up nobody but itself. */
    async sendChats(at: World): Promise<void> {
      if (isStopped) return
      const tenantIds = await listTenantsToSend(at.db, at.now(), chatChannels)
      await noted(Promise.allSettled(tenantIds.slice(0, chatsAtOnce).map((tenantId) => chatNext(at, tenantId))))
    },
    /** When the next mail is due, or the mail server is tried again. */
    async nextMail({ db, now }: Pick<World, 'db' | 'now'>, before: Date): Promise<Date | null> {
      const due = mail ? await findNextToSend(db, before, ['email']) : null
      const pausedMs = pausedUntil - performance.now()
      return due && pausedMs > 0 ? new Date(Math.max(due.getTime(), now().getTime() + pausedMs)) : due
    },
    nextChat: ({ db }: Pick<World, 'db'>, before: Date): Promise<Date | null> =>
      findNextToSend(db, before, chatChannels),
    /** Ends what is under way: a mail that was begun has some seconds. What was not sent is sent by whoever comes next. */
    async stop(): Promise<void> {
      isStopped = true
      const timer = setTimeout(() => {
        stopping.abort()
        door?.close(true)
      }, stopGraceMs)
      await sending
      clearTimeout(timer)
      door?.close()
    },
  }
})

type Recipient = { name: string; address: string }

/** Whom a message goes to: a contact of the organization, or a user who is still there. */
async function findRecipient({ db, now }: World, tenantId: number, readerId: string): Promise<Recipient | null> {
  const contact = contactAddress(readerId)
  if (contact !== null) return { name: '', address: contact }
  const user = await findUser(db, tenantId, readerId, now())
  // Merged people are deleted ones: what is theirs goes to whom they were merged into.
  if (!user || user.deletedAt || user.status !== 'ENABLED' || isPrincipal(user)) return null
  return { name: user.displayName, address: user.email }
}

/** Whoever was reminded, and has still to decide, is reminded again later. */
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
