import { Refusal } from '#kernel/refusals.ts'

export const webhookNotFound = (id: string): Refusal =>
  new Refusal('WEBHOOK_NOT_FOUND', `There is no webhook ${id}.`, { metadata: { id } })

export const deliveryNotFound = (id: string): Refusal =>
  new Refusal('WEBHOOK_DELIVERY_NOT_FOUND', `There is no delivery ${id} of this webhook.`, { metadata: { id } })

/** The token is not repeated: readers of the error need not know it. */
export const callbackNotFound = (): Refusal =>
  new Refusal('WEBHOOK_CALLBACK_NOT_FOUND', 'No delivery is waiting for a callback at this URL.')

export const callbackOver = (why: string): Refusal => new Refusal('WEBHOOK_CALLBACK_OVER', why)

export const testsTooMany = (count: number): Refusal =>
  new Refusal('TOO_MANY_REQUESTS', `${count} tests of this webhook are still running. Try again later.`, {
    retryAfterSeconds: 30,
  })
