import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { actorLater } from '#rooms/identity/tokens/index.ts'

/** Whoever has events sent somewhere must be able to read all of them. */
const needed = ['subscriptions.write', 'systemlog.read'] as const

/** Refuses whoever may write subscriptions, and not read what they would have sent. */
export function requireLog({ permissions }: Pick<Actor, 'permissions'>): void {
  if (!permissions.has('systemlog.read'))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission systemlog.read too.', {
      metadata: { permission: 'systemlog.read' },
    })
}

/** Whether whoever is responsible for a subscription may still do what it does: enabled, and with both permissions. */
export async function isStillPermitted(world: World, tenant: Tenancy, responsibleId: string): Promise<boolean> {
  const author = { authorId: responsibleId, clientId: '', sessionId: '', sourceAddress: '' }
  try {
    const { permissions } = await actorLater({ ...world, tenant }, author)
    return needed.every((each) => permissions.has(each))
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return false
    throw error
  }
}
