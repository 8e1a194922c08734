import { lacking, may } from '#authority/may.ts'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { actorLater } from '#rooms/identity/tokens/index.ts'

/** Sending events somewhere requires permission to read all of them. */
const needed = ['subscriptions.use', 'systemlog.read'] as const

/** Refuses a caller who may write subscriptions, but not read the events that they would send. */
export function requireLog({ permissions }: Pick<Actor, 'permissions'>): void {
  if (!may({ permissions }, 'systemlog.read'))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission systemlog.read too.', {
      metadata: { permission: 'systemlog.read' },
    })
}

const knownMs = 200

/** Cached briefly: one user is responsible for many subscriptions, which are started at the same moment. */
const known = slot(() => new Map<string, { is: Promise<boolean>; untilMs: number }>())

/** Whether the user responsible for a subscription may still have it: enabled, and with both permissions. */
export function isStillPermitted(world: World, tenant: Tenancy, responsibleId: string): Promise<boolean> {
  const key = `${tenant.id} ${responsibleId}`
  const now = performance.now()
  const all = world.memory(known)
  const found = all.get(key)
  if (found && found.untilMs > now) return found.is
  const is = isPermitted(world, tenant, responsibleId)
  is.catch(() => all.delete(key))
  for (const [each, { untilMs }] of all) if (untilMs <= now) all.delete(each)
  all.set(key, { is, untilMs: now + knownMs })
  return is
}

async function isPermitted(world: World, tenant: Tenancy, responsibleId: string): Promise<boolean> {
  const author = { authorId: responsibleId, clientId: '', sessionId: '', sourceAddress: '' }
  try {
    const actor = await actorLater({ ...world, tenant }, author)
    return lacking(actor, needed).length === 0
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return false
    throw error
  }
}
