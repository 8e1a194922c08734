import { jobKind } from '#kernel/jobs.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { type Attempted, findAttempted, webhookAttempted } from '#rooms/events/webhooks/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { carry } from '../carry.ts'
import { Facts } from '../facts/facts.ts'
import type { Happened, TaskEvent } from '../machine/event.ts'
import { currentOf, isAsked, replay } from '../machine/fold.ts'
import { listTaskEvents, lockTask } from '../store.ts'

/** Attempts to reach a webhook that are not in the history of the task yet. */
export async function listUntold(
  tx: Tx,
  tenantId: number,
  deliveryId: string,
  history: readonly Happened[],
): Promise<TaskEvent[]> {
  const attempted = await findAttempted(tx, tenantId, deliveryId)
  return attempted ? untoldOf(attempted, history) : []
}

function untoldOf({ stepId, webhook, attempts }: Attempted, history: readonly Happened[]): TaskEvent[] {
  const told = history.flatMap((event) =>
    event.is === 'webhook attempted' && event.webhook.deliveryId === webhook.deliveryId ? [event.attempt] : [],
  )
  return attempts
    .filter(({ number }) => !told.includes(number))
    .map(({ number, status, error }) => ({ is: 'webhook attempted', stepId, webhook, attempt: number, status, error }))
}

/** Writes attempts to reach a webhook into the history of the task, while it waits for the answer. */
export const recordAttempts = jobKind(webhookAttempted, {
  title: 'Webhook attempt in the history of a request',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { ticketId, deliveryId } = call.job.payload
      const task = await lockTask(tx, call.tenant.id, ticketId)
      if (task?.isOpen) {
        const history = await listTaskEvents(tx, call.tenant.id, task.id)
        const state = replay(history)
        const now = currentOf(state)
        const untold = await listUntold(tx, call.tenant.id, deliveryId, history)
        const events = now && isAsked(now) ? untold.filter((event) => 'stepId' in event && event.stepId === now.id) : []
        const cause = serviceCause(call.tenant, webhookAttempted.kind)
        if (events.length > 0)
          await carry(
            new Facts(tx, call),
            cause,
            { task, state },
            { events, by: '', verb: 'Tried to reach a webhook about' },
          )
      }
      await call.finishIn(tx)
    }),
})
