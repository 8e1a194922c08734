import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import { kindsOf, matches, matchingPage } from '#kernel/search.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { withSources } from '../sources.ts'
import type { User, UserRow } from '../user.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

// A delegation counts between its two ends, if they are set.
const inForce = (db: Reads, at: Date) => db`
  (d.start_at is null or d.start_at <= ${at}) and (d.expiration_at is null or d.expiration_at > ${at})`

const roleIds = (db: Reads, tenantId: number) => db`array(select r.role_id::text from user_roles r
    where r.tenant_id = ${tenantId} and r.user_id = u.user_id order by r.role_id)`

const delegatedUserId = (db: Reads, tenantId: number, at: Date) => db`coalesce((
    select d.delegated_user_id::text from user_delegations d
    where d.tenant_id = ${tenantId} and d.user_id = u.user_id and ${inForce(db, at)}), '')`

const columns = (db: Reads, tenantId: number, at: Date) => db`
  u.user_id as id, u.type, u.origin, u.status, u.directory_status as "directoryStatus",
  u.display_name as "displayName", u.email, u.emails, u.username, u.usernames, u.employee_ids as "employeeIds",
  u.department, u.job_title as "jobTitle", u.employment_type as "employmentType",
  u.employment_status as "employmentStatus", u.manager_ids as "managerIds", u.profile, u.sources,
  u.disabled_by as "disabledBy",
  u.created_at as "createdAt", u.updated_at as "updatedAt", u.deleted_at as "deletedAt",
  ${roleIds(db, tenantId)} as "roleIds", ${delegatedUserId(db, tenantId, at)} as "delegatedUserId"`

/** Deleted ones too: the history of grants still refers to them. */
export async function findUser(db: Reads, tenantId: number, id: string, at: Date): Promise<User | null> {
  const rows = await db<UserRow[]>`
    select ${columns(db, tenantId, at)} from users u where u.tenant_id = ${tenantId} and u.user_id = ${id}`
  return withSources(rows)[0] ?? null
}

/** Those of the ids that exist, in no order; deleted ones too. */
export async function findUsers(db: Reads, tenantId: number, ids: readonly string[], at: Date): Promise<User[]> {
  const [one, ...others] = new Set(ids)
  if (one === undefined) return []
  // A single one is a scalar parameter: PostgreSQL keeps the plan for it, and plans again for each list.
  const which = others.length === 0 ? db`= ${one}` : db`= any(${[one, ...others]}::text[])`
  return withSources(
    await db<UserRow[]>`
      select ${columns(db, tenantId, at)} from users u where u.tenant_id = ${tenantId} and u.user_id ${which}`,
  )
}

// Reading 10,000 users at once took 60 ms of the event loop.
const usersPerStatement = 1000

/**
 * Locks the users until the transaction ends: concurrent changes of one of them are made one after the other. In the
 * order of their ids, so that two transactions that lock the same ones do not deadlock.
 */
export async function lockUsers(tx: Tx, tenantId: number, ids: readonly string[], at: Date): Promise<User[]> {
  const wanted = [...new Set(ids)].toSorted()
  const users: User[] = []
  for (let from = 0; from < wanted.length; from += usersPerStatement)
    users.push(
      ...withSources(
        await tx<UserRow[]>`
        select ${columns(tx, tenantId, at)} from users u
        where u.tenant_id = ${tenantId} and u.user_id = any(${wanted.slice(from, from + usersPerStatement)}::text[])
          and u.deleted_at is null
        order by u.user_id for no key update of u`,
      ),
    )
  return users
}

export async function listUsers(db: Reads, tenantId: number, at: Date, page: PageAsked): Promise<User[]> {
  return withSources(
    await db<UserRow[]>`
      select ${columns(db, tenantId, at)} from users u
      where u.tenant_id = ${tenantId} and u.deleted_at is null and u.user_id > ${page.after?.[0] ?? ''}
      order by u.user_id limit ${page.limit}`,
  )
}

/** Empty texts and nulls do not filter, and neither do empty lists, except where a list may be null. */
export type UserFilter = {
  query: string
  email: string
  ids: readonly string[]
  excludeIds: readonly string[]
  departments: readonly string[]
  jobTitles: readonly string[]
  managerIds: readonly string[]
  roleIds: readonly string[]
  origins: readonly string[] | null
  types: readonly string[] | null
  statuses: readonly string[]
  delegatedUserIds: readonly string[]
  hasDelegate: boolean | null
  isDelegate: boolean
  employmentStatuses: readonly string[]
  /** Those who have an account in any of these directories. */
  directoryIds: readonly string[]
  /** Whether they hold anything in any app. */
  hasAccess: boolean | null
  createdAfter: Date | null
  createdBefore: Date | null
}

export const userOrders = [
  'name',
  'email',
  'jobTitle',
  'department',
  'employmentStatus',
  'type',
  'status',
  'created',
] as const
export type UserOrder = Order<(typeof userOrders)[number]>

const sortables = (db: Reads): Record<(typeof userOrders)[number], Sortable> => ({
  name: { by: db`lower(u.display_name)`, type: 'text' },
  email: { by: db`lower(u.email)`, type: 'text' },
  jobTitle: { by: db`u.job_title`, type: 'text' },
  department: { by: db`u.department`, type: 'text' },
  employmentStatus: { by: db`u.employment_status`, type: 'text' },
  type: { by: db`u.type`, type: 'text' },
  status: { by: db`u.status`, type: 'text' },
  created: { by: db`u.created_at`, type: 'timestamptz' },
})

export type FoundUser = User & { key: string }

type Wanted = { filter: UserFilter; at: Date; page: PageAsked; order: UserOrder }

/** By the beginning of a name, an address or an id in their order; without one, by id. */
export const searchUsers = async (db: Reads, tenantId: number, wanted: Wanted): Promise<FoundUser[]> =>
  withSources(await searchRows(db, tenantId, wanted))

async function searchRows(
  db: Reads,
  tenantId: number,
  { filter, at, page, order }: Wanted,
): Promise<(UserRow & { key: string })[]> {
  type T = UserRow & { key: string }
  const read = columns(db, tenantId, at)
  const where = conditions(db, tenantId, filter, at)
  if (order) {
    // In the order of an index, by name, address, department, title and time; by the few values of the others, all that
    // the filters leave are sorted.
    const sorted = inOrder(db, sortables(db)[order.key], order.isDescending, [db`u.user_id`], page)
    return db<T[]>`
      select ${read}, ${sorted.value} as key from users u
      where u.tenant_id = ${tenantId} ${isNamed(db, tenantId, filter)} ${where} ${sorted.after} ${sorted.by}`
  }
  if (filter.query.trim() !== '') {
    if (isUnfiltered(filter))
      return db<T[]>`
        select ${read}, m.key from ${matchingPage(db, tenantId, 'user', filter.query, page)} m
        join users u on u.tenant_id = ${tenantId} and u.user_id = m.object_id
        order by m.key, m.object_id`
    return db<T[]>`
      select ${read}, m.key from ${matches(db, tenantId, kindsIn(filter), filter.query, page)} m
      join users u on u.tenant_id = ${tenantId} and u.user_id = m.object_id
      where true ${where}
      order by m.key, m.object_id limit ${page.limit}`
  }
  const after = page.after?.[1] ?? ''
  const driver = driverOf(filter)
  // From value to value with an index that is in the order of the page, rather than past everyone until they are found.
  const found = driver
    ? db`(select x.* from unnest(${[...new Set(driver.values)]}::text[]) as w (value)
        cross join lateral (
          select u.* from users u
          where u.tenant_id = ${tenantId} and ${db(driver.column)} = w.value and u.user_id > ${after} ${where}
          order by u.user_id limit ${page.limit}) x)`
    : db`(select u.* from users u where u.tenant_id = ${tenantId} and u.user_id > ${after} ${where})`
  return db<T[]>`
    select ${read}, '' as key from ${found} u
    order by u.user_id limit ${page.limit}`
}

const kindsIn = ({ statuses }: UserFilter): string[] =>
  kindsOf('user', {
    living: statuses.length === 0 || statuses.some((status) => status !== 'DELETED'),
    deleted: statuses.includes('DELETED'),
  })

/**
 * Those whom the query finds, if they are not read in the order of their names. They are found once and hashed: `is
 * true` keeps the planner from a join, which found them again for each user that it passed, and took 30 s for 100,000
 * users.
 */
const isNamed = (db: Reads, tenantId: number, filter: UserFilter) =>
  filter.query.trim() === ''
    ? db``
    : db`and (u.user_id in (
        select m.object_id from ${matches(db, tenantId, kindsIn(filter), filter.query, { after: null })} m)) is true`

/** How many a filter finds, up to `limit`, where counting stops. */
export async function countUsers(
  db: Reads,
  tenantId: number,
  { filter, at }: Pick<Wanted, 'filter' | 'at'>,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from users u
      where u.tenant_id = ${tenantId} ${isNamed(db, tenantId, filter)} ${conditions(db, tenantId, filter, at)}
      limit ${limit}) x`
  return row?.count ?? 0
}

/** Whether only the query limits the result. */
function isUnfiltered(filter: UserFilter): boolean {
  const { email, origins, types, hasDelegate, isDelegate, ids, excludeIds, departments, jobTitles } = filter
  const lists = [ids, excludeIds, departments, jobTitles, filter.managerIds, filter.roleIds, filter.statuses]
  return (
    email === '' &&
    !origins &&
    !types &&
    hasDelegate === null &&
    !isDelegate &&
    filter.hasAccess === null &&
    !filter.createdAfter &&
    !filter.createdBefore &&
    [...lists, filter.delegatedUserIds, filter.employmentStatuses, filter.directoryIds].every(
      (list) => list.length === 0,
    )
  )
}

/** The filter that leaves the fewest, of those whose values are indexed; null if others leave fewer still. */
function driverOf(filter: UserFilter): { column: string; values: readonly string[] } | null {
  const { departments, jobTitles, types, statuses, origins } = filter
  const isFewAnyway = [filter.ids, filter.managerIds, filter.roleIds].some((each) => each.length > 0)
  if (isFewAnyway || filter.email !== '') return null
  if (departments.length > 0) return { column: 'u.department', values: departments }
  if (jobTitles.length > 0) return { column: 'u.job_title', values: jobTitles }
  if (types && !types.includes(mostType)) return { column: 'u.type', values: types }
  if (statuses.length > 0 && !statuses.includes(mostStatus)) return { column: 'u.status', values: statuses }
  return origins ? { column: 'u.origin', values: origins } : null
}

// The values of most users: partial indexes cover the others.
const mostType = 'USER_TYPE_HUMAN'
const mostStatus = 'ENABLED'

function conditions(db: Reads, tenantId: number, filter: UserFilter, at: Date) {
  const none = db``
  const any = (values: readonly string[]) => db`any(${values}::text[])`
  const { statuses, types, origins } = filter
  // An additional condition makes the planner expect fewer rows than there are. With a query, it would then read all
  // disabled users of the tenant, rather than those with the name.
  const isByName = filter.query.trim() !== ''
  const delegated = (condition: Fragment) => db`exists (
    select 1 from user_delegations d where d.tenant_id = ${tenantId} and ${condition} and ${inForce(db, at)})`
  return db`
    ${statuses.includes('DELETED') ? none : db`and u.deleted_at is null`}
    ${statuses.length > 0 ? db`and u.status = ${any(statuses)}` : none}
    ${
      // Stated explicitly, as for the types: only then the index of those who are not enabled is used.
      statuses.length > 0 && !statuses.includes(mostStatus) && !isByName ? db`and u.status <> 'ENABLED'` : none
    }
    ${filter.ids.length > 0 ? db`and u.user_id = ${any(filter.ids)}` : none}
    ${filter.excludeIds.length > 0 ? db`and not u.user_id = ${any(filter.excludeIds)}` : none}
    ${filter.email !== '' ? db`and u.user_id in (${withEmail(db, tenantId, filter.email)})` : none}
    ${filter.departments.length > 0 ? db`and u.department = ${any(filter.departments)}` : none}
    ${filter.jobTitles.length > 0 ? db`and u.job_title = ${any(filter.jobTitles)}` : none}
    ${
      // Those who report to them first: without a limit that it sees, the planner uses the index that finds them.
      filter.managerIds.length > 0
        ? db`and u.user_id = any(array(select r.user_id::text from users r
            where r.tenant_id = ${tenantId} and ${managedBy(db, filter.managerIds)}))`
        : none
    }
    ${
      filter.roleIds.length > 0
        ? db`and exists (select 1 from user_roles r
            where r.tenant_id = ${tenantId} and r.user_id = u.user_id and r.role_id = ${any(filter.roleIds)})`
        : none
    }
    ${origins ? db`and u.origin = ${any(origins)}` : none}
    ${types ? db`and u.type = ${any(types)}` : none}
    ${types && !types.includes(mostType) && !isByName ? db`and u.type <> 'USER_TYPE_HUMAN'` : none}
    ${
      filter.delegatedUserIds.length > 0
        ? db`and ${delegated(db`d.user_id = u.user_id and d.delegated_user_id = ${any(filter.delegatedUserIds)}`)}`
        : none
    }
    ${filter.hasDelegate === true ? db`and ${delegated(db`d.user_id = u.user_id`)}` : none}
    ${filter.hasDelegate === false ? db`and not ${delegated(db`d.user_id = u.user_id`)}` : none}
    ${filter.isDelegate ? db`and ${delegated(db`d.delegated_user_id = u.user_id`)}` : none}
    ${filter.employmentStatuses.length > 0 ? db`and u.employment_status = ${any(filter.employmentStatuses)}` : none}
    ${
      filter.directoryIds.length > 0
        ? db`and exists (select 1 from accounts a
            where a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.app_id = ${any(filter.directoryIds)}
              and a.deleted_at is null)`
        : none
    }
    ${
      filter.hasAccess === null
        ? none
        : db`and ${filter.hasAccess ? none : db`not`} ${holdsSomething(db, tenantId, at)}`
    }
    ${filter.createdAfter ? db`and u.created_at >= ${filter.createdAfter}` : none}
    ${filter.createdBefore ? db`and u.created_at < ${filter.createdBefore}` : none}`
}

// Accounts and grants are in rooms that import this one, which it cannot call; they are read here, and only read. For
// each user one grant is looked up: as a plain `exists` it became a join of all open grants, which took twice as long.
const holdsSomething = (db: Reads, tenantId: number, at: Date) => db`coalesce((
  select true from accounts a
  cross join lateral (
    select 1 from grants g
    where g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
    limit 1) held
  where a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.deleted_at is null
  limit 1), false)`

const managersMax = 10

/**
 * For many managers neither the index nor `&&` helps: 1,000 of them were unpacked again for each user, which took 12 s
 * for 100,000. So they are hashed once.
 */
const managedBy = (db: Reads, managerIds: readonly string[]) =>
  managerIds.length <= managersMax
    ? db`r.manager_ids && ${managerIds}::text[]`
    : db`exists (select 1 from unnest(r.manager_ids) as m (id) where m.id = any(${managerIds}::text[]))`

// Any of a user's addresses: each is one of the keys that users are searched by.
const withEmail = (db: Reads, tenantId: number, email: string) => db`
  select s.object_id from search_keys s join users e on e.tenant_id = s.tenant_id and e.user_id = s.object_id
  where s.tenant_id = ${tenantId} and s.kind = 'user' and s.key = lower(left(${email}, 100))
    and lower(${email}) in (select lower(a) from unnest(e.emails || e.email) a)`
