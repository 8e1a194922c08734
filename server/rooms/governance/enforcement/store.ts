import type { Reads } from '#kernel/sql.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { WithoutConnector } from '#rooms/records/apps/index.ts'
import type { EntitlementFacts } from './decide.ts'

type Ref = { appId: string; id: string }

/** Of an entitlement `e` of the app `a`, with what its connector wrote about it as `o`. */
const facts = (db: Reads) => db`
  e.app_id as "appId", e.provisioner, e.deprovisioner, coalesce(e.external_id, '') as "externalId",
  coalesce(o.type_id, '') as "typeId", o.is_known is true as "isKnown", coalesce(e.connector_ids, '{}') as "connectorIds",
  a.without_connector as "withoutConnector"`

const written = (db: Reads, tenantId: number) => db`
  left join lateral (select x.type_id, x.data is not null as is_known from connector_objects x
    where x.tenant_id = ${tenantId} and x.app_id = e.app_id and x.kind = 'entitlement' and x.external_id = e.external_id) o
    on true`

/** Those of some entitlements that exist, in one statement. */
export async function listEntitlementFacts(
  db: Reads,
  tenantId: number,
  refs: readonly Ref[],
): Promise<(EntitlementFacts & Ref)[]> {
  if (refs.length === 0) return []
  return db<(EntitlementFacts & Ref)[]>`
    select w.id, ${facts(db)}
    from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) as w (app_id, id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.id
      and e.deleted_at is null
    join apps a on a.tenant_id = ${tenantId} and a.app_id = w.app_id and a.deleted_at is null
    ${written(db, tenantId)}`
}

/**
 * The entitlements of some apps, in groups of those that are alike in everything that decides who carries them out: an app
 * with 20,000 entitlements has a few.
 */
export async function listGroups(
  db: Reads,
  tenantId: number,
  appIds: readonly string[],
): Promise<(EntitlementFacts & { count: number })[]> {
  return db<(EntitlementFacts & { count: number })[]>`
    select e.app_id as "appId", e.provisioner, e.deprovisioner, case when e.external_id is null then '' else 'set' end as "externalId",
      coalesce(o.type_id, '') as "typeId", o.data is not null as "isKnown",
      coalesce(e.connector_ids, '{}') as "connectorIds", a.without_connector as "withoutConnector", count(*)::int as count
    from apps a
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = a.app_id and e.deleted_at is null
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = e.app_id and o.kind = 'entitlement'
      and o.external_id = e.external_id
    where a.tenant_id = ${tenantId} and a.app_id = any(${appIds}::text[]) and a.deleted_at is null
    group by 1, 2, 3, 4, 5, 6, 7, 8`
}

export type AppFacts = { id: string; withoutConnector: WithoutConnector }

/** Those of some apps that exist. */
export async function listAppFacts(db: Reads, tenantId: number, appIds: readonly string[]): Promise<AppFacts[]> {
  return db<AppFacts[]>`
    select a.app_id as id, a.without_connector as "withoutConnector" from apps a
    where a.tenant_id = ${tenantId} and a.app_id = any(${appIds}::text[]) and a.deleted_at is null`
}

/** Apps without a connector that have entitlements, in the order of their ids: all of them, or of some. */
export async function listUnconnected(
  db: Reads,
  tenantId: number,
  { appIds, limit }: { appIds: readonly string[] | null; limit: number },
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select a.app_id as id, a.display_name as name from apps a
    where a.tenant_id = ${tenantId} and a.deleted_at is null
      ${appIds === null ? db`` : db`and a.app_id = any(${appIds}::text[])`}
      and not exists (select 1 from connectors c
        where c.tenant_id = ${tenantId} and c.app_id = a.app_id and c.deleted_at is null)
      and exists (select 1 from entitlements e
        where e.tenant_id = ${tenantId} and e.app_id = a.app_id and e.deleted_at is null)
    order by a.app_id limit ${limit}`
}

/**
 * Whether the owners of the app `a` are asked to grant and revoke its entitlement `e`, unless a provisioner was chosen: no
 * connector is concerned. By `withoutConnectors` of connectors, in SQL, for lists of many.
 */
export const leavesToOwners = (db: Reads, tenantId: number) => db`
  (a.without_connector = 'manual' and (e.external_id is null or not exists (select 1 from connectors c
    where c.tenant_id = ${tenantId} and c.app_id = a.app_id and c.deleted_at is null)))`

/** The apps that have a connector, and how many others have entitlements; access profiles have no app that could differ. */
export async function listConnected(
  db: Reads,
  tenantId: number,
  limit: number,
): Promise<{ appIds: string[]; without: number }> {
  const [row] = await db<{ appIds: string[]; without: number }[]>`
    select array(select distinct c.app_id::text from connectors c
        join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id and a.deleted_at is null
        where c.tenant_id = ${tenantId} and c.deleted_at is null order by 1 limit ${limit}) as "appIds",
      (select count(*)::int from apps a
        where a.tenant_id = ${tenantId} and a.deleted_at is null and a.app_id <> ${profilesAppId}
          and not exists (select 1 from connectors c
            where c.tenant_id = ${tenantId} and c.app_id = a.app_id and c.deleted_at is null)
          and exists (select 1 from entitlements e
            where e.tenant_id = ${tenantId} and e.app_id = a.app_id and e.deleted_at is null)) as without`
  return row ?? { appIds: [], without: 0 }
}
