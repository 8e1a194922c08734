import {
  listCountsAccounts,
  listCountsApps,
  listCountsEntitlements,
  listCountsGrants,
  listCountsImports,
  listCountsMembers,
  listCountsRules,
  listCountsRuns,
  listCountsTasks,
  listCountsUsers,
} from '#client/api/operations.ts'
import type { CountResponse } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'

/** The lists that the API can count and export: those of the room overview/lists. */
const counts = {
  accounts: listCountsAccounts,
  apps: listCountsApps,
  entitlements: listCountsEntitlements,
  grants: listCountsGrants,
  imports: listCountsImports,
  members: listCountsMembers,
  rules: listCountsRules,
  runs: listCountsRuns,
  tasks: listCountsTasks,
  users: listCountsUsers,
} as const
export type ListKind = keyof typeof counts

export type Filters = { path?: Record<string, string>; body: Record<string, unknown> }

/** The operation that counts a list. */
export const countOf = (kind: ListKind): Operation<Filters, CountResponse> =>
  counts[kind] as Operation<Filters, CountResponse>

/** The address of its file: that of its total, except for the last word. */
export const exportPathOf = (kind: ListKind): string => counts[kind].path.replace(/\/count$/, '/export')

const notFilters = new Set(['pageSize', 'pageToken', 'expandMask'])
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const isSet = (value: unknown): boolean =>
  value !== '' && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

/** The filters and the order in what an operation that lists something is given: what its total and its file go by. */
export function filtersIn(input: unknown): Filters {
  const { path, query, body } = input as Partial<Record<'path' | 'query' | 'body', Record<string, unknown>>>
  const given = Object.entries({ ...query, ...body }).map(([name, value]) => [camel(name), value] as const)
  return {
    ...(path && { path: path as Record<string, string> }),
    body: Object.fromEntries(given.filter(([name, value]) => !notFilters.has(name) && isSet(value))),
  }
}
