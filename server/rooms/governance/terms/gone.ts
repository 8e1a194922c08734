import type { Tx } from '#kernel/sql.ts'
import type { GoneTerms } from '#rooms/records/apps/index.ts'

/** What an app that is deleted says of requests. */
export async function deleteTermsOf(tx: Tx, tenantId: number, { appId, isApp }: GoneTerms): Promise<void> {
  if (!isApp) return
  await tx`delete from routing_rules where tenant_id = ${tenantId} and app_id = ${appId}`
  await tx`delete from request_defaults where tenant_id = ${tenantId} and app_id = ${appId}`
}
