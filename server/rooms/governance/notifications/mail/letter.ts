import type { MailSettings } from '#kernel/mail-settings.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Notice, Place } from '../templates/notice.ts'
import { type Letter, messageIdOf, threadOf } from './compose.ts'
import type { Sender } from './sender.ts'

export type Written = { id: string; taskId: string; at: Date; notice: Notice }

type Sending = {
  mail: Pick<MailSettings, 'from'>
  sender: Pick<Sender, 'fromName' | 'replyTo'> | null
  tenant: Pick<Tenancy, 'domain'>
  place: Place
}

/** A notice as a mail to someone, from the sender configured for the server and the organization. */
export const letterTo = (
  { mail, sender, tenant, place }: Sending,
  to: { name: string; address: string },
  { id, taskId, at, notice }: Written,
): Letter => ({
  messageId: messageIdOf(id, tenant.domain),
  thread: threadOf(taskId, tenant.domain),
  from: { name: sender?.fromName || mail.from.name || 'Bailiwick', address: mail.from.address },
  to,
  replyTo: sender?.replyTo ?? '',
  date: at,
  place,
  notice,
})
