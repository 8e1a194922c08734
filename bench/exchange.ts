import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Side } from './claim.ts'
import { requestBytes } from './load.ts'
import { operate, startBailiwick } from './processes.ts'
import { sideOf } from './tokens.ts'

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')

/** Made ahead, and sent again: a subject token may be. Each is of another run, as those of a CI system are. */
const tokensMade = 1_500

async function startIssuer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }
  const server = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : { issuer: url, jwks_uri: `${url}/keys` }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const header = encode({ alg: 'RS256', kid: 'bench', typ: 'JWT' })
  return {
    url,
    stop: () => new Promise((done) => server.close(done)),
    token(run: number): string {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: url,
        aud: 'localhost',
        iat: now,
        nbf: now,
        exp: now + 3600,
        jti: randomUUID(),
        sub: 'repo:larkfield/deploy:ref:refs/heads/main',
        repository: 'larkfield/deploy',
        repository_id: '4711',
        ref: 'refs/heads/main',
        event_name: 'push',
        actor: 'ada',
        run_id: String(run),
        run_number: String(run),
      }
      const signed = `${header}.${encode(claims)}`
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}

/** A server with a trust in an issuer of its own, and requests that exchange that issuer's tokens. */
export async function startExchange(): Promise<Side> {
  const issuer = await startIssuer()
  const flags = ['--tokens-per-minute', '100000000', '--outgoing-http', '--outgoing-allow', '127.0.0.1']
  const served = await startBailiwick(...flags)
  const user = ['--user', 'admin@localhost', '--name', 'bench', '--json']
  const printed = operate(served.dataDir, 'credential', 'create', ...user)
  const { clientId: by, clientSecret } = JSON.parse(printed) as { clientId: string; clientSecret: string }
  const base = `http://localhost:${served.port}`
  const form = { grant_type: 'client_credentials', client_id: by, client_secret: clientSecret }
  const reply = await fetch(`${base}/auth/v1/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  const post = async (path: string, body: object): Promise<Record<string, Record<string, string>>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const told = await fetch(`${base}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (told.status !== 200) throw new Error(await told.text())
    return (await told.json()) as Record<string, Record<string, string>>
  }
  const provider = await post('workload_federation/providers', { displayName: 'CI', issuerUrl: issuer.url })
  const robot = await post('service_principals', { displayName: 'Robot' })
  const { trust } = await post(`service_principals/${robot['servicePrincipal']?.['id']}/trusts`, {
    displayName: 'Deploys',
    providerId: provider['provider']?.['id'],
    conditionExpression: 'claims.repository_id == "4711" && claims.ref == "refs/heads/main"',
  })
  const requests = Array.from({ length: tokensMade }, (_, run) =>
    requestBytes('POST', '/auth/v1/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: trust?.['clientId'] ?? '',
        subject_token: issuer.token(run),
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }).toString(),
    }),
  )
  let next = 0
  const side = sideOf(served, () => requests[next++ % requests.length] as Buffer)
  return {
    ...side,
    async stop() {
      await side.stop()
      await issuer.stop()
    },
  }
}
