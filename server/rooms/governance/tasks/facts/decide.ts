import type { AssignedWhy, Assignee } from '../machine/task.ts'

/** Someone a policy points at, as far as it matters for whether they can decide. */
export type Candidate = {
  userId: string
  why: AssignedWhy
  isEnabled: boolean
  isPrincipal?: boolean
  /** As an owner or a delegate, of what they may not give themselves (decision 0125). */
  mayNotGive?: boolean
  /** Of a change: others may sign in as them since it needs approval. */
  isUncertain?: boolean
  delegate: Delegate | null
}
/** Who answers for them now, and whether that is known to be able to. */
export type Delegate = Pick<Candidate, 'userId' | 'isEnabled' | 'mayNotGive' | 'isUncertain'> & {
  since: Date
  isNamedByOthers: boolean
}

export type Excluding = {
  subjectUserId: string
  allowSelfApproval: boolean
  allowDelegation: boolean
  requireDistinctApprovers: boolean
  /** Whether it is a change that needs approval: whoever names delegates for others could choose who approves their own. */
  isChange: boolean
  /** Who approved an earlier step of this round. */
  earlier: ReadonlySet<string>
  taskCreatedAt: Date
}

/** Why someone whom the policy points at cannot decide. */
export type LeftOut = {
  userId: string
  why:
    | 'disabled'
    | 'is a service principal'
    | 'may not grant it'
    | 'is uncertain'
    | 'is the subject'
    | 'approved an earlier step'
}

/**
 * Of those a policy points at, who can decide, and why the others cannot. A delegate takes the place of the one who named
 * them, if that was before the task was created. Both must be able to decide: nobody hands on what is not theirs, so that who
 * may not approve their own request cannot choose who does. A delegate who cannot leaves it to the one who named them. There is
 * one hop and no chain: nobody decides for someone who did not name them.
 */
export function ableOf(candidates: readonly Candidate[], rules: Excluding): { able: Assignee[]; leftOut: LeftOut[] } {
  const able = new Map<string, Assignee>()
  const leftOut: LeftOut[] = []
  for (const candidate of candidates) {
    const { userId, why } = candidate
    const reason = reasonAgainst(candidate, rules)
    const assignee: Assignee = standsIn(candidate, rules) ?? { userId, why }
    if (reason) leftOut.push({ userId, why: reason })
    else if (!able.has(assignee.userId)) able.set(assignee.userId, assignee)
  }
  return { able: [...able.values()], leftOut }
}

/** The delegate who decides in someone's place; null where they decide themselves. */
function standsIn({ userId, delegate }: Candidate, rules: Excluding): Assignee | null {
  if (!rules.allowDelegation || !delegate || delegate.since > rules.taskCreatedAt) return null
  if (rules.isChange && delegate.isNamedByOthers) return null
  return reasonAgainst(delegate, rules) ? null : { userId: delegate.userId, why: 'delegate', for: userId }
}

function reasonAgainst(
  {
    userId,
    isEnabled,
    isPrincipal,
    mayNotGive,
    isUncertain,
  }: Pick<Candidate, 'userId' | 'isEnabled' | 'isPrincipal' | 'mayNotGive' | 'isUncertain'>,
  rules: Excluding,
): LeftOut['why'] | null {
  if (!isEnabled) return 'disabled'
  if (isPrincipal) return 'is a service principal'
  if (mayNotGive) return 'may not grant it'
  if (isUncertain) return 'is uncertain'
  if (userId === rules.subjectUserId && !rules.allowSelfApproval) return 'is the subject'
  if (rules.requireDistinctApprovers && rules.earlier.has(userId)) return 'approved an earlier step'
  return null
}
