import { isSameMac, type Seals } from '#kernel/seals.ts'

/** How long a nonce from this server is accepted as the time of a proof. */
const nonceSeconds = 300

const macOf = (seals: Seals, tenantId: number, at: string): Buffer =>
  seals.mac('dpop nonce', String(tenantId), at).subarray(0, 16)

/**
 * A nonce (RFC 9449 section 8): the time, and a MAC over it. It is not stored, and every server can check it. The age
 * of proofs that have one is measured with our clock and not with the client's.
 */
export function newNonce(seals: Seals, tenantId: number, now: Date): string {
  const at = Math.floor(now.getTime() / 1000).toString(36)
  return `${at}.${macOf(seals, tenantId, at).toString('base64url')}`
}

/**
 * When a nonce from this server expires, and whether it is time to send another; null if it is not from this server, or
 * has expired.
 */
export function readNonce(seals: Seals, tenantId: number, nonce: unknown, now: Date) {
  const [, at = '', mac = ''] = (typeof nonce === 'string' && /^([0-9a-z]{1,9})\.([\w-]{22})$/.exec(nonce)) || []
  if (!isSameMac(Buffer.from(mac, 'base64url'), macOf(seals, tenantId, at))) return null
  const endsMs = (Number.parseInt(at, 36) + nonceSeconds) * 1000
  const leftMs = endsMs - now.getTime()
  return leftMs <= 0 ? null : { endsAt: new Date(endsMs), isOld: leftMs < (nonceSeconds * 1000) / 2 }
}
