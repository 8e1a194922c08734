import { may } from '#authority/may.ts'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { looseBudget } from '#kernel/shared-budget.ts'

// Up to 10 KB on the disk each, kept for good: more than anyone writes by hand, and less than fills a disk.
const writes = slot((world) => looseBudget(world, 'requests and comments', { burst: 1_000, perSecond: 0.1 }))

/** Counts what someone adds to tasks at will: requests, comments, other answers. Not decisions, which others ask them for. */
export function countWriting(call: Call): void {
  if (may(call.actor, 'tasks.request-for-others')) return
  const key = `${call.tenant.id} ${call.actor.userId}`
  if (call.memory(writes).take(key) === null)
    throw new Refusal('TOO_MANY_REQUESTS', 'You have sent too many requests and comments. Try again later.', {
      retryAfterSeconds: call.memory(writes).waitSeconds(key),
    })
}
