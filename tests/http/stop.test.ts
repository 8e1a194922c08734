import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openMetrics } from '#http/metrics.ts'
import { createServer, type HttpServer } from '#http/server.ts'
import { openLog } from '#kernel/log.ts'
import { anyone, route } from '#kernel/routes.ts'
import { message, text } from '#kernel/wire.ts'
import { until } from '../fixture/later.ts'
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

type Listening = {
  server: HttpServer
  url: string
  port: number
  /** At least so many requests are being served. */
  isUnderWay(count: number): Promise<void>
  /** Ends those of /test/held. */
  letGo(): void
}

/** The HTTP server alone: what stops here needs no database. */
async function listen(): Promise<Listening> {
  const gate = Promise.withResolvers<void>()
  const heldRoute = route({
    id: 'test.v1.Test.Held',
    at: 'GET /test/held',
    summary: 'Waits until it is let go.',
    allow: anyone,
    reply: message('TestHeld', { told: text() }),
    handle: async () => {
      await gate.promise
      return { told: 'held' }
    },
  })
  const server = createServer({
    world: {} as never,
    log: openLog('silent', nothing),
    readiness: { isReady: true },
    routes: [...testRoutes, heldRoute],
    tenantOf: () => ({ id: 1, publicId: 'x', domain: 'localhost' }),
    authenticate: () => Promise.reject(new Error('nobody is asked who they are')),
    standingTo: () => ({ asCaller: true, asOwner: false }),
    asOwner: async (_tenant, actor) => actor,
    sieve: {
      passes: () => true,
      isPlain: () => true,
      passesText: async () => true,
      sift: async (_call, _of, reply) => reply,
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
  const isUnderWay = (count: number): Promise<void> => until(() => server.load.running() >= count)
  return { server, port, url: `http://127.0.0.1:${port}`, isUnderWay, letGo: () => gate.resolve() }
}

let after: (() => unknown)[] = []
afterEach(async () => {
  for (const each of after) await each()
  after = []
})

/** A connection that the server has taken, with what it hears and how it ends. */
async function open({ port, server }: Listening, bytes = '') {
  const before = server.load.connections()
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('data', (chunk: unknown) => (heard += String(chunk)))
  socket.on('error', () => {})
  let isClosed = false
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  socket.write(bytes)
  after.push(() => socket.destroy())
  await until(() => server.load.connections() > before || isClosed)
  return { socket, closed, heard: () => heard }
}

/** It takes no connection any more. */
const refuses = (url: string): Promise<void> =>
  until(() =>
    ask(`${url}/healthz`).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    ),
  )

const held = 'GET /test/held HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a server that is told to stop', () => {
  test('finishes what is under way, and takes nothing new', async () => {
    const { server, url, isUnderWay, letGo } = await listen()
    const waiting = ask(`${url}/test/held`)
    await isUnderWay(1)
    const stopped = server.stop(600_000)
    await refuses(url)
    letGo()
    expect(await waiting).toMatchObject({ status: 200, text: '{"told":"held"}' })
    await stopped
    await expect(ask(`${url}/healthz`)).rejects.toThrow('ECONNREFUSED')
  })

  test('does not wait for connections that are kept alive, or that said nothing', async () => {
    const listening = await listen()
    const silent = await open(listening)
    const idle = await open(listening, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => idle.heard().includes('200 OK'))
    // Ends while the server stops, on a connection that would be kept alive.
    const busy = await open(listening, held)
    await listening.isUnderWay(1)
    // It would wait for longer than a test may take.
    const stopped = listening.server.stop(600_000)
    await refuses(listening.url)
    listening.letGo()
    await Promise.all([stopped, silent.closed, idle.closed, busy.closed])
    expect(busy.heard()).toContain('{"told":"held"}')
  })

  test('still serves what comes on an open connection', async () => {
    const listening = await listen()
    const pipelined = await open(listening, held + held)
    await listening.isUnderWay(2)
    const stopped = listening.server.stop(600_000)
    await refuses(listening.url)
    listening.letGo()
    await stopped
    await pipelined.closed
    expect(pipelined.heard().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  test('cuts off what does not end within its time', async () => {
    const listening = await listen()
    const endless = await open(listening, held)
    const halfSent = await open(listening, 'POST /test/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{')
    await listening.isUnderWay(1)
    await listening.server.stop(400)
    await Promise.all([endless.closed, halfSent.closed])
    expect(endless.heard()).toBe('')
    listening.letGo()
  })
})

test('HTTP/2 without TLS is not spoken, and said to be none', async () => {
  const listening = await listen()
  const session = connectHttp2(listening.url)
  const error = await new Promise<Error>((resolve) => session.once('error', resolve))
  expect(error).toBeInstanceOf(Error)
  session.destroy()
  const said = await open(listening, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  await said.closed
  expect(said.heard()).toContain('400 Refused')
  await listening.server.stop(1000)
})
