import { createHash } from 'node:crypto'
import type { Seals } from '#kernel/seals.ts'
import type { Delivery } from './delivery.ts'

/**
 * 256 bits that cannot be computed without the secret key. The same for every attempt: a late answer to an early one counts
 * too.
 */
export const callbackToken = (seals: Seals, tenantId: number, deliveryId: string): string =>
  seals.mac('webhook callback', String(tenantId), deliveryId).toString('base64url')

/** The stored form of it. */
export const callbackHash = (token: string): Buffer => createHash('sha256').update(token).digest()

export const callbackUrl = (origin: string, token: string): string => `${origin}/api/v1/webhooks/callback/${token}`

type World = { seals: Seals }
export const callbackOf = (
  { seals }: World,
  tenantId: number,
  { id, origin }: Pick<Delivery, 'id' | 'origin'>,
): { token: string; url: string } => {
  const token = callbackToken(seals, tenantId, id)
  return { token, url: callbackUrl(origin, token) }
}
