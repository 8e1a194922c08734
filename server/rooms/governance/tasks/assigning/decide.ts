import type { AssignedWhy, Assignee } from '../task.ts'

/** Someone a policy points at, as far as it matters for whether they can decide. */
export type Candidate = { userId: string; why: AssignedWhy; isEnabled: boolean; delegate: Delegate | null }
/** Who answers for them now, and whether that is known to be able to. */
export type Delegate = { userId: string; isEnabled: boolean; since: Date }

export type Excluding = {
  subjectUserId: string
  allowSelfApproval: boolean
  allowDelegation: boolean
  requireDistinctApprovers: boolean
  /** Who approved an earlier step of this round. */
  earlier: ReadonlySet<string>
  taskCreatedAt: Date
}

/** Why someone whom the policy points at cannot decide. */
export type LeftOut = { userId: string; why: 'disabled' | 'is the subject' | 'approved an earlier step' }

/**
 * Of those a policy points at, who can decide, and why the others cannot. A delegate takes the place of the one who named
 * them, if that was before the task was created, and is left out by the same rules.
 */
export function ableOf(candidates: readonly Candidate[], rules: Excluding): { able: Assignee[]; leftOut: LeftOut[] } {
  const able = new Map<string, Assignee>()
  const leftOut: LeftOut[] = []
  for (const candidate of candidates) {
    const assignee = answering(candidate, rules)
    const reason = reasonAgainst(assignee, rules)
    if (reason) leftOut.push({ userId: assignee.userId, why: reason })
    else if (!able.has(assignee.userId))
      able.set(assignee.userId, {
        userId: assignee.userId,
        why: assignee.why,
        ...(assignee.for && { for: assignee.for }),
      })
  }
  return { able: [...able.values()], leftOut }
}

type Answering = Assignee & { isEnabled: boolean }

function answering(
  { userId, why, isEnabled, delegate }: Candidate,
  { allowDelegation, taskCreatedAt }: Excluding,
): Answering {
  if (!allowDelegation || !delegate?.isEnabled || delegate.since > taskCreatedAt) return { userId, why, isEnabled }
  return { userId: delegate.userId, why: 'delegate', for: userId, isEnabled: true }
}

function reasonAgainst(assignee: Answering, rules: Excluding): LeftOut['why'] | null {
  if (!assignee.isEnabled) return 'disabled'
  if (assignee.userId === rules.subjectUserId && !rules.allowSelfApproval) return 'is the subject'
  if (rules.requireDistinctApprovers && rules.earlier.has(assignee.userId)) return 'approved an earlier step'
  return null
}
