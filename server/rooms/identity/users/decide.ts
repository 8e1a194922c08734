import type { FieldViolation } from '#kernel/refusals.ts'

export type WantedDelegation = {
  userId: string
  delegatedUserId: string
  startAt: Date | null
  expirationAt: Date | null
}

/** What is wrong with a delegation, whoever the two are. */
export function delegationProblems(
  { userId, delegatedUserId, startAt, expirationAt }: WantedDelegation,
  now: Date,
): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (delegatedUserId === userId) problems.push({ field: 'delegatedUserId', description: 'must be another user' })
  if (expirationAt && expirationAt <= now)
    problems.push({ field: 'delegationExpireAt', description: 'must be in the future' })
  else if (expirationAt && startAt && expirationAt <= startAt)
    problems.push({ field: 'delegationExpireAt', description: 'must be after delegationStartAt' })
  return problems
}
