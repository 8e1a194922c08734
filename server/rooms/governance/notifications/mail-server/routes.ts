import { route } from '#authority/route.ts'
import { usualMailPorts } from '#kernel/mail-settings.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, int32, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { removeMailServer, setMailServer } from './actions.ts'
import { openMailServer } from './seal.ts'
import { findMailServer } from './store.ts'
import { MailServerMessage, securities, viewMailServer, viewOfOperators } from './view.ts'

export const mailServerRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.MailServers.Get',
    at: 'GET /api/v1/settings/mail_server',
    summary: 'Get the mail server that sends the messages of the organization, and who set it.',
    rule: 'notifications.read',
    reply: message('settings.v1.MailServersGetResponse', { mailServer: nested(MailServerMessage) }),
    async handle(call) {
      const { mail } = call.settings
      if (mail) return { mailServer: viewOfOperators(mail) }
      const kept = await findMailServer(call.db, call.tenant.id)
      return { mailServer: viewMailServer(kept, kept && openMailServer(call, call.tenant.id, kept.sealed)) }
    },
  }),
  route({
    id: 'settings.v1.MailServers.Set',
    at: 'POST /api/v1/settings/mail_server',
    summary:
      'Set the mail server of the organization. All servers use it from the next message on. Refused if the operator of the server has set one.',
    rule: 'notifications.set-mail-server',
    body: message('settings.v1.MailServersSetRequest', {
      host: required(text({ maxLength: 253 })),
      port: described(int32(), 'By default 587 with STARTTLS, 465 with TLS and 25 without.'),
      security: described(
        oneOf(['', ...securities]),
        'How the connection is encrypted: STARTTLS by default, which is then required. Without encryption, only a server at a private address is called, which the operator has allowed, and without a user name.',
      ),
      username: text({ maxLength: 320 }),
      password: described(
        text({ maxLength: 4096 }),
        'If empty, the stored password is kept, as long as host, port, security, username and caCertificates are unchanged.',
      ),
      caCertificates: described(
        text({ maxLength: 65_536 }),
        'Your own certificate authorities in PEM, besides those of the server.',
      ),
      fromAddress: required(text({ maxLength: 254 }), 'must be an email address'),
    }),
    reply: message('settings.v1.MailServersSetResponse', { mailServer: nested(MailServerMessage) }),
    async handle(call, { body: { username, caCertificates, ...body } }) {
      const security = body.security === '' ? 'starttls' : body.security
      const port = body.port === 0 ? usualMailPorts[security] : body.port
      const kept = await transact(call.db, (tx) =>
        setMailServer(tx, call, { ...body, security, port, user: username, ca: caCertificates }),
      )
      return { mailServer: viewMailServer(kept, openMailServer(call, call.tenant.id, kept.sealed)) }
    },
  }),
  route({
    id: 'settings.v1.MailServers.Delete',
    at: 'DELETE /api/v1/settings/mail_server',
    summary: 'Remove the mail server of the organization. No email is sent any more.',
    rule: 'notifications.set-mail-server',
    reply: message('settings.v1.MailServersDeleteResponse', {}),
    async handle(call) {
      await transact(call.db, (tx) => removeMailServer(tx, call))
      return {}
    },
  }),
]
