import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import { rowMac } from '../row-mac.ts'

export type ChallengeKind = 'passkey sign-in' | 'passkey adding' | 'oidc'
export type Challenge = {
  challengeSha256: Buffer
  kind: ChallengeKind
  userId: string
  sealed: Buffer | null
  expiresAt: Date
}
export type ChallengeRow = Challenge & { mac: Buffer }

const challengeMac = (seals: Seals, tenantId: number, challenge: Challenge): Buffer =>
  rowMac(seals, 'sign-in challenge', tenantId, [
    challenge.challengeSha256,
    challenge.kind,
    challenge.userId,
    challenge.sealed,
    challenge.expiresAt,
  ])
export const isAuthenticChallenge = (seals: Seals, tenantId: number, row: ChallengeRow): boolean =>
  isSameMac(row.mac, challengeMac(seals, tenantId, row))

export async function insertChallenge(db: Reads, seals: Seals, tenantId: number, challenge: Challenge): Promise<void> {
  await db`
    insert into sign_in_challenges (tenant_id, challenge_sha256, kind, user_id, sealed, expires_at, mac)
    values (${tenantId}, ${challenge.challengeSha256}, ${challenge.kind}, ${challenge.userId}, ${challenge.sealed},
      ${challenge.expiresAt}, ${challengeMac(seals, tenantId, challenge)})`
}

/** Uses a challenge, also if the response is wrong. */
export async function deleteChallenge(
  db: Reads,
  tenantId: number,
  kind: ChallengeKind,
  challengeSha256: Buffer,
): Promise<ChallengeRow | null> {
  const [row] = await db<ChallengeRow[]>`
    delete from sign_in_challenges
    where tenant_id = ${tenantId} and challenge_sha256 = ${challengeSha256} and kind = ${kind}
    returning challenge_sha256 as "challengeSha256", kind, user_id as "userId", sealed, expires_at as "expiresAt", mac`
  return row ?? null
}

export async function deleteExpiredChallenges(db: Reads, now: Date): Promise<void> {
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from sign_in_challenges where expires_at <= ${now} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from sign_in_challenges where tenant_id = ${tenantId} and expires_at <= ${now}`,
  )
}
