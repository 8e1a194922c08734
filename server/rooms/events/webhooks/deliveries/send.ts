import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { openUrl, secretsOfUrl, strike } from '#kernel/outgoing/secret-url.ts'
import type { Outgoing, OutgoingReply } from '#kernel/outgoing/send.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { version } from '#kernel/version.ts'
import type { World } from '#kernel/world.ts'
import { callbackSeconds } from '../decide.ts'
import { signDelivery } from '../sign.ts'
import { findAnyWebhook } from '../store.ts'
import { reportAttempt } from './attempted.ts'
import { type Heard, judge } from './decide.ts'
import type { Claimed } from './delivery.ts'
import { endDelivery } from './ended.ts'
import { bodyOf, keptBody, keptHeaders, webhookVersion } from './request.ts'
import { events } from './source.ts'
import { endAttempt, lockDelivery, updateDelivery } from './store.ts'
import { callbackOf, callbackUrl } from './token.ts'

const timeoutMs = 30_000
const replyBytesMax = 250 * 1024

type Sent = {
  heard: Heard
  requestHeaders: Record<string, string>
  reply: OutgoingReply | null
  secrets: readonly string[]
  isSlow: boolean
}

/** Makes one attempt at a delivery, and saves the result. Returns whether the receiver was too slow. */
export async function attempt(
  world: World,
  tenant: Tenancy,
  claimed: Claimed,
  { outgoing, signal }: { outgoing: Outgoing; signal: AbortSignal },
): Promise<boolean> {
  const sent = await post(world, tenant, claimed, outgoing, signal)
  await settle(world, tenant, claimed, sent)
  return sent.isSlow
}

const alteredUrl: Heard = { is: 'failed', error: 'The URL was altered in the database.', isTooLarge: false }

async function post(
  world: World,
  tenant: Tenancy,
  claimed: Claimed,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Sent> {
  const { webhookId, destination, source, origin } = claimed
  const url = openUrl(world.seals, tenant.id, destination)
  if (url === null) return { heard: alteredUrl, requestHeaders: {}, reply: null, secrets: [], isSlow: false }
  const callback = callbackOf(world, tenant.id, claimed)
  const body = bodyOf(claimed, callback.url)
  const signed = await signDelivery(world, tenant, {
    method: 'POST',
    url,
    body,
    version: webhookVersion,
    webhookId,
    event: events[source],
    callbackUrl: callback.url,
  })
  const headers = {
    ...signed,
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': `Bailiwick/${version}`,
    // Stable across retries: Webhook-Id is that of the webhook.
    'Bailiwick-Delivery-Id': claimed.id,
  }
  const secrets = [signed['Authorization']?.replace(/^bearer /, '') ?? '', callback.token, ...secretsOfUrl(url)].filter(
    Boolean,
  )
  const requestHeaders = {
    ...headers,
    Authorization: 'bearer [removed]',
    'Webhook-Callback-Url': callbackUrl(origin, '[removed]'),
  }
  try {
    const reply = await outgoing.send({ method: 'POST', url, headers, body, timeoutMs, replyBytesMax, signal })
    const retryAfter = reply.headers['retry-after'] ?? ''
    const heard: Heard = { is: 'reply', status: reply.status, retryAfter, body: reply.body }
    return { heard, requestHeaders, reply, secrets, isSlow: false }
  } catch (error) {
    if (!(error instanceof OutgoingFailed)) throw error
    const heard: Heard =
      signal.aborted && error.kind === 'aborted'
        ? { is: 'stopped' }
        : { is: 'failed', error: error.message, isTooLarge: error.kind === 'too large' }
    return { heard, requestHeaders, reply: null, secrets, isSlow: error.kind === 'timeout' }
  }
}

async function settle(world: World, tenant: Tenancy, claimed: Claimed, sent: Sent): Promise<void> {
  const { heard, requestHeaders, reply, secrets } = sent
  const webhook = await findAnyWebhook(world.db, tenant.id, claimed.webhookId)
  const verdict = judge(claimed, heard, { random: Math.random(), now: world.now() })
  await transact(world.db, async (tx) => {
    const at = world.now()
    const delivery = await lockDelivery(tx, tenant.id, claimed.id)
    await endAttempt(tx, tenant.id, claimed.id, {
      id: claimed.attemptId,
      endedAt: at,
      status: reply?.status ?? 0,
      error: 'error' in verdict ? strike(verdict.error, secrets) : '',
      requestHeaders,
      replyHeaders: reply ? keptHeaders(reply.headers, secrets) : {},
      replyBody: reply ? keptBody(reply.body, secrets) : '',
    })
    // A callback was quicker, the step continued without it, or another process is trying it by now.
    if (delivery?.state !== 'running' || delivery.leaseId !== claimed.leaseId) return
    if (verdict.to === 'answered')
      return endDelivery(tx, world, tenant, delivery, { is: 'answered', answer: verdict.answer })
    if (verdict.to === 'fatal') return endDelivery(tx, world, tenant, delivery, { is: 'failed', error: verdict.error })
    await reportAttempt(tx, world, tenant, claimed)
    if (verdict.to === 'waiting') {
      const seconds = webhook?.callbackTimeoutSeconds ?? callbackSeconds.usual
      const until = new Date(at.getTime() + seconds * 1000)
      return updateDelivery(tx, tenant.id, delivery.id, { state: 'waiting', at, dueAt: until, expiresAt: until })
    }
    const dueAt = new Date(at.getTime() + verdict.afterMs)
    const { error, isBad } = verdict
    await updateDelivery(tx, tenant.id, delivery.id, { state: 'error', at, dueAt, error, isBad })
  })
}
