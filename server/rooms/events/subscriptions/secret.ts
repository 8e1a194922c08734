import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Seals } from '#kernel/seals.ts'
import type { Target } from './subscription.ts'

/**
 * Secrets and signatures as in Standard Webhooks 1.0 (https://www.standardwebhooks.com): `whsec_` and the key in base64, and
 * `v1,` with the HMAC-SHA256 of id, timestamp and body.
 */
const prefix = 'whsec_'
const keyBytes = 32
const purpose = 'subscription secret'

export const newSecret = (): string => `${prefix}${randomBytes(keyBytes).toString('base64')}`

/**
 * A secret opens only for the state it was sealed for: if the address or the filter is changed in the database, nothing is
 * sent.
 */
const contextOf = (id: string, { url, eventKinds, filter, responsibleId }: Target): string =>
  JSON.stringify([id, url, eventKinds, filter, responsibleId])

type Sealing = { seals: Seals; tenantId: number; id: string; target: Target }

export const sealSecret = ({ seals, tenantId, id, target }: Sealing, secret: string): Buffer =>
  seals.seal(purpose, String(tenantId), Buffer.from(secret), contextOf(id, target))

/** Null if the row is not as this program wrote it. */
export const openSecret = ({ seals, tenantId, id, target }: Sealing, sealed: Buffer): string | null =>
  seals.open(purpose, String(tenantId), sealed, contextOf(id, target))?.toString() ?? null

/** The keys to sign with, as key objects: Node 24 takes 12 microseconds to find out that bytes are not a key object. */
export const keysOf = (secrets: readonly string[]): KeyObject[] =>
  secrets.map((secret) => createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64')))

/** One signature per key: during a rotation receivers can check either. */
export const signatureOf = (
  keys: readonly KeyObject[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string =>
  keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ')
