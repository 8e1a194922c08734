import type { Tx } from '#kernel/sql.ts'

type PairRef = { appId: string; entitlementId: string; accountId: string }

/** Saves what a connector reports about a resource that it created, as its next sync would. */
export async function putConnectorObject(
  tx: Tx,
  tenantId: number,
  appId: string,
  {
    externalId,
    typeId,
    data,
    connectorId,
  }: { externalId: string; typeId: string; data: Uint8Array; connectorId: string },
): Promise<void> {
  await tx`
    insert into connector_objects (tenant_id, app_id, kind, external_id, type_id, data, connector_ids)
    values (${tenantId}, ${appId}, 'resource', ${externalId}, ${typeId}, ${Buffer.from(data)}, ${[connectorId]}::text[])
    on conflict (tenant_id, app_id, kind, external_id) do update set type_id = excluded.type_id, data = excluded.data`
}

/** The same for a grant that it made. */
export async function putConnectorGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
  { isFixed, data }: { isFixed: boolean; data: Uint8Array },
): Promise<void> {
  await tx`
    insert into connector_grants (tenant_id, app_id, entitlement_id, account_id, is_fixed, data)
    values (${tenantId}, ${appId}, ${entitlementId}, ${accountId}, ${isFixed}, ${Buffer.from(data)})
    on conflict (tenant_id, app_id, entitlement_id, account_id)
    do update set is_fixed = excluded.is_fixed, data = excluded.data`
}

export async function deleteConnectorGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
): Promise<void> {
  await tx`
    delete from connector_grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId}`
}
