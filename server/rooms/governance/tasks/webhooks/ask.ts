import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { type Call, stranger } from '#kernel/routes.ts'
import { transact, within } from '#kernel/sql.ts'
import { beginDelivery, findWebhooks, namedOf } from '#rooms/events/webhooks/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { carry } from '../carry.ts'
import { askWebhook } from '../effects/job-names.ts'
import { Facts } from '../facts/facts.ts'
import { currentOf, replay, webhookOf } from '../machine/fold.ts'
import { presentTask } from '../present.ts'
import { TaskView } from '../shapes.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { failedOver } from './failed.ts'

/** A caller without permissions, for the view of the task: it contains no actions. */
const asNobody = (call: JobCall): Call => ({
  ...call,
  actor: { ...stranger, userId: 'webhook' },
  operation: askWebhook.kind,
  requestId: '',
  sourceAddress: '',
  headers: {},
  origin: '',
  sendHeader: () => {},
  shows: {},
})

/**
 * Calls the webhook of a step, with the present task. Does nothing if the step is no longer current, or was taken over by
 * people.
 */
export const askWebhooks = jobKind(askWebhook, {
  title: 'Request to a webhook',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { taskId, stepId } = call.job.payload
      const task = await lockTask(tx, call.tenant.id, taskId)
      const state = task?.isOpen ? replay(await listTaskEvents(tx, call.tenant.id, taskId)) : null
      const now = state && currentOf(state)
      const webhookId = now?.id === stepId ? webhookOf(now) : null
      if (task && state && now && webhookId !== null) {
        const facts = new Facts(tx, call)
        const cause = serviceCause(call.tenant, askWebhook.kind)
        const [webhook] = await findWebhooks(tx, call.tenant.id, [webhookId])
        if (webhook) {
          const asked = asNobody({ ...call, db: within(tx) })
          const { taskView, expanded } = await presentTask(asked, task, { paths: ['*'] }, { state })
          const delivery = await beginDelivery(tx, call, call.tenant, webhook, {
            source: now.step.kind === 'approval' ? 'approval' : 'provision',
            ticketId: taskId,
            stepId,
            payload: { taskView: taskView && TaskView.write(taskView), expanded },
          })
          if (delivery) {
            const events = [{ is: 'webhook asked', stepId, webhook: namedOf(webhook, delivery.id) }] as const
            await carry(facts, cause, { task, state }, { events, by: '', verb: 'Asked a webhook about' })
          }
        } else {
          const named = { id: webhookId, name: '', url: '', deliveryId: '' }
          const events = await failedOver(facts, { task, state }, now, {
            webhook: named,
            error: 'The webhook was deleted.',
          })
          await carry(facts, cause, { task, state }, { events, by: '', verb: 'No webhook could be asked about' })
        }
      }
      await call.finishIn(tx)
    }),
})
