import type { Reads } from '#kernel/sql.ts'

export type ChallengeKind = 'passkey sign-in' | 'passkey adding' | 'oidc'
export type Challenge = {
  challengeSha256: Buffer
  kind: ChallengeKind
  userId: string
  sealed: Buffer | null
  expiresAt: Date
}

export async function insertChallenge(db: Reads, tenantId: number, challenge: Challenge): Promise<void> {
  await db`
    insert into sign_in_challenges (tenant_id, challenge_sha256, kind, user_id, sealed, expires_at)
    values (${tenantId}, ${challenge.challengeSha256}, ${challenge.kind}, ${challenge.userId}, ${challenge.sealed},
      ${challenge.expiresAt})`
}

/** Uses a challenge up, whatever comes of the answer. */
export async function takeChallenge(
  db: Reads,
  tenantId: number,
  kind: ChallengeKind,
  challengeSha256: Buffer,
  now: Date,
): Promise<Pick<Challenge, 'userId' | 'sealed'> | null> {
  const [row] = await db<(Pick<Challenge, 'userId' | 'sealed'> & { isInTime: boolean })[]>`
    delete from sign_in_challenges
    where tenant_id = ${tenantId} and challenge_sha256 = ${challengeSha256} and kind = ${kind}
    returning user_id as "userId", sealed, expires_at > ${now} as "isInTime"`
  return row?.isInTime ? row : null
}

export async function deleteExpiredChallenges(db: Reads, now: Date): Promise<void> {
  await db`delete from sign_in_challenges where expires_at <= ${now}`
}
