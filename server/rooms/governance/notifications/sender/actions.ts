import { randomBytes } from 'node:crypto'
import type { May } from '#authority/proof.ts'
import { isMailAddress, type MailSettings } from '#kernel/mail-settings.ts'
import { slot } from '#kernel/memory.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call, Tenancy } from '#kernel/routes.ts'
import { sharedBudget } from '#kernel/shared-budget.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { compose } from '../mail/compose.ts'
import { letterTo } from '../mail/letter.ts'
import type { Sender } from '../mail/sender.ts'
import { asMailFailure, openMailDoor } from '../mail/smtp.ts'
import { placeOf } from '../place.ts'
import type { Notice } from '../templates/notice.ts'
import { findSender, insertAudit, putSender } from './store.ts'

export type SenderChanges = { fromAddress?: string; fromName?: string; replyTo?: string }

// oxlint-disable-next-line no-control-regex -- A line break in a name would be another header.
const controls = /[\u0000-\u001f\u007f]/

/**
 * Changes the name of the sender and the address for replies. The mail server and the sender's address are settings of the
 * server.
 */
export async function setSender(
  tx: Tx,
  call: May<'notifications.change'>,
  { fromAddress, fromName, replyTo }: SenderChanges,
): Promise<Sender> {
  const { mail } = call.settings
  const problems: FieldViolation[] = []
  if (fromAddress !== undefined && fromAddress !== '' && fromAddress !== mail?.from.address)
    problems.push({
      field: 'emailProvider.fromAddress',
      description: mail
        ? `is ${mail.from.address}, a setting of the server (--mail-from)`
        : 'is a setting of the server (--mail-from), which has no mail server yet (--smtp-host)',
    })
  if (fromName !== undefined && controls.test(fromName))
    problems.push({ field: 'emailProvider.fromName', description: 'must be one line of text' })
  if (replyTo !== undefined && replyTo !== '' && !isMailAddress(replyTo))
    problems.push({ field: 'emailProvider.replyToAddress', description: 'must be an email address' })
  if (problems.length > 0) throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
  const before = await findSender(tx, call.tenant.id)
  const now = call.now()
  const usualName = mail?.from.name ?? ''
  const wantedName = fromName?.trim()
  const after: Sender = {
    // The server's own name, when sent back, is not a choice.
    fromName:
      wantedName === undefined || (!before?.fromName && wantedName === usualName)
        ? (before?.fromName ?? '')
        : wantedName,
    replyTo: replyTo ?? before?.replyTo ?? '',
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  await putSender(tx, call.tenant.id, after)
  await recordAudit(tx, call, 'update', 'Changed the sender of mails', {
    fromName: after.fromName,
    replyToAddress: after.replyTo,
  })
  return after
}

const recordAudit = async (
  tx: Tx,
  call: Call,
  activity: 'update' | 'read',
  message: string,
  data: object,
): Promise<void> => {
  const touched = [{ type: 'email_provider', id: call.tenant.publicId, data }]
  const { userId, name } = call.actor
  const audited = { time: call.now().toISOString(), message, userId, userName: name, details: data }
  await insertAudit(tx, call.tenant.id, call.newId(), audited)
  await recordChange(tx, call, activity, message, touched)
}

const testNotice = (origin: string): Notice => ({
  subject: 'Test message from Bailiwick',
  title: 'Mail works',
  lines: ['This message was sent to test the mail settings of the server.'],
  quote: null,
  facts: [],
  items: [],
  more: 0,
  action: { label: 'Open the console', url: origin },
  why: 'You receive this because an administrator of the server entered your address for a test.',
})

export type Tested = { isSent: boolean; message: string }

/** Sends a message that tests the settings, and returns the result. */
export async function sendTest(
  mail: MailSettings,
  sender: Sender | null,
  tenant: Pick<Tenancy, 'domain'>,
  address: string,
  now: Date,
): Promise<Tested> {
  const place = placeOf(tenant)
  const id = `test.${randomBytes(12).toString('hex')}`
  const written = { id, taskId: '', at: now, notice: testNotice(place.origin) }
  const door = openMailDoor(mail)
  try {
    const letter = await compose(letterTo({ mail, sender, tenant, place }, { name: '', address }, written))
    await door.send({ from: mail.from.address, to: address }, letter)
    return { isSent: true, message: `${mail.host} accepted a message to ${address}.` }
  } catch (error) {
    return { isSent: false, message: asMailFailure(error).message }
  } finally {
    door.close()
  }
}

// Otherwise a caller who may test could have the server send mail to strangers without end.
const tests = slot((world) => sharedBudget(world, 'mail tests', { burst: 10, perSecond: 1 / 60 }))

/** The same through the API: recorded in the system log, regardless of the result. */
export async function testMail(call: Call, address: string): Promise<Tested> {
  if (!isMailAddress(address)) throw invalid({ field: 'testRecipientEmail', description: 'must be an email address' })
  const { mail } = call.settings
  if (!mail)
    return {
      isSent: false,
      message: 'No mail server is set: the operator of this server sets one with --smtp-host and --mail-from.',
    }
  const budget = call.memory(tests)
  if ((await budget.take(String(call.tenant.id))) === null)
    throw new Refusal('TOO_MANY_REQUESTS', 'Too many test mails were sent. Try again later.', {
      retryAfterSeconds: budget.waitSeconds(String(call.tenant.id)),
    })
  const sender = await findSender(call.db, call.tenant.id)
  const tested = await sendTest(mail, sender, call.tenant, address, call.now())
  const words = `${tested.isSent ? 'Sent' : 'Could not send'} a test mail to ${address}`
  await transact(call.db, (tx) =>
    recordAudit(tx, call, 'read', words, { success: tested.isSent, message: tested.message }),
  )
  return tested
}
