import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { fingerprintOf } from '#rooms/foundation/plans/index.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { listEnforcement } from '#rooms/governance/enforcement/index.ts'
import type { User } from '#rooms/identity/users/index.ts'
import type { HoldingRef } from '#rooms/records/grants/index.ts'
import { type RuleOfMany, rulesAbout } from '#rooms/rules/automation/index.ts'
import { type Facts, grantsAgain, isToExclude, type Judged, judge, type RuleFact } from './decide.ts'
import type { Held, Options } from './removal.ts'
import { listHeldByUser } from './store.ts'

/** The maximum number of grants of one removal; the rest needs another plan. */
export const grantsMax = 10_000

/** `carrier`: who makes the change in the app, if the access ends. */
export type PlannedItem = Held & Judged & { carrier: Carrier }
/** A rule for something that the person holds, and what follows from it. */
export type PlannedRule = {
  appId: string
  entitlementId: string
  entitlementName: string
  name: string
  matches: boolean
  isPaused: boolean
  isExcluded: boolean
  isToExclude: boolean
  grantsAgain: boolean
  error: string
}

export type Plan = {
  items: readonly PlannedItem[]
  rules: readonly PlannedRule[]
  isMore: boolean
  fingerprint: string
}

const refKey = (appId: string, id: string): string => `${appId} ${id}`
const keyOf = ({ appId, entitlementId }: HoldingRef): string => refKey(appId, entitlementId)
const factOf = ({ rule, matches, isExcluded }: RuleOfMany, entitlementName: string): RuleFact => ({
  name: rule.displayName || entitlementName,
  matches,
  isExcluded,
  isPaused: rule.pausedWhy !== null,
})

/**
 * What removing all access of a person would do. Nothing is changed. Facts that are the same for all accounts of an
 * entitlement are looked up once: rules, and who provisions, in one round for all.
 */
export async function planIn(tx: Tx, call: Call, user: User, options: Options): Promise<Plan> {
  const { id: tenantId } = call.tenant
  const at = call.now()
  const found = await listHeldByUser(tx, tenantId, {
    userId: user.id,
    appIds: options.appIds,
    at,
    limit: grantsMax + 1,
  })
  const isMore = found.reduce((sum, { grants }) => sum + grants.length, 0) > grantsMax
  // The limit may have cut the last one in two.
  const all = isMore ? found.slice(0, -1) : found
  const refs = [...new Map(all.map((held) => [keyOf(held), held])).values()]
  const isEnabled = user.status === 'ENABLED'
  const rules = await rulesAbout(
    tx,
    call,
    refs.map(({ appId, entitlementId: id }) => ({ appId, id })),
    { id: user.id, isEnabled },
  )
  const carrierOf = await carriers(tx, call, refs)
  const judged = new Map<Held, Judged>()
  const judgeOne = (held: Held, profiles: readonly string[]): void => {
    const rule = rules.get(keyOf(held))
    const fact = rule ? factOf(rule, held.entitlementName) : null
    const carrier = carrierOf.get(keyOf(held)) ?? 'records'
    judged.set(held, judge(held, { isEnabled, options, rule: fact, carrier, profiles }))
  }
  // Enrollments first: access through an access profile stays while the person stays in it.
  const enrollments = all.filter(({ appId }) => appId === profilesAppId)
  for (const held of enrollments) judgeOne(held, [])
  const staying = new Map(
    enrollments
      .filter((held) => judged.get(held)?.outcome !== 'ends')
      .map(({ entitlementId, entitlementName }) => [entitlementId, entitlementName]),
  )
  // If the plan is limited to some apps, enrollments that are not part of it stay.
  const isPartial = options.appIds.length > 0 && !options.appIds.includes(profilesAppId)
  for (const held of all) {
    if (held.appId === profilesAppId) continue
    const given = held.grants.filter(({ source }) => source === 'profile')
    judgeOne(
      held,
      given.flatMap(({ grantedBy }) => staying.get(grantedBy) ?? (isPartial ? ['Access profile'] : [])),
    )
  }
  const items = all.map((held) => ({
    ...held,
    ...(judged.get(held) as Judged),
    carrier: carrierOf.get(keyOf(held)) ?? 'records',
  }))
  const byEntitlement = Map.groupBy(all, keyOf)
  const planned = refs.flatMap((held) => {
    const rule = rules.get(keyOf(held))
    return rule ? [plannedRule(rule, byEntitlement.get(keyOf(held)) ?? [held], { isEnabled, options })] : []
  })
  const fingerprint = fingerprintOf(call, 'removal', [
    [user.id, user.status, options.excludes, options.disables, options.appIds.toSorted()],
    items.map(({ appId, entitlementId, accountId, grants, outcome }) => [
      ...[appId, entitlementId, accountId, outcome],
      grants.map(({ id }) => id),
    ]),
    planned.filter((rule) => rule.isToExclude).map(({ appId, entitlementId }) => [appId, entitlementId]),
  ])
  return { items, rules: planned, isMore, fingerprint }
}

function plannedRule(
  rule: RuleOfMany,
  ofSame: readonly Held[],
  { isEnabled, options }: { isEnabled: boolean; options: Options },
): PlannedRule {
  const { appId, entitlementId, entitlementName } = ofSame[0] as Held
  const fact = factOf(rule, entitlementName)
  return {
    appId,
    entitlementId,
    entitlementName,
    ...fact,
    error: rule.error,
    isToExclude: ofSame.some((each) => isToExclude(options, fact, each)),
    grantsAgain: grantsAgain({ isEnabled, options, rule: fact }),
  }
}

type Carrier = Facts['carrier']

/** Who carries out a revocation, by entitlement; those of deleted ones end as records. */
async function carriers(tx: Tx, call: Call, refs: readonly Held[]): Promise<Map<string, Carrier>> {
  const found = await listEnforcement(
    tx,
    call,
    refs.map(({ appId, entitlementId: id }) => ({ appId, id })),
  )
  return new Map(
    refs.map((held) => {
      const by = found.get(`${held.appId}/${held.entitlementId}`)?.revoke.by ?? 'nobody'
      if (by === 'connector') return [keyOf(held), 'connector']
      return [keyOf(held), by === 'nobody' || by === 'bailiwick' ? 'records' : 'people']
    }),
  )
}
