import type { MailSettings } from '#kernel/mail-settings.ts'
import { described, flag, int32, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { KeptMailServer, MailServer } from './mail-server.ts'

export const securities = ['starttls', 'tls', 'none'] as const

export const MailServerMessage = message('settings.v1.MailServer', {
  source: described(
    oneOf(['', 'operator', 'organization']),
    'Who set it: the operator of the server, which cannot be changed here, or the organization. Empty if there is none.',
  ),
  host: text(),
  port: int32(),
  security: oneOf(['', ...securities]),
  username: text(),
  hasPassword: described(flag(), 'Whether a password is stored. It is never returned.'),
  caCertificates: text(),
  fromAddress: text(),
  updatedByUserId: text(),
  updatedAt: timestamp(),
  problem: described(text(), 'Why it cannot be used; empty if it can.'),
})

const none = {
  source: '' as const,
  host: '',
  port: 0,
  security: '' as const,
  username: '',
  hasPassword: false,
  caCertificates: '',
  fromAddress: '',
  updatedByUserId: '',
  updatedAt: null,
  problem: '',
}

/** Of the operator's mail server, only what everyone who gets a message can see, and how it is reached. */
export const viewOfOperators = ({ host, port, security, from }: MailSettings) => ({
  ...none,
  source: 'operator' as const,
  host,
  port,
  security,
  fromAddress: from.address,
})

export function viewMailServer(kept: KeptMailServer | null, server: MailServer | null) {
  if (!kept) return none
  const of = { ...none, source: 'organization' as const, updatedByUserId: kept.updatedBy, updatedAt: kept.updatedAt }
  if (!server) return { ...of, problem: 'The mail server cannot be read: set it again.' }
  const { host, port, security, user, password, ca, fromAddress } = server
  return {
    ...of,
    ...{ host, port, security, fromAddress },
    username: user,
    hasPassword: password !== '',
    caCertificates: ca,
  }
}
