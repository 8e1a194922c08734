import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, record } from '#rooms/foundation/systemlog/index.ts'
import { disableMany, enableMany, hasEnabledOwner } from '#rooms/identity/users/index.ts'
import { listOwnersAmong } from './store.ts'

/** What changing users on behalf of directories needs, in a request or in a job. */
export type DirectoryContext = { tx: Tx; world: World; tenant: Tenancy; cause: Cause }

/** Disables users: Super Administrators one by one, and the last of them stays enabled. Returns who stayed. */
export async function disableAll(
  { tx, world, tenant, cause }: DirectoryContext,
  userIds: readonly string[],
  appId: string,
): Promise<Set<string>> {
  const at = world.now()
  const owners = await listOwnersAmong(tx, tenant.id, userIds)
  await disableMany(
    tx,
    tenant.id,
    userIds.filter((id) => !owners.has(id)),
    appId,
    at,
  )
  const kept = new Set<string>()
  for (const id of [...owners].toSorted()) {
    await disableMany(tx, tenant.id, [id], appId, at)
    if (await hasEnabledOwner(tx, world, tenant.id)) continue
    await enableMany(tx, tenant.id, [id], at)
    kept.add(id)
    const message =
      'Did not disable a Super Administrator who is no longer active in a directory: no enabled Super Administrator would be left'
    await record(tx, world, cause, alert(cause, 'update', message, [{ type: 'user', id }]))
  }
  return kept
}
