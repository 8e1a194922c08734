import { may } from '#authority/may.ts'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { looseBudget } from '#kernel/shared-budget.ts'

// Each takes up to 10 KB on disk and is never deleted: the limit is more than anyone writes manually, and less than fills a
// disk.
const writes = slot((world) => looseBudget(world, 'requests and comments', { burst: 1_000, perSecond: 0.1 }))

/**
 * Limits what someone can add to tasks at will: requests, comments, changed answers. Not decisions, which others ask them
 * for.
 */
export function countWriting(call: Call): void {
  if (may(call.actor, 'tasks.request-for-others')) return
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (call.memory(writes).take(key) === null)
    throw new Refusal('TOO_MANY_REQUESTS', 'You have sent too many requests and comments. Try again later.', {
      retryAfterSeconds: call.memory(writes).waitSeconds(key),
    })
}
