import { generateKeyPairSync, type KeyObject, hash as sha } from 'node:crypto'

export type SecretForm = { serviceDomain: string; hasVersion: boolean }
export type NewSecret = { text: string; sha256: Buffer; publicKey: Buffer }

/** `secret-token:<service_domain>:<base64url-encoded JWK>`; many existing clients require `v1:` before the JWK. */
export function makeSecret({ serviceDomain, hasVersion }: SecretForm): NewSecret {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = Buffer.from(JSON.stringify(privateKey.export({ format: 'jwk' }))).toString('base64url')
  return {
    text: `secret-token:${serviceDomain}:${hasVersion ? 'v1:' : ''}${jwk}`,
    sha256: hash(jwk),
    publicKey: exportPublic(publicKey),
  }
}

const exportPublic = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const hash = (jwk: string): Buffer => sha('sha256', jwk, 'buffer')
const secretPattern = /^secret-token:[^:]{1,253}:(?:v1:)?([\w-]{1,4096})$/

/** The hash of a secret: of its key alone, so that both forms are the same secret. */
export const secretHash = (secret: string): Buffer => hash(secretPattern.exec(secret)?.[1] ?? '')
