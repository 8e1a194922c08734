import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import { kindsOf, matches } from '#kernel/search.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { domainsOf } from '#rooms/foundation/organization/index.ts'
import type { Account, AccountRef } from '../account.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/**
 * Whether a person's account is external: its email domain is not one of the organization's domains or, where none are set,
 * it belongs to no known user.
 */
const isExternal = (db: Reads, tenantId: number) => db`(a.type = 'APP_USER_TYPE_USER' and case
  when a.email = '' or cardinality(${domainsOf(db, tenantId)}) = 0 then a.user_id is null
  else lower(split_part(a.email, '@', 2)) <> all(${domainsOf(db, tenantId)}) end)`

const columns = (db: Reads, tenantId: number) => db`
  a.account_id as id, a.app_id as "appId", coalesce(a.user_id, '') as "identityUserId", a.type as "appUserType",
  a.status, a.display_name as "displayName", a.email, a.emails, a.username, a.usernames,
  a.employee_ids as "employeeIds", a.profile, a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.deleted_at as "deletedAt", ${isExternal(db, tenantId)} as "isExternal"`

export async function findAccount(db: Reads, tenantId: number, { appId, id }: AccountRef): Promise<Account | null> {
  const [row] = await db<Account[]>`
    select ${columns(db, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = ${id} and a.deleted_at is null`
  return row ?? null
}

/** Those that exist, in no order; deleted ones too, as the history of grants still refers to them. */
export async function findAccounts(db: Reads, tenantId: number, refs: readonly AccountRef[]): Promise<Account[]> {
  if (refs.length === 0) return []
  return db<Account[]>`
    select ${columns(db, tenantId)} from (select distinct * from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])) as r (app_id, account_id)
    cross join lateral (select * from accounts b
      where b.tenant_id = ${tenantId} and b.app_id = r.app_id and b.account_id = r.account_id offset 0) a`
}

export async function lockAccount(tx: Tx, tenantId: number, { appId, id }: AccountRef): Promise<Account | null> {
  const [row] = await tx<Account[]>`
    select ${columns(tx, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = ${id} and a.deleted_at is null
    for no key update`
  return row ?? null
}

export async function listAccounts(db: Reads, tenantId: number, appId: string, page: PageAsked): Promise<Account[]> {
  return db<Account[]>`
    select ${columns(db, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.deleted_at is null
      and a.account_id > ${page.after?.[0] ?? ''}
    order by a.account_id limit ${page.limit}`
}

export async function listAccountsOfUser(
  db: Reads,
  tenantId: number,
  { appId, userId }: { appId: string; userId: string },
  page: PageAsked,
): Promise<Account[]> {
  return db<Account[]>`
    select ${columns(db, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.app_id = ${appId} and a.deleted_at is null
      and a.account_id > ${page.after?.[0] ?? ''}
    order by a.account_id limit ${page.limit}`
}

/** For each user, the account in an app that is best to grant something to: enabled, a person's, the oldest. */
export async function listFirstAccounts(
  db: Reads,
  tenantId: number,
  appId: string,
  userIds: readonly string[],
): Promise<{ userId: string; id: string }[]> {
  const [one] = userIds
  // A single value is compared with `=`: PostgreSQL keeps the plan for it, but plans again for each list.
  const theirs = userIds.length === 1 ? db`= ${one as string}` : db`= any(${userIds}::text[])`
  return db<{ userId: string; id: string }[]>`
    select distinct on (a.user_id) a.user_id as "userId", a.account_id as id from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.deleted_at is null and a.user_id ${theirs}
    order by a.user_id, a.status = 'STATUS_ENABLED' desc, a.type = 'APP_USER_TYPE_USER' desc, a.account_id`
}

const accountsMax = 100_000

/** All accounts of these users, in any app, also those deleted since; a user may have more than a hundred. */
export async function listAllAccountsOf(db: Reads, tenantId: number, userIds: readonly string[]): Promise<Account[]> {
  return db<Account[]>`
    select ${columns(db, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.user_id = any(${userIds}::text[])
    order by a.app_id, a.account_id limit ${accountsMax}`
}

/** By id alone, in any app. */
export async function findAccountsById(db: Reads, tenantId: number, ids: readonly string[]): Promise<Account[]> {
  return db<Account[]>`
    select ${columns(db, tenantId)} from accounts a
    where a.tenant_id = ${tenantId} and a.account_id = any(${ids}::text[])`
}

/** Empty lists filter nothing; `userIds` filters whenever it is not null. */
export type AccountFilter = {
  query: string
  appIds: readonly string[]
  ids: readonly string[]
  refs: readonly AccountRef[]
  excludeIds: readonly string[]
  userIds: readonly string[] | null
  types: readonly string[]
  statuses: readonly string[]
  /** A person's external account; the others; or, null, both. */
  isExternal: boolean | null
  isUnowned: boolean
  isOfLivingApp: boolean
  /** Whether they belong to a known user. */
  hasUser: boolean | null
  /** The part of their email addresses after the @. */
  emailDomains: readonly string[]
  createdAfter: Date | null
  createdBefore: Date | null
}

export const accountOrders = ['name', 'username', 'email', 'owner', 'type', 'status', 'created'] as const
export type AccountOrder = Order<(typeof accountOrders)[number]>

const sortables = (db: Reads): Record<(typeof accountOrders)[number], Sortable> => ({
  name: { by: db`lower(a.display_name)`, type: 'text' },
  username: { by: db`lower(a.username)`, type: 'text' },
  email: { by: db`lower(a.email)`, type: 'text' },
  owner: { by: db`coalesce(lower(u.display_name), '')`, type: 'text' },
  type: { by: db`a.type`, type: 'text' },
  status: { by: db`a.status`, type: 'text' },
  created: { by: db`a.created_at`, type: 'timestamptz' },
})

export type FoundAccount = Account & { key: string }

/** By the beginning of a name or an email address, in that order; without a query, by app and id. */
export async function searchAccounts(
  db: Reads,
  tenantId: number,
  filter: AccountFilter,
  page: PageAsked,
  order: AccountOrder = null,
): Promise<FoundAccount[]> {
  const where = conditions(db, tenantId, filter)
  if (order) {
    // accounts_by_name has the order by name, in one app and over all. For other orders, everything that passes the filters
    // is sorted.
    const ids = [db`a.app_id`, db`a.account_id`]
    const sorted = inOrder(db, sortables(db)[order.key], order.isDescending, ids, page)
    // Joined, and not looked up for each account: of 400,000 that takes a third of the time.
    const owners =
      order.key === 'owner' ? db`left join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id` : db``
    return db<FoundAccount[]>`
      select ${columns(db, tenantId)}, ${sorted.value} as key from accounts a ${owners}
      where a.tenant_id = ${tenantId} ${isNamed(db, tenantId, filter)} ${where} ${sorted.after} ${sorted.by}`
  }
  if (filter.query.trim() === '') {
    const [appId = '', id = ''] = (page.after ?? []) as string[]
    return db<FoundAccount[]>`
      select ${columns(db, tenantId)}, '' as key from accounts a
      where a.tenant_id = ${tenantId} and (a.app_id, a.account_id) > (${appId}, ${id}) ${where}
      order by a.app_id, a.account_id limit ${page.limit}`
  }
  return db<FoundAccount[]>`
    select ${columns(db, tenantId)}, m.key from ${matches(db, tenantId, kindsIn(filter), filter.query, page)} m
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = m.app_id and a.account_id = m.object_id
    where true ${
      // Repeated for the key: an account of another app then need not be looked at.
      filter.appIds.length > 0 ? db`and m.app_id = any(${filter.appIds}::text[])` : db``
    } ${where}
    order by m.key, m.object_id limit ${page.limit}`
}

const kindsIn = ({ statuses }: AccountFilter): string[] =>
  kindsOf('account', {
    living: statuses.length === 0 || statuses.some((status) => status !== 'STATUS_DELETED'),
    deleted: statuses.includes('STATUS_DELETED'),
  })

/** The accounts that the query finds, if they are not read in the order of their names: searched once, as for users. */
const isNamed = (db: Reads, tenantId: number, filter: AccountFilter) =>
  filter.query.trim() === ''
    ? db``
    : db`and ((a.app_id, a.account_id) in (
        select m.app_id, m.object_id from ${matches(db, tenantId, kindsIn(filter), filter.query, { after: null })} m)) is true`

/** How many a filter finds, at most `limit`: it stops looking there. */
export async function countAccounts(
  db: Reads,
  tenantId: number,
  filter: AccountFilter,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from accounts a
      where a.tenant_id = ${tenantId} ${isNamed(db, tenantId, filter)} ${conditions(db, tenantId, filter)}
      limit ${limit}) x`
  return row?.count ?? 0
}

function conditions(db: Reads, tenantId: number, filter: AccountFilter) {
  const none = db``
  const any = (values: readonly string[]) => db`any(${values}::text[])`
  const { statuses, types, refs } = filter
  // With a search by name, a repeated condition would make the few rows seem even fewer to the planner
  // (users/store/read.ts).
  const isByName = filter.query.trim() !== ''
  return db`
    ${statuses.includes('STATUS_DELETED') ? none : db`and a.deleted_at is null`}
    ${statuses.length > 0 ? db`and a.status = ${any(statuses)}` : none}
    ${
      // Stated explicitly: only then the index of accounts that are not enabled is used.
      statuses.length > 0 && !statuses.includes('STATUS_ENABLED') && !isByName
        ? db`and a.status <> 'STATUS_ENABLED'`
        : none
    }
    ${types.length > 0 ? db`and a.type = ${any(types)}` : none}
    ${
      types.length > 0 && !types.includes('APP_USER_TYPE_USER') && !isByName
        ? db`and a.type <> 'APP_USER_TYPE_USER'`
        : none
    }
    ${filter.appIds.length > 0 ? db`and a.app_id = ${any(filter.appIds)}` : none}
    ${filter.ids.length > 0 ? db`and a.account_id = ${any(filter.ids)}` : none}
    ${
      refs.length > 0
        ? db`and (a.app_id, a.account_id) in (select * from unnest(
            ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]))`
        : none
    }
    ${filter.excludeIds.length > 0 ? db`and not a.account_id = ${any(filter.excludeIds)}` : none}
    ${filter.userIds ? db`and a.user_id = ${any(filter.userIds)}` : none}
    ${filter.isExternal === null ? none : db`and ${isExternal(db, tenantId)} = ${filter.isExternal}`}
    ${
      // Owners belong to a room further down, which this one cannot import; they are read here, and only read.
      filter.isUnowned
        ? db`and a.user_id is null and not exists (select 1 from owners o
            where o.tenant_id = ${tenantId} and o.kind = 'account' and o.app_id = a.app_id and o.resource_type_id = ''
              and o.object_id = a.account_id and o.ended_at is null)`
        : none
    }
    ${
      filter.isOfLivingApp
        ? db`and exists (select 1 from apps p
            where p.tenant_id = ${tenantId} and p.app_id = a.app_id and p.deleted_at is null)`
        : none
    }
    ${filter.hasUser === null ? none : filter.hasUser ? db`and a.user_id is not null` : db`and a.user_id is null`}
    ${
      filter.emailDomains.length > 0
        ? db`and lower(split_part(a.email, '@', 2)) = ${any(filter.emailDomains.map((domain) => domain.toLowerCase()))}`
        : none
    }
    ${filter.createdAfter ? db`and a.created_at >= ${filter.createdAfter}` : none}
    ${filter.createdBefore ? db`and a.created_at < ${filter.createdBefore}` : none}`
}
