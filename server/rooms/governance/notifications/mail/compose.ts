import { htmlOf, textOf } from '../templates/look.ts'
import { type Notice, type Place, settingsUrl } from '../templates/notice.ts'
import { plainLine } from '../templates/write.ts'

export type Address = { name: string; address: string }

export type Letter = {
  /** Stable over all attempts at sending it: whoever gets it twice can tell. */
  messageId: string
  /** What replies and later mails about the same are listed under; empty for none. */
  thread: string
  from: Address
  to: Address
  replyTo: string
  date: Date
  place: Place
  notice: Notice
}

/** Of a domain that may carry a port, as in `localhost:8080`: what may stand behind the @ of a message id. */
const idDomain = (domain: string): string => domain.replace(/:\d+$/, '').replace(/[^a-z0-9.-]/gi, '-')
export const messageIdOf = (id: string, domain: string): string => `<${id}@${idDomain(domain)}>`
export const threadOf = (taskId: string, domain: string): string =>
  taskId === '' ? '' : `<task.${taskId}@${idDomain(domain)}>`

/** A mail as it is sent: text and HTML, with the headers that say that a program wrote it. */
export async function compose({ messageId, thread, from, to, replyTo, date, place, notice }: Letter): Promise<Buffer> {
  // Loaded by those who send mail.
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
      // RFC 3834: nobody's absence note answers it.
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
