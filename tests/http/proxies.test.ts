import { isIP } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, loggedFor } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
afterEach(() => server.stop())

const sourceOf = async (forwarded?: string): Promise<string> => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded, 'x-forwarded-host': 'elsewhere' }
  const reply = await ask(`${server.url}/test/source`, { headers })
  expect(reply.status).toBe(200)
  const { told } = JSON.parse(reply.text) as { told: string }
  const [line] = await loggedFor(server, reply)
  // The line has the beginning of what is too long to be an address.
  expect(line).toMatchObject({ from: told.length > 100 ? `${told.slice(0, 100)}…` : told })
  return told
}

test('X-Forwarded-For counts for nothing unless its sender is a proxy that the operator named', async () => {
  server = await startServer({ extraRoutes: testRoutes })
  expect(await sourceOf()).toBe('127.0.0.1')
  expect(await sourceOf('203.0.113.7')).toBe('127.0.0.1')
  await server.stop()
  server = await startServer({ extraRoutes: testRoutes, flags: { 'trusted-proxy': ['10.0.0.0/8', '192.168.0.1'] } })
  expect(await sourceOf('203.0.113.7')).toBe('127.0.0.1')
})

test('the source is the last address that no named proxy vouches for', async () => {
  server = await startServer({
    extraRoutes: testRoutes,
    flags: { 'trusted-proxy': ['127.0.0.1/32', '10.0.0.0/8', '2001:db8:1::/48'] },
  })
  expect(await sourceOf()).toBe('127.0.0.1')
  expect(await sourceOf('203.0.113.7')).toBe('203.0.113.7')
  expect(await sourceOf('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7')
  expect(await sourceOf('198.51.100.1, 203.0.113.7, 10.1.2.3')).toBe('203.0.113.7')
  expect(await sourceOf('203.0.113.7, 2001:db8:1::5,10.1.2.3')).toBe('203.0.113.7')
  expect(await sourceOf('2001:db8:2::5')).toBe('2001:db8:2::5')
})

test('an address that is none is not taken for another', async () => {
  server = await startServer({ extraRoutes: testRoutes, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  for (const odd of ['', ',', 'unknown', '1.2.3.4.5', '203.0.113.7:80', "'; drop table", 'x'.repeat(5000)])
    expect(await sourceOf(odd)).toSatisfy((told: string) => told === '127.0.0.1' || isIP(told) === 0)
})

test('an IPv4 address is an IPv4 address also on an IPv6 socket', async () => {
  server = await startServer({ extraRoutes: testRoutes, flags: { host: '::', 'trusted-proxy': ['127.0.0.1'] } })
  const url = server.url.replace('localhost', '127.0.0.1')
  const plain = await ask(`${url}/test/source`)
  expect(JSON.parse(plain.text)).toEqual({ told: '127.0.0.1' })
  const forwarded = await ask(`${url}/test/source`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(JSON.parse(forwarded.text)).toEqual({ told: '203.0.113.7' })
  expect((await loggedFor(server, plain))[0]).toMatchObject({ from: '127.0.0.1' })
})
