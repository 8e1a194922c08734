import { slot } from '#kernel/memory.ts'
import type { ClaimSet } from '../checking/jwt.ts'
import type { Attempt } from './attempt.ts'
import { claimsToKeep, fingerprintOf } from './kept.ts'
import { writeAttempts } from './store.ts'

export type Outcome = { step: string; reason: string; detail: string } | null

type Noted = {
  tenantId: number
  credentialId: string
  /** Null for an accepted token. */
  refused: Outcome
  /** Set only if the signature is valid: what others write is not stored. */
  claims: ClaimSet | null
  sourceAddress: string
}

/**
 * Limits per second, in total and per outcome of a trust: at most this many are written. More would add little information.
 */
const notedMax = 2_000
const notedOfTrustMax = 50

/**
 * Attempts at trusts: noted at once, written every second. What a killed server has not written is no loss: it is only used
 * to plan changes, and the system log contains each attempt as well.
 */
export const attemptNotes = slot((world) => {
  let noted = new Map<string, Attempt & { tenantId: number }>()
  let counts = new Map<string, number>()
  let writing: Promise<void> = Promise.resolve()
  const writeNoted = async (): Promise<void> => {
    const attempts = [...noted.values()]
    noted = new Map()
    counts = new Map()
    const byTenant = Map.groupBy(attempts, ({ tenantId }) => tenantId)
    for (const [tenantId, of] of byTenant) await writeAttempts(world.db, tenantId, of)
  }
  return {
    note({ tenantId, credentialId, refused, claims, sourceAddress }: Noted): void {
      const trustKey = `${tenantId} ${credentialId} ${refused === null}`
      const count = counts.get(trustKey) ?? 0
      if (count >= notedOfTrustMax) return
      const kept = claims && claimsToKeep(claims)
      const { step, reason, detail } = refused ?? { step: '', reason: '', detail: '' }
      const fingerprint = fingerprintOf(step, reason, kept?.json ?? '')
      const key = `${tenantId} ${credentialId} ${fingerprint.toString('base64')}`
      const before = noted.get(key)
      if (!before) {
        if (noted.size >= notedMax) return
        counts.set(trustKey, count + 1)
      }
      const at = world.now()
      noted.set(key, {
        tenantId,
        credentialId,
        fingerprint,
        step,
        reason,
        detail,
        sourceAddress,
        id: before?.id ?? world.newId(),
        isAdmitted: refused === null,
        claims: kept?.json ?? null,
        omitted: kept?.omitted ?? [],
        times: (before?.times ?? 0) + 1,
        firstAt: before?.firstAt ?? at,
        lastAt: at,
      })
    },
    /**
     * Run by the engine, and before attempts are read: it also waits for a write in progress, so that all of them are there.
     */
    write(): Promise<void> {
      const written = writing.catch(() => {}).then(writeNoted)
      writing = written
      return written
    },
  }
})
