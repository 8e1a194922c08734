/**
 * Why a mail was not accepted, in words for operators, without passwords. `server`: the mail server accepts no mail at the
 * moment. `message`: it refuses this one.
 */
export class MailFailed extends Error {
  override name = 'MailFailed'
  readonly of: 'server' | 'message'
  /** Whether it may be accepted later. */
  readonly mayRetry: boolean

  constructor(of: 'server' | 'message', message: string, mayRetry: boolean) {
    super(message)
    this.of = of
    this.mayRetry = mayRetry
  }
}

/** The fields of nodemailer's errors that are used. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

const replyMax = 200
// oxlint-disable-next-line no-control-regex -- A reply may have several lines.
const controls = /[\u0000-\u001f\u007f]+/g

/** The reply of the mail server, unless it repeats a secret. */
function replyOf({ response = '' }: SmtpError, secrets: readonly string[]): string {
  const line = response.replace(controls, ' ').trim().slice(0, replyMax)
  return line === '' || secrets.some((secret) => line.includes(secret)) ? '' : ` It replied: ${line}`
}

/** Decides by the command that failed whether the failure concerns this mail or all mail. */
export function failureOf(error: SmtpError, host: string, secrets: readonly string[]): MailFailed {
  const { command = '', responseCode = 0, code = '', originalCode = '' } = error
  const reply = replyOf(error, secrets)
  if (command.startsWith('AUTH') || code === 'EAUTH')
    return new MailFailed(
      'server',
      `${host} did not accept the user name and password (${responseCode || code}).`,
      true,
    )
  if ((command === 'RCPT TO' || command === 'DATA') && responseCode >= 400)
    return new MailFailed(
      'message',
      `${host} refused the ${command === 'RCPT TO' ? 'recipient' : 'message'}.${reply}`,
      responseCode < 500,
    )
  if (command === 'MAIL FROM' && responseCode >= 400)
    return new MailFailed('server', `${host} refused the sender.${reply}`, true)
  if (code === 'EENVELOPE' && command === 'API')
    return new MailFailed('message', 'Email cannot be sent to the address of the recipient.', false)
  if (code === 'ETIMEDOUT') return new MailFailed('server', `${host} did not respond in time.`, true)
  if (code === 'EDNS') return new MailFailed('server', `The name ${host} could not be resolved.`, true)
  if (code === 'ETLS' || isOfCertificate(originalCode))
    return new MailFailed(
      'server',
      `The connection to ${host} could not be encrypted and verified${why(originalCode)}.`,
      true,
    )
  if (responseCode >= 400) return new MailFailed('server', `${host} refused the connection.${reply}`, true)
  return new MailFailed('server', `The connection to ${host} failed${why(originalCode || code)}.`, true)
}

const isOfCertificate = (code: string): boolean => /CERT|SIGNATURE|ISSUER|^ERR_(?:TLS|SSL)/.test(code)
const why = (code: string): string => (/^[A-Z_0-9]{3,60}$/.test(code) ? ` (${code})` : '')
