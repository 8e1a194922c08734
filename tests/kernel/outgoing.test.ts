import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isAllowable, mayCallBy, type OutgoingRules, strictRules } from '#kernel/outgoing/addresses.ts'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { openOutgoing, type Resolve, urlProblem } from '#kernel/outgoing/send.ts'

describe('which addresses may be called', () => {
  const strict = mayCallBy(strictRules)
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '192.0.0.1',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:10.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    '3fff::1',
    '5f00::1',
    'x',
    '',
  ])('%s is not public', (address) => {
    expect(strict('app.example.com', address)).toBe(false)
  })
  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(strict('app.example.com', address)).toBe(true)
    },
  )
  test('an operator allows networks and hosts, and metadata services by neither', () => {
    const may = mayCallBy({ allow: ['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0', '127.0.0.1', 'App.Internal'] })
    expect(may('x', '10.1.2.3')).toBe(true)
    expect(may('x', '::ffff:10.1.2.3')).toBe(true)
    expect(may('x', 'fd12::1')).toBe(true)
    expect(may('app.internal', '127.0.0.1')).toBe(true)
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      '168.63.129.16',
      '0.0.0.0',
      'fe80::1',
    ])
      expect(may('app.internal', address), address).toBe(false)
    const byName = mayCallBy({ allow: ['app.internal'] })
    expect(byName('APP.internal.', '192.168.1.1')).toBe(true)
    expect(byName('other.internal', '192.168.1.1')).toBe(false)
    expect(byName('x.app.internal', '192.168.1.1')).toBe(false)
  })
  test('what can be allowed is a network, an address or a host', () => {
    for (const entry of ['10.0.0.0/8', '::1', 'fd00::/8', 'app.internal', 'localhost'])
      expect(isAllowable(entry), entry).toBe(true)
    for (const entry of ['10.0.0.0/33', '10.0.0.0/8/1', 'https://x', 'a b', '', '*', '-x'])
      expect(isAllowable(entry), entry).toBe(false)
  })
  test.each([
    ['ftp://app.example.com', 'must begin with https://'],
    ['http://app.example.com', 'must begin with https://'],
    ['https://name:secret@app.example.com', 'user name'],
    ['not an address', 'is not an address'],
    // All of these are 127.0.0.1 or 169.254.169.254, as URLs may write them.
    ['https://127.1', '--outgoing-allow'],
    ['https://0x7f.0.0.1', '--outgoing-allow'],
    ['https://2130706433', '--outgoing-allow'],
    ['https://[::1]', '--outgoing-allow'],
    ['https://[::ffff:127.0.0.1]', '--outgoing-allow'],
    ['https://169.254.169.254/latest/meta-data', '--outgoing-allow'],
  ])('%s is refused before anything is sent', (url, why) => {
    expect(urlProblem(url, strictRules)).toContain(why)
  })
})

describe('requests', () => {
  let server: Server
  let port = 0
  let asked: IncomingMessage[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  beforeEach(() => {
    asked = []
    answer = (_, response) => response.end('{"ok":true}')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** A name service that answers this, one after the other. */
  const dns = (...answers: string[][]): Resolve => {
    let times = 0
    return (_host, _options, told) => {
      const addresses = answers[Math.min(times++, answers.length - 1)] as string[]
      told(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
  }
  const byHttp: OutgoingRules = { allow: [], isHttpAllowed: true }
  const open: OutgoingRules = { allow: ['127.0.0.0/8'], isHttpAllowed: true }
  const failureOf = async (work: Promise<unknown>): Promise<OutgoingFailed> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OutgoingFailed)
    return error as OutgoingFailed
  }
  const get = (path = '/', host = 'app.example') => ({ method: 'GET' as const, url: `http://${host}:${port}${path}` })

  test('a host that is allowed is asked, without following redirects', async () => {
    const outgoing = openOutgoing(open, dns(['127.0.0.1']))
    expect(await outgoing.send(get())).toMatchObject({ status: 200, body: Buffer.from('{"ok":true}') })
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    expect((await outgoing.send(get())).status).toBe(302)
    expect(asked).toHaveLength(2)
    outgoing.close()
  })

  test('a name that has a private address, or one among others, is refused, and nothing is sent', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
      [],
    ]) {
      const outgoing = openOutgoing(byHttp, dns(addresses))
      const failed = await failureOf(outgoing.send(get()))
      expect(failed).toMatchObject({ kind: 'forbidden', mayHaveArrived: false })
      expect(failed.message).toContain('--outgoing-allow')
    }
    const real = openOutgoing(byHttp)
    expect(await failureOf(real.send(get('/', 'localhost')))).toMatchObject({ kind: 'forbidden' })
    expect(asked).toHaveLength(0)
  })

  test('a name that changes its address after it was checked is checked again with each connection', async () => {
    // Allowed at first, private when it is connected to the second time.
    const resolve = dns(['127.0.0.1'], ['127.0.0.2'])
    const outgoing = openOutgoing({ allow: ['127.0.0.1'], isHttpAllowed: true }, resolve)
    answer = (_, response) => response.writeHead(200, { connection: 'close' }).end('{}')
    expect((await outgoing.send(get())).status).toBe(200)
    expect(await failureOf(outgoing.send(get()))).toMatchObject({ kind: 'forbidden', mayHaveArrived: false })
    expect(asked).toHaveLength(1)
  })

  test('a reply that is too large, too slow, compressed or broken off is given up', async () => {
    const outgoing = openOutgoing(open, dns(['127.0.0.1']))
    const failing = async (request: object = {}) => {
      const { kind, mayHaveArrived } = await failureOf(outgoing.send({ ...get('/?secret=1'), ...request }))
      return [kind, mayHaveArrived]
    }
    answer = (_, response) => response.end(Buffer.alloc(5000))
    expect(await failing({ replyBytesMax: 4000 })).toEqual(['too large', true])
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    expect(await failing()).toEqual(['broken', true])
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await failing()).toEqual(['broken', true])
    // A byte now and then does not keep it alive.
    answer = (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await failing({ timeoutMs: 1000 })).toEqual(['timeout', true])
    // Once it has arrived.
    const leaving = new AbortController()
    answer = () => leaving.abort()
    expect(await failing({ signal: leaving.signal })).toEqual(['aborted', true])
    answer = (request) => request.socket.destroy()
    expect(await failing()).toEqual(['broken', true])
    outgoing.close()
  })

  test('an unknown host is distinguished from one that did not respond', async () => {
    const outgoing = openOutgoing(open, dns(['127.0.0.1']))
    const url = 'http://app.example:1/?secret=1'
    const failed = await failureOf(outgoing.send({ method: 'POST', url, body: '{}' }))
    expect(failed).toMatchObject({ kind: 'unreachable', mayHaveArrived: false })
    expect(failed.message).not.toContain('secret')
    const unknown = openOutgoing(open, (_host, _options, told) =>
      told(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []),
    )
    expect(await failureOf(unknown.send(get()))).toMatchObject({ kind: 'unresolved', mayHaveArrived: false })
  })
})
