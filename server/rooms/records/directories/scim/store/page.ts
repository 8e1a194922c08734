import type { Fragment, Reads } from '#kernel/sql.ts'

/** What a list reads: all resources of one table and directory that match. */
export type Listing = {
  table: 'directory_users' | 'directory_groups'
  /** The column of the id. */
  key: 'account_id' | 'entitlement_id'
  columns: Fragment
  where: Fragment | null
  /** Null is in the order of creation. */
  order: { by: Fragment; isDescending: boolean } | null
}

/** A group whose entitlement someone deleted manually does not exist. */
const isThere = (db: Reads, tenantId: number, appId: string) => db`and exists (select 1 from entitlements e
  where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = x.entitlement_id and e.deleted_at is null)`

const fitting = (db: Reads, tenantId: number, appId: string, { table, where }: Listing) => db`
  from ${db(table)} x
  where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.deleted_at is null
    ${table === 'directory_groups' ? isThere(db, tenantId, appId) : db``}
    ${where ? db`and ${where}` : db``}`

/** The exact number up to `max`; for more, only that there are more. */
export async function countUpTo(
  db: Reads,
  tenantId: number,
  appId: string,
  { table }: Pick<Listing, 'table'>,
  max: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select 1 from ${db(table)} x
      where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.deleted_at is null limit ${max + 1}) counted`
  return row?.count ?? 0
}

export async function countListed(db: Reads, tenantId: number, appId: string, listing: Listing): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) ${fitting(db, tenantId, appId, listing)}`
  return row?.count ?? 0
}

/** `after` is the id that the previous page ended with; if null, so many are skipped, of `total`. */
type Place = { after: string | null; skip: number; limit: number; total: number }

export async function readPage<T extends object>(
  db: Reads,
  tenantId: number,
  appId: string,
  listing: Listing,
  place: Place,
): Promise<T[]> {
  const { columns, order, key, where } = listing
  const { after, skip, limit, total } = place
  if (after === null && skip > 0 && order === null && where === null)
    return skip * 2 > total
      ? readFromEnd(db, tenantId, appId, listing, place)
      : readBehind(db, tenantId, appId, listing, place)
  const by = order
    ? order.isDescending
      ? db`${order.by} desc, x.${db(key)} desc`
      : db`${order.by}, x.${db(key)}`
    : db`x.${db(key)}`
  return db<T[]>`
    select ${columns} ${fitting(db, tenantId, appId, listing)}
      ${after === null ? db`` : db`and x.${db(key)} > ${after}`}
    order by ${by} ${after === null ? db`offset ${skip}` : db``} limit ${limit}`
}

/** The ids before it are skipped in an index, and their rows are not read. */
const readBehind = <T extends object>(
  db: Reads,
  tenantId: number,
  appId: string,
  listing: Listing,
  { skip, limit }: Place,
): Promise<T[]> => db<T[]>`
  select ${listing.columns} ${fitting(db, tenantId, appId, listing)}
    and x.${db(listing.key)} > (select y.${db(listing.key)} from ${db(listing.table)} y
      where y.tenant_id = ${tenantId} and y.app_id = ${appId} and y.deleted_at is null
      order by y.${db(listing.key)} offset ${skip - 1} limit 1)
  order by x.${db(listing.key)} limit ${limit}`

/** A page in the second half is counted from the end: the last one costs as much as the first. */
async function readFromEnd<T extends object>(
  db: Reads,
  tenantId: number,
  appId: string,
  listing: Listing,
  { skip, limit, total }: Place,
): Promise<T[]> {
  const count = Math.min(limit, total - skip)
  if (count <= 0) return []
  const behind = total - skip - count
  const rows = await db<T[]>`
    select ${listing.columns} ${fitting(db, tenantId, appId, listing)}
      ${
        behind === 0
          ? db``
          : db`and x.${db(listing.key)} < (select y.${db(listing.key)} from ${db(listing.table)} y
              where y.tenant_id = ${tenantId} and y.app_id = ${appId} and y.deleted_at is null
              order by y.${db(listing.key)} desc offset ${behind - 1} limit 1)`
      }
    order by x.${db(listing.key)} desc limit ${count}`
  return rows.toReversed()
}
