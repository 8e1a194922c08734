import type { Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementFacts } from '../decide.ts'

/** Has PostgreSQL count by `grants_open` alone, in its order: it takes reading indexes to be four times as dear as tables. */
export async function preferIndexes(tx: Tx): Promise<void> {
  await tx`set local random_page_cost = 1.1`
}

/**
 * How many accounts have the entitlements of each group that is alike in everything that decides who carries them out. An
 * account that has one for several reasons counts once: `grants_open` has them in this order.
 */
export async function countGrants(
  db: Reads,
  tenantId: number,
): Promise<(EntitlementFacts & { appName: string; grants: number })[]> {
  return db<(EntitlementFacts & { appName: string; grants: number })[]>`
    select e.app_id as "appId", a.display_name as "appName", e.provisioner, e.deprovisioner,
      case when e.external_id is null then '' else 'set' end as "externalId", coalesce(o.type_id, '') as "typeId",
      o.data is not null as "isKnown", coalesce(e.connector_ids, '{}') as "connectorIds",
      a.without_connector as "withoutConnector", sum(c.accounts)::int as grants
    from (select g.app_id, g.entitlement_id, count(distinct g.account_id) as accounts from grants g
      where g.tenant_id = ${tenantId} and g.ended_at is null
      group by g.app_id, g.entitlement_id) c
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = c.app_id and e.entitlement_id = c.entitlement_id
      and e.deleted_at is null
    join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id and a.deleted_at is null
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = e.app_id and o.kind = 'entitlement'
      and o.external_id = e.external_id
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`
}
