import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveStateOf } from '../../server/rooms/records/connectors/connector/live-state.ts'
import { selfSignedIn } from '../../server/rooms/records/connectors/overview/certificate.ts'
import { type Access, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { askTls, callBaton, certificateOf, makeConnector, tokenOf } from './connector.ts'

let server: TestServer
let access: Access
let owner: string
beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  owner = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const get = (path: string, token = owner): Promise<Reply> => askTls(server, `/api/v1${path}`, { token })

test('a connector is shown with whether it calls, what it reported, its last sync, and its credentials without secrets', async () => {
  const made = await makeConnector(access, access.tenant)
  const path = `/apps/${made.appId}/connectors/${made.connectorId}/overview`
  const before = await get(path)
  expect(before.status, before.text).toBe(200)
  expect(before.json['connector']).toMatchObject({
    appName: 'Directory',
    state: 'CONNECTOR_LIVE_STATE_NEVER_SEEN',
    lastSync: null,
    credentials: [{ clientId: made.clientId, lastUsedAt: null, revokedAt: null }],
  })
  expect(before.text).not.toContain(made.clientSecret.split(':').at(-1))
  expect(new X509Certificate(before.json['selfSignedCertificate'] as string).fingerprint256).toBe(
    new X509Certificate(certificateOf(server)).fingerprint256,
  )

  const baton = callBaton(server, (await tokenOf(server, made)).token)
  await baton.hello({
    hostId: 'host-1',
    buildInfo: { package: 'baton-test', packageVersion: 'v1.2.3' },
    connectorMetadata: { displayName: 'Test', capabilities: { connectorCapabilities: [1, 2] } },
  })
  await baton.getTask({ hostId: 'host-1' })
  const { json } = await get(path)
  expect(json['connector']).toMatchObject({
    state: 'CONNECTOR_LIVE_STATE_CONNECTED',
    program: { name: 'Test', package: 'baton-test', version: 'v1.2.3', capabilities: ['provision', 'sync'] },
    lastSync: { state: 'CONNECTOR_SYNC_STATE_RUNNING' },
  })
  const pause = `/api/v1/apps/${made.appId}/connectors/${made.connectorId}/pause`
  await askTls(server, pause, { method: 'POST', token: owner, body: {} })
  const list = (await get('/connector_overview?query=direct')).json['list'] as Json[]
  expect(list.find((each) => each['id'] === made.connectorId)).toMatchObject({
    state: 'CONNECTOR_LIVE_STATE_PAUSED',
    credentials: [],
  })
  expect((await get('/connector_overview?query=nothing-is-called-so')).json['list']).toEqual([])
  expect((await get(`/apps/${made.appId}/connector_overview`)).json['list']).toHaveLength(1)
})

test('a basic user sees none, an unknown connector or app is not found', async () => {
  const made = await makeConnector(access, access.tenant)
  const other = await makeConnector(access, access.tenant)
  const basic = (await tokenOf(server, await access.makeCaller(['system:user']))).token
  const paths = [
    '/connector_overview',
    `/apps/${made.appId}/connector_overview`,
    `/apps/${made.appId}/connectors/${made.connectorId}/overview`,
  ]
  for (const path of paths) expect([403, 404]).toContain((await get(path, basic)).status)
  expect((await get(`/apps/${made.appId}/connectors/${other.connectorId}/overview`)).status).toBe(404)
  expect((await get(`/apps/${access.world.newId()}/connector_overview`)).status).toBe(404)
})

test('one that has not called for two minutes is silent, and one that is paused is paused', () => {
  const at = new Date('2026-11-16T12:00:00Z')
  const ago = (seconds: number): Date => new Date(at.getTime() - seconds * 1000)
  const state = (lastSeenAt: Date | null, syncDisabledAt: Date | null = null) =>
    liveStateOf({ lastSeenAt, syncDisabledAt, isBuiltIn: false }, at).replace('CONNECTOR_LIVE_STATE_', '')
  expect([state(null), state(ago(120)), state(ago(121)), state(ago(1), ago(5))]).toEqual([
    'NEVER_SEEN',
    'CONNECTED',
    'SILENT',
    'PAUSED',
  ])
  // One that the server runs calls nobody: its app answered the last sync, or did not.
  const builtIn = (lastSeenAt: Date | null, ended: 'done' | 'failed', begunAt: Date) =>
    liveStateOf({ lastSeenAt, syncDisabledAt: null, isBuiltIn: true }, at, { state: ended, begunAt }).replace(
      'CONNECTOR_LIVE_STATE_',
      '',
    )
  expect([
    builtIn(ago(7200), 'done', ago(7201)),
    builtIn(ago(10), 'failed', ago(20)),
    builtIn(ago(20), 'failed', ago(10)),
    builtIn(null, 'failed', ago(10)),
  ]).toEqual(['CONNECTED', 'CONNECTED', 'SILENT', 'SILENT'])
})

/** Of `localhost`, by an authority of its own: both were made for this test. */
const signedByAnother = `-----BEGIN CERTIFICATE-----
MIIBHjCBxAIUGKIUfpyXZATXpfrKlvJxY4IhQ+gwCgYIKoZIzj0EAwIwDTELMAkG
A1UEAwwCQ0EwIBcNMjYxMTE2MDgzMTMzWhgPMjEyNjEwMjMwODMxMzNaMBQxEjAQ
BgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABD8PLprD
ftbhtZRLZuwmDELetJw6bnYcsgIcWt5W2s6BFlnYxvMbtm0rkpUpGsmrsIIt/gO8
8OKiSoxHkdSPiAcwCgYIKoZIzj0EAwIDSQAwRgIhAKi9P8SGrDVPdX3FWqHio69U
jTr7PPminLzuoclrHsDdAiEAoyvBdzttgpvkNtLagljXQIrXM180pw2pEkAHGqMD
6c0=
-----END CERTIFICATE-----
`

test('a certificate that another has signed is not handed out', () => {
  expect(selfSignedIn(undefined)).toBe('')
  expect(selfSignedIn(certificateOf(server))).not.toBe('')
  expect(selfSignedIn(signedByAnother)).toBe('')
})
