import type { MailSettings } from '#kernel/mail-settings.ts'

/** The mail server that an organization chose. */
export type MailServer = {
  host: string
  port: number
  security: MailSettings['security']
  /** Empty if the mail server requires no user name. */
  user: string
  password: string
  /** Certificate authorities in PEM, besides those of the server; empty for none. */
  ca: string
  fromAddress: string
}

export type KeptMailServer = { sealed: Buffer; updatedBy: string; updatedAt: Date }
