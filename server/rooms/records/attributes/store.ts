import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

export type AttributeValue = {
  id: string
  attributeTypeId: string
  value: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}
type PageAsked = Pick<Page, 'after' | 'limit'>

const columns = (db: Reads) => db`
  value_id as id, type_id as "attributeTypeId", value, created_at as "createdAt", updated_at as "updatedAt",
  deleted_at as "deletedAt"`

/** Returns whether it is new: each value exists once in a type, ignoring case. */
export async function insertValue(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'attributes.change'>,
  value: AttributeValue,
): Promise<boolean> {
  const { count } = await tx`
    insert into attribute_values (tenant_id, value_id, type_id, value, created_at, updated_at)
    values (${tenantId}, ${value.id}, ${value.attributeTypeId}, ${value.value}, ${value.createdAt}, ${value.updatedAt})
    on conflict (tenant_id, type_id, lower(value)) where deleted_at is null do nothing`
  return count === 1
}

/** Of one type, if one is given. */
export async function findValue(
  db: Reads,
  tenantId: number,
  id: string,
  typeId: string | null,
): Promise<AttributeValue | null> {
  const [row] = await db<AttributeValue[]>`
    select ${columns(db)} from attribute_values
    where tenant_id = ${tenantId} and value_id = ${id} and deleted_at is null
      ${typeId === null ? db`` : db`and type_id = ${typeId}`}`
  return row ?? null
}

export async function lockValue(
  tx: Tx,
  tenantId: number,
  id: string,
  typeId: string | null,
): Promise<AttributeValue | null> {
  const [row] = await tx<AttributeValue[]>`
    select ${columns(tx)} from attribute_values
    where tenant_id = ${tenantId} and value_id = ${id} and deleted_at is null
      ${typeId === null ? tx`` : tx`and type_id = ${typeId}`}
    for update`
  return row ?? null
}

/**
 * Those of these values that exist. They are locked until the transaction ends, so that new references to a value are
 * visible when its deletion looks for them.
 */
export async function holdValues(
  tx: Tx,
  tenantId: number,
  typeId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select value_id as id from attribute_values
    where tenant_id = ${tenantId} and value_id = any(${ids}::text[]) and type_id = ${typeId}
      and deleted_at is null
    order by value_id for share`
  return new Set(rows.map((row) => row.id))
}

export async function deleteValue(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'attributes.change'>,
  id: string,
  at: Date,
): Promise<void> {
  await tx`
    update attribute_values set deleted_at = ${at}, updated_at = ${at}
    where tenant_id = ${tenantId} and value_id = ${id}`
}

export async function listValues(
  db: Reads,
  tenantId: number,
  typeId: string,
  page: PageAsked,
): Promise<AttributeValue[]> {
  return db<AttributeValue[]>`
    select ${columns(db)} from attribute_values
    where tenant_id = ${tenantId} and type_id = ${typeId} and deleted_at is null
      and value_id > ${page.after?.[0] ?? ''}
    order by value_id limit ${page.limit}`
}

export type ValueFilter = {
  query: string
  value: string
  ids: readonly string[]
  excludeIds: readonly string[]
  attributeTypeIds: readonly string[]
}

/** A tenant has tens of values, not thousands: what remains after ids and types is scanned. */
export async function searchValues(
  db: Reads,
  tenantId: number,
  filter: ValueFilter,
  page: PageAsked,
): Promise<AttributeValue[]> {
  const { query, value, ids, excludeIds, attributeTypeIds } = filter
  return db<AttributeValue[]>`
    select ${columns(db)} from attribute_values
    where tenant_id = ${tenantId} and deleted_at is null and value_id > ${page.after?.[0] ?? ''}
      ${ids.length > 0 ? db`and value_id = any(${ids}::text[])` : db``}
      ${excludeIds.length > 0 ? db`and value_id <> all(${excludeIds}::text[])` : db``}
      ${attributeTypeIds.length > 0 ? db`and type_id = any(${attributeTypeIds}::text[])` : db``}
      ${value === '' ? db`` : db`and lower(value) = lower(${value})`}
      ${query === '' ? db`` : db`and exists (select 1 from name_keys(value) key where starts_with(key, lower(${query})))`}
    order by value_id limit ${page.limit}`
}
