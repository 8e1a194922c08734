import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Call } from '#kernel/routes.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import {
  type Account,
  findAccounts,
  putAccount,
  putApps,
  viewAccount,
  viewAccounts,
} from '#rooms/records/accounts/index.ts'
import { entitlementAsNeighbour, findEntitlementsUncounted, presentEntitlements } from '#rooms/records/apps/index.ts'
import type { EntitlementRef, Holding, HoldingRef, Moment, Reason } from './grant.ts'
import { countHolders } from './store/count.ts'
import { listHoldingsOf, listReasons } from './store/held.ts'
import { keyOf as holdingKey, listSources } from './store/sources.ts'
import { onWire, viewBinding, viewReason } from './view.ts'

type Mask = { paths: readonly string[] } | null

const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`
const accountsOf = (holdings: readonly HoldingRef[]) =>
  holdings.map(({ appId, accountId }) => ({ appId, id: accountId }))
const entitlementsOf = (holdings: readonly HoldingRef[]) =>
  holdings.map(({ appId, entitlementId }) => ({ appId, id: entitlementId }))

/** Who holds something at a moment, their accounts and the reasons; requested related objects are added to `expanded`. */
export async function viewHoldings(call: Call, holdings: readonly Holding[], moment: Moment, expanded: Expanded) {
  const [accounts, reasons, sources] = await Promise.all([
    findAccounts(call.db, call.tenant.id, accountsOf(holdings)),
    listReasons(call.db, call.tenant.id, holdings, moment),
    sourcesOf(call, holdings, moment),
  ])
  const views = await viewAccounts(call, accounts, expanded)
  const viewOf = new Map(accounts.map((account, i) => [keyOf(account), views[i] ?? null]))
  const reasonsOf = Map.groupBy(reasons, holdingKey)
  const ticketOf = (of: readonly Reason[] = []): string =>
    of.find(({ source }) => source === 'request')?.grantedBy ?? ''
  return holdings.map((holding) => ({
    ...onWire(holding),
    appUser: viewOf.get(keyOf({ appId: holding.appId, id: holding.accountId })) ?? null,
    appEntitlementUserBindingCreatedAt: holding.grantedAt,
    appEntitlementUserBindingDeprovisionAt: holding.expiresAt,
    grantReasons: (reasonsOf.get(holdingKey(holding)) ?? []).map((reason) => viewReason(onWire(holding), reason)),
    grantSources: sources.get(holdingKey(holding)) ?? [],
    originatingTicketId: ticketOf(reasonsOf.get(holdingKey(holding))),
  }))
}

// For a moment in the past, the conditions of rules then, and who matched, are unknown.
const sourcesOf = async (call: Call, holdings: readonly HoldingRef[], { at, isNow }: Moment) =>
  isNow ? listSources(call.db, call.tenant.id, holdings, at) : new Map<string, EntitlementRef[]>()

/** Holdings, each separately, with what they are held through. */
export async function presentBindings(call: Call, holdings: readonly Holding[], moment: Moment) {
  const sources = await sourcesOf(call, holdings, moment)
  return holdings.map((holding) => viewBinding(holding, sources.get(holdingKey(holding)) ?? []))
}

/** Through which of their accounts the caller holds each of some entitlements now: by `appId id`. */
export async function presentOwnBindings(call: Call, refs: readonly EntitlementRef[]) {
  const moment = { at: call.now(), isNow: true }
  const holdings = await listHoldingsOf(call.db, call.tenant.id, refs, call.actor.userId, moment)
  const bindings = await presentBindings(call, holdings, moment)
  return Map.groupBy(bindings, ({ appId, appEntitlementId }) => keyOf({ appId, id: appEntitlementId }))
}

/** Entitlements as views, in the order of the refs. */
export async function presentEntitlementsOf(call: Call, refs: readonly EntitlementRef[], mask: Mask) {
  const [found, counts] = await Promise.all([
    findEntitlementsUncounted(call.db, call.tenant.id, refs),
    countHolders(call.db, call.tenant.id, refs),
  ])
  const rows = found.map((entitlement) => ({ ...entitlement, grantCount: counts.get(keyOf(entitlement)) ?? 0 }))
  const { views, expanded } = await presentEntitlements(call, rows, mask)
  const viewOf = new Map(rows.map((row, i) => [keyOf(row), views[i]]))
  return {
    views: refs.flatMap((ref) => {
      const view = viewOf.get(keyOf(ref))
      return view ? [view] : []
    }),
    expanded,
  }
}

const typePrefix = 'type.googleapis.com/c1.api.'

/** Holdings with both of their ends. */
export async function presentGrants(call: Call, holdings: readonly Holding[], moment: Moment, mask: Mask) {
  const entitlements = await presentEntitlementsOf(call, distinct(entitlementsOf(holdings)), mask)
  const expanded = expansion(mask)
  // The paths of the entitlements point into the list as it is so far: the accounts' related objects are added after it.
  for (const item of entitlements.expanded)
    expanded.put(String(item['@type']).slice(typePrefix.length), String(item['id']), item)
  const bindings = await viewHoldings(call, holdings, moment, expanded)
  const viewOf = new Map(entitlements.views.map((view) => [keyOf(view.appEntitlement), view]))
  const views = bindings.map((binding) => ({
    appEntitlementUserBinding: binding,
    entitlement: viewOf.get(keyOf({ appId: binding.appId, id: binding.appEntitlementId })) ?? null,
  }))
  return { views, expanded: expanded.list() }
}

const distinct = <T extends { appId: string; id: string }>(refs: readonly T[]): T[] => [
  ...new Map(refs.map((ref) => [keyOf(ref), ref])).values(),
]

/** Where the app, the account and the entitlement of each row are in `expanded`. */
export async function placeNeighbours(call: Call, rows: readonly HoldingRef[], mask: Mask) {
  const expanded = expansion(mask)
  const when = <T>(path: string, values: readonly T[]): readonly T[] => (expanded.wants(path) ? values : [])
  const refs = when('appEntitlementId', distinct(entitlementsOf(rows)))
  const [apps, accounts, entitlements] = await Promise.all([
    putApps(
      call,
      expanded,
      when(
        'appId',
        rows.map(({ appId }) => appId),
      ),
    ),
    findAccounts(call.db, call.tenant.id, when('appUserId', accountsOf(rows))),
    refs.length > 0 ? findEntitlementsUncounted(call.db, call.tenant.id, refs) : Promise.resolve([]),
  ])
  const accountOf = new Map(accounts.map((account) => [keyOf(account), putAccount(expanded, account)]))
  const entitlementOf = new Map(
    entitlements.map((each) => [
      keyOf(each),
      expanded.put('app.v1.AppEntitlement', each.id, entitlementAsNeighbour(each)),
    ]),
  )
  return {
    pathsOf: ({ appId, entitlementId, accountId }: HoldingRef) => ({
      appPath: apps.get(appId) ?? '',
      appUserPath: accountOf.get(keyOf({ appId, id: accountId })) ?? '',
      entitlementPath: entitlementOf.get(keyOf({ appId, id: entitlementId })) ?? '',
    }),
    expanded: expanded.list(),
  }
}

/** Who holds or held an entitlement, and why: the reasons grouped by account. */
export async function presentReasons(
  call: Call,
  entitlement: EntitlementRef,
  reasons: readonly Reason[],
  moment: Moment,
) {
  const { appId } = entitlement
  const byAccount = Map.groupBy(reasons, ({ accountId }) => accountId)
  const accounts = await findAccounts(
    call.db,
    call.tenant.id,
    [...byAccount.keys()].map((id) => ({ appId, id })),
  )
  const owners = accounts.map(({ identityUserId }) => identityUserId).filter((userId) => userId !== '')
  const users = await findUsers(call.db, call.tenant.id, owners, call.now())
  const accountOf = new Map(accounts.map((account) => [account.id, account]))
  const userOf = new Map(users.map((user) => [user.id, user]))
  const holders = reasons.filter(({ endedAt }) => endedAt === null)
  const holdings = holders.map(({ accountId }) => ({ appId, entitlementId: entitlement.id, accountId }))
  const sources = await sourcesOf(call, distinctHoldings(holdings), moment)
  return [...byAccount].map(([accountId, all]) => {
    const account = accountOf.get(accountId) as Account
    const current = all.filter(({ endedAt }) => endedAt === null)
    const told = current.length > 0 ? current : latest(all)
    const ref = onWire({ appId, entitlementId: entitlement.id, accountId })
    return {
      ...ref,
      appUser: viewAccount(account),
      user: userOf.get(account.identityUserId) ?? null,
      discovered: new Date(Math.min(...told.map(({ grantedAt }) => grantedAt.getTime()))),
      expired: current.length > 0 ? null : (told[0]?.endedAt ?? null),
      grantReasons: told.map((reason) => viewReason(ref, reason)),
      grantSources: sources.get(holdingKey({ appId, entitlementId: entitlement.id, accountId })) ?? [],
    }
  })
}
const distinctHoldings = (holdings: readonly HoldingRef[]): HoldingRef[] => [
  ...new Map(holdings.map((holding) => [holdingKey(holding), holding])).values(),
]

/** If all reasons have ended, those that ended last. */
const latest = (reasons: readonly Reason[]): Reason[] => {
  const end = Math.max(...reasons.map(({ endedAt }) => endedAt?.getTime() ?? 0))
  return reasons.filter(({ endedAt }) => endedAt?.getTime() === end)
}
