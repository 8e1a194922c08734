export type Webhook = {
  id: string
  displayName: string
  description: string
  /** As it is kept: with its query sealed. */
  url: string
  /** Addresses for callbacks begin with it; empty where it is not known how this server is addressed. */
  origin: string
  callbackTimeoutSeconds: number | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** What of a webhook can be chosen. */
export type WebhookTerms = Pick<Webhook, 'displayName' | 'description' | 'url' | 'callbackTimeoutSeconds'>
