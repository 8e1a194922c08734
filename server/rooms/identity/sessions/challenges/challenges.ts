import type { Call } from '#kernel/routes.ts'
import { reportForged } from '#rooms/foundation/systemlog/index.ts'
import { spent } from '../spent.ts'
import { type ChallengeKind, type ChallengeRow, deleteChallenge, isAuthenticChallenge } from './store.ts'

/**
 * Uses a challenge, also if the response is wrong; null if there is none that has not expired and was written by this
 * program.
 */
export async function takeChallenge(
  call: Call,
  kind: ChallengeKind,
  challengeSha256: Buffer,
): Promise<ChallengeRow | null> {
  const row = await deleteChallenge(call.db, call.tenant.id, kind, challengeSha256)
  if (!row) return null
  const id = challengeSha256.toString('hex')
  const isOurs = isAuthenticChallenge(call.seals, call.tenant.id, row)
  if (!isOurs || call.memory(spent).has(`challenge ${id}`)) {
    await reportForged(call, call, { type: isOurs ? 'sign-in challenge that was used' : 'sign-in challenge', id: id })
    return null
  }
  call.memory(spent).add(`challenge ${id}`, row.expiresAt)
  return row.expiresAt > call.now() ? row : null
}
