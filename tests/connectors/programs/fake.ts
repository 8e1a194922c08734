/*
 * The program of a connector, as this server starts one: it knows nothing but its environment. It asks for a token, says hello, and
 * uploads the file that its settings name whenever it is asked for a sync.
 */
import { createHash, createPrivateKey, type JsonWebKey, randomBytes, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import {
  BatonService,
  UploadAssetRequestSchema,
} from '../../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'

const setting = (name: string): string => process.env[name] ?? ''
const clientId = setting('BATON_CLIENT_ID')
const [host, port] = setting('BATON_C1_API_HOST').split(':') as [string, string]
const ca = readFileSync(setting('SSL_CERT_FILE'), 'utf8')

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
function assertion(): string {
  const jwk = JSON.parse(
    Buffer.from(setting('BATON_CLIENT_SECRET').split(':').at(-1) as string, 'base64url').toString(),
  ) as JsonWebKey
  const now = Math.floor(Date.now() / 1000)
  const audience = (clientId.split('@')[1] ?? '').split('/')[0]?.replace(/:\d+$/, '')
  const claims = { iss: clientId, sub: clientId, aud: [audience], iat: now, nbf: now - 120, exp: now + 120 }
  const text = `${encode({ alg: 'EdDSA', nonce: randomBytes(8).toString('hex') })}.${encode(claims)}`
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

function token(): Promise<string> {
  const body = new URLSearchParams({
    client_id: clientId,
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion(),
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, ca, path: '/auth/v1/token', method: 'POST', headers }, (reply) => {
      let text = ''
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve((JSON.parse(text) as { access_token: string }).access_token)
        else reject(new Error(`token: ${reply.statusCode} ${text}`))
      })
    })
    asked.on('error', reject).end(body)
  })
}

const bearer = await token()
const baton = createClient(
  BatonService,
  createGrpcTransport({
    baseUrl: `https://${host}:${port}`,
    nodeOptions: { ca },
    interceptors: [
      (next) => (asked) => {
        asked.header.set('authorization', `Bearer ${bearer}`)
        asked.header.set('user-agent', 'fake baton-sdk/0.0 grpc-go/0.0')
        return next(asked)
      },
    ],
  }),
)
const hostId = setting('BATON_HOST_ID')
console.log(JSON.stringify({ level: 'info', msg: 'started', token: setting('BATON_API_TOKEN') }))
await baton.hello({
  hostId,
  connectorMetadata: {
    displayName: 'Fake',
    capabilities: { connectorCapabilities: [2], resourceTypeCapabilities: [] },
  },
})
for (;;) {
  const { task } = await baton.getTask({ hostId })
  if (task?.taskType.case === 'syncFull') {
    const bytes = readFileSync(setting('BATON_FILE_PATH'))
    const taskId = task.id
    async function* messages() {
      yield create(UploadAssetRequestSchema, { msg: { case: 'metadata', value: { hostId, taskId } } as never })
      yield create(UploadAssetRequestSchema, { msg: { case: 'data', value: { data: bytes } } as never })
      const sha256Checksum = createHash('sha256').update(bytes).digest()
      yield create(UploadAssetRequestSchema, { msg: { case: 'eof', value: { sha256Checksum } } as never })
    }
    await baton.uploadAsset(messages())
    await baton.finishTask({ hostId, taskId, finalState: { case: 'success', value: {} } })
    console.log('synced')
  }
  await sleep(500)
}
