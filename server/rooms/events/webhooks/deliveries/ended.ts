import { jobName } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { findAnyWebhook } from '../store.ts'
import type { Answer } from './answers.ts'
import type { Delivery } from './delivery.ts'
import {
  deleteOld,
  listTenantsWithOld,
  listTenantsWithUnanswered,
  listUnanswered,
  lockDelivery,
  lockOfStep,
  updateDelivery,
} from './store.ts'

/** A step of a policy has its answer, or will get none: the room that asked continues. */
export const webhookEnded = jobName<{ deliveryId: string; ticketId: string }>('webhooks.ended')

type Verdict = { is: 'answered'; answer: Answer | null } | { is: 'failed'; error: string }

/**
 * Ends a delivery and, in the same transaction, enqueues the job by which the room that asked continues. A test ends here.
 */
export async function endDelivery(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  { id, source, ticketId }: Pick<Delivery, 'id' | 'source' | 'ticketId'>,
  verdict: Verdict,
): Promise<void> {
  const at = world.now()
  if (verdict.is === 'failed')
    await updateDelivery(tx, tenant.id, id, { state: 'fatal', at, dueAt: null, error: verdict.error })
  else {
    const state = source === 'test' ? 'success' : 'answered'
    await updateDelivery(tx, tenant.id, id, { state, at, dueAt: null, answer: verdict.answer })
  }
  if (source === 'test') return
  const job = { payload: { deliveryId: id, ticketId }, subject: { type: 'task', id: ticketId }, key: id }
  await enqueue(tx, world, serviceCause(tenant, webhookEnded.kind), webhookEnded, job)
}

/** The webhook as the history of a task shows it: its address without parts that may be secret. */
export type WebhookNamed = { id: string; name: string; url: string; deliveryId: string }

export type Outcome = {
  source: Delivery['source']
  stepId: string
  webhook: WebhookNamed
  /** Null if it failed, for the reason in `error`. */
  answer: Answer | null
  error: string
}

export const namedOf = (
  { id, displayName, url }: { id: string; displayName: string; url: string },
  deliveryId: string,
): WebhookNamed => ({ id, name: displayName, url: URL.parse(url)?.origin ?? '', deliveryId })

/** The result of a delivery, for the room that asked; null if there is none left to take. */
export async function takeOutcome(tx: Tx, world: World, tenantId: number, deliveryId: string): Promise<Outcome | null> {
  const delivery = await lockDelivery(tx, tenantId, deliveryId)
  if (delivery?.state !== 'answered' && delivery?.state !== 'fatal') return null
  const webhook = await findAnyWebhook(tx, tenantId, delivery.webhookId)
  if (!webhook) return null
  const { source, stepId, answer, error, state } = delivery
  if (state === 'answered')
    await updateDelivery(tx, tenantId, deliveryId, { state: 'success', at: world.now(), dueAt: null, answer })
  return { source, stepId, webhook: namedOf(webhook, deliveryId), answer, error }
}

/** Rejects an answer that the room that asked cannot follow, as the history shows. */
export async function refuseAnswer(
  tx: Tx,
  world: World,
  tenantId: number,
  deliveryId: string,
  error: string,
): Promise<void> {
  await updateDelivery(tx, tenantId, deliveryId, { state: 'fatal', at: world.now(), dueAt: null, error })
}

const isOpen = ({ state }: Delivery): boolean =>
  state === 'pending' || state === 'running' || state === 'error' || state === 'waiting' || state === 'answered'

/** The step continued without its answer: the webhook is not asked again, and later answers do not count. */
export async function cancelOfStep(tx: Tx, world: World, tenantId: number, stepId: string): Promise<void> {
  const delivery = await lockOfStep(tx, tenantId, stepId)
  if (!delivery || !isOpen(delivery)) return
  const error = 'The step ended before the answer arrived.'
  await updateDelivery(tx, tenantId, delivery.id, { state: 'fatal', at: world.now(), dueAt: null, error })
}

const atOnce = 100

/** Ends deliveries whose callback did not arrive in time. Run by the engine. */
export async function endUnanswered(world: World): Promise<void> {
  const at = world.now()
  await forEachTenant(await listTenantsWithUnanswered(world.db, at), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    for (const id of tenant ? await listUnanswered(world.db, tenantId, at, atOnce) : [])
      await transact(world.db, async (tx) => {
        const delivery = await lockDelivery(tx, tenantId, id)
        if (!tenant || delivery?.state !== 'waiting' || !delivery.dueAt || delivery.dueAt > at) return
        const error = 'The receiver answered 202, but sent no callback in time.'
        await endDelivery(tx, world, tenant, delivery, { is: 'failed', error })
      })
  })
}

/** How long deliveries are kept. */
const keptMs = 30 * 24 * 3_600_000

/** Deletes deliveries that ended over a month ago. Run by the engine. */
export async function forgetDeliveries(world: World): Promise<void> {
  const before = new Date(world.now().getTime() - keptMs)
  await forEachTenant(await listTenantsWithOld(world.db, before), async (tenantId) => {
    while ((await transact(world.db, (tx) => deleteOld(tx, tenantId, before, 1_000))) === 1_000);
  })
}
