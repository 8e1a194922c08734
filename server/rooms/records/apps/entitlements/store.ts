import type { May } from '#authority/proof.ts'
import { isSeenEntitlement, type Place } from '#authority/sight/index.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import { after, type PageAsked } from '../filters.ts'
import { type Purpose, strength } from '../lock-strength.ts'
import type { Entitlement } from '../records.ts'
import type { ProvisionPolicy } from './provision.ts'

export type EntitlementUncounted = Omit<Entitlement, 'grantCount'>

// Rules belong to a room further down, which this one cannot import; they are read here, and only read. A rule that matches
// nobody does not count.
const ruleOf = (db: Reads, tenantId: number) => db`
  select 1 from automations m
  where m.tenant_id = ${tenantId} and m.app_id = e.app_id and m.entitlement_id = e.entitlement_id
    and m.deleted_at is null and m.kind <> 'none'`

// Forms and defaults belong to rooms further down, too.
const formOf = (db: Reads, tenantId: number) => db`
  select b.form_id from form_bindings b
  where b.tenant_id = ${tenantId} and b.app_id = e.app_id and b.entitlement_id = e.entitlement_id`
const defaultsOf = (db: Reads, tenantId: number) => db`
  select 1 from request_defaults d
  where d.tenant_id = ${tenantId} and d.app_id = e.app_id and d.is_enabled
    and (cardinality(d.resource_type_ids) = 0 or e.resource_type_id = any(d.resource_type_ids))`

const plainColumns = (db: Reads, tenantId: number) => db`
  e.entitlement_id as id, e.app_id as "appId", coalesce(e.external_id, '') as "externalId",
  coalesce(e.resource_type_id, '') as "appResourceTypeId", coalesce(e.resource_id, '') as "appResourceId",
  e.display_name as "displayName", e.description, e.slug, e.alias, e.purpose, e.annotations,
  coalesce(e.risk_level_value_id, '') as "riskLevelValueId",
  e.compliance_framework_value_ids as "complianceFrameworkValueIds", e.duration_grant_seconds as "durationGrant",
  e.is_duration_unset as "isDurationUnset", e.grant_policy_id as "grantPolicyId", e.revoke_policy_id as "revokePolicyId",
  e.certify_policy_id as "certifyPolicyId", e.emergency_policy_id as "emergencyGrantPolicyId",
  e.is_emergency_enabled as "emergencyGrantEnabled", e.provisioner as "provisionerPolicy",
  e.overrides_defaults as "overrideAccessRequestsDefaults", coalesce((${formOf(db, tenantId)}), '') as "requestSchemaId",
  not e.overrides_defaults and exists (${defaultsOf(db, tenantId)}) as "defaultValuesApplied",
  e.deprovisioner as "deprovisionerPolicy", e.user_edited as "userEdited",
  exists (${ruleOf(db, tenantId)}) as "isAutomationEnabled",
  e.is_manually_managed as "isManuallyManaged", e.created_at as "createdAt", e.updated_at as "updatedAt",
  e.deleted_at as "deletedAt", coalesce(e.connector_ids, '{}') as "connectorIds"`

/** Of `entitlements e`. The count is an index-only scan of grants_open, for the rows of the page alone. */
export const entitlementColumns = (db: Reads, tenantId: number) => db`
  ${plainColumns(db, tenantId)},
  (select count(distinct g.account_id) from grants g
    where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
      and g.ended_at is null) as "grantCount"`

/** Whether enabled defaults of an app apply to its entitlements of a resource type. */
export async function hasDefaultsFor(db: Reads, tenantId: number, appId: string, typeId: string): Promise<boolean> {
  const rows = await db`
    select 1 from request_defaults d
    where d.tenant_id = ${tenantId} and d.app_id = ${appId} and d.is_enabled
      and (cardinality(d.resource_type_ids) = 0 or ${typeId} = any(d.resource_type_ids))`
  return rows.length > 0
}

const json = (tx: Tx, value: ProvisionPolicy | null) => (value === null ? null : tx.json(value))

export async function insertEntitlement(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.create-entitlement'>,
  made: Entitlement,
): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'entitlements',
    tx`
    (tenant_id, app_id, entitlement_id, resource_type_id, resource_id, display_name,
      description, slug, alias, purpose, annotations, risk_level_value_id, compliance_framework_value_ids,
      duration_grant_seconds, is_duration_unset, grant_policy_id, revoke_policy_id, certify_policy_id, emergency_policy_id,
      is_emergency_enabled, overrides_defaults, provisioner, deprovisioner, is_manually_managed, created_at, updated_at)
    values (${tenantId}, ${made.appId}, ${made.id}, ${made.appResourceTypeId || null}, ${made.appResourceId || null},
      ${made.displayName}, ${made.description}, ${made.slug}, ${made.alias}, ${made.purpose},
      ${tx.json(made.annotations)}, ${made.riskLevelValueId || null},
      ${made.complianceFrameworkValueIds}, ${made.durationGrant}, ${made.isDurationUnset},
      ${made.grantPolicyId}, ${made.revokePolicyId}, ${made.certifyPolicyId}, ${made.emergencyGrantPolicyId},
      ${made.emergencyGrantEnabled}, ${made.overrideAccessRequestsDefaults}, ${json(tx, made.provisionerPolicy)}, ${json(tx, made.deprovisionerPolicy)},
      ${made.isManuallyManaged}, ${made.createdAt}, ${made.updatedAt})`,
    { isFew: true },
  )
}

const ofKey = (db: Reads, tenantId: number, appId: string, id: string) => db`
  e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${id} and e.deleted_at is null`

export async function findEntitlement(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<Entitlement | null> {
  const [row] = await db<Entitlement[]>`
    select ${entitlementColumns(db, tenantId)} from entitlements e where ${ofKey(db, tenantId, appId, id)}`
  return row ?? null
}

/** The existing ones of some entitlements, deleted or not, without their counts. */
export async function findEntitlementsUncounted(
  db: Reads,
  tenantId: number,
  refs: readonly { appId: string; id: string }[],
): Promise<EntitlementUncounted[]> {
  return db<EntitlementUncounted[]>`
    select ${plainColumns(db, tenantId)} from entitlements e
    where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) in (
      select * from unnest(${refs.map((ref) => ref.appId)}::text[], ${refs.map((ref) => ref.id)}::text[]))`
}

/** Whether the entitlement exists; it is then locked until the transaction ends. */
export async function holdEntitlement(tx: Tx, tenantId: number, appId: string, id: string): Promise<boolean> {
  const rows = await tx`select 1 from entitlements e where ${ofKey(tx, tenantId, appId, id)} for share`
  return rows.length > 0
}

export async function lockEntitlement(
  tx: Tx,
  tenantId: number,
  appId: string,
  id: string,
  purpose: Purpose,
): Promise<Entitlement | null> {
  const [row] = await tx<Entitlement[]>`
    select ${entitlementColumns(tx, tenantId)} from entitlements e where ${ofKey(tx, tenantId, appId, id)}
    for ${strength(tx, purpose)} of e`
  return row ?? null
}

export async function listEntitlements(
  db: Reads,
  tenantId: number,
  appId: string,
  page: PageAsked,
  places: readonly Place[] | null = null,
): Promise<Entitlement[]> {
  return db<Entitlement[]>`
    select ${entitlementColumns(db, tenantId)} from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.deleted_at is null
      and e.entitlement_id > ${after(page, 0)} ${places === null ? db`` : db`and ${isSeenEntitlement(db, places)}`}
    order by e.entitlement_id limit ${page.limit}`
}

export async function listEntitlementsOfResource(
  db: Reads,
  tenantId: number,
  resource: { appId: string; typeId: string; id: string },
  page: PageAsked,
): Promise<Entitlement[]> {
  return db<Entitlement[]>`
    select ${entitlementColumns(db, tenantId)} from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${resource.appId} and e.resource_type_id = ${resource.typeId}
      and e.resource_id = ${resource.id} and e.deleted_at is null and e.entitlement_id > ${after(page, 0)}
    order by e.entitlement_id limit ${page.limit}`
}

const isLiving = (tx: Tx, appId: string, id: string) => tx`
  x.app_id = ${appId} and x.entitlement_id = ${id} and x.deleted_at is null`

export async function updateEntitlement(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'entitlement.edit' | 'entitlements.edit' | 'entitlements.bulk-edit'>,
  changed: Entitlement,
): Promise<void> {
  const set = {
    display_name: changed.displayName,
    description: changed.description,
    slug: changed.slug,
    alias: changed.alias,
    purpose: changed.purpose,
    annotations: tx.json(changed.annotations),
    risk_level_value_id: changed.riskLevelValueId || null,
    compliance_framework_value_ids: changed.complianceFrameworkValueIds,
    duration_grant_seconds: changed.durationGrant,
    is_duration_unset: changed.isDurationUnset,
    grant_policy_id: changed.grantPolicyId,
    revoke_policy_id: changed.revokePolicyId,
    certify_policy_id: changed.certifyPolicyId,
    emergency_policy_id: changed.emergencyGrantPolicyId,
    is_emergency_enabled: changed.emergencyGrantEnabled,
    overrides_defaults: changed.overrideAccessRequestsDefaults,
    provisioner: json(tx, changed.provisionerPolicy),
    deprovisioner: json(tx, changed.deprovisionerPolicy),
    user_edited: changed.userEdited,
    updated_at: changed.updatedAt,
  }
  await updateRecords(
    tx,
    tenantId,
    'entitlements',
    { set, where: isLiving(tx, changed.appId, changed.id) },
    { isFew: true },
  )
}

export async function deleteEntitlement(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'entitlement.delete'>,
  appId: string,
  id: string,
  at: Date,
): Promise<void> {
  const set = { deleted_at: at, updated_at: at }
  await updateRecords(tx, tenantId, 'entitlements', { set, where: isLiving(tx, appId, id) }, { isFew: true })
}
