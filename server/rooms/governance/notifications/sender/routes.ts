import { route } from '#authority/route.ts'
import { fieldsToChange } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, list, message, nested, required, struct, text } from '#kernel/wire.ts'
import { type SenderChanges, setSender, testMail } from './actions.ts'
import { findSender, listAudit } from './store.ts'
import { ProviderMessage, updatableProvider, viewProvider } from './view.ts'

const reply = (name: string) => message(`settings.v1.${name}`, { emailProvider: nested(ProviderMessage) })
const changeable = [
  'c1Builtin',
  'awsSes',
  'googleWorkspace',
  'microsoftGraph',
  'sendgrid',
  'fromAddress',
  'fromName',
  'replyToAddress',
] as const

export const senderRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.TenantEmailProviderService.Get',
    at: 'GET /api/v1/settings/email-provider',
    summary:
      'Get how mail is sent. `c1Builtin` is the mail server of this installation; without one, `fromAddress` is empty.',
    rule: 'notifications.read',
    reply: reply('GetTenantEmailProviderResponse'),
    handle: async ({ db, tenant, settings }) => ({
      emailProvider: viewProvider(settings.mail, await findSender(db, tenant.id)),
    }),
  }),
  route({
    id: 'settings.v1.TenantEmailProviderService.Update',
    at: 'POST /api/v1/settings/email-provider',
    summary:
      'Change the name of the sender and where replies go. The mail server and its address are settings of the server.',
    rule: 'notifications.change',
    body: message('settings.v1.UpdateTenantEmailProviderRequest', {
      emailProvider: required(updatableProvider),
      updateMask: text(),
    }),
    reply: reply('UpdateTenantEmailProviderResponse'),
    async handle(call, { body: { emailProvider, updateMask } }) {
      const names = fieldsToChange(emailProvider, updateMask, changeable)
      const { fromAddress, fromName, replyToAddress } = emailProvider
      const changes: SenderChanges = {
        ...(names.has('fromAddress') && { fromAddress }),
        ...(names.has('fromName') && { fromName }),
        ...(names.has('replyToAddress') && { replyTo: replyToAddress }),
      }
      const sender = await transact(call.db, (tx) => setSender(tx, call, changes))
      return { emailProvider: viewProvider(call.settings.mail, sender) }
    },
  }),
  route({
    id: 'settings.v1.TenantEmailProviderService.Test',
    at: 'POST /api/v1/settings/email-provider/test',
    summary: 'Send a test message, and return the response of the mail server.',
    rule: 'notifications.change',
    body: message('settings.v1.TestTenantEmailProviderRequest', {
      testRecipientEmail: required(text({ maxLength: 254 }), 'must be an email address'),
    }),
    reply: message('settings.v1.TestTenantEmailProviderResponse', { success: flag(), message: text() }),
    async handle(call, { body }) {
      const { isSent, message: words } = await testMail(call, body.testRecipientEmail)
      return { success: isSent, message: words }
    },
  }),
  route({
    id: 'settings.v1.TenantEmailProviderService.SearchAuditEvents',
    at: 'POST /api/v1/settings/email-provider/audit-events',
    summary: 'List changes and tests of the mail settings, newest first.',
    rule: 'notifications.read',
    paged: true,
    body: message('settings.v1.SearchEmailAuditEventsRequest', {}),
    reply: message('settings.v1.SearchEmailAuditEventsResponse', { list: list(struct()), nextPageToken }),
    async handle({ db, tenant }, { page }) {
      const rows = await listAudit(db, tenant.id, page)
      return page.cut(
        rows,
        ({ id }) => [id],
        ({ id, event }) => ({ id, ...event }),
      )
    },
  }),
  route({
    id: 'settings.v1.TenantEmailProviderService.GetEmailCapabilities',
    at: 'GET /api/v1/settings/email-capabilities',
    summary: 'Get whether mail can be sent to external addresses.',
    rule: 'self.introspect',
    reply: message('settings.v1.GetEmailCapabilitiesResponse', {
      externalEmailSupported: described(flag(), 'Whether this server has a mail server.'),
    }),
    handle: ({ settings }) => ({ externalEmailSupported: settings.mail !== undefined }),
  }),
]
