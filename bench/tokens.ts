import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { Side } from './claim.ts'
import { load, requestBytes } from './load.ts'
import { operate, type Served, startBailiwick, startScript } from './processes.ts'

/** What the claims about the token endpoint share: one client, its requests, and the servers that answer them. */
export type Client = {
  clientId: string
  clientSecret: string
  jwk: { kty: string; crv: string; x: string; d: string }
}
export type Requests = (client: Client, clientId: string, audience: string) => () => Buffer

// The reply waits until its event is on disk, so it takes some requests at once to see what a server can do.
const connections = 128

const tokenRequest = (path: string, form: Record<string, string>): Buffer =>
  requestBytes('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  })

export const bySecret =
  (path: string): Requests =>
  ({ clientSecret }, clientId) => {
    const request = tokenRequest(path, { client_id: clientId, client_secret: clientSecret })
    return () => request
  }

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')
const header = encode({ alg: 'EdDSA' })
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Assertions made ahead, so that making them is no part of the measure; each is sent once. */
export const byAssertion =
  (path: string, count: number): Requests =>
  ({ jwk }, clientId, audience) => {
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    const made = Array.from({ length: count }, () => {
      const exp = Math.floor(Date.now() / 1000) + 240
      const signed = `${header}.${encode({ iss: clientId, sub: clientId, aud: audience, exp, jti: randomUUID() })}`
      const assertion = `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
      return tokenRequest(path, { client_id: clientId, client_assertion_type: jwtBearer, client_assertion: assertion })
    })
    let next = 0
    return () => {
      const request = made[next++]
      if (!request) throw new Error('too few assertions were made')
      return request
    }
  }

export const sideOf = (served: Served, next: () => Buffer): Side => ({
  stop: served.stop,
  async round() {
    const { perSecond, statuses } = await load({ port: served.port, connections, durationMs: 2000, next })
    if ([...statuses.keys()].some((status) => status !== 200))
      throw new Error(`not every answer was a 200: ${JSON.stringify([...statuses])}`)
    return perSecond
  },
})

export async function startSubject(requests: Requests): Promise<{ subject: Side; client: Client }> {
  const served = await startBailiwick('--tokens-per-minute', '100000000')
  const printed = operate(
    served.dataDir,
    'credential',
    'create',
    '--user',
    'admin@localhost',
    '--name',
    'bench',
    '--json',
  )
  const { clientId, clientSecret } = JSON.parse(printed) as { clientId: string; clientSecret: string }
  const jwk = JSON.parse(Buffer.from(clientSecret.split(':').at(-1) as string, 'base64url').toString()) as Client['jwk']
  const client = { clientId, clientSecret, jwk }
  return { subject: sideOf(served, requests(client, clientId, 'localhost')), client }
}

const publicOf = ({ jwk: { kty, crv, x } }: Client) => ({ kty, crv, x })

export async function startFloor(client: Client, requests: Requests): Promise<Side> {
  const served = await startScript('bare-token.ts', { jwk: publicOf(client) })
  return sideOf(served, requests(client, client.clientId, 'localhost'))
}

export async function startPeer(client: Client, requests: Requests, suffix: '' | '-jwt'): Promise<Side> {
  const { clientId, clientSecret } = client
  const served = await startScript('oidc-provider.ts', { clientId, clientSecret, jwk: publicOf(client) })
  return sideOf(served, requests(client, `${clientId}${suffix}`, 'http://localhost'))
}
