import type { Automation, Definition, EntitlementRef, Outcome } from './automation.ts'

/** What is known of a user and an entitlement when its rule is asked. */
export type Standing = {
  /** Whether the rule matches the user, who is enabled; false where it failed for them. */
  matches: boolean
  isExcluded: boolean
  /** Holds it now, for whatever reason. */
  holds: boolean
  /** Has a grant of it that the rule gave. */
  hasFromRule: boolean
}

/** What a rule does about a user. `difference` in matching/store/difference.ts says the same in SQL. */
export function outcomeOf({ matches, isExcluded, holds, hasFromRule }: Standing): Outcome {
  if (isExcluded) return matches || hasFromRule ? 'excluded' : null
  if (matches) return holds ? 'stay' : 'gain'
  return hasFromRule ? 'lose' : null
}

const membersMin = 20
const lossPercentMax = 20

type Limits = Pick<Automation, 'lossPercentMax' | 'holdsFew'>

/** Whether a run takes so much that a person has to look first. */
export const isTooMuch = (toLose: number, members: number, limits: Limits): boolean =>
  members >= (limits.holdsFew ? 1 : membersMin) && toLose * 100 > members * (limits.lossPercentMax ?? lossPercentMax)

/** Of so many members the run must not be one to say how many there are: enough to know whether it takes too much. */
export const membersToCount = (toLose: number, limits: Limits): number =>
  Math.max(membersMin, (toLose * 100) / Math.max(1, limits.lossPercentMax ?? lossPercentMax) + 1)

const gainersMin = 20
const gainPercentMax = 20

/** How many may gain something at once before a person has to look, where so many could. */
const gainLine = (enabled: number): number => Math.max(gainersMin, Math.floor((enabled * gainPercentMax) / 100))

/** How many people a plan names to someone who does not see them otherwise: a part of everyone, or a handful. */
export const namesLine = (enabled: number): number => Math.max(handful, Math.floor((enabled * gainPercentMax) / 100))
const handful = 5

/** Whether a run gives so much that a person has to look first: to a large part of everyone, or to more than have it. */
export const isTooMuchGain = (toGain: number, { enabled, members }: { enabled: number; members: number }): boolean =>
  toGain > gainLine(enabled) || (members >= membersMin && toGain > members * 2 && toGain > gainersMin)

/** Of so many users or members it must be known that there are more: enough to know whether a run gives too much. */
export const enabledToCount = (toGain: number): number => (toGain * 100) / gainPercentMax + 100 / gainPercentMax

const minuteMs = 60_000
const hourMs = 3_600_000
// A rule over a million users takes seconds: run by the clock, it takes at most a twentieth of the time.
const restPerWork = 20

/** How long a rule rests until it is run over everyone again, whatever happens in between. */
export const restMs = (isClocked: boolean, tookMs: number): number =>
  Math.max(isClocked ? minuteMs : hourMs, tookMs * restPerWork)

/** Whether two rules match by the same words. */
export const isSameDefinition = (a: Definition, b: Definition): boolean => JSON.stringify(a) === JSON.stringify(b)

export type Edge = { reads: EntitlementRef; by: EntitlementRef }

const keyOf = ({ appId, id }: EntitlementRef): string => `${appId}/${id}`

/**
 * The way by which the rule of `of` would come to read what it gives itself: `[of, …, of]`; null where there is none.
 * `reads` is what it would read, `others` what all other rules read.
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
