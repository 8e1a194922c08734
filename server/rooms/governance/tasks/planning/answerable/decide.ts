import { askedOf } from '../decide.ts'

export const problemReasons = [
  'UNANSWERABLE_REASON_UNSPECIFIED',
  'UNANSWERABLE_REASON_MANAGER_MISSING',
  'UNANSWERABLE_REASON_GROUP_EMPTY',
  'UNANSWERABLE_REASON_OWNER_MISSING',
  'UNANSWERABLE_REASON_OWNER_DISABLED',
  'UNANSWERABLE_REASON_USERS_DISABLED',
  'UNANSWERABLE_REASON_EXPRESSION_FAILED',
  'UNANSWERABLE_REASON_EXPRESSION_NAMES_NOBODY',
  'UNANSWERABLE_REASON_SELF_APPROVAL_NOT_ALLOWED',
  'UNANSWERABLE_REASON_TOO_MANY_PEOPLE',
  'UNANSWERABLE_REASON_WEBHOOK_MISSING',
  'UNANSWERABLE_REASON_POLICY_MISSING',
  'UNANSWERABLE_REASON_ROUTING_FAILED',
] as const
export type ProblemReason = (typeof problemReasons)[number]

export const insteads = [
  'UNANSWERABLE_INSTEAD_UNSPECIFIED',
  'UNANSWERABLE_INSTEAD_FALLBACK',
  'UNANSWERABLE_INSTEAD_SUPER_ADMINISTRATORS',
  'UNANSWERABLE_INSTEAD_STUCK',
  'UNANSWERABLE_INSTEAD_REFUSED',
] as const
export type Instead = (typeof insteads)[number]

/** What is wrong with one step for an entitlement. */
export type Problem = {
  policyId: string
  policyName: string
  stepKey: string
  /** From 1; 0 if it concerns the whole policy. */
  place: number
  when: readonly string[]
  isEmergency: boolean
  reason: ProblemReason
  why: string
  instead: Instead
  /** For manager steps: how many people have no manager who can decide. */
  people: number
}

type Tried = { by: string; because: string; error?: string }

/** Why the source of a step names nobody. */
export function reasonOf({ by, because }: Tried): ProblemReason {
  if (because === 'too many') return 'UNANSWERABLE_REASON_TOO_MANY_PEOPLE'
  if (by === 'expression')
    return because === 'error' ? 'UNANSWERABLE_REASON_EXPRESSION_FAILED' : 'UNANSWERABLE_REASON_EXPRESSION_NAMES_NOBODY'
  if (by === 'webhook') return 'UNANSWERABLE_REASON_WEBHOOK_MISSING'
  if (by === 'group') return 'UNANSWERABLE_REASON_GROUP_EMPTY'
  if (by === 'manager') return 'UNANSWERABLE_REASON_MANAGER_MISSING'
  if (by === 'users') return 'UNANSWERABLE_REASON_USERS_DISABLED'
  if (by === 'self') return 'UNANSWERABLE_REASON_SELF_APPROVAL_NOT_ALLOWED'
  return because === 'nobody' ? 'UNANSWERABLE_REASON_OWNER_MISSING' : 'UNANSWERABLE_REASON_OWNER_DISABLED'
}

/** Who is asked instead, by the reason of the first assignee. */
export const insteadOf = (why: string | undefined): Instead =>
  why === undefined
    ? 'UNANSWERABLE_INSTEAD_STUCK'
    : why === 'superAdministrator'
      ? 'UNANSWERABLE_INSTEAD_SUPER_ADMINISTRATORS'
      : 'UNANSWERABLE_INSTEAD_FALLBACK'

export const whyNobody = ({ by, because, error }: Tried): string => {
  const asked = askedOf(by)
  const start = `${asked.charAt(0).toUpperCase()}${asked.slice(1)}`
  if (because === 'error') return `The approver expression fails: ${error ?? ''}`
  if (because === 'too many') return `${start}: there are more than 128 of them.`
  return because === 'nobody' ? `${start}: there is nobody.` : `${start}: none of them can decide.`
}

const minRestMs = 1_000
/** Also if nothing was written to the system log: delegations begin and end with time. */
export const everyMs = 5 * 60_000

export type Round = { sealNumber: number; startedAt: Date; finishedAt: Date | null }

/**
 * Whether a round begins: after a change, once the last round is over for ten times as long as it took, and every five
 * minutes.
 */
export function isDue(last: Round | null, sealNumber: number, now: Date): boolean {
  if (!last) return true
  if (last.finishedAt === null) return false
  if (+now - +last.startedAt >= everyMs) return true
  const rest = Math.max(minRestMs, 10 * (+last.finishedAt - +last.startedAt))
  return sealNumber !== last.sealNumber && +now - +last.finishedAt >= rest
}
