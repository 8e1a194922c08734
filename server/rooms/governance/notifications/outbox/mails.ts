import type { Dispatch, DueTenant } from '#kernel/dispatch.ts'
import { isMailAddress, type MailSettings } from '#kernel/mail-settings.ts'
import type { World } from '#kernel/world.ts'
import { findUser, isPrincipal } from '#rooms/identity/users/index.ts'
import { compose } from '../mail/compose.ts'
import type { MailFailed } from '../mail/failed.ts'
import { letterTo } from '../mail/letter.ts'
import { asMailFailure, type MailDoor, openMailDoor } from '../mail/smtp.ts'
import { contactAddress } from '../people.ts'
import { placeOf } from '../place.ts'
import { findSender } from '../sender/store.ts'
import { effective } from '../settings/decide.ts'
import { findOrganisation, findPersonal } from '../settings/store.ts'
import { prepare } from './prepare.ts'
import { claimNext, type Fate, graceMs, leaseMs, type Message, settle } from './settle.ts'
import { findNextToSend, listTenantsToSend } from './store.ts'

const firstPauseMs = 5_000
const lastPauseMs = 300_000
/** The tenants found to have mail take turns for this long before they are looked up again. */
const turnsMs = 2_000

/**
 * Sends mails, one after the other over one connection. While the mail server accepts nothing, it is tried now and then with
 * one message, and the others wait unchanged.
 */
export function sendMails(world: World, mail: MailSettings): Dispatch<DueTenant, Message> {
  let door: MailDoor | null = null
  let pausedUntil = 0
  let pauseMs = firstPauseMs

  const isPaused = (): boolean => performance.now() < pausedUntil
  const hold = (failure: MailFailed): void => {
    if (failure.of !== 'server') return
    pausedUntil = performance.now() + pauseMs
    pauseMs = Math.min(pauseMs * 2, lastPauseMs)
    world.log.warn({ reason: failure.message }, 'mail cannot be sent at the moment')
  }

  const send = async (message: Message): Promise<Fate> => {
    const { tenant } = message
    const [to, organisation, personal, sender] = await Promise.all([
      findRecipient(world, tenant.id, message.userId),
      findOrganisation(world.db, tenant.id),
      findPersonal(world.db, tenant.id, [message.userId]),
      findSender(world.db, tenant.id),
    ])
    if (!to) return { is: 'dropped', error: 'The person is disabled or deleted.' }
    if (!isMailAddress(to.address))
      return { is: 'dropped', error: 'The person has no email address that email can be sent to.' }
    const wanted = effective(organisation.email, personal.get(message.userId) ?? {})
    const place = placeOf(tenant)
    const prepared = await prepare(world, tenant, place, message, (kind) => wanted.kinds[kind])
    if (!prepared) return { is: 'dropped', error: 'There was nothing left to send.' }
    try {
      const written = { id: message.id, taskId: prepared.taskId, at: message.createdAt, notice: prepared.notice }
      const letter = await compose(letterTo({ mail, sender, tenant, place }, to, written))
      door ??= openMailDoor(mail)
      await door.send({ from: mail.from.address, to: to.address }, letter)
      pauseMs = firstPauseMs
      return { is: 'sent', prepared }
    } catch (error) {
      const failure = asMailFailure(error)
      hold(failure)
      return failure.mayRetry
        ? { is: 'again', error: failure.message, afterMs: 0 }
        : { is: 'failed', error: failure.message }
    }
  }

  return {
    name: 'mails',
    inAll: 1,
    leaseMs,
    everyMs: { least: 500, most: 500 },
    turnsMs,
    isPrompt: true,
    graceMs,
    listDue: async () =>
      isPaused() ? [] : (await listTenantsToSend(world.db, world.now(), ['email'])).map((id) => ({ id })),
    async nextDue(before) {
      const due = await findNextToSend(world.db, before, ['email'])
      const pausedMs = pausedUntil - performance.now()
      return due && pausedMs > 0 ? new Date(Math.max(due.getTime(), world.now().getTime() + pausedMs)) : due
    },
    claim: async ({ id }) => (isPaused() ? [] : claimNext(world, id, ['email'])),
    perform: async ({ work }) => settle(world, work, await send(work)),
    interrupt: () => door?.close(true),
    close: () => door?.close(),
  }
}

type Recipient = { name: string; address: string }

/** The recipient of a message: a contact of the organization, or a user who is not deleted. */
async function findRecipient({ db, now }: World, tenantId: number, readerId: string): Promise<Recipient | null> {
  const contact = contactAddress(readerId)
  if (contact !== null) return { name: '', address: contact }
  const user = await findUser(db, tenantId, readerId, now())
  // Merged users get no mail: what was theirs now belongs to the user they were merged into.
  if (!user || user.deletedAt || user.status !== 'ENABLED' || isPrincipal(user)) return null
  return { name: user.displayName, address: user.email }
}
