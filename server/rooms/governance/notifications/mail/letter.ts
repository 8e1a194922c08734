import type { MailSettings } from '#kernel/mail-settings.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Notice, Place } from '../templates/notice.ts'
import { type Letter, messageIdOf, threadOf } from './compose.ts'
import type { Sender } from './sender.ts'

export type Written = { id: string; taskId: string; at: Date; notice: Notice }

/** A notice as a mail to someone, from the sender configured for the server and the organization. */
export const letterTo = (
  mail: Pick<MailSettings, 'from'>,
  sender: Pick<Sender, 'fromName' | 'replyTo'> | null,
  { domain }: Pick<Tenancy, 'domain'>,
  place: Place,
  to: { name: string; address: string },
  { id, taskId, at, notice }: Written,
): Letter => ({
  messageId: messageIdOf(id, domain),
  thread: threadOf(taskId, domain),
  from: { name: sender?.fromName || mail.from.name || 'Bailiwick', address: mail.from.address },
  to,
  replyTo: sender?.replyTo ?? '',
  date: at,
  place,
  notice,
})
