import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'

/** The key by which the packs of a tenant are signed. */
export type EvidenceKey = { publicKey: KeyObject; privateKey: KeyObject; fingerprint: string }

// RFC 8410 section 7: an Ed25519 private key in PKCS #8 is this, and the 32 bytes of its seed.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Derived from the secret key of the installation: it is in no table, where somebody who can write to the database could
 * replace it, and stays the same for as long as the secret key, so that packs can be verified for years.
 */
export function evidenceKeyOf({ seals }: Pick<World, 'seals'>, { publicId }: Pick<Tenancy, 'publicId'>): EvidenceKey {
  const seed = seals.mac('evidence signing key', publicId)
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), type: 'pkcs8', format: 'der' })
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) }
}

/** As OpenSSH writes them: short enough to be compared, or read to somebody on the telephone. */
export const fingerprintOf = (key: KeyObject): string =>
  `SHA256:${hash('sha256', key.export({ type: 'spki', format: 'der' }), 'base64').replace(/=+$/, '')}`

export const fingerprintForm = /^SHA256:[A-Za-z0-9+/]{43}$/

export const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }) as string

/** An Ed25519 public key in the one form that `pemOf` writes; null for anything else. */
export function readPem(text: string): KeyObject | null {
  try {
    const key = createPublicKey(text)
    return key.asymmetricKeyType === 'ed25519' && pemOf(key) === text ? key : null
  } catch {
    return null
  }
}
