import type { Tx } from '#kernel/sql.ts'
import { fewMax, insertRecords } from '#rooms/foundation/writes/index.ts'
import type { WithoutConnector } from './records.ts'

export type NewApp = {
  id: string
  externalId?: string
  displayName: string
  description?: string
  isDirectory?: boolean
  /** Records only unless it is said: so that what is only shown, as in the demo company, asks nobody. */
  withoutConnector?: WithoutConnector
}

export type NewResourceType = { id: string; appId: string; externalId?: string; displayName: string }

export type NewResource = {
  id: string
  appId: string
  resourceTypeId: string
  externalId?: string
  displayName: string
  description?: string
}

export type NewEntitlement = {
  id: string
  appId: string
  externalId?: string
  /** Both or neither: PostgreSQL does not check a reference of which one half is null. */
  resource?: { typeId: string; id: string }
  displayName: string
  description?: string
  slug?: string
  alias?: string
  purpose?:
    | 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'
    | 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION'
    | 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'
}

// PostgreSQL takes at most 65,535 parameters in one statement.
const rowsPerStatement = 1000

export async function insertApps(tx: Tx, tenantId: number, apps: readonly NewApp[], at: Date): Promise<void> {
  for (let from = 0; from < apps.length; from += rowsPerStatement) {
    const rows = apps.slice(from, from + rowsPerStatement).map((app) => ({
      tenant_id: tenantId,
      app_id: app.id,
      external_id: app.externalId ?? null,
      display_name: app.displayName,
      description: app.description ?? '',
      is_directory: app.isDirectory ?? false,
      without_connector: app.withoutConnector ?? 'records only',
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'apps', tx(rows), { isFew: rows.length <= fewMax })
  }
}

export async function insertResourceTypes(
  tx: Tx,
  tenantId: number,
  types: readonly NewResourceType[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < types.length; from += rowsPerStatement) {
    const rows = types.slice(from, from + rowsPerStatement).map((type) => ({
      tenant_id: tenantId,
      app_id: type.appId,
      resource_type_id: type.id,
      external_id: type.externalId ?? null,
      display_name: type.displayName,
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'resource_types', tx(rows), { isFew: rows.length <= fewMax })
  }
}

export async function insertResources(
  tx: Tx,
  tenantId: number,
  resources: readonly NewResource[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < resources.length; from += rowsPerStatement) {
    const rows = resources.slice(from, from + rowsPerStatement).map((resource) => ({
      tenant_id: tenantId,
      app_id: resource.appId,
      resource_type_id: resource.resourceTypeId,
      resource_id: resource.id,
      external_id: resource.externalId ?? null,
      display_name: resource.displayName,
      description: resource.description ?? '',
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'resources', tx(rows), { isFew: rows.length <= fewMax })
  }
}

export async function insertEntitlements(
  tx: Tx,
  tenantId: number,
  entitlements: readonly NewEntitlement[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < entitlements.length; from += rowsPerStatement) {
    const rows = entitlements.slice(from, from + rowsPerStatement).map((entitlement) => ({
      tenant_id: tenantId,
      app_id: entitlement.appId,
      entitlement_id: entitlement.id,
      external_id: entitlement.externalId ?? null,
      resource_type_id: entitlement.resource?.typeId ?? null,
      resource_id: entitlement.resource?.id ?? null,
      display_name: entitlement.displayName,
      description: entitlement.description ?? '',
      slug: entitlement.slug ?? '',
      alias: entitlement.alias ?? '',
      purpose: entitlement.purpose ?? 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'entitlements', tx(rows), { isFew: rows.length <= fewMax })
  }
}
