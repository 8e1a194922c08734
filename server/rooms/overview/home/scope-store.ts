import type { Place } from '#authority/sight/index.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Ref, Scope } from './scope.ts'

const refsMax = 10_000

/** The entitlements on some resources. */
export const listEntitlementsOn = (db: Reads, tenantId: number, resources: readonly Place[]): Promise<Ref[]> => db<
  Ref[]
>`
  select e.app_id as "appId", e.entitlement_id as id from entitlements e
  where e.tenant_id = ${tenantId} and e.deleted_at is null and (e.app_id, e.resource_type_id, e.resource_id) in (
    select * from unnest(${resources.map(({ appId }) => appId)}::text[], ${resources.map(({ typeId }) => typeId)}::text[],
      ${resources.map(({ id }) => id)}::text[]))
  limit ${refsMax}`

const among = (db: Reads, refs: readonly Ref[]): Fragment =>
  db`select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])`

/** What a condition adds for entitlements, their grants and rules, by columns that name them. */
export const inScope = (db: Reads, scope: Scope, appId: Fragment, entitlementId: Fragment): Fragment =>
  scope === 'all'
    ? db``
    : db`and (${appId} = any(${scope.apps}::text[]) or (${appId}, ${entitlementId}) in (${among(db, scope.entitlements)}))`

/** The same for what belongs to an app as a whole: its accounts. */
export const inApps = (db: Reads, scope: Scope, appId: Fragment): Fragment =>
  scope === 'all' ? db`` : db`and ${appId} = any(${scope.apps}::text[])`

/** The same for connectors: of apps one owns, and those one owns themselves. */
export const inConnectors = (db: Reads, scope: Scope, appId: Fragment, connectorId: Fragment): Fragment =>
  scope === 'all'
    ? db``
    : db`and (${appId} = any(${scope.apps}::text[]) or (${appId}, ${connectorId}) in (${among(db, scope.connectors)}))`
