import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

/** Members of private keys, and of symmetric ones, of any type. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
/** RFC 7638 section 3.2: the members that the thumbprint of each type of key covers, in this order. */
const required: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}
// A signature with a longer key, or with a larger exponent, takes milliseconds to check.
const rsaBits = { min: 2048, max: 4096 }
const exponentMax = 0xffff_ffffn

export type ProofKey = { key: KeyObject; jkt: string }

/** The public key in the header of a proof, and its thumbprint; or what is wrong with it, as text. */
export function readProofKey(jwk: unknown): ProofKey | string {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return 'jwk must be a public key'
  const given = jwk as Record<string, unknown>
  const members = required[String(given['kty'])]
  if (!members) return 'jwk must be an EC, OKP or RSA key'
  if (secretMembers.some((name) => Object.hasOwn(given, name))) return 'jwk must not contain a private key'
  const bare = Object.fromEntries(members.map((name) => [name, given[name]]))
  if (Object.values(bare).some((value) => typeof value !== 'string' || value.length > 1024))
    return `jwk must have ${members.join(', ')}`
  // Not of the text that was sent: a key can be written in several ways, and has one thumbprint.
  const key = keyOf(bare)
  if (!key) return 'jwk is not a valid key'
  const { modulusLength = rsaBits.min, publicExponent = 3n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < rsaBits.min || modulusLength > rsaBits.max || publicExponent > exponentMax)
    return `an RSA key must have ${rsaBits.min} to ${rsaBits.max} bits and a small exponent`
  const canonical = key.export({ format: 'jwk' }) as Record<string, unknown>
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, canonical[name]])))
  return { key, jkt: createHash('sha256').update(text).digest('base64url') }
}

function keyOf(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}
