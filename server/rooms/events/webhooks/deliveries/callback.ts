import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { change, programActor, record } from '#rooms/foundation/systemlog/index.ts'
import { callbackNotFound, callbackOver } from '../refuse.ts'
import { findAnyWebhook } from '../store.ts'
import { type Answer, problemText, readAnswer } from './answers.ts'
import type { Delivery } from './delivery.ts'
import { endDelivery } from './ended.ts'
import { keptBody } from './request.ts'
import { hasCallback, insertCallback, lockByCallback } from './store.ts'
import { callbackHash } from './token.ts'

const bytesMax = 250 * 1024

/** Why a callback comes too late; null if it does not. */
function whyOver({ state, attempts, dueAt }: Delivery, now: Date): string | null {
  if (state === 'waiting') return dueAt && dueAt <= now ? 'The time for this callback has expired.' : null
  // A receiver may call back before its 202 has arrived, or after it took too long to send one.
  if ((state === 'running' || state === 'error') && attempts > 0) return null
  if (state === 'answered' || state === 'success')
    return 'This delivery was already answered. A callback is accepted only once.'
  return 'This delivery has ended; no answer is expected.'
}

/** Refuses an address that does not belong to a delivery. */
export async function requireCallback({ db, tenant }: Pick<Call, 'db' | 'tenant'>, token: string): Promise<void> {
  if (!(await hasCallback(db, tenant.id, callbackHash(token)))) throw callbackNotFound()
}

/**
 * Accepts, once, the answer that a receiver sends later. Knowing the address is sufficient: its token is secret. An answer
 * that cannot be read is refused, and another one may follow.
 */
export async function takeCallback(call: Call, token: string, sent: unknown): Promise<void> {
  const text = JSON.stringify(sent ?? {})
  if (Buffer.byteLength(text) > bytesMax)
    throw new Refusal('BODY_TOO_LARGE', `The answer is larger than ${bytesMax / 1024} KiB.`)
  const refusal = await transact(call.db, async (tx) => {
    const { tenant } = call
    const delivery = await lockByCallback(tx, tenant.id, callbackHash(token))
    if (!delivery) throw callbackNotFound()
    const over = whyOver(delivery, call.now())
    if (over !== null) throw callbackOver(over)
    const read = readAnswer(delivery.source, sent)
    const isRead = 'answer' in read
    const noted = { id: call.newId(), beganAt: call.now(), sourceAddress: call.sourceAddress }
    await insertCallback(tx, tenant.id, delivery.id, {
      ...noted,
      status: isRead ? 200 : 400,
      error: isRead ? '' : problemText(read.problems),
      replyBody: keptBody(Buffer.from(text), [token]),
    })
    if (!isRead)
      return new Refusal('INPUT_INVALID', `The answer cannot be read: ${problemText(read.problems)}.`, {
        violations: read.problems,
      })
    await endDelivery(tx, call, tenant, delivery, { is: 'answered', answer: read.answer })
    await recordCallback(tx, call, delivery, read.answer)
    return null
  })
  if (refusal) throw refusal
}

async function recordCallback(
  tx: Parameters<typeof record>[0],
  call: Call,
  { id, webhookId, ticketId }: Delivery,
  answer: Answer | null,
): Promise<void> {
  const webhook = await findAnyWebhook(tx, call.tenant.id, webhookId)
  const name = webhook?.displayName ?? webhookId
  const { tenant, operation, requestId, sourceAddress } = call
  const actor = programActor(`Webhook ${name}`)
  const cause = { tenant, actor, operation, requestId, sourceAddress }
  const data = { deliveryId: id, ticketId, outcome: answer?.outcome ?? '' }
  const touched = [{ type: 'webhook', id: webhookId, name, data }]
  await record(tx, call, cause, change(cause, 'update', `The webhook ${name} answered by callback`, touched))
}
