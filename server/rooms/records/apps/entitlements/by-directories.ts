import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

export async function setIsDirectory(
  tx: Tx,
  tenantId: number,
  appId: string,
  { isDirectory, at }: { isDirectory: boolean; at: Date },
): Promise<void> {
  const set = { is_directory: isDirectory, updated_at: at }
  await updateRecords(tx, tenantId, 'apps', { set, where: tx`x.app_id = ${appId}` }, { isFew: true })
}

/** An entitlement and its resource, which have the same name. */
type Renamed = { appId: string; entitlementId: string; resourceId: string; displayName: string; at: Date }

export async function renameEntitlement(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, resourceId, displayName, at }: Renamed,
): Promise<void> {
  const set = { display_name: displayName, updated_at: at }
  await updateRecords(
    tx,
    tenantId,
    'resources',
    { set, where: tx`x.app_id = ${appId} and x.resource_id = ${resourceId}` },
    { isFew: true },
  )
  await updateRecords(
    tx,
    tenantId,
    'entitlements',
    { set, where: tx`x.app_id = ${appId} and x.entitlement_id = ${entitlementId}` },
    { isFew: true },
  )
}
