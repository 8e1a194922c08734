/** What an organisation chose of the sender of its mails. */
export type Sender = { fromName: string; replyTo: string; createdAt: Date; updatedAt: Date }
