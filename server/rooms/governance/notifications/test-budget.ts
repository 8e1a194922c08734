import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { sharedBudget } from '#kernel/shared-budget.ts'

// Otherwise a caller who may test could have the server send messages without end.
const tests = slot((world) => sharedBudget(world, 'notification tests', { burst: 10, perSecond: 1 / 60 }))

/** Test messages of a tenant, by mail and to chats: ten at once, then one per minute. */
export async function takeTest(call: Call): Promise<void> {
  const budget = call.memory(tests)
  const key = String(call.tenant.id)
  if ((await budget.take(key)) === null)
    throw new Refusal('TOO_MANY_REQUESTS', 'Too many test messages were sent. Try again later.', {
      retryAfterSeconds: budget.waitSeconds(key),
    })
}
