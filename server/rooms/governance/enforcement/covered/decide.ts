import type { Enforcement, Enforcer } from '../decide.ts'

/**
 * What becomes of a grant, or of its end, in its app. `unreliable`: its connector would do it, but what that says of the app
 * is out of date.
 */
export type Class = 'confirmed' | 'unreliable' | 'people' | 'nobody' | 'not counted'

/** Another entitlement that includes this one is granted with it, as a record: only its connector carries that out. */
function classOf(enforcer: Enforcer, includedBy: (enforcer: Enforcer) => Enforcer | null): Class {
  if (enforcer.by === 'connector') return enforcer.connector.health === 'synced' ? 'confirmed' : 'unreliable'
  if (enforcer.by === 'webhook') return 'confirmed'
  if (enforcer.by === 'people') return 'people'
  if (enforcer.by === 'bailiwick') return 'not counted'
  const included = includedBy(enforcer)
  return included?.by === 'connector' ? classOf(included, () => null) : 'nobody'
}

/** The worse of how it is granted and how it is revoked: access that nobody removes is not enforced. */
const worstFirst: readonly Class[] = ['not counted', 'nobody', 'people', 'unreliable', 'confirmed']
export function classOfBoth(
  { grant, revoke }: Enforcement,
  includedBy: (enforcer: Enforcer) => Enforcer | null,
): Class {
  const classes = [classOf(grant, includedBy), classOf(revoke, includedBy)]
  return worstFirst.find((each) => classes.includes(each)) ?? 'nobody'
}

export type Shares = { [c in Exclude<Class, 'not counted'>]: number }
export type Counted = {
  appId: string
  appName: string
  hasConnector: boolean
  class: Class
  /** How many accounts have an entitlement of the group. */
  grants: number
}

export type Remedy = 'connect app' | 'repair connector' | 'turn on provisioning' | 'name people'
export type Next = { appId: string; appName: string; grants: number; whatToDo: readonly Remedy[] }
export type Coverage = { shares: Shares; total: number; percent: number; next: readonly Next[] }

/** How many apps are listed. */
const nextMax = 20

function sharesOf(all: readonly Counted[]): Shares {
  const shares: Shares = { confirmed: 0, unreliable: 0, people: 0, nobody: 0 }
  for (const { class: of, grants } of all) if (of !== 'not counted') shares[of] += grants
  return shares
}
const totalOf = ({ confirmed, unreliable, people, nobody }: Shares): number => confirmed + unreliable + people + nobody

/** What share of the access its apps confirm. Rounded down: 100 only if it is all of it. */
export function coverageOf(all: readonly Counted[]): Coverage {
  const shares = sharesOf(all)
  const total = totalOf(shares)
  const next = [...Map.groupBy(all, ({ appId }) => appId).values()]
    .map(nextOf)
    .filter(({ grants }) => grants > 0)
    .toSorted((a, b) => b.grants - a.grants || a.appName.localeCompare(b.appName) || (a.appId < b.appId ? -1 : 1))
  const percent = total === 0 ? 0 : Math.floor((100 * shares.confirmed) / total)
  return { shares, total, percent, next: next.slice(0, nextMax) }
}

/** What would have an app confirm more: how many grants it does not confirm, and what to do. */
function nextOf(ofApp: readonly Counted[]): Next {
  const { appId, appName, hasConnector } = ofApp[0] as Counted
  const shares = sharesOf(ofApp)
  const { unreliable, people, nobody } = shares
  return {
    appId,
    appName,
    grants: totalOf(shares) - shares.confirmed,
    whatToDo: [
      ...(hasConnector ? [] : (['connect app'] as const)),
      ...(unreliable > 0 ? (['repair connector'] as const) : []),
      ...(hasConnector && people > 0 ? (['turn on provisioning'] as const) : []),
      ...(nobody > 0 ? (['name people'] as const) : []),
    ],
  }
}
