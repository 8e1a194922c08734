import { X509Certificate } from 'node:crypto'
import { isMailAddress } from '#kernel/mail-settings.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { MailServer } from './mail-server.ts'

/** The ports at which mail servers at public addresses take messages: the server is no way to other services there. */
export const mailPorts: readonly number[] = [25, 465, 587, 2465, 2525, 2587]

const hostForm = /^(?!-)[a-z0-9.:_-]{1,253}$/i
// oxlint-disable-next-line no-control-regex -- U+0000 separates the parts of AUTH PLAIN, and a line break ends a command.
const controls = /[\u0000-\u001f\u007f]/
const certificateForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const certificatesMax = 20

/** What is wrong with a mail server, apart from what only a connection shows. */
export function mailServerProblems(wanted: MailServer): FieldViolation[] {
  const { host, port, security, user, password, ca, fromAddress } = wanted
  const problems: FieldViolation[] = []
  const add = (field: string, description: string): void => void problems.push({ field, description })
  if (!hostForm.test(host)) add('host', 'must be the name or address of a host, as in smtp.example.com')
  if (!(port >= 1 && port <= 65_535)) add('port', 'must be a port from 1 to 65535')
  if (!isMailAddress(fromAddress)) add('fromAddress', 'must be an email address')
  if (controls.test(user)) add('username', 'must be one line of text')
  if (controls.test(password)) add('password', 'must be one line of text')
  if (user === '' && password !== '') add('username', 'is required with a password')
  if (user !== '' && security === 'none')
    add('security', 'must be starttls or tls with a user name: the password would be sent unencrypted')
  if (ca !== '' && !hasOnlyCertificates(ca)) add('caCertificates', 'must be certificates in PEM')
  return problems
}

function hasOnlyCertificates(text: string): boolean {
  const found = text.match(certificateForm) ?? []
  if (found.length === 0 || found.length > certificatesMax || text.replaceAll(certificateForm, '').trim() !== '')
    return false
  try {
    for (const each of found) void new X509Certificate(each)
    return true
  } catch {
    return false
  }
}

/** What decides who receives the password: with another of these, it must be entered again. */
const receivers = ['host', 'port', 'security', 'user', 'ca'] as const
const fieldOf = { host: 'host', port: 'port', security: 'security', user: 'username', ca: 'caCertificates' } as const

/**
 * The password to store, if none was sent: the one before, as long as it goes to the same receiver. Otherwise those who may
 * change the host could have an unknown password sent to their own.
 */
export function passwordFor(wanted: MailServer, before: MailServer | null): string | FieldViolation {
  if (wanted.password !== '' || wanted.user === '') return wanted.password
  const changed = receivers.find((each) => before?.[each] !== wanted[each])
  if (before && before.password !== '' && changed === undefined) return before.password
  return {
    field: 'password',
    description:
      before && before.password !== '' && changed
        ? `is required to change ${fieldOf[changed]}`
        : 'is required with a user name',
  }
}
