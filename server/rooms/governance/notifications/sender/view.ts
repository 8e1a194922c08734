import type { MailSettings } from '#kernel/mail-settings.ts'
import { updatable } from '#kernel/masks.ts'
import { described, leftOut, message, nested, neverSet, readOnly, text, timestamp } from '#kernel/wire.ts'
import type { Sender } from '../mail/sender.ts'

const bySmtp =
  'Email is sent by SMTP, through the mail server that the operator of this server sets with --smtp-host. This provider also accepts email by SMTP.'
const Provider = (name: string, fields: readonly string[]) =>
  message(`settings.v1.${name}`, Object.fromEntries(fields.map((field) => [field, text()])))

const Ses = Provider('AWSSESProviderConfig', ['configurationSetName', 'region', 'roleArn'])
const Google = Provider('GoogleWorkspaceProviderConfig', ['delegatedUser', 'serviceAccountJson'])
const Microsoft = Provider('MicrosoftGraphProviderConfig', ['azureTenantId', 'clientId', 'clientSecret'])
const SendGrid = Provider('SendGridProviderConfig', ['apiKey'])
const BuiltIn = message(
  'settings.v1.C1BuiltInProviderConfig',
  {},
  'The mail server that the operator of this server set.',
)

export const ProviderMessage = message('settings.v1.TenantEmailProvider', {
  c1Builtin: nested(BuiltIn),
  awsSes: neverSet(nested(Ses), `Amazon SES is not called by its API. ${bySmtp}`),
  googleWorkspace: neverSet(nested(Google), `Google Workspace is not called by its API. ${bySmtp}`),
  microsoftGraph: neverSet(nested(Microsoft), `Microsoft Graph is not called. ${bySmtp}`),
  sendgrid: neverSet(nested(SendGrid), `SendGrid is not called by its API. ${bySmtp}`),
  fromAddress: described(
    text(),
    'The address of the sender. It is a setting of the server (--mail-from): another one is refused.',
  ),
  fromName: described(text({ maxLength: 100 }), 'The name of the sender; empty for that of the server.'),
  replyToAddress: described(text({ maxLength: 254 }), 'Where replies go; empty for the sender.'),
  createdAt: leftOut(readOnly(timestamp())),
  updatedAt: leftOut(readOnly(timestamp())),
})
export const updatableProvider = updatable(ProviderMessage)

const others = { awsSes: null, googleWorkspace: null, microsoftGraph: null, sendgrid: null }

/** How mail is sent. Without a mail server there is no address. */
export const viewProvider = (mail: MailSettings | undefined, sender: Sender | null) => ({
  c1Builtin: {},
  ...others,
  fromAddress: mail?.from.address ?? '',
  fromName: sender?.fromName || (mail?.from.name ?? ''),
  replyToAddress: sender?.replyTo ?? '',
  createdAt: sender?.createdAt ?? null,
  updatedAt: sender?.updatedAt ?? null,
})
