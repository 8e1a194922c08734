import { slot } from '#kernel/memory.ts'
import type { Reads } from '#kernel/sql.ts'
import { pageMax } from './discovery.ts'
import { parseFilter } from './filter.ts'
import type { DirectoryGroup } from './groups/group.ts'
import { countMembers, groupColumns, groupColumnsOf } from './groups/store.ts'
import { type Asked, asksFor } from './project.ts'
import { scimRefusal } from './refuse.ts'
import { groupType, type ResourceType } from './schema.ts'
import type { ScimCall } from './serving.ts'
import { countListed, countUpTo, type Listing, readPage } from './store/page.ts'
import { findSizes } from './store/sizes.ts'
import { type Columns, conditionOf, orderOf } from './store/where.ts'
import { userColumnsOf } from './users/columns.ts'
import { userColumns } from './users/store.ts'
import type { DirectoryUser } from './users/user.ts'

/** The parameters of a list (RFC 7644 section 3.4.2). */
export type Search = {
  filter: string | null
  sortBy: string | null
  isDescending: boolean
  /** From 1. */
  startIndex: number
  count: number
  asked: Asked
}

export type Found<T> = { total: number; rows: T[] }

/** If there are more resources than this, a search or sort does not read all of them. */
const readMax = 10_000
const startIndexMax = 100_000_000

const countDefault = 100

function integerIn(value: unknown, name: string): number | null {
  if (value === undefined || value === null || value === '') return null
  const number = Number(value)
  if (!Number.isInteger(number)) throw scimRefusal('invalidValue', `${name} must be an integer.`)
  return number
}

const textIn = (value: unknown, name: string): string | null => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw scimRefusal('invalidValue', `${name} must be a string.`)
  return value
}

/** From a query or from the body of `/.search`; names are case-insensitive. */
export function readSearch(sent: { readonly [name: string]: unknown }, asked: Asked): Search {
  const given = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
  const order = textIn(given.get('sortorder'), 'sortOrder')?.toLowerCase() ?? 'ascending'
  if (order !== 'ascending' && order !== 'descending')
    throw scimRefusal('invalidValue', 'sortOrder must be ascending or descending.')
  // A start index below 1 counts as 1, and a negative count as 0.
  const startIndex = Math.min(Math.max(integerIn(given.get('startindex'), 'startIndex') ?? 1, 1), startIndexMax)
  const count = Math.min(Math.max(integerIn(given.get('count'), 'count') ?? countDefault, 0), pageMax)
  return {
    filter: textIn(given.get('filter'), 'filter'),
    sortBy: textIn(given.get('sortby'), 'sortBy'),
    isDescending: order === 'descending',
    startIndex,
    count,
    asked,
  }
}

/**
 * The ends of recent pages: the next page begins there, and need not skip those before it. Rows that are deleted meanwhile
 * do not make it miss others.
 */
const bookmarks = slot(({ now }) => {
  const ageMs = 5 * 60_000
  const marksMax = 10_000
  const marks = new Map<string, { after: string; until: number }>()
  return {
    get(key: string) {
      const found = marks.get(key)
      return found && found.until > now().getTime() ? found : null
    },
    put(key: string, after: string): void {
      marks.delete(key)
      marks.set(key, { after, until: now().getTime() + ageMs })
      if (marks.size > marksMax) marks.delete(marks.keys().next().value as string)
    },
  }
})

export const listUsers = (scim: ScimCall, search: Search): Promise<Found<DirectoryUser>> => {
  const { call, directory } = scim
  const columns = userColumnsOf(call.tenant.id, directory.appId)
  return list<DirectoryUser>(scim, search, columns, {
    table: 'directory_users',
    key: 'account_id',
    columns: userColumns(call.db),
  })
}

export async function listGroups(scim: ScimCall, search: Search): Promise<Found<DirectoryGroup>> {
  const { call, directory } = scim
  const columns = groupColumnsOf(call.tenant.id, directory.appId)
  const found = await list<DirectoryGroup>(scim, search, columns, {
    table: 'directory_groups',
    key: 'entitlement_id',
    columns: groupColumns(call.db),
  })
  return asksFor(groupType, search.asked, 'members') ? { ...found, rows: await fewer(scim, found.rows) } : found
}

/** The members of a page are written in one reply: with more than this the page is shorter, but has at least one group. */
const membersMax = 50_000

async function fewer({ call, directory }: ScimCall, groups: DirectoryGroup[]): Promise<DirectoryGroup[]> {
  const sizes = await countMembers(
    call.db,
    call.tenant.id,
    directory.appId,
    groups.map(({ id }) => id),
  )
  const sizeOf = new Map(sizes.map(({ id, count }) => [id, count]))
  let members = 0
  const place = groups.findIndex(({ id }, at) => {
    members += sizeOf.get(id) ?? 0
    return at > 0 && members > membersMax
  })
  return place < 0 ? groups : groups.slice(0, place)
}

async function list<T extends { id: string }>(
  { call, directory }: ScimCall,
  search: Search,
  columns: Columns,
  from: Pick<Listing, 'table' | 'key' | 'columns'>,
): Promise<Found<T>> {
  const [db, tenantId, { appId }] = [call.db, call.tenant.id, directory]
  const { listing, isBounded } = listingOf(db, columns, search, from)
  if (!isBounded && (await countUpTo(db, tenantId, appId, from, readMax)) > readMax) throw tooMany(columns.type)
  const { startIndex, count, filter } = search
  const marks = call.memory(bookmarks)
  const key = (at: number): string => JSON.stringify([tenantId, appId, from.table, filter, at])
  const mark = listing.order === null && startIndex > 1 ? marks.get(key(startIndex)) : null
  const total = await totalOf(db, tenantId, appId, listing)
  const rows =
    count === 0 || startIndex > total
      ? []
      : await readPage<T>(db, tenantId, appId, listing, {
          after: mark?.after ?? null,
          skip: startIndex - 1,
          limit: count,
          total,
        })
  const last = rows.at(-1)
  if (last && listing.order === null) marks.put(key(startIndex + rows.length), last.id)
  return { total, rows }
}

/** The number of all users is known, and what an index finds is few. */
const totalOf = async (db: Reads, tenantId: number, appId: string, listing: Listing): Promise<number> =>
  listing.table === 'directory_users' && listing.where === null
    ? (await findSizes(db, tenantId, appId)).users
    : countListed(db, tenantId, appId, listing)

const tooMany = ({ name }: ResourceType) =>
  scimRefusal(
    'tooMany',
    `The directory has more than ${readMax} ${name}s: filter by id, externalId, ${name === 'User' ? 'userName or emails.value' : 'displayName or members.value'} with eq, and sort by id only.`,
  )

function listingOf(
  db: Reads,
  columns: Columns,
  { filter, sortBy, isDescending }: Search,
  from: Pick<Listing, 'table' | 'key' | 'columns'>,
): { listing: Listing; isBounded: boolean } {
  const condition = filter === null ? null : conditionOf(db, columns, parseFilter(filter))
  const sorted = sortBy === null ? null : orderOf(db, columns, sortBy)
  if (sortBy !== null && !sorted)
    throw scimRefusal('invalidPath', `sortBy: "${sortBy}" is not an attribute that can be sorted by.`)
  const isNatural = sorted === null || (sorted.isId && !isDescending)
  return {
    listing: {
      ...from,
      where: condition?.where ?? null,
      order: sorted && !isNatural ? { by: sorted.by, isDescending } : null,
    },
    // An index finds few; without filter and order, pages are read one by one.
    isBounded: condition ? condition.isIndexed : isNatural,
  }
}
