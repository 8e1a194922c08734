export type Webhook = {
  id: string
  displayName: string
  description: string
  /** As stored: with its query sealed. */
  url: string
  /** The prefix of addresses for callbacks; empty if the address of this server is not known. */
  origin: string
  callbackTimeoutSeconds: number | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** The fields of a webhook that can be chosen. */
export type WebhookTerms = Pick<Webhook, 'displayName' | 'description' | 'url' | 'callbackTimeoutSeconds'>
