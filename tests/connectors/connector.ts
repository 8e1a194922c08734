import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { insertRecords } from '#rooms/foundation/writes/index.ts'
import { createConnector, rotateCredential } from '#rooms/records/connectors/index.ts'
import {
  BatonService,
  type UploadAssetRequest,
  UploadAssetRequestSchema,
} from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
import { type Access, assertionOf, byAssertion } from '../fixture/access.ts'
import type { TestServer } from '../fixture/server.ts'

export type Credential = { clientId: string; clientSecret: string }
export type Made = Credential & { connectorId: string; appId: string }

/** A connector of an app of its own, with its credential. */
export async function makeConnector({ world }: Access, tenant: Tenant): Promise<Made> {
  const appId = world.newId()
  const cause = operatorCause(tenant, 'test')
  return transact(world.db, async (tx) => {
    await insertRecords(
      tx,
      tenant.id,
      'apps',
      tx`(tenant_id, app_id, display_name, created_at, updated_at)
        values (${tenant.id}, ${appId}, 'Directory', now(), now())`,
    )
    const wanted = { appId, displayName: 'Directory connector', description: '', catalogId: '' }
    const { id: connectorId } = await createConnector(tx, world, cause, wanted)
    const { clientId, clientSecret } = await rotateCredential(tx, world, cause, connectorId)
    return { connectorId, appId, clientId, clientSecret }
  })
}

export const certificateOf = ({ config }: TestServer): string =>
  readFileSync(join(config.dataDir, 'tls-cert.pem'), 'utf8')

/** A token as connectors get one: a form with an assertion, by a connection of its own. */
export function tokenOf(
  server: TestServer,
  credential: Credential,
  host?: string,
): Promise<{ status: number; token: string }> {
  const form = new URLSearchParams(
    byAssertion(credential, assertionOf(credential, { nbf: Math.floor(Date.now() / 1000) - 120 })),
  )
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      host: `${host ?? 'localhost'}:${port}`,
    }
    const options = { host: 'localhost', port, path: '/auth/v1/token', method: 'POST', headers, agent: false } as const
    const outgoing = request({ ...options, ca: certificateOf(server), servername: 'localhost' }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      incoming.on('end', () => {
        const token = incoming.statusCode === 200 ? (JSON.parse(text) as { access_token: string }).access_token : text
        resolve({ status: incoming.statusCode as number, token })
      })
    })
    outgoing.on('error', reject).end(form.toString())
  })
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

/** A file as connectors send it; `bend` makes it wrong. */
export async function upload(
  baton: Baton,
  { hostId, taskId }: { hostId: string; taskId: string },
  file: Uint8Array,
  bend: (parts: Parts) => Parts = (parts) => parts,
): Promise<void> {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < file.length; at += 1000) pieces.push(file.subarray(at, at + 1000))
  const parts = bend([
    { case: 'metadata', value: { hostId, taskId } as never },
    ...pieces.map((data) => ({ case: 'data' as const, value: { data } as never })),
    { case: 'eof', value: { sha256Checksum: sha256(file) } as never },
  ])
  async function* messages() {
    for (const msg of parts) yield create(UploadAssetRequestSchema, { msg: msg as never })
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
    return Code[ConnectError.from(error).code] as string
  }
}
