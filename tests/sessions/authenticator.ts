import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Json } from '../fixture/access.ts'

/** CBOR (RFC 8949), as much of it as an authenticator writes. */
type Cbor = number | string | Buffer | Map<Cbor, Cbor>
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

const flags = { present: 1, verified: 4, attested: 64 }
const encode = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')

/** An authenticator in software, with one passkey: ES256, discoverable, with user verification. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  signCount = 0
  isVerified = true
  userHandle = ''
  /** Where the page that asks comes from. */
  origin: string
  rpId: string

  constructor(origin: string, rpId = 'localhost') {
    this.origin = origin
    this.rpId = rpId
  }

  #data(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #authenticatorData(attested: Buffer | null): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.signCount)
    const set = flags.present | (this.isVerified ? flags.verified : 0) | (attested ? flags.attested : 0)
    const rpIdHash = createHash('sha256').update(this.rpId).digest()
    return Buffer.concat([rpIdHash, Buffer.from([set]), count, attested ?? Buffer.alloc(0)])
  }

  /** `navigator.credentials.create`: RegistrationResponseJSON. */
  create(options: Json): Json {
    this.userHandle = (options['user'] as Json)['id'] as string
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    // RFC 9053: key type 2 is EC2, algorithm -7 is ES256, curve 1 is P-256.
    const publicKey = new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cbor(publicKey)])
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#authenticatorData(attested)],
    ])
    return {
      id: encode(this.id),
      rawId: encode(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(this.#data('webauthn.create', options['challenge'] as string)),
        attestationObject: encode(cbor(attestation)),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** `navigator.credentials.get`: AuthenticationResponseJSON. */
  get(options: Json): Json {
    this.signCount += 1
    const authenticatorData = this.#authenticatorData(null)
    const data = this.#data('webauthn.get', options['challenge'] as string)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()])
    return {
      id: encode(this.id),
      rawId: encode(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: encode(data),
        authenticatorData: encode(authenticatorData),
        signature: encode(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: this.userHandle,
      },
    }
  }
}
