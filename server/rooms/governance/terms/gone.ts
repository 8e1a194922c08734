import type { Tx } from '#kernel/sql.ts'
import type { GoneInApp } from '#rooms/records/apps/index.ts'

/** Deletes the request settings of a deleted app. */
export async function deleteTermsOf(tx: Tx, tenantId: number, { appId, isApp }: GoneInApp): Promise<void> {
  if (!isApp) return
  await tx`delete from routing_rules where tenant_id = ${tenantId} and app_id = ${appId}`
  await tx`delete from request_defaults where tenant_id = ${tenantId} and app_id = ${appId}`
}
