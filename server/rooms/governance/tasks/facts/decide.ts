import type { AssignedWhy, Assignee } from '../machine/task.ts'

/** Someone whom a policy names, with the facts that determine whether they can decide. */
export type Candidate = {
  userId: string
  why: AssignedWhy
  isEnabled: boolean
  isPrincipal?: boolean
  /** They would decide as an owner or a delegate, and may not grant it themselves (decision 0125). */
  mayNotGive?: boolean
  /** Of a change: others may sign in as them since it needs approval. */
  isUncertain?: boolean
  delegate: Delegate | null
}
/** The present delegate, and whether the delegate is known to be able to decide. */
export type Delegate = Pick<Candidate, 'userId' | 'isEnabled' | 'mayNotGive' | 'isUncertain'> & {
  since: Date
  isNamedByOthers: boolean
}

export type Excluding = {
  subjectUserId: string
  allowSelfApproval: boolean
  allowDelegation: boolean
  requireDistinctApprovers: boolean
  /**
   * Whether it is a change that needs approval: someone who names delegates for others could choose who approves their own
   * change.
   */
  isChange: boolean
  /** The people who approved an earlier step of this round. */
  earlier: ReadonlySet<string>
  taskCreatedAt: Date
}

/** Why someone whom the policy names cannot decide. */
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
 * Which of the people whom a policy names can decide, and why the others cannot. A delegate takes the place of the person
 * who named them, if that was before the task was created. Both must be able to decide: otherwise someone who may not
 * approve their own request could choose who does. If the delegate cannot decide, the person does. Delegation has one hop
 * and no chain: nobody decides for someone who did not name them.
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

/** The delegate who decides in someone's place; null if they decide themselves. */
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
