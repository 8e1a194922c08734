import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The floor of a token endpoint: parse the form, hash the secret or verify the assertion, sign one JWT. No tenant, no
// record of it, no limits, no log. Nothing is written to a disk: the comparison includes the full cost of our durable event.
const { jwk } = JSON.parse(process.argv[2] as string) as { jwk: { kty: string; crv: string; x: string } }
const clientKey = createPublicKey({ key: jwk, format: 'jwk' })
const { privateKey } = generateKeyPairSync('ed25519')
const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')
const header = encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' })
const stored = Buffer.alloc(32)

function isRight(form: URLSearchParams): boolean {
  const assertion = form.get('client_assertion')
  if (assertion === null) {
    timingSafeEqual(
      createHash('sha256')
        .update(form.get('client_secret') ?? '')
        .digest(),
      stored,
    )
    return true
  }
  const [head, payload, signature] = assertion.split('.') as [string, string, string]
  JSON.parse(Buffer.from(payload, 'base64url').toString())
  return verify(null, Buffer.from(`${head}.${payload}`), clientKey, Buffer.from(signature, 'base64url'))
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    if (!isRight(form)) return void response.writeHead(401).end()
    const seconds = Math.floor(Date.now() / 1000)
    const payload = encode({
      iss: 'https://localhost',
      aud: 'localhost',
      sub: 'someone',
      client_id: form.get('client_id'),
      jti: randomBytes(16).toString('base64url'),
      iat: seconds,
      nbf: seconds,
      exp: seconds + 600,
    })
    const signed = `${header}.${payload}`
    const token = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    const body = JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 600 })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
