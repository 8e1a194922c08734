import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { insertApps } from '#rooms/records/apps/index.ts'
import { createConnector, rotateCredential } from '#rooms/records/connectors/index.ts'
import {
  BatonService,
  type UploadAssetRequest,
  UploadAssetRequestSchema,
} from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, type Asking, assertionOf, byAssertion, type Reply } from '../fixture/access.ts'
import type { TestServer } from '../fixture/server.ts'

export type Credential = { clientId: string; clientSecret: string }
export type Made = Credential & { connectorId: string; appId: string }

export async function makeApp({ world }: Access, tenant: Tenant): Promise<string> {
  const appId = world.newId()
  await transact(world.db, (tx) => insertApps(tx, tenant.id, [{ id: appId, displayName: 'Directory' }], world.now()))
  return appId
}

/** A connector with its credential, of an app of its own unless one is given. */
export async function makeConnector(access: Access, tenant: Tenant, ofApp?: string): Promise<Made> {
  const { world } = access
  const appId = ofApp ?? (await makeApp(access, tenant))
  const cause = operatorCause(tenant, 'test')
  return transact(world.db, async (tx) => {
    const wanted = { appId, displayName: 'Directory connector', description: '', catalogId: '' }
    const { id: connectorId } = await createConnector(tx, world, cause, wanted)
    const { clientId, clientSecret } = await rotateCredential(tx, world, cause, connectorId)
    return { connectorId, appId, clientId, clientSecret }
  })
}

export const certificateOf = ({ config }: TestServer): string =>
  readFileSync(join(config.dataDir, 'tls-cert.pem'), 'utf8')

const agents = new WeakMap<TestServer, Agent>()
/** Connections are kept: a handshake takes longer than most requests. */
function agentOf(server: TestServer): Agent {
  const agent = agents.get(server) ?? new Agent({ keepAlive: true, ca: certificateOf(server), servername: 'localhost' })
  agents.set(server, agent)
  return agent
}

/** A request by HTTPS. */
export function askTls(server: TestServer, path: string, asking: Asking = {}): Promise<Reply> {
  const { method = 'GET', token, body, host = 'localhost', headers = {} } = asking
  const { port } = new URL(server.url)
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: '127.0.0.1', port, path, method, agent: agentOf(server) },
      headers: {
        host: `${host}:${port}`,
        ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    }
    const outgoing = request(options, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      incoming.on('end', () => {
        const json = text.startsWith('{') ? (JSON.parse(text) as Reply['json']) : {}
        resolve({ status: incoming.statusCode as number, headers: incoming.headers, text, json })
      })
    })
    outgoing.on('error', reject).end(sent)
  })
}

/** A token as connectors get one: by an assertion. */
export async function tokenOf(
  server: TestServer,
  credential: Credential,
  host?: string,
): Promise<{ status: number; token: string }> {
  const assertion = assertionOf(credential, { nbf: Math.floor(Date.now() / 1000) - 120 })
  const { status, json } = await askTls(server, '/auth/v1/token', {
    method: 'POST',
    body: new URLSearchParams(byAssertion(credential, assertion)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(host !== undefined && { host }),
  })
  return { status, token: (json['access_token'] as string | undefined) ?? '' }
}

export type Baton = Client<typeof BatonService>

/** The service as connectors call it: gRPC over TLS. */
export function callBaton(server: TestServer, token: string): Baton {
  const transport = createGrpcTransport({
    baseUrl: server.url.replace('127.0.0.1', 'localhost'),
    nodeOptions: { ca: certificateOf(server) },
    interceptors: [
      (next) => (asked) => {
        asked.header.set('authorization', `Bearer ${token}`)
        asked.header.set('user-agent', 'test baton-sdk/0.0 grpc-go/0.0')
        return next(asked)
      },
    ],
  })
  return createClient(BatonService, transport)
}

type Parts = UploadAssetRequest['msg'][]
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** A file as connectors send it; `bend` makes it wrong, `stop` has it wait after so many bytes. */
export async function upload(
  baton: Baton,
  { hostId, taskId }: { hostId: string; taskId: string },
  file: Uint8Array,
  bend: (parts: Parts) => Parts = (parts) => parts,
  stop: { at: number; until: Promise<void> } | null = null,
): Promise<void> {
  const pieces: Uint8Array[] = []
  const step = file.length > 1024 * 1024 ? 512 * 1024 : 1000
  for (let at = 0; at < file.length; at += step) pieces.push(file.subarray(at, at + step))
  const parts = bend([
    { case: 'metadata', value: { hostId, taskId } as never },
    ...pieces.map((data) => ({ case: 'data' as const, value: { data } as never })),
    { case: 'eof', value: { sha256Checksum: sha256(file) } as never },
  ])
  async function* messages() {
    let bytes = 0
    for (const msg of parts) {
      if (stop && bytes >= stop.at) await stop.until
      yield create(UploadAssetRequestSchema, { msg: msg as never })
      if (msg.case === 'data') bytes += msg.value.data.length
    }
  }
  await baton.uploadAsset(messages())
}

export const wrongSum = (parts: Parts): Parts => [
  ...parts.slice(0, -1),
  { case: 'eof', value: { sha256Checksum: randomBytes(32) } as never },
]

/** How a call ends: `ok`, or the gRPC code's name. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    return Code[ConnectError.from(error).code]
  }
}
