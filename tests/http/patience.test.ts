import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countConnections } from '#http/guards/connections.ts'
import { blocksOf, networkOf } from '#kernel/networks.ts'
import { anyone, route } from '#kernel/routes.ts'
import { int32, message } from '#kernel/wire.ts'
import { later, until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { testRoutes } from './routes.ts'

const Bytes = message('TestBytes', { bytes: int32() })
/** How many requests to `/test/held` were served, and what they wait for. */
let served = 0
let gate = Promise.withResolvers<void>()
const extraRoutes = [
  ...testRoutes,
  route({
    id: 'test.v1.Test.Held',
    at: 'GET /test/held',
    summary: 'Is held until the test lets it go.',
    allow: anyone,
    reply: Bytes,
    handle: async () => {
      served += 1
      await gate.promise
      return { bytes: served }
    },
  }),
  route({
    id: 'test.v1.Test.Stream',
    at: 'POST /test/stream',
    summary: 'Counts bytes.',
    allow: anyone,
    stream: ['text/csv'],
    reply: Bytes,
    handle: async (_call, { stream }) => {
      let bytes = 0
      for await (const piece of stream.source) bytes += piece.length
      return { bytes }
    },
  }),
]

const limits = {
  requestMs: 1000,
  idleMs: 600,
  handshakeMs: 700,
  replyMs: 1500,
  stream: { windowMs: 500, bytesPerSecondMin: 100 },
}
let plain: TestServer
let secure: TestServer
let ca: Buffer
beforeAll(async () => {
  plain = await startServer({ extraRoutes, limits })
  secure = await startServer({ extraRoutes, limits, beside: plain, flags: { 'tls-self-signed': true } })
  ca = readFileSync(join(secure.config.dataDir, 'tls-cert.pem'))
})
afterAll(async () => {
  await secure.stop()
  await plain.stop()
})

const portOf = ({ url }: TestServer): number => Number(new URL(url).port)

type Line = { socket: Socket | TLSSocket; closed: Promise<void>; heard(): string }
const listen = (socket: Socket | TLSSocket): Line => {
  let heard = ''
  socket.setEncoding('latin1').on('data', (text: unknown) => (heard += String(text)))
  socket.on('error', () => {})
  later(() => socket.destroy())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, closed, heard: () => heard }
}
const openPlain = (): Line => listen(connect(portOf(plain), '127.0.0.1'))
const openSecure = (alpn = 'http/1.1'): Line =>
  listen(connectTls({ port: portOf(secure), host: '127.0.0.1', servername: 'localhost', ca, ALPNProtocols: [alpn] }))

const open2 = (): ClientHttp2Session => {
  const session = connectHttp2(secure.url, { ca })
  session.on('error', () => {})
  later(() => session.destroy())
  return session
}
type Heard2 = { status: number | undefined; text: string; code: number }
const hear2 = (stream: ClientHttp2Stream): Promise<Heard2> => {
  let status: number | undefined
  let text = ''
  stream.on('response', (headers) => (status = headers[':status']))
  stream.setEncoding('utf8').on('data', (more: string) => (text += more))
  stream.on('error', () => {})
  return new Promise((resolve) => stream.on('close', () => resolve({ status, text, code: stream.rstCode })))
}

const ways: [name: string, open: typeof openPlain][] = [
  ['HTTP/1.1', openPlain],
  ['HTTP/1.1 by TLS', openSecure],
]
describe.each(ways.slice(0, fewOrMany(1, 2)))('a client of %s', (_name, open) => {
  test.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET /docs HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    [
      'does not end its body',
      'POST /test/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    ],
    [
      'does not end a body that nobody wants',
      'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{',
    ],
  ])('that %s is cut off, though it sends a byte now and then', async (_what, bytes) => {
    const { socket, closed } = open()
    socket.write(bytes)
    const dripping = setInterval(() => bytes !== '' && socket.writable && socket.write('a'), 150)
    later(() => clearInterval(dripping))
    await closed
  })

  test('that keeps a connection without a request is told to go', async () => {
    const { socket, closed, heard } = open()
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await closed
    expect(heard()).toContain('200 OK')
  })
})

test('a TLS handshake that does not end is cut off', async () => {
  await listen(connect(portOf(secure), '127.0.0.1')).closed
})

describe('a client of HTTP/2', () => {
  const post = { ':method': 'POST', ':path': '/test/echo', 'content-type': 'application/json' }

  test.each([
    ['does not end its body', post],
    ['does not end a body that nobody wants', { ...post, ':path': '/nowhere', 'content-length': '1000' }],
  ])('that %s is cut off, though it sends a byte now and then', async (_what, headers) => {
    const stream = open2().request(headers)
    const dripping = setInterval(() => stream.writable && stream.write('a'), 150)
    later(() => clearInterval(dripping))
    expect([408, 404]).toContain((await hear2(stream)).status)
  })

  test('that opens no stream is cut off, also when it sends pings', async () => {
    const session = open2()
    const pinging = setInterval(() => !session.destroyed && session.ping(() => {}), 100)
    later(() => clearInterval(pinging))
    await new Promise((resolve) => session.once('close', resolve))
  })

  test('that has no stream any more is told to go', async () => {
    const session = open2()
    expect((await hear2(session.request({ ':path': '/healthz' }))).status).toBe(200)
    await new Promise((resolve) => session.once('close', resolve))
  })

  test('that sends half of a header block is cut off', async () => {
    const { socket, closed } = openSecure('h2')
    // The preface, empty settings, and HEADERS without END_HEADERS.
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    socket.write(Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82]))
    // Then empty CONTINUATION frames now and then.
    const dripping = setInterval(() => socket.writable && socket.write(Buffer.from([0, 0, 0, 9, 0, 0, 0, 0, 1])), 200)
    later(() => clearInterval(dripping))
    await closed
  })

  const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head.writeUInt8(type, 3)
    head.writeUInt8(flags, 4)
    head.writeUInt32BE(stream, 5)
    return Buffer.concat([head, payload])
  }
  const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))])
  // GET, https, / and localhost, by the static table of HPACK.
  const block = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, 9]), Buffer.from('localhost')])

  test.each([
    [
      'opens and resets streams',
      (n: number) => Buffer.concat([frame(1, 5, 2 * n + 1, block), frame(3, 0, 2 * n + 1, Buffer.from([0, 0, 0, 8]))]),
    ],
    ['sends settings', () => frame(4, 0, 0, Buffer.from([0, 3, 0, 0, 0, 1]))],
    ['sends pings', () => frame(6, 0, 0, Buffer.alloc(8))],
  ])('that %s as fast as it can is cut off, and costs the others nothing', async (_what, next) => {
    const { socket, closed } = openSecure('h2')
    // Paused: a client that floods does not read what it gets either.
    socket.pause()
    socket.write(preface)
    let n = 0
    let isClosed = false
    void closed.then(() => (isClosed = true))
    while (!isClosed) {
      socket.write(Buffer.concat(Array.from({ length: 2000 }, () => next(n++))))
      await sleep(5)
    }
    socket.resume()
    await closed
    expect(isClosed).toBe(true)
    expect((await hear2(open2().request({ ':path': '/healthz' }))).status).toBe(200)
  })

  test('may have 100 streams at once, and headers of 16 KiB', async () => {
    const session = open2()
    await new Promise((resolve) => session.once('remoteSettings', resolve))
    expect(session.remoteSettings).toMatchObject({ maxConcurrentStreams: 100, maxHeaderListSize: 16_384 })
    const { status } = await hear2(session.request({ ':path': '/healthz', 'x-a': 'a'.repeat(40_000) }))
    expect(status).not.toBe(200)
  })

  test('that does not take its reply is cut off', async () => {
    const session = connectHttp2(secure.url, { ca, settings: { initialWindowSize: 0 } })
    session.on('error', () => {})
    later(() => session.destroy())
    expect(await hear2(session.request({ ':path': '/api/openapi.json' }))).toMatchObject({ status: 200, text: '' })
  })
})

describe('a body that is streamed', () => {
  const begin1 = (): Line => {
    const line = openPlain()
    line.socket.write(
      'POST /test/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 1500\r\nConnection: close\r\n\r\n',
    )
    return line
  }
  const begin2 = () =>
    open2().request({
      ':method': 'POST',
      ':path': '/test/stream',
      'content-type': 'text/csv',
      'content-length': '1500',
    })

  test('may take longer than other requests, while it keeps its pace', async () => {
    const line = begin1()
    const stream = begin2()
    const heard = hear2(stream)
    for (let n = 0; n < 15; n++) {
      line.socket.write('x'.repeat(100))
      stream.write('x'.repeat(100))
      await sleep(120)
    }
    stream.end()
    await line.closed
    expect(line.heard()).toContain('{"bytes":1500}')
    expect(await heard).toMatchObject({ status: 200, text: '{"bytes":1500}' })
  })

  test('that drips is cut off, though it is never silent for long', async () => {
    const line = begin1()
    const stream = begin2()
    const heard = hear2(stream)
    const dripping = setInterval(() => {
      if (line.socket.writable) line.socket.write('x')
      if (stream.writable) stream.write('x')
    }, 100)
    later(() => clearInterval(dripping))
    expect(await heard).toMatchObject({ status: 408 })
    await line.closed
    expect(line.heard()).toContain('408')
  })
})

describe('a server that is kept from reading, by a busy machine or by itself,', () => {
  /** This thread is the server's and the client's: neither does anything meanwhile. */
  const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  const post = (path: string, type: string, length: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`
  const arrived = async (line: Line): Promise<void> => {
    await once(line.socket, 'connect')
    await sleep(50)
  }

  test.each([
    ['a body', post('/test/echo', 'application/json', 20), '{"someText":', '"abcde"}'],
    ['a body that is streamed', post('/test/stream', 'text/csv', 20), 'x'.repeat(12), 'x'.repeat(8)],
  ])('does not refuse %s that came late for that', async (_what, head, first, rest) => {
    const line = openPlain()
    line.socket.write(head + first)
    await arrived(line)
    // Longer than a request may take, and than a stream may be silent.
    stall(limits.requestMs * 1.5)
    line.socket.write(rest)
    await line.closed
    expect(line.heard()).toContain('HTTP/1.1 200 OK')
  })

  test('says of headers that they did not come in time that it may be at fault', async () => {
    const line = openPlain()
    line.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ')
    await arrived(line)
    stall(limits.requestMs * 2)
    await line.closed
    expect(line.heard()).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"SERVER_BUSY"/s)
  })
})

describe('connections', () => {
  test('are limited in all, and those beyond are closed, counted and told of once', async () => {
    const server = await startServer({ beside: plain, flags: { 'max-connections': '5' } })
    later(server.stop)
    const lines = Array.from({ length: 5 }, () => listen(connect(portOf(server), '127.0.0.1')))
    await sleep(100)
    const over = Array.from({ length: 5 }, () => listen(connect(portOf(server), '127.0.0.1')))
    await Promise.all(over.map(({ closed }) => closed))
    lines[0]?.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => lines[0]?.heard().includes('200 OK') ?? false)
    expect(server.logged.filter(({ msg }) => msg === 'too many connections (all)')).toHaveLength(1)
    const metrics = await (await fetch(server.serving.metricsUrl as string)).text()
    expect(metrics).toContain('bailiwick_http_connections_refused_total{why="all"} 5')
    expect(metrics).toContain('bailiwick_http_connections 5')
    for (const { socket } of lines) socket.destroy()
    await until(async () => (await fetch(`${server.url}/healthz`).catch(() => null))?.status === 200)
  })

  test('are limited for each network, but for the machine itself and trusted proxies', () => {
    const refused: string[] = []
    const connections = countConnections({
      limits: { all: 100, perNetwork: 2 },
      trustedProxies: ['10.0.0.0/8'],
      log: { warn: () => {} } as never,
      onRefused: (why) => refused.push(why),
    })
    const closers: (() => void)[] = []
    const come = (remoteAddress: string): boolean =>
      connections.take({
        remoteAddress,
        destroy: () => {},
        once: (_event: string, close: () => void) => closers.push(close),
      } as never)
    expect(['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8::3', '2001:db8:0:1::1'].map(come)).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'].map(come)).toEqual([true, true, false, true])
    for (const exempt of ['127.0.0.1', '::1', '::ffff:127.0.0.9', '10.1.2.3', '::ffff:10.1.2.3'])
      expect([come(exempt), come(exempt), come(exempt)]).toEqual([true, true, true])
    expect(refused).toEqual(['network', 'network'])
    for (const close of closers) close()
    expect([connections.count, come('192.0.2.1')]).toEqual([0, true])
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0001:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test('a block holds its addresses, in either form', () => {
    const holds = blocksOf(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'])
    expect(['10.9.8.7', '::ffff:10.9.8.7', '2001:db8:1::1', '192.0.2.7'].map(holds)).toEqual([true, true, true, true])
    expect(['11.0.0.1', '2001:db9::1', '192.0.2.8', '', 'x'].map(holds)).toEqual([false, false, false, false, false])
  })
})

describe('replies that nobody reads', () => {
  const text = 'x'.repeat(600_000)
  const begin = (session: ClientHttp2Session): ClientHttp2Stream => {
    const stream = session.request({ ':method': 'POST', ':path': '/test/echo', 'content-type': 'application/json' })
    stream.on('error', () => {})
    stream.end(JSON.stringify({ someText: text }))
    return stream
  }

  test('do not fill the memory: who leaves some unread is refused, before anything is done, until they are gone', async () => {
    const mebibyte = 1024 * 1024
    const unread = { user: 2 * mebibyte, tenant: 4 * mebibyte, all: 8 * mebibyte }
    const server = await startServer({
      extraRoutes,
      limits: { unread },
      beside: plain,
      flags: { 'tls-self-signed': true },
    })
    later(server.stop)
    const connectTo = (): ClientHttp2Session => {
      const session = connectHttp2(server.url, { ca })
      session.on('error', () => {})
      later(() => session.destroy())
      return session
    }
    const greedy = connectTo()
    const statuses: (number | undefined)[] = []
    // Their headers are heard of, and their bodies stay where they are.
    for (let n = 0; n < 6; n++) {
      const stream = begin(greedy)
      statuses.push(await new Promise((resolve) => stream.on('response', (headers) => resolve(headers[':status']))))
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    const again = connectTo()
    expect(await hear2(begin(again))).toMatchObject({
      status: 429,
      text: expect.stringContaining('waiting to be read') as string,
    })
    greedy.destroy()
    await until(async () => (await hear2(begin(again))).status === 200)
    // One that went before its reply was there is not counted for ever.
    for (let n = 0; n < 8; n++) {
      const stream = begin(again)
      setTimeout(() => stream.close(8), 2 * n)
    }
    for (let n = 0; n < 6; n++) await until(async () => (await hear2(begin(again))).status === 200)
  })
})

test('a request whose client went while it waited for its turn is not served', async () => {
  const limitsOfOne = {
    shares: { running: { all: 1, tenant: 1, user: 1 }, waiting: { tenant: 9, user: 9 }, waitMs: 5000 },
  }
  const server = await startServer({
    extraRoutes,
    limits: limitsOfOne,
    beside: plain,
    flags: { 'tls-self-signed': true },
  })
  later(server.stop)
  const session = connectHttp2(server.url, { ca })
  session.on('error', () => {})
  later(() => session.destroy())
  served = 0
  gate = Promise.withResolvers()
  const first = hear2(session.request({ ':path': '/test/held' }))
  await until(() => served === 1)
  const gone = [0, 1, 2].map(() => session.request({ ':path': '/test/held' }))
  for (const stream of gone) stream.on('error', () => {})
  // A later request of the same connection is answered, so these have come.
  expect(await hear2(session.request({ ':path': '/healthz' }))).toMatchObject({ status: 200 })
  for (const stream of gone) stream.close(8)
  expect(await hear2(session.request({ ':path': '/healthz' }))).toMatchObject({ status: 200 })
  gate.resolve()
  await first
  expect(await hear2(session.request({ ':path': '/test/held' }))).toMatchObject({ status: 200 })
  expect(served).toBe(2)
})
