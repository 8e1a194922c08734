import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { listRequestable } from '#rooms/identity/users/index.ts'

/**
 * Whether access may be requested for someone: an access profile that contains it is published and visible to them. What no
 * profile contains cannot be requested, except by those who administer requests (decision 0062).
 */
export async function isRequestable(
  db: Reads,
  { actor, tenant, now }: Pick<Call, 'actor' | 'tenant' | 'now'>,
  subjectUserId: string,
  { appId, entitlementId }: { appId: string; entitlementId: string },
): Promise<boolean> {
  if (actor.permissions.has('tasks.manage')) return true
  if (subjectUserId === '') return false
  const who = { userId: subjectUserId, at: now() }
  return (await listRequestable(db, tenant.id, who, [{ appId, id: entitlementId }])).length > 0
}
