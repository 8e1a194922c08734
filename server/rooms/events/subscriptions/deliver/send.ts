import type { KeyObject } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { redactedUrl, secretsOfUrl } from '#kernel/outgoing/secret-url.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { retryAfterMs } from '#kernel/retry.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { openTurns } from '#kernel/turns.ts'
import type { World } from '#kernel/world.ts'
import { answered, retryAfterMaxMs } from '../decide.ts'
import type { Delivery, Subscription } from '../subscription.ts'
import { keptReply } from './kept-reply.ts'
import { type Message, type Signed, signMessage } from './message.ts'

/** As Standard Webhooks advises: 15 to 30 seconds. */
const timeoutMs = 15_000
const replyBytesMax = 64 * 1024

/**
 * The number of requests under way is limited by the number of running subscriptions (dispatch.ts), each of which has one.
 * So there are no limits per host: one tenant's slow receiver slows neither another tenant's on the same host nor
 * connectors.
 */
const underWayMax = 512
export const outgoing = slot(({ settings }) =>
  openOutgoing(settings.outgoing ?? strictRules, undefined, {
    turns: openTurns({ perKey: underWayMax, inAll: underWayMax, waitingMax: underWayMax, waitMs: timeoutMs }),
    perHost: 64,
    keptPerHost: 32,
  }),
)

export type Sending = {
  tenant: Tenancy
  subscription: Pick<Subscription, 'id' | 'url'>
  secrets: readonly string[]
  /** Keys of the secrets, to sign with. */
  keys: readonly KeyObject[]
  message: Message
  isTest: boolean
  attempt: number
  filterError: string
}

export type Sent = { delivery: Delivery; isGone: boolean; retryAfterMs: number }

export const sign = (world: World, sending: Sending): Promise<Signed> => signMessage(world, sending.tenant, sending)

/**
 * Makes one attempt. Every result is returned, failures included. A failure after `signal` was aborted, because connections
 * were closed, is thrown: a separate signal for each request took 60 µs of 400.
 */
export async function send(world: World, sending: Sending, signed: Signed, signal: AbortSignal): Promise<Sent> {
  const { subscription, message, isTest, attempt, filterError, secrets } = sending
  const startedAt = world.now()
  const startedMs = performance.now()
  const delivery = (of: Pick<Delivery, 'outcome' | 'status' | 'error' | 'reply'>): Delivery => ({
    id: world.newId(),
    subscriptionId: subscription.id,
    messageId: message.id,
    kind: message.kind,
    isTest,
    attempt,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    request: { url: redactedUrl(subscription.url), timestamp: signed.timestamp, ...(filterError && { filterError }) },
    ...of,
  })
  const request = { method: 'POST', url: signed.url, headers: signed.headers, body: message.body } as const
  const limits = { timeoutMs, replyBytesMax, lane: subscription.id }
  const once = () => world.memory(outgoing).send({ ...request, ...limits })
  try {
    // Receivers close idle connections: a request that failed for that reason is sent again, with the same id.
    const { status, headers, body } = await once().catch((error: unknown) => {
      const isQuick = performance.now() - startedMs < onceMoreMs
      if (!signal.aborted && isQuick && error instanceof OutgoingFailed && error.kind === 'broken') return once()
      throw error
    })
    const answer = answered(status)
    const isDelivered = answer.outcome === 'delivered'
    const hasReply = !isDelivered || isTest || body.length > 0
    return {
      delivery: delivery({
        outcome: answer.outcome,
        status,
        error: isDelivered ? '' : answer.error,
        reply: hasReply
          ? keptReply(headers, body, [signed.token, signed.signature, ...secrets, ...secretsOfUrl(signed.url)])
          : null,
      }),
      isGone: !isDelivered && answer.isGone,
      retryAfterMs: retryAfterMs(headers['retry-after'], { nowMs: startedAt.getTime(), maxMs: retryAfterMaxMs }) ?? 0,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutgoingFailed)) throw error
    return {
      delivery: delivery({ outcome: 'failed', status: 0, error: error.message, reply: null }),
      isGone: false,
      retryAfterMs: 0,
    }
  }
}

const onceMoreMs = 1_000
