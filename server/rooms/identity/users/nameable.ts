import { showNames, sightOf } from '#authority/sight/index.ts'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { sharedBudget } from '#kernel/shared-budget.ts'
import { findUsers } from './store/read.ts'
import { findUserByEmail } from './store.ts'
import type { User } from './user.ts'

// Enough to add a team manually; too few to find out by trying who works here.
const lookups = slot((world) => sharedBudget(world, 'people looked up by address', { burst: 100, perSecond: 1 / 60 }))

/**
 * People whom someone may add as owners or members though they may not search everyone: those whom they see, by id, and
 * one whose whole address they know. Either is shown by name alone, or as far as the caller sees them anyway.
 */
export async function findNameable(
  call: Call,
  { address, ids }: { address: string; ids: readonly string[] },
): Promise<User[]> {
  const seen = ids.length > 0 ? await sightOf(call, call.db).people(ids) : new Map<string, unknown>()
  const known = address === '' ? null : await lookUp(call, address)
  const wanted = ids.length === 0 ? [known ?? ''] : [...seen.keys()].filter((id) => address === '' || id === known)
  return findUsers(
    call.db,
    call.tenant.id,
    wanted.filter((id) => id !== ''),
    call.now(),
  )
}

async function lookUp(call: Call, address: string): Promise<string | null> {
  const attempts = call.memory(lookups)
  const key = `${call.tenant.id} ${call.actor.userId}`
  if ((await attempts.take(key)) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many people were looked up by address; try again later.', {
      retryAfterSeconds: attempts.waitSeconds(key),
    })
  const person = await findUserByEmail(call.db, call.tenant.id, address)
  if (person) showNames(call, [person.id])
  return person?.id ?? null
}
