import { jobName } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findAnyWebhook } from '../store.ts'
import type { Claimed } from './delivery.ts'
import { namedOf, type WebhookNamed } from './ended.ts'
import { findAsker, listResults, type Result } from './store.ts'

/** An attempt is over, and another one or a callback is expected: the room that asked writes it into the history. */
export const webhookAttempted = jobName<{ deliveryId: string; ticketId: string }>('webhooks.attempted')

/**
 * Makes the room that asked write an attempt into its history. The last one is written together with the result of the
 * answer.
 */
export async function reportAttempt(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  { id, source, ticketId, attemptId }: Pick<Claimed, 'id' | 'source' | 'ticketId' | 'attemptId'>,
): Promise<void> {
  if (source === 'test') return
  const job = { payload: { deliveryId: id, ticketId }, subject: { type: 'task', id: ticketId }, key: attemptId }
  await enqueue(tx, world, serviceCause(tenant, webhookAttempted.kind), webhookAttempted, job)
}

export type Attempted = { stepId: string; webhook: WebhookNamed; attempts: Result[] }

/** The finished attempts of a delivery, in order; null if it or its webhook has been deleted. */
export async function findAttempted(db: Reads, tenantId: number, deliveryId: string): Promise<Attempted | null> {
  const asker = await findAsker(db, tenantId, deliveryId)
  const webhook = asker && (await findAnyWebhook(db, tenantId, asker.webhookId))
  if (!asker || !webhook) return null
  const results = await listResults(db, tenantId, deliveryId)
  // An attempt whose process was killed, or that a callback overtook, is over too, and has no response.
  const attempts = results.filter(({ number }) => asker.state !== 'running' || number < asker.attempts)
  return { stepId: asker.stepId, webhook: namedOf(webhook, deliveryId), attempts }
}
