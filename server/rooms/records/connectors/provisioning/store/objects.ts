import type { Reads, Tx } from '#kernel/sql.ts'
import { setExternalId } from '#rooms/records/accounts/index.ts'

export type EntitlementOf = {
  name: string
  externalId: string
  typeId: string
  isKnown: boolean
  /** The key of its resource, as the connector names it; empty if there is none. */
  resourceKey: string
  /** The connectors that report it. */
  connectorIds: readonly string[]
  /** The connectors that its policies choose to grant and to revoke it; empty if they choose none. */
  grantedBy: string
  revokedBy: string
}

/** An entitlement, and what its connector wrote about it. */
export async function findEntitlement(
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: { appId: string; entitlementId: string },
): Promise<EntitlementOf | null> {
  const [row] = await db<EntitlementOf[]>`
    select e.display_name as name, coalesce(e.external_id, '') as "externalId", coalesce(o.type_id, '') as "typeId",
      o.data is not null as "isKnown", coalesce(t.external_id || ':' || r.external_id, '') as "resourceKey",
      coalesce(e.connector_ids, '{}') as "connectorIds",
      coalesce(e.provisioner #>> '{connector,defaultBehavior,connectorId}', '') as "grantedBy",
      coalesce(coalesce(e.deprovisioner, e.provisioner) #>> '{connector,defaultBehavior,connectorId}', '') as "revokedBy"
    from entitlements e
    left join resource_types t on t.tenant_id = ${tenantId} and t.app_id = ${appId}
      and t.resource_type_id = e.resource_type_id
    left join resources r on r.tenant_id = ${tenantId} and r.app_id = ${appId}
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = 'entitlement'
      and o.external_id = e.external_id
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${entitlementId}
      and e.deleted_at is null`
  return row ?? null
}

export type AccountOf = {
  id: string
  name: string
  externalId: string
  userId: string
  isDeleted: boolean
  isDisabled: boolean
  isKnown: boolean
  typeId: string
  /** The connectors that report it. */
  connectorIds: readonly string[]
}

export async function findAccountsOf(
  db: Reads,
  tenantId: number,
  appId: string,
  accountIds: readonly string[],
): Promise<AccountOf[]> {
  return db<AccountOf[]>`
    select a.account_id as id, a.display_name as name, coalesce(a.external_id, '') as "externalId",
      coalesce(a.user_id, '') as "userId", a.deleted_at is not null as "isDeleted",
      a.status <> 'STATUS_ENABLED' as "isDisabled", o.data is not null as "isKnown",
      coalesce(o.type_id, '') as "typeId", coalesce(a.connector_ids, '{}') as "connectorIds"
    from accounts a
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = 'resource'
      and o.external_id = a.external_id
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = any(${accountIds}::text[])`
}

/** The accounts of a user in apps that have a connector. */
export async function listAccountsOfUser(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ appId: string; id: string }[]> {
  return db<{ appId: string; id: string }[]>`
    select a.app_id as "appId", a.account_id as id from accounts a
    join (select distinct app_id from connectors
      where tenant_id = ${tenantId} and deleted_at is null and deletes_accounts) c on c.app_id = a.app_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null and a.external_id is not null
    order by a.app_id, a.account_id limit 1000`
}

/** What a connector wrote, by kind and the connector's id. */
export async function findObjects(
  db: Reads,
  tenantId: number,
  appId: string,
  wanted: readonly { kind: 'resource' | 'entitlement'; externalId: string }[],
): Promise<{ kind: string; externalId: string; typeId: string; data: Buffer }[]> {
  return db<{ kind: string; externalId: string; typeId: string; data: Buffer }[]>`
    select o.kind, o.external_id as "externalId", o.type_id as "typeId", o.data
    from unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ externalId }) => externalId)}::text[])
      as w (kind, external_id)
    join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = w.kind
      and o.external_id = w.external_id`
}

/** The person for whom an account is created. */
export async function findPersonOf(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{
  displayName: string
  email: string
  emails: string[]
  username: string
  department: string
  jobTitle: string
  employeeIds: string[]
} | null> {
  const [row] = await db<
    {
      displayName: string
      email: string
      emails: string[]
      username: string
      department: string
      jobTitle: string
      employeeIds: string[]
    }[]
  >`
    select display_name as "displayName", email, emails, username, department, job_title as "jobTitle",
      employee_ids as "employeeIds"
    from users where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null`
  return row ?? null
}

type Adopted = { appId: string; accountId: string; externalId: string; connectorId: string; at: Date }

/**
 * Sets the id of an account that was created in the app. Not if another account here has that id, nor if the app's last sync
 * reported another object with it, such as a group: what the connector wrote about that would be lost.
 */
export async function adoptAccount(
  tx: Tx,
  tenantId: number,
  { appId, accountId, externalId, connectorId, at }: Adopted,
): Promise<'adopted' | 'of another' | 'no account'> {
  const [other] = await tx<{ id: string }[]>`
    select account_id as id from accounts
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id = ${externalId}`
  if (other) return other.id === accountId ? 'adopted' : 'of another'
  const objects = await findObjects(tx, tenantId, appId, [{ kind: 'resource', externalId }])
  if (objects.length > 0) return 'no account'
  await setExternalId(tx, tenantId, { appId, accountId, externalId, connectorId, at })
  return 'adopted'
}
