import type { Tx } from '#kernel/sql.ts'
import { cancelOfStep } from '#rooms/events/webhooks/index.ts'
import type { Doing } from '../doing.ts'
import { isAsked } from '../machine/asked.ts'
import { currentOf } from '../machine/fold.ts'
import type { TaskState } from '../machine/task.ts'

/** A task that went on by other means, or was closed, no longer waits for a webhook: its answer comes too late. */
export async function leaveWebhook(tx: Tx, doing: Doing, before: TaskState, after: TaskState): Promise<void> {
  const was = currentOf(before)
  if (!was || !isAsked(was)) return
  const now = currentOf(after)
  if (now?.id !== was.id || !isAsked(now)) await cancelOfStep(tx, doing, doing.tenant.id, was.id)
}
