/** What identifies an entitlement among all others; a rule is identified by its entitlement. */
export type EntitlementRef = { appId: string; id: string }

/** Whom a rule matches. */
export type Definition = { kind: 'none' } | { kind: 'basic' | 'cel'; expression: string } | Holders
/**
 * Matches everyone who holds one of `refs`. A rule may name its own entitlement too, at the place `selfAt` in the list that
 * its author wrote: that matches nobody new, as its holders have it already, and a rule's own grant is no reason to keep it.
 */
export type Holders = { kind: 'entitlements'; refs: readonly EntitlementRef[]; selfAt?: number }
export type Kind = Definition['kind']

const isSame = (a: EntitlementRef, b: EntitlementRef): boolean => a.appId === b.appId && a.id === b.id

/** A rule of `self` about the holders of these entitlements, in the order in which its author wrote them. */
export function holdersOfAny(self: EntitlementRef, written: readonly EntitlementRef[]): Holders {
  const selfAt = written.findIndex((ref) => isSame(ref, self))
  const refs = written.filter((ref) => !isSame(ref, self))
  return { kind: 'entitlements', refs, ...(selfAt >= 0 && { selfAt }) }
}

/** The list as its author wrote it. */
export const writtenRefs = (self: EntitlementRef, { refs, selfAt }: Holders): readonly EntitlementRef[] =>
  selfAt === undefined ? refs : refs.toSpliced(selfAt, 0, { appId: self.appId, id: self.id })

/** Someone whom a rule must match, or must not: checked whenever the rule is saved. */
export type Example = { userId: string; matches: boolean }

/** Why a rule is paused until a person resumes it. */
export type PauseReason = 'held' | 'cancelled' | 'undone' | 'costly'

/** The rule of one entitlement, in its current state. */
export type Automation = EntitlementRef & {
  version: number
  definition: Definition
  displayName: string
  description: string
  examples: readonly Example[]
  isClocked: boolean
  hasBreaker: boolean
  /** The percentage of its members above which a run would remove too many; null for the usual limit. */
  lossPercentMax: number | null
  /** Whether this limit also applies to rules with few members. */
  holdsFew: boolean
  /** Whether the person who saved it last may change only rules of what they own. */
  isOfOwner: boolean
  pausedWhy: PauseReason | null
  /** When it is next run over everyone; null while such a run is under way. */
  dueAt: Date | null
  lastRunId: string
  lastRunStatus: RunStatus | null
  lastRunError: string
  lastCompletedAt: Date | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** A rule as one save wrote it. */
export type Version = EntitlementRef &
  Pick<Automation, 'version' | 'definition' | 'displayName' | 'description' | 'examples'> & {
    reason: string
    /** The version that it restored; null if it was not restored. */
    restores: number | null
    /** Empty if unknown. */
    savedBy: string
    savedAt: Date
  }

export const runCauses = ['saved', 'change', 'exclusion', 'schedule', 'hand', 'apply', 'release', 'undo'] as const
export type RunCause = (typeof runCauses)[number]
export const runStatuses = ['running', 'held', 'done', 'failed', 'cancelled', 'superseded'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Someone for whom a rule failed, and why. */
export type Failure = { userId: string; error: string }

export type Run = {
  id: string
  appId: string
  entitlementId: string
  version: number
  cause: RunCause
  startedBy: string
  phase: 'finding' | 'applying' | 'over'
  status: RunStatus
  isReleased: boolean
  position: string
  /** What evaluating the rule user by user has cost so far, and for how many users. */
  askedUnits: number
  askedUsers: number
  matched: number
  excluded: number
  members: number
  toGain: number
  toLose: number
  gained: number
  lost: number
  failed: number
  failures: readonly Failure[]
  undoes: string
  undoneBy: string
  leftAlone: number
  error: string
  startedAt: Date
  finishedAt: Date | null
}

/** What a rule does about a user; null if there is nothing to do or to report. */
export type Outcome = 'gain' | 'lose' | 'stay' | 'excluded' | null
/** What an outcome changes. */
export type Change = { userId: string; outcome: 'gain' | 'lose' }
