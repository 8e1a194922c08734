import { slot } from '#kernel/memory.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { openTurns } from '#kernel/turns.ts'
import { fetchKeys, type Jwk, type KeySource, KeysUnavailable } from './fetch.ts'

/** How old keys may be before they are fetched again. A key that an issuer withdraws is accepted for this long. */
const freshMs = 5 * 60_000
/** How long keys stay valid while the issuer cannot be reached. */
const staleMsMax = 12 * 3_600_000
/**
 * The minimum interval between requests to an issuer, plus one extra request for missing keys, regardless of how many tokens
 * arrive.
 */
const askMs = 15_000
const sourcesMax = 1_000

type Known = {
  keys: readonly Jwk[] | null
  fetchedAt: number
  /** When they were last requested, successfully or not. */
  askedAt: number
  /** When they were last requested because a key was missing. */
  missedAt: number
  asking: Promise<void> | null
  problem: string
}

export type FoundKeys = {
  keys: readonly Jwk[]
  /** Set if the keys are older than they should be: the error of the issuer. */
  problem: string | null
}

/**
 * The keys of issuers, as this process last fetched them. Keys at an address are the same for all tenants, so the cache is
 * shared. No request waits longer than one fetch takes, and none waits at all if the key that it needs is known.
 */
export const keySets = slot((world) => {
  const outgoing = openOutgoing(world.settings.outgoing ?? strictRules)
  // Issuers that do not respond occupy at most this many turns, and those of one tenant only some of them.
  const turns = openTurns({ perKey: 4, inAll: 16, waitingMax: 32, waitMs: 5_000 })
  const sources = new Map<string, Known>()
  const now = (): number => world.now().getTime()

  const knownOf = (source: KeySource): Known => {
    const key = JSON.stringify([source.issuerUrl, source.bundleEndpointUrl])
    const known = sources.get(key) ?? { keys: null, fetchedAt: 0, askedAt: 0, missedAt: 0, asking: null, problem: '' }
    // The least recently used one is dropped first.
    sources.delete(key)
    sources.set(key, known)
    if (sources.size > sourcesMax) sources.delete(sources.keys().next().value as string)
    return known
  }

  const ask = (tenantId: number, source: KeySource, known: Known): Promise<void> => {
    known.askedAt = now()
    const asked = turns
      .take(String(tenantId), null, () => fetchKeys(outgoing, source))
      .then(
        (keys) => {
          known.keys = keys
          known.fetchedAt = now()
          known.problem = ''
        },
        (error: unknown) => {
          known.problem =
            error instanceof KeysUnavailable ? error.message : 'Too many requests for keys of issuers are in progress.'
          if (!(error instanceof KeysUnavailable)) known.askedAt = 0
        },
      )
      .finally(() => {
        known.asking = null
      })
    known.asking = asked
    return asked
  }

  const isLongAgo = (at: number): boolean => now() - at >= askMs || now() < at

  return {
    /**
     * The keys of a source. `isEnough` decides whether the needed key is among them: if not, the issuer may have changed its
     * keys, and is asked once more. If there are none, keys is null, with the problem.
     */
    async find(
      tenantId: number,
      source: KeySource,
      isEnough: (keys: readonly Jwk[]) => boolean,
    ): Promise<FoundKeys | { keys: null; problem: string }> {
      const known = knownOf(source)
      const isUsable = (): boolean => known.keys !== null && now() - known.fetchedAt < staleMsMax
      const isAged = now() - known.fetchedAt >= freshMs || now() < known.fetchedAt
      if (isUsable() && isEnough(known.keys ?? [])) {
        // In the background: a token with a known key does not wait for the issuer.
        if (isAged && known.asking === null && isLongAgo(known.askedAt)) void ask(tenantId, source, known)
      } else if (known.asking !== null) await known.asking
      else if (isLongAgo(isUsable() ? known.missedAt : known.askedAt)) {
        if (isUsable()) known.missedAt = now()
        await ask(tenantId, source, known)
      }
      if (!isUsable()) return { keys: null, problem: known.problem || 'The issuer has not been reached.' }
      return { keys: known.keys ?? [], problem: known.problem === '' ? null : known.problem }
    },
  }
})
