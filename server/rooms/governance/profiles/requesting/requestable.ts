import { may } from '#authority/may.ts'
import { isWithinReach } from '#authority/reach/index.ts'
import { listRequestable } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'

/**
 * Whether access may be requested for someone: an access profile that contains it is published and visible to them. What no
 * profile contains cannot be requested, except by those who administer requests (decision 0062).
 */
export async function isRequestable(
  db: Reads,
  call: Call,
  subjectUserId: string,
  { appId, entitlementId }: { appId: string; entitlementId: string },
): Promise<boolean> {
  const { actor, tenant, now } = call
  const ref = { appId, id: entitlementId }
  // Not even by those, if it would lead to more than they may grant: policies are not written for requests of what is not
  // offered.
  if (may(actor, 'tasks.manage') && (await isWithinReach(db, call, ref))) return true
  if (subjectUserId === '') return false
  const who = { userId: subjectUserId, at: now() }
  return (await listRequestable(db, tenant.id, who, [ref])).length > 0
}
