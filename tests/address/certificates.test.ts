import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepCertificate } from '#http/certificate.ts'
import { openLog } from '#kernel/log.ts'
import { watchTlsFiles } from '#server/start/tls-files.ts'
import { type Access, ask, fieldsOf, type Json, openAccess, outcomeOf } from '../fixture/access.ts'
import { makeFolder } from '../fixture/folder.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let token: string
beforeAll(async () => {
  server = await startServer({ flags: { 'https-port': '0' } })
  access = await openAccess(server)
  token = await access.makeToken(await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const dayMs = 86_400_000
const pairFor = async (hosts: string[], from = new Date()) => {
  const { cert, key } = await keepCertificate(await makeFolder(), hosts, from)
  return { certificate: cert, key }
}

const pathOf = (host: string) => `/api/v1/address/names/${host}/certificate`
const put = (host: string, body: object, asked = { token }) =>
  ask(server, pathOf(host), { method: 'PUT', body, ...asked })

/** The certificate that a client is shown who names a host; null if the server has none for it. */
function shownTo(servername: string, port = server.serving.httpsPort ?? 0): Promise<X509Certificate | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate() ?? null)
      socket.destroy()
    })
    socket.on('error', () => resolve(null))
  })
}
const isShown = (host: string, certificate: string, port?: number) => () =>
  shownTo(host, port).then((shown) => shown?.fingerprint256 === new X509Certificate(certificate).fingerprint256)

/** A name of the only tenant. */
let names = 0
async function newName(): Promise<string> {
  names += 1
  const host = `secure${names}.example`
  const reply = await ask(server, '/api/v1/address/names', { token, body: { address: host } })
  expect(reply.status, reply.text).toBe(200)
  return host
}
const removed = (host: string) => ask(server, `/api/v1/address/names/${host}/end`, { token, body: {} })

test('a certificate is served as soon as it is uploaded, for its host alone, by HTTP/1.1 and HTTP/2', async () => {
  const host = await newName()
  expect(await shownTo(host)).toBe(null)
  const pair = await pairFor([host])
  const reply = await put(host, pair)
  expect(reply.json['list']).toMatchObject([{ host, names: [host], issuer: 'Bailiwick' }])
  await until(isShown(host, pair.certificate))
  expect(await shownTo('elsewhere.example')).toBe(null)
  const port = server.serving.httpsPort ?? 0
  const asked = { host: '127.0.0.1', port, servername: host, ca: pair.certificate, path: '/healthz', headers: { host } }
  const status = await new Promise((resolve, reject) => {
    request({ ...asked, agent: false }, (incoming) => {
      incoming.resume()
      resolve(incoming.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)
  const session = connectHttp2(`https://127.0.0.1:${port}`, { servername: host, ca: pair.certificate })
  const answered = await new Promise((resolve, reject) => {
    const stream = session.on('error', reject).request({ ':path': '/healthz', ':authority': host })
    stream.on('response', (headers) => resolve(headers[':status'])).on('error', reject)
    stream.resume()
  })
  session.destroy()
  expect(answered).toBe(200)
  // The other port serves plain HTTP, as before.
  expect((await ask(server, '/healthz')).status).toBe(200)
  const told = await ask(server, '/api/v1/address', { token })
  expect(told.json['servesHttps']).toBe(true)
  expect((told.json['list'] as Json[]).at(-1)?.['certificateUpdatedAt']).not.toBe(null)
  // Its key is in no response, in no event, and not readable in the database.
  const [secret = ''] = /[A-Za-z0-9+/]{40}/.exec(pair.key) ?? []
  const [row] = await server.db<
    { sealed: Buffer }[]
  >`select sealed_key as sealed from tenant_hosts where host = ${host}`
  const events = await server.db<{ event: string }[]>`select event from systemlog_events`
  const logged = JSON.stringify(server.logged)
  for (const text of [reply.text, told.text, logged, row?.sealed.toString() ?? '', ...events.map(({ event }) => event)])
    expect(text).not.toContain(secret)
  await removed(host)
})

test('it is replaced and deleted, on every server of the database', async () => {
  const host = await newName()
  const beside = await startServer({ beside: server, flags: { 'https-port': '0' } })
  const port = beside.serving.httpsPort ?? 0
  try {
    const [first, second] = [await pairFor([host]), await pairFor([`*.${host}`, host])]
    await put(host, first)
    await until(isShown(host, first.certificate, port))
    await put(host, second)
    await until(isShown(host, second.certificate, port))
    await until(isShown(host, second.certificate))
    expect(outcomeOf(await ask(server, pathOf(host), { token, method: 'DELETE' }))).toBe('200')
    await until(async () => (await shownTo(host, port)) === null && (await shownTo(host)) === null)
  } finally {
    await beside.stop()
    await removed(host)
  }
})

describe('a certificate is refused', () => {
  const rsa = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const ec = (namedCurve: string) =>
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  test('if its key is another one, weak, of an unusual kind, encrypted or none', async () => {
    const { certificate, key } = await pairFor(['localhost'])
    const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString()
    const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const keys = [
      ec('P-256'),
      ec('P-384'),
      rsa(2048),
      rsa(1024),
      ec('P-521'),
      ed25519,
      encrypted,
      'none',
      '',
      certificate,
    ]
    for (const wrong of keys)
      expect(fieldsOf(await put('localhost', { certificate, key: wrong })), wrong).toEqual(['key'])
    expect(fieldsOf(await put('localhost', { certificate, key: `${key}${' '.repeat(70_000)}` }))).toEqual(['key'])
  })

  test('if it is for another host, ended, not valid yet, no certificate, or its chain is out of order', async () => {
    const own = await pairFor(['localhost'])
    const wrong = [
      await pairFor(['elsewhere.example']),
      await pairFor(['localhost'], new Date(Date.now() - 900 * dayMs)),
      await pairFor(['localhost'], new Date(Date.now() + 9 * dayMs)),
      { ...own, certificate: own.key },
      { ...own, certificate: own.certificate.replace(/[A-Z]{2}/, '??') },
      { ...own, certificate: own.certificate + (await pairFor(['issuer.example'])).certificate },
      { ...own, certificate: own.certificate.repeat(11) },
    ]
    for (const pair of wrong) expect(fieldsOf(await put('localhost', pair))).toEqual(['certificate'])
    expect((await ask(server, '/api/v1/address', { token })).json['certificates']).toEqual([])
  })

  test('for a host of another tenant, and from anyone but a Super Administrator', async () => {
    const other = await access.makeTenant('other-secure.example')
    const pair = await pairFor([other.domain])
    expect(outcomeOf(await put(other.domain, pair))).toBe('404/5 ADDRESS_NOT_FOUND')
    const viewer = await access.makeToken(await access.makeCaller(['system:viewer']))
    expect(outcomeOf(await put('localhost', await pairFor(['localhost']), { token: viewer }))).toBe(
      '403/7 PERMISSION_DENIED',
    )
    expect(outcomeOf(await ask(server, pathOf('localhost'), { method: 'DELETE', token: viewer }))).toBe(
      '403/7 PERMISSION_DENIED',
    )
  })

  test('in the database too, if its key was copied there from another host', async () => {
    const [host, victim] = [await newName(), await newName()]
    const pair = await pairFor([host, victim])
    await put(host, pair)
    await until(isShown(host, pair.certificate))
    await server.db`
      update tenant_hosts v set certificate = o.certificate, sealed_key = o.sealed_key, certificate_at = now()
      from tenant_hosts o where v.host = ${victim} and o.host = ${host}`
    // A change by the program, after which servers look.
    await put(host, await pairFor([host]))
    await until(async () => server.logged.some((line) => JSON.stringify(line).includes(`"host":"${victim}"`)))
    expect(JSON.stringify(server.logged)).toContain('the certificate of a host cannot be used')
    expect(await shownTo(victim)).toBe(null)
    await removed(host)
    await removed(victim)
  })
})

test('a certificate of the operator is served again when its files have changed, as soon as both fit', async () => {
  const folder = await makeFolder()
  const [tlsCert, tlsKey] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
  const [first, second] = [await pairFor(['a.example']), await pairFor(['a.example'])]
  const write = (file: string, text: string) => writeFile(file, text)
  await write(tlsCert, first.certificate)
  await write(tlsKey, first.key)
  const used: string[] = []
  const lines: string[] = []
  const watching = watchTlsFiles(
    { tlsCert, tlsKey },
    {
      log: openLog('info', { write: (line) => void lines.push(line) }),
      current: { cert: first.certificate, key: first.key },
      use: ({ cert }) => void used.push(cert),
      everyMs: 5,
    },
  )
  try {
    await write(tlsCert, second.certificate)
    await until(async () => lines.some((line) => line.includes('the new certificate is not used')))
    expect(used).toEqual([])
    await write(tlsKey, second.key)
    await until(async () => used.length > 0)
    expect(used).toEqual([second.certificate])
  } finally {
    watching.stop()
  }
})
