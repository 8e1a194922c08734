import { isCalled } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { AccountRef } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, Holding, Moment } from '../grant.ts'
import { columns, held, type PageAsked, rowsOfAccount } from './held.ts'

/** Empty lists and texts filter nothing; `accounts` filters whenever it is not null. */
export type HeldFilter = {
  accounts: readonly AccountRef[] | null
  appIds: readonly string[]
  entitlements: readonly EntitlementRef[]
  entitlementIds?: readonly string[]
  entitlementName?: string
  slugs: readonly string[]
  purposes: readonly string[]
  resourceIds: readonly string[]
  resourceTypeIds: readonly string[]
  resourceName?: string
}

/** What is held, by app, account and entitlement if accounts are given, otherwise by app, entitlement and account. */
export const searchHeld = (
  db: Reads,
  tenantId: number,
  filter: HeldFilter,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> =>
  filter.accounts
    ? searchByAccounts(db, tenantId, { ...filter, accounts: filter.accounts }, moment, page)
    : searchByEntitlements(db, tenantId, filter, moment, page)

/** The position of a holding in the order of `searchHeld`. */
export const placeOf = (
  { accounts }: Pick<HeldFilter, 'accounts'>,
  { appId, entitlementId, accountId }: Holding,
): [string, string, string] => (accounts ? [appId, accountId, entitlementId] : [appId, entitlementId, accountId])

const isBefore = (a: readonly [string, string], b: readonly [string, string]): boolean =>
  a[0] === b[0] ? a[1] < b[1] : a[0] < b[0]

// For each account at most one page, however much it holds: one index probe for each, in the order of the page.
async function searchByAccounts(
  db: Reads,
  tenantId: number,
  filter: HeldFilter & { accounts: readonly AccountRef[] },
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  const [afterApp = '', afterAccount = '', afterEntitlement = ''] = (page.after ?? []) as string[]
  const from = [afterApp, afterAccount] as const
  const wanted = filter.accounts.filter(
    ({ appId, id }) => !isBefore([appId, id], from) && (filter.appIds.length === 0 || filter.appIds.includes(appId)),
  )
  if (wanted.length === 0) return []
  const key = { appId: db`a.app_id`, accountId: db`a.account_id`, after: db`a.after` }
  const isFrom = ({ appId, id }: AccountRef): boolean => appId === afterApp && id === afterAccount
  return db<Holding[]>`
    select x.* from unnest(
      ${wanted.map(({ appId }) => appId)}::text[],
      ${wanted.map(({ id }) => id)}::text[],
      ${wanted.map((account) => (isFrom(account) ? afterEntitlement : ''))}::text[]
    ) as a (app_id, account_id, after)
    cross join lateral (
      select ${columns(db)} from ${rowsOfAccount(db, tenantId, key, moment)} g
      ${needsEntitlement(filter) ? joinEntitlement(db, tenantId) : db``}
      where ${held(db, moment)} ${entitlementConditions(db, tenantId, filter)}
      group by g.app_id, g.account_id, g.entitlement_id
      order by g.entitlement_id limit ${page.limit}) x
    order by x."appId", x."accountId", x."entitlementId" limit ${page.limit}`
}

// From entitlement to entitlement in the order of the page, and from each no more than the page holds.
async function searchByEntitlements(
  db: Reads,
  tenantId: number,
  filter: HeldFilter,
  moment: Moment,
  page: PageAsked,
): Promise<Holding[]> {
  const [afterApp = '', afterEntitlement = '', afterAccount = ''] = (page.after ?? []) as string[]
  return db<Holding[]>`
    select x.* from entitlements e
    cross join lateral (
      select ${columns(db)} from grants g
      where g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
        and g.account_id > case when (e.app_id, e.entitlement_id) = (${afterApp}, ${afterEntitlement})
          then ${afterAccount} else '' end
        and ${held(db, moment)}
      group by g.app_id, g.entitlement_id, g.account_id
      order by g.account_id limit ${page.limit}) x
    where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) >= (${afterApp}, ${afterEntitlement})
      ${moment.isNow ? db`and e.deleted_at is null` : db``}
      ${filter.appIds.length > 0 ? db`and e.app_id = any(${filter.appIds}::text[])` : db``}
      ${entitlementConditions(db, tenantId, filter)}
    order by e.app_id, e.entitlement_id, x."accountId" limit ${page.limit}`
}

const joinEntitlement = (db: Reads, tenantId: number) => db`
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id`

const needsEntitlement = (filter: HeldFilter): boolean =>
  [filter.entitlements, filter.entitlementIds ?? [], filter.slugs, filter.purposes].some((each) => each.length > 0) ||
  [filter.resourceIds, filter.resourceTypeIds].some((each) => each.length > 0) ||
  [filter.entitlementName ?? '', filter.resourceName ?? ''].some((each) => each.trim() !== '')

function entitlementConditions(db: Reads, tenantId: number, filter: HeldFilter) {
  const none = db``
  const any = (values: readonly string[]) => db`any(${values}::text[])`
  const { entitlements, entitlementIds = [], slugs, purposes, resourceIds, resourceTypeIds } = filter
  return db`
    ${
      entitlements.length > 0
        ? db`and (e.app_id, e.entitlement_id) in (select * from unnest(
            ${entitlements.map(({ appId }) => appId)}::text[], ${entitlements.map(({ id }) => id)}::text[]))`
        : none
    }
    ${entitlementIds.length > 0 ? db`and e.entitlement_id = ${any(entitlementIds)}` : none}
    ${slugs.length > 0 ? db`and e.slug = ${any(slugs)}` : none}
    ${purposes.length > 0 ? db`and e.purpose = ${any(purposes)}` : none}
    ${resourceIds.length > 0 ? db`and e.resource_id = ${any(resourceIds)}` : none}
    ${resourceTypeIds.length > 0 ? db`and e.resource_type_id = ${any(resourceTypeIds)}` : none}
    ${isNamed(db, tenantId, 'entitlement', db`e.entitlement_id`, filter.entitlementName ?? '')}
    ${isNamed(db, tenantId, 'resource', db`e.resource_id`, filter.resourceName ?? '')}`
}

/** Whether the name of an object begins like this, or all words of it are words of the name. */
export const isNamed = (db: Reads, tenantId: number, kind: 'entitlement' | 'resource', id: Fragment, name: string) =>
  name.trim() === '' ? db`` : db`and ${isCalled(db, tenantId, kind, id, name)}`
