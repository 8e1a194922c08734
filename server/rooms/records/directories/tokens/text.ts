import { hash, randomBytes } from 'node:crypto'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { KeptToken } from './store.ts'

const secretBytes = 32
const checkBytes = 12
// The id of the row, the secret, and a check value that shows that this server issued both.
const form = /^scim_([0-9A-Za-z]{27})_([\w-]{43})_([\w-]{16})$/

const checkOf = (seals: Seals, tenantId: number, id: string, secret: string): Buffer =>
  seals.mac('directory token text', String(tenantId), id, secret).subarray(0, checkBytes)

export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

export function makeText(seals: Seals, tenantId: number, id: string): { text: string; secretSha256: Buffer } {
  const secret = randomBytes(secretBytes).toString('base64url')
  const check = checkOf(seals, tenantId, id, secret).toString('base64url')
  return { text: `scim_${id}_${secret}_${check}`, secretSha256: hashOf(secret) }
}

/** The parts of a token's text, if it belongs to this tenant: anything else is refused without a query to the database. */
export function readText(seals: Seals, tenantId: number, text: string): { id: string; secret: string } | null {
  const [, id, secret, check] = form.exec(text) ?? []
  if (id === undefined || secret === undefined || check === undefined) return null
  return isSameMac(Buffer.from(check, 'base64url'), checkOf(seals, tenantId, id, secret)) ? { id, secret } : null
}

const msOf = (at: Date | null): number | null => at && at.getTime()

/** Covers everything that decides whether a token is accepted, and for which directory. */
export const tokenMac = (seals: Seals, tenantId: number, token: Omit<KeptToken, 'mac'>): Buffer =>
  seals.mac(
    'directory token',
    String(tenantId),
    token.id,
    token.appId,
    token.secretSha256,
    JSON.stringify([token.createdAt, token.expiresAt, token.revokedAt].map(msOf)),
  )
