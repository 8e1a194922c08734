import { htmlOf, textOf } from '../templates/look.ts'
import { type Notice, type Place, settingsUrl } from '../templates/notice.ts'
import { plainLine } from '../templates/write.ts'

export type Address = { name: string; address: string }

export type Letter = {
  /** Stable across all attempts: a recipient who gets the message twice can recognize it. */
  messageId: string
  /** The id under which replies and later mails about the same task are threaded; empty for none. */
  thread: string
  from: Address
  to: Address
  replyTo: string
  date: Date
  place: Place
  notice: Notice
}

/** Removes the port of a domain such as `localhost:8080`: the part after the @ of a message id. */
const idDomain = (domain: string): string => domain.replace(/:\d+$/, '').replace(/[^a-z0-9.-]/gi, '-')
export const messageIdOf = (id: string, domain: string): string => `<${id}@${idDomain(domain)}>`
export const threadOf = (taskId: string, domain: string): string =>
  taskId === '' ? '' : `<task.${taskId}@${idDomain(domain)}>`

/** A complete mail: text and HTML, with headers that mark it as automatic. */
export async function compose({ messageId, thread, from, to, replyTo, date, place, notice }: Letter): Promise<Buffer> {
  // Loaded only by processes that send mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const named = ({ name, address }: Address): Address => ({ name: plainLine(name, 100), address })
  const mail = new MailComposer({
    messageId,
    date,
    from: named(from),
    to: named(to),
    ...(replyTo !== '' && { replyTo }),
    ...(thread !== '' && { inReplyTo: thread, references: [thread] }),
    subject: plainLine(notice.subject, 200),
    text: textOf(place, notice),
    html: htmlOf(place, notice),
    headers: {
      // RFC 3834: no automatic replies.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': { prepared: true, value: `<${settingsUrl(place)}>` },
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => {
    mail.compile().build((error, message) => (error ? reject(error) : resolve(message)))
  })
}
