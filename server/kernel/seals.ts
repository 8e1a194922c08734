import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Data that is stored in the database or sent to callers but must not be read or forged there is sealed: AES-256-GCM
 * with a key derived, for each purpose and owner, from the installation's one secret key. The secret key itself is
 * never stored in the database, so a dump of it opens nothing.
 */
export type Seals = {
  /** `context` is what the sealed text is bound to: opened with any other, it is refused. */
  seal(purpose: string, owner: string, plain: Buffer, context: string): Buffer
  /** The plain text, or null if it was forged, truncated, or sealed for something else. */
  open(purpose: string, owner: string, sealed: Buffer, context: string): Buffer | null
  /** Authenticates what is stored in the open: it cannot be computed without the secret key. */
  mac(purpose: string, owner: string, ...parts: (string | Uint8Array)[]): Buffer
  /** Distinguishes two secret keys without revealing anything about them. */
  fingerprint: string
}

export const secretKeyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'

export function sealsOf(secretKey: Buffer): Seals {
  if (secretKey.length !== secretKeyBytes) throw new Error(`a secret key has ${secretKeyBytes} bytes`)
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', `bailiwick ${info}`, 32))

  // Deriving costs about 10 microseconds; a page token is opened and created in each list request.
  const keys = new Map<string, Map<string, KeyObject>>()
  const keyOf = (purpose: string, owner: string): KeyObject => {
    let ofPurpose = keys.get(purpose)
    if (!ofPurpose) {
      ofPurpose = new Map()
      keys.set(purpose, ofPurpose)
    }
    let key = ofPurpose.get(owner)
    if (!key) {
      // As a key object: given bytes, Node 24 takes 12 microseconds to find out that they are not one.
      key = createSecretKey(derive(JSON.stringify([purpose, owner])))
      ofPurpose.set(owner, key)
    }
    return key
  }

  return {
    fingerprint: derive('fingerprint').subarray(0, 8).toString('hex'),
    mac(purpose, owner, ...parts) {
      // Each part with its length: parts cannot be divided differently and mean something else. Text is joined before
      // it is hashed: each update is a call out of JavaScript.
      const hmac = createHmac('sha256', keyOf(purpose, owner))
      let text = ''
      for (const part of parts)
        if (typeof part === 'string') text += `${Buffer.byteLength(part)}:${part}`
        else {
          hmac.update(`${text}${part.length}:`).update(part)
          text = ''
        }
      return (text === '' ? hmac : hmac.update(text)).digest()
    },
    seal(purpose, owner, plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, keyOf(purpose, owner), nonce)
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(purpose, owner, sealed, context) {
      if (sealed.length < nonceBytes + tagBytes) return null
      const decipher = createDecipheriv(algorithm, keyOf(purpose, owner), sealed.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}

/** Whether a MAC equals the right one. In constant time. */
export const isSameMac = (carried: Uint8Array | null, right: Uint8Array): boolean =>
  carried !== null && carried.length === right.length && timingSafeEqual(carried, right)
