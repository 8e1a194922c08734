import type { May } from '#authority/proof.ts'
import type { Place } from '#authority/sight/index.ts'
import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import { matches } from '#kernel/search.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import { after, among, named, notAmong, type PageAsked } from '../filters.ts'
import { type Purpose, strength } from '../lock-strength.ts'
import type { App, WithoutConnector } from '../records.ts'

const plainColumns = (db: Reads) => db`
  a.app_id as id, a.display_name as "displayName", a.description, a.annotations, a.instructions,
  a.monthly_cost_usd as "monthlyCostUsd", a.identity_matching as "identityMatching",
  a.icon_url as "iconUrl", a.grant_policy_id as "grantPolicyId", a.revoke_policy_id as "revokePolicyId",
  a.certify_policy_id as "certifyPolicyId", a.is_manually_managed as "isManuallyManaged", a.is_directory as "isDirectory", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.deleted_at as "deletedAt"`

// An index-only scan of grants_by_account: 100,000 open grants of one app count in 25 ms.
const columns = (db: Reads, tenantId: number) => db`
  ${plainColumns(db)},
  (select count(distinct g.account_id) from grants g
    where g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.ended_at is null) as "userCount"`

export async function insertApp(tx: Tx, { tenant: { id: tenantId } }: May<'apps.create'>, app: App): Promise<void> {
  await insertRecords(
    tx,
    tenantId,
    'apps',
    tx`
    (tenant_id, app_id, display_name, description, annotations, instructions, monthly_cost_usd,
      identity_matching, is_manually_managed, grant_policy_id, revoke_policy_id, certify_policy_id,
      without_connector, created_at, updated_at)
    values (${tenantId}, ${app.id}, ${app.displayName}, ${app.description}, ${tx.json(app.annotations)},
      ${app.instructions}, ${app.monthlyCostUsd}, ${app.identityMatching}, ${app.isManuallyManaged},
      ${app.grantPolicyId}, ${app.revokePolicyId}, ${app.certifyPolicyId}, 'manual', ${app.createdAt}, ${app.updatedAt})`,
    { isFew: true },
  )
}

export async function findApp(db: Reads, tenantId: number, id: string): Promise<App | null> {
  const [row] = await db<App[]>`
    select ${columns(db, tenantId)} from apps a where a.tenant_id = ${tenantId} and a.app_id = ${id} and a.deleted_at is null`
  return row ?? null
}

/** The existing ones of some apps, without their counts. */
export async function findAppsUncounted(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<Omit<App, 'userCount'>[]> {
  return db<Omit<App, 'userCount'>[]>`
    select ${plainColumns(db)} from apps a
    where a.tenant_id = ${tenantId} and a.app_id = any(${ids}::text[])`
}

export async function isApp(db: Reads, tenantId: number, id: string): Promise<boolean> {
  const rows = await db`
    select 1 from apps where tenant_id = ${tenantId} and app_id = ${id} and deleted_at is null`
  return rows.length > 0
}

/**
 * Whether the app exists; it is then locked until the transaction ends, so that nothing that is created in it is left
 * behind.
 */
export async function holdApp(tx: Tx, tenantId: number, id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from apps where tenant_id = ${tenantId} and app_id = ${id} and deleted_at is null for share`
  return rows.length > 0
}

export async function lockApp(tx: Tx, tenantId: number, id: string, purpose: Purpose): Promise<App | null> {
  const [row] = await tx<App[]>`
    select ${columns(tx, tenantId)} from apps a where a.tenant_id = ${tenantId} and a.app_id = ${id} and a.deleted_at is null
    for ${strength(tx, purpose)} of a`
  return row ?? null
}

/** Only apps that contain one of the places; all if that is null. */
const within = (db: Reads, places: readonly Place[] | null) =>
  places === null ? db`` : db`and a.app_id = any(${[...new Set(places.map(({ appId }) => appId))]}::text[])`

export async function listApps(
  db: Reads,
  tenantId: number,
  page: PageAsked,
  places: readonly Place[] | null,
): Promise<App[]> {
  return db<App[]>`
    select ${columns(db, tenantId)} from apps a
    where a.tenant_id = ${tenantId} and a.deleted_at is null and a.app_id > ${after(page, 0)} ${within(db, places)}
    order by a.app_id limit ${page.limit}`
}

export type AppFilter = {
  query: string
  displayName: string
  appIds: readonly string[]
  excludeAppIds: readonly string[]
  onlyDirectories: boolean
  isManuallyManaged: boolean | null
  ownerIds: readonly string[]
  hasOwner: boolean | null
}

export const appOrders = ['name', 'source', 'members', 'created'] as const
export type AppOrder = Order<(typeof appOrders)[number]>

// Tenants have hundreds of apps, so sorting costs little. Only members are counted, in an index-only scan for each app.
const sortables = (db: Reads, tenantId: number): Record<(typeof appOrders)[number], Sortable> => ({
  name: { by: db`lower(a.display_name)`, type: 'text' },
  source: { by: db`a.is_manually_managed::int::bigint`, type: 'bigint' },
  members: {
    by: db`(select count(distinct g.account_id) from grants g
      where g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.ended_at is null)`,
    type: 'bigint',
  },
  created: { by: db`a.created_at`, type: 'timestamptz' },
})

const ownersOf = (db: Reads, tenantId: number) => db`
  owners o where o.tenant_id = ${tenantId} and o.kind = 'app' and o.app_id = a.app_id and o.resource_type_id = ''
    and o.object_id = a.app_id and o.ended_at is null`

const conditionsOf = (db: Reads, tenantId: number, filter: AppFilter, places: readonly Place[] | null) => db`
  ${within(db, places)}
  ${filter.onlyDirectories ? db`and a.is_directory` : db``}
  ${among(db, 'a.app_id', filter.appIds)}
  ${notAmong(db, 'a.app_id', filter.excludeAppIds)}
  ${named(db, tenantId, { kinds: ['app'], alias: 'a', idColumn: 'app_id' }, filter.displayName)}
  ${filter.isManuallyManaged === null ? db`` : db`and a.is_manually_managed = ${filter.isManuallyManaged}`}
  ${
    filter.ownerIds.length > 0
      ? db`and exists (select 1 from ${ownersOf(db, tenantId)} and o.user_id = any(${filter.ownerIds}::text[]))`
      : db``
  }
  ${
    filter.hasOwner === null
      ? db``
      : db`and ${filter.hasOwner ? db`` : db`not`} exists (select 1 from ${ownersOf(db, tenantId)})`
  }`

/** The apps that the query finds, if they are not read in the order of their names: searched once, as for users. */
const isNamed = (db: Reads, tenantId: number, { query }: AppFilter) =>
  query === ''
    ? db``
    : db`and (a.app_id in (select m.object_id from ${matches(db, tenantId, 'app', query, { after: null })} m)) is true`

/** How many a filter finds, at most `limit`. */
export async function countApps(
  db: Reads,
  tenantId: number,
  filter: AppFilter,
  places: readonly Place[] | null,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from apps a
      where a.tenant_id = ${tenantId} and a.deleted_at is null ${isNamed(db, tenantId, filter)}
        ${conditionsOf(db, tenantId, filter, places)}
      limit ${limit}) x`
  return row?.count ?? 0
}

/** By key and id if there is a text to search for, otherwise by id. */
export async function searchApps(
  db: Reads,
  tenantId: number,
  { filter, places, order }: { filter: AppFilter; places: readonly Place[] | null; order: AppOrder },
  page: PageAsked,
): Promise<(App & { key?: string })[]> {
  const conditions = conditionsOf(db, tenantId, filter, places)
  if (order) {
    const sorted = inOrder(db, sortables(db, tenantId)[order.key], order.isDescending, [db`a.app_id`], page)
    return db<(App & { key: string })[]>`
      select ${columns(db, tenantId)}, ${sorted.value} as key from apps a
      where a.tenant_id = ${tenantId} and a.deleted_at is null ${isNamed(db, tenantId, filter)} ${conditions}
        ${sorted.after} ${sorted.by}`
  }
  return filter.query === ''
    ? db<App[]>`
      select ${columns(db, tenantId)} from apps a
      where a.tenant_id = ${tenantId} and a.deleted_at is null and a.app_id > ${after(page, 0)} ${conditions}
      order by a.app_id limit ${page.limit}`
    : db<(App & { key: string })[]>`
      select ${columns(db, tenantId)}, m.key
      from ${matches(db, tenantId, 'app', filter.query, page)} m
      join apps a on a.tenant_id = ${tenantId} and a.app_id = m.object_id
      where a.deleted_at is null ${conditions}
      order by m.key, m.object_id limit ${page.limit}`
}

export async function updateApp(tx: Tx, { tenant: { id: tenantId } }: May<'app.edit'>, app: App): Promise<void> {
  const set = {
    display_name: app.displayName,
    description: app.description,
    annotations: tx.json(app.annotations),
    instructions: app.instructions,
    monthly_cost_usd: app.monthlyCostUsd,
    identity_matching: app.identityMatching,
    icon_url: app.iconUrl,
    grant_policy_id: app.grantPolicyId,
    revoke_policy_id: app.revokePolicyId,
    certify_policy_id: app.certifyPolicyId,
    updated_at: app.updatedAt,
  }
  await updateRecords(tx, tenantId, 'apps', { set, where: tx`x.app_id = ${app.id}` }, { isFew: true })
}

export async function deleteApp(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'apps.delete'>,
  id: string,
  at: Date,
): Promise<void> {
  const set = { deleted_at: at, updated_at: at }
  await updateRecords(tx, tenantId, 'apps', { set, where: tx`x.app_id = ${id}` }, { isFew: true })
}

export async function findWithoutConnector(tx: Tx, tenantId: number, id: string): Promise<WithoutConnector | null> {
  const [row] = await tx<{ kind: WithoutConnector }[]>`
    select without_connector as kind from apps where tenant_id = ${tenantId} and app_id = ${id} and deleted_at is null`
  return row?.kind ?? null
}

export async function updateWithoutConnector(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.edit'>,
  id: string,
  { kind, at }: { kind: WithoutConnector; at: Date },
): Promise<void> {
  const set = { without_connector: kind, updated_at: at }
  await updateRecords(tx, tenantId, 'apps', { set, where: tx`x.app_id = ${id}` }, { isFew: true })
}
