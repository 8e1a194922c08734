/** The sender settings of an organization's mails. */
export type Sender = { fromName: string; replyTo: string; createdAt: Date; updatedAt: Date }
