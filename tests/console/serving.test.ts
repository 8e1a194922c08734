import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Logger } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole } from '#http/pages/console.ts'
import { openLog } from '#kernel/log.ts'
import { ask, outcomeOf } from '../fixture/access.ts'
import { patiently } from '../fixture/later.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.serving.prepareConsole()
})
afterAll(() => server.stop())

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = html): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })

const isBuilt = /^console-[0-9a-f]{16}$/
const kept = (folder: string): string[] => readdirSync(folder).filter((name) => isBuilt.test(name))

// A build takes five seconds of CPU time: `npm test` has one, below, besides that of all servers.
onlyLongTest('before it is built the page says so and keeps asking; then it is there, and is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-console-test-'))
  try {
    await watchBuild([folder], openLog('silent'))
    expect(readdirSync(folder)).toEqual([expect.stringMatching(isBuilt)])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Asks for pages while the console is built: until it is there. */
async function watchBuild(folders: string[], log: Logger): Promise<void> {
  const door = openConsole(folders, log)
  const app = Fastify()
  app.setNotFoundHandler((request, reply) => door.answer(request, reply))
  try {
    const first = await app.inject({ url: '/sign-in', headers: html })
    expect(first.statusCode).toBe(503)
    expect(first.headers['retry-after']).toBe('1')
    expect(first.headers['content-security-policy']).not.toContain('unsafe')
    expect(first.body).toContain('The console is being built')
    await patiently(async () => expect((await app.inject({ url: '/', headers: html })).statusCode).toBe(200))
  } finally {
    await door.stop()
    await app.close()
  }
}

test('it is built once and kept beside the packages', () => {
  expect(kept(join(import.meta.dirname, '../../node_modules/.cache/bailiwick')).length).toBeGreaterThan(0)
})

test('the page is served at every address of the console, with a strict policy and a nonce of its own', async () => {
  const nonces = new Set<string>()
  for (const path of ['/', '/sign-in', '/apps/3M7rJYCvI0WOzXG2oNukdctieva', '/no/such/page?with=query']) {
    const reply = await get(path)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(reply.headers.get('permissions-policy')).toContain('camera=()')
    const policy = reply.headers.get('content-security-policy') ?? ''
    const text = await reply.text()
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(text).toContain(`content="${nonce}"`)
    nonces.add(nonce)
    // The one script that is in the page itself is the one that the policy names.
    const inline = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => script as string)
    expect(inline).toHaveLength(1)
    expect(policy).toContain(
      createHash('sha256')
        .update(inline[0] as string)
        .digest('base64'),
    )
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]+)"/g)) expect(address).toMatch(/^\/(?!\/)/)
  }
  expect(nonces.size).toBe(4)
})

test('what is no navigation, no page and no tenant is refused as before', async () => {
  expect((await get('/apps', { accept: '*/*' })).status).toBe(404)
  expect((await get('/apps', { accept: 'application/json' })).headers.get('content-type')).toBe('application/json')
  for (const path of ['/api/v1/nothing', '/auth/v1/nothing', '/assets/nothing.js', '/docs/nothing', '/api', '/auth'])
    expect((await get(path)).status, path).toBe(404)
  // What takes other methods says so, whoever asks.
  expect((await get('/api/v1/search/apps')).status).toBe(405)
  expect((await fetch(`${server.url}/apps`, { method: 'POST', headers: html })).status).toBe(404)
  for (const path of [
    '/assets/../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
  ])
    expect([400, 404], path).toContain((await get(path, { accept: '*/*' })).status)
  const elsewhere = await ask(server, '/', { host: 'elsewhere.example', headers: html })
  expect(outcomeOf(elsewhere)).toBe('404/5 TENANT_NOT_FOUND')
})

test('assets are compressed, and may be kept for ever', async () => {
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text()) ?? []
  const bodies = await Promise.all(
    ['', 'gzip', 'br, gzip'].map(async (encoding) => {
      const reply = await get(script, { 'accept-encoding': encoding || 'identity' })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(reply.headers.get('vary')).toBe('accept-encoding')
      expect(reply.headers.get('content-encoding')).toBe(encoding === '' ? null : encoding.split(',')[0])
      // fetch has decompressed it.
      return reply.text()
    }),
  )
  expect(bodies[0]?.length).toBeGreaterThan(100_000)
  // Built for production, though NODE_ENV says `test` here.
  expect(process.env['NODE_ENV']).toBe('test')
  expect(bodies[0]).not.toContain('jsxDEV')
  expect(bodies[1]).toBe(bodies[0])
  expect(bodies[2]).toBe(bodies[0])
})

onlyLongTest(
  'where it can be kept nowhere it is built all the same, and leaves nothing behind; pages say so until it is there',
  async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('bailiwick-console-'))
    const logged: string[] = []
    await watchBuild([join('/dev/null', 'cache')], openLog('info', { write: (line) => void logged.push(line) }))
    expect(logged.join()).toContain('built the console')
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('bailiwick-console-'))).toEqual(before)
  },
)
