import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openMetrics } from '#http/metrics.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import { openLog } from '#kernel/log.ts'
import { ask } from './client.ts'
import { testRoutes } from './routes.ts'

const always = {
  isHere: true,
  look: async () => true,
  isAbsence: () => false,
  suspect: () => {},
  onAway: () => {},
  onceAway: () => () => {},
}
const nothing = { write: () => {} }

/** The HTTP server alone: what stops here needs no database. */
async function listen(): Promise<{ server: HttpServer; url: string; port: number }> {
  const server = createServer({
    world: {} as never,
    log: openLog('silent', nothing),
    routes: testRoutes,
    tenantOf: () => ({ id: 1, publicId: 'x', domain: 'localhost' }),
    authenticate: () => Promise.reject(new Error('nobody is asked who they are')),
    asOwner: async (_tenant, actor) => actor,
    sieve: {
      passes: () => true,
      isPlain: () => true,
      passesText: async () => true,
      sift: async (_call, reply) => reply,
    },
    onDenied: async () => {},
    presence: always,
    metrics: openMetrics(
      () => true,
      () => true,
    ),
    clock: { doubt: null, look: async () => {} },
    logRequests: 'all',
    trustedProxies: [],
    tls: null,
  })
  const { port } = await server.listen('127.0.0.1', 0)
  return { server, port, url: `http://127.0.0.1:${port}` }
}

const timed = async (work: Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work
  return performance.now() - begin
}

let after: (() => unknown)[] = []
afterEach(async () => {
  for (const each of after) await each()
  after = []
})

/** A connection, what it hears, and how it ends. */
async function open(port: number, bytes = '') {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: unknown) => (heard += String(text)))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(bytes)
  after.push(() => socket.destroy())
  await sleep(30)
  return { socket, closed, heard: () => heard }
}

describe('a server that is told to stop', () => {
  test('finishes what is under way, and takes nothing new', async () => {
    const { server, url, port } = await listen()
    const waiting = ask(`${url}/test/wait?ms=1000`)
    // Until it is there, on a busy machine too.
    await sleep(400)
    const stopped = timed(server.stop(10_000))
    await sleep(50)
    await expect(ask(`${url}/healthz`)).rejects.toThrow('ECONNREFUSED')
    expect(await waiting).toMatchObject({ status: 200, text: '{"told":"waited"}' })
    expect(await stopped).toBeLessThan(3000)
    await expect(ask(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('ECONNREFUSED')
  })

  test('does not wait for connections that are kept alive, or that said nothing', async () => {
    const { server, port } = await listen()
    const silent = await open(port)
    const idle = await open(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(idle.heard()).toContain('200 OK')
    // Ends while the server stops, on a connection that would be kept alive.
    const busy = await open(port, 'GET /test/wait?ms=200 HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await timed(server.stop(10_000))).toBeLessThan(1000)
    await Promise.all([silent.closed, idle.closed, busy.closed])
    expect(busy.heard()).toContain('{"told":"waited"}')
  })

  test('still serves what comes on an open connection', async () => {
    const { server, port } = await listen()
    const wait = 'GET /test/wait?ms=150 HTTP/1.1\r\nHost: x\r\n\r\n'
    const pipelined = await open(port, wait + wait)
    await server.stop(10_000)
    await pipelined.closed
    expect(pipelined.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  test('cuts off what does not end within its time', async () => {
    const { server, port } = await listen()
    const endless = await open(port, 'GET /test/wait?ms=5000 HTTP/1.1\r\nHost: x\r\n\r\n')
    const halfSent = await open(port, 'POST /test/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{')
    const took = await timed(server.stop(400))
    expect(took).toBeGreaterThan(390)
    expect(took).toBeLessThan(1000)
    await Promise.all([endless.closed, halfSent.closed])
    expect(endless.heard()).toBe('')
  })
})

test('HTTP/2 without TLS is not spoken, and said to be none', async () => {
  const { server, url, port } = await listen()
  const session = connectHttp2(url)
  const error = await new Promise<Error>((resolve) => session.once('error', resolve))
  expect(error).toBeInstanceOf(Error)
  session.destroy()
  const said = await open(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  await said.closed
  expect(said.heard()).toContain('400 Refused')
  await server.stop(1000)
})
