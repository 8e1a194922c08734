import type { Dispatch, DueTenant } from '#kernel/dispatch.ts'
import { isMailAddress } from '#kernel/mail-settings.ts'
import type { World } from '#kernel/world.ts'
import { findUser, isPrincipal } from '#rooms/identity/users/index.ts'
import { compose } from '../mail/compose.ts'
import type { MailFailed } from '../mail/failed.ts'
import { letterTo } from '../mail/letter.ts'
import { asMailFailure, type MailDoor, openMailDoor } from '../mail/smtp.ts'
import { type CurrentMail, findMail } from '../mail-server/current.ts'
import { contactAddress } from '../people.ts'
import { placeOf } from '../place.ts'
import { findSender } from '../sender/store.ts'
import { effective } from '../settings/decide.ts'
import { findOrganisation, findPersonal } from '../settings/store.ts'
import { type Prepared, prepare } from './prepare.ts'
import { claimNext, type Fate, graceMs, leaseMs, type Message, settle } from './settle.ts'
import { findNextToSend, listTenantsToSend } from './store.ts'

const firstPauseMs = 5_000
const lastPauseMs = 300_000
/** The tenants found to have mail take turns for this long before they are looked up again. */
const turnsMs = 2_000

/** The connection to one mail server, and how long it rests after it accepted nothing. */
type Line = { version: string; door: MailDoor; pausedUntil: number; pauseMs: number }

/** How many mail servers are used at once, if organizations have their own. */
const linesMax = 16

/**
 * Sends mails, to each mail server one after the other over one connection: that of the operator for all tenants, otherwise
 * each tenant's own. While a mail server accepts nothing, it is tried now and then with one message, and the others wait
 * unchanged.
 */
export function sendMails(world: World): Dispatch<DueTenant, Message> {
  const isShared = world.settings.mail !== undefined
  const lines = new Map<number, Line>()
  /** Whether all that is due waits for mail servers that accept nothing. */
  let isAllPaused = false

  const keyOf = (tenantId: number): number => (isShared ? 0 : tenantId)
  const isPaused = (tenantId: number): boolean => (lines.get(keyOf(tenantId))?.pausedUntil ?? 0) > performance.now()
  const pausedMs = (): number => {
    const ends = [...lines.values()].map(({ pausedUntil }) => pausedUntil).filter((end) => end > performance.now())
    return ends.length === 0 ? 0 : Math.min(...ends) - performance.now()
  }
  const lineTo = (tenantId: number, mail: CurrentMail): Line => {
    const known = lines.get(keyOf(tenantId))
    if (known?.version === mail.version) return known
    known?.door.close()
    const line = { version: mail.version, door: openMailDoor(mail), pausedUntil: 0, pauseMs: firstPauseMs }
    lines.set(keyOf(tenantId), line)
    return line
  }
  const hold = (line: Line, tenantId: number, failure: MailFailed): void => {
    if (failure.of !== 'server') return
    line.pausedUntil = performance.now() + line.pauseMs
    line.pauseMs = Math.min(line.pauseMs * 2, lastPauseMs)
    world.log.warn({ reason: failure.message, ...(!isShared && { tenantId }) }, 'mail cannot be sent at the moment')
  }

  const send = async (message: Message): Promise<Fate> => {
    const { tenant } = message
    const letter = await write(world, message)
    if ('is' in letter) return letter
    const { mail, prepared, from, to, text } = letter
    const line = lineTo(tenant.id, mail)
    try {
      await line.door.send({ from, to }, await text)
      line.pauseMs = firstPauseMs
      return { is: 'sent', prepared }
    } catch (error) {
      const failure = asMailFailure(error)
      hold(line, tenant.id, failure)
      return failure.mayRetry
        ? { is: 'again', error: failure.message, afterMs: 0 }
        : { is: 'failed', error: failure.message }
    }
  }

  return {
    name: 'mails',
    inAll: isShared ? 1 : linesMax,
    perTenant: 1,
    leaseMs,
    everyMs: { least: 500, most: 500 },
    turnsMs,
    isPrompt: true,
    graceMs,
    async listDue() {
      if (isShared && isPaused(0)) return []
      const due = await listTenantsToSend(world.db, world.now(), ['email'])
      const open = due.filter((id) => !isPaused(id))
      isAllPaused = due.length > 0 && open.length === 0
      return open.map((id) => ({ id }))
    },
    async nextDue(before) {
      const due = await findNextToSend(world.db, before, ['email'])
      const waitMs = isShared || isAllPaused ? pausedMs() : 0
      return due && waitMs > 0 ? new Date(Math.max(due.getTime(), world.now().getTime() + waitMs)) : due
    },
    claim: async ({ id }) => (isPaused(id) ? [] : claimNext(world, id, ['email'])),
    perform: async ({ work }) => settle(world, work, await send(work)),
    interrupt: () => [...lines.values()].forEach(({ door }) => door.close(true)),
    close: () => [...lines.values()].forEach(({ door }) => door.close()),
  }
}

type Written = { mail: CurrentMail; prepared: Prepared; from: string; to: string; text: Promise<Buffer> }

/** The mail of a message as it is sent, or why there is none. */
async function write(world: World, message: Message): Promise<Written | Fate> {
  const { tenant } = message
  const [mail, to, organisation, personal, sender] = await Promise.all([
    findMail(world, tenant.id),
    findRecipient(world, tenant.id, message.userId),
    findOrganisation(world.db, tenant.id),
    findPersonal(world.db, tenant.id, [message.userId]),
    findSender(world.db, tenant.id),
  ])
  if (!to) return { is: 'dropped', error: 'The person is disabled or deleted.' }
  if (!isMailAddress(to.address))
    return { is: 'dropped', error: 'The person has no email address that email can be sent to.' }
  if (!mail) return { is: 'again', error: 'There is no mail server any more.', afterMs: 0 }
  const wanted = effective(organisation.email, personal.get(message.userId) ?? {})
  const place = placeOf(tenant)
  const prepared = await prepare(world, tenant, place, message, (kind) => wanted.kinds[kind])
  if (!prepared) return { is: 'dropped', error: 'There was nothing left to send.' }
  const written = { id: message.id, taskId: prepared.taskId, at: message.createdAt, notice: prepared.notice }
  const text = compose(letterTo({ mail, sender, tenant, place }, to, written))
  return { mail, prepared, from: mail.from.address, to: to.address, text }
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
