import { readFile } from 'node:fs/promises'
import type { MailSettings } from '#kernel/mail-settings.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { type MailConfig, UsageError } from './config.ts'

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const

/** Which mail server takes messages, with the password from its file; null where none is named. */
export async function readMailSettings({
  smtpHost = null,
  smtpPort = null,
  smtpTls: security = 'starttls',
  smtpCa = null,
  smtpUser = null,
  smtpPasswordFile = null,
  mailFrom = null,
}: Partial<MailConfig>): Promise<MailSettings | null> {
  if (smtpHost === null || mailFrom === null) return null
  const ca = smtpCa === null ? undefined : await readSetting('--smtp-ca', smtpCa)
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--smtp-ca ${smtpCa} does not contain a certificate in PEM`)
  return {
    host: smtpHost,
    port: smtpPort ?? usualPorts[security],
    security,
    login:
      smtpUser === null || smtpPasswordFile === null
        ? undefined
        : { user: smtpUser, password: await passwordIn(smtpPasswordFile) },
    ca,
    from: mailFrom,
  }
}

const readSetting = (flag: string, file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${flag}: ${whyUnreadable(file, error)}`)
  })

/** From a file, never from an argument: everyone on the machine sees those. */
async function passwordIn(file: string): Promise<string> {
  const password = (await readSetting('--smtp-password-file', file)).replace(/\r?\n$/, '')
  if (password === '' || password.length > 4096)
    throw new UsageError(`--smtp-password-file ${file} contains no password`)
  return password
}
