import type { Automation, Definition, EntitlementRef, Outcome } from './automation.ts'

/** What is known of a user and an entitlement when its rule is evaluated. */
export type Standing = {
  /** Whether the rule matches the user, who is enabled; false if it failed for them. */
  matches: boolean
  isExcluded: boolean
  /** Holds it now, for any reason. */
  holds: boolean
  /** Has a grant of it that the rule made. */
  hasFromRule: boolean
}

/** What a rule does about a user. `difference` in matching/store/difference.ts is the same in SQL. */
export function outcomeOf({ matches, isExcluded, holds, hasFromRule }: Standing): Outcome {
  if (isExcluded) return matches || hasFromRule ? 'excluded' : null
  if (matches) return holds ? 'stay' : 'gain'
  return hasFromRule ? 'lose' : null
}

const membersMin = 20
const lossPercentMax = 20

type Limits = Pick<Automation, 'lossPercentMax' | 'holdsFew'>

/** Whether a run would remove so many that a person has to look first. */
export const isTooMuch = (toLose: number, members: number, limits: Limits): boolean =>
  members >= (limits.holdsFew ? 1 : membersMin) && toLose * 100 > members * (limits.lossPercentMax ?? lossPercentMax)

/** How many members have to be counted at most: enough to know whether a run removes too many. */
export const membersToCount = (toLose: number, limits: Limits): number =>
  Math.max(membersMin, (toLose * 100) / Math.max(1, limits.lossPercentMax ?? lossPercentMax) + 1)

const gainersMin = 20
const gainPercentMax = 20

/** How many people may be added at once before a person has to look, if so many could be. */
const gainLine = (enabled: number): number => Math.max(gainersMin, Math.floor((enabled * gainPercentMax) / 100))

/** How many people a plan names to someone who does not see them otherwise: a part of everyone, or a handful. */
export const namesLine = (enabled: number): number => Math.max(handful, Math.floor((enabled * gainPercentMax) / 100))
const handful = 5

/**
 * Whether a run would add so many that a person has to look first: a large part of everyone, or more than the current
 * members.
 */
export const isTooMuchGain = (toGain: number, { enabled, members }: { enabled: number; members: number }): boolean =>
  toGain > gainLine(enabled) || (members >= membersMin && toGain > members * 2 && toGain > gainersMin)

/** How many users or members have to be counted at most: enough to know whether a run adds too many. */
export const enabledToCount = (toGain: number): number => (toGain * 100) / gainPercentMax + 100 / gainPercentMax

const minuteMs = 60_000
const hourMs = 3_600_000
// A rule over a million users takes seconds: on a schedule, it takes at most a twentieth of the time.
const restPerWork = 20

/** The pause between two runs of a rule over everyone, unless something makes it due earlier. */
export const restMs = (isClocked: boolean, tookMs: number): number =>
  Math.max(isClocked ? minuteMs : hourMs, tookMs * restPerWork)

/** Whether two rules match by the same definition. */
export const isSameDefinition = (a: Definition, b: Definition): boolean => JSON.stringify(a) === JSON.stringify(b)

export type Edge = { reads: EntitlementRef; by: EntitlementRef }

const keyOf = ({ appId, id }: EntitlementRef): string => `${appId}/${id}`

/**
 * The path on which the rule of `of` would come to read what it grants itself: `[of, …, of]`; null if there is none. `reads`
 * is what it would read, `others` what all other rules read.
 */
export function cycleOf(
  of: EntitlementRef,
  reads: readonly EntitlementRef[],
  others: readonly Edge[],
): EntitlementRef[] | null {
  const readBy = new Map<string, EntitlementRef[]>()
  for (const edge of others) {
    const known = readBy.get(keyOf(edge.by))
    if (known) known.push(edge.reads)
    else readBy.set(keyOf(edge.by), [edge.reads])
  }
  readBy.set(keyOf(of), [...reads])
  const seen = new Set<string>()
  const walk: EntitlementRef[][] = [[of]]
  for (let way = walk.pop(); way; way = walk.pop()) {
    for (const next of readBy.get(keyOf(way.at(-1) as EntitlementRef)) ?? []) {
      if (keyOf(next) === keyOf(of)) return [...way, next]
      if (seen.has(keyOf(next))) continue
      seen.add(keyOf(next))
      walk.push([...way, next])
    }
  }
  return null
}
