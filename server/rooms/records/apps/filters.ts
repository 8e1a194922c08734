import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'

export type PageAsked = Pick<Page, 'after' | 'limit'>

/** Nothing to add to a condition. */
const nothing = (db: Reads) => db``

export const among = (db: Reads, column: string, ids: readonly string[]) =>
  ids.length === 0 ? nothing(db) : db`and ${db(column)} = any(${ids}::text[])`

export const notAmong = (db: Reads, column: string, ids: readonly string[]) =>
  ids.length === 0 ? nothing(db) : db`and ${db(column)} <> all(${ids}::text[])`

/**
 * Those with exactly this name, ignoring case. The search keys find them: the first key of a name is the beginning of the
 * name itself.
 */
export const named = (
  db: Reads,
  tenantId: number,
  { kinds, alias, idColumn }: { kinds: readonly string[]; alias: string; idColumn: string },
  name: string,
) =>
  name === ''
    ? nothing(db)
    : db`
      and lower(${db(alias)}.display_name) = lower(${name})
      and (${db(alias)}.app_id, ${db(`${alias}.${idColumn}`)}) in (
        select s.app_id, s.object_id from search_keys s
        where s.tenant_id = ${tenantId} and s.kind = any(${kinds}::text[]) and s.key = left(lower(${name}), 100))`

/** Where a page begins: after the last row of the one before. */
export const after = (page: PageAsked, place: number): string => (page.after?.[place] as string | undefined) ?? ''

/**
 * The entitlements that some accounts hold, each with its resource. Grants belong to a room further down, which this one
 * cannot import; they are read here, and only read.
 */
export const heldBy = (db: Reads, tenantId: number, accountIds: readonly string[]) => db`(
  select e.app_id, e.entitlement_id, e.resource_type_id, e.resource_id
  from accounts a
  join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
    and g.ended_at is null
  join entitlements e on e.tenant_id = g.tenant_id and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
  where a.tenant_id = ${tenantId} and a.account_id = any(${accountIds}::text[]))`
