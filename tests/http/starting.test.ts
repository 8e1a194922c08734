import { afterAll, beforeAll, expect, test } from 'vitest'
import { listWaiting } from '../fixture/cluster.ts'
import { patiently } from '../fixture/later.ts'
import { freePort } from '../fixture/port.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
})
afterAll(() => server.stop())

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('a browser that opens the console while the server starts is asked to wait, and programs get JSON', async () => {
  const port = await freePort()
  const at = (path: string, headers: Record<string, string>) => fetch(`http://localhost:${port}${path}`, { headers })
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  // A start waits for this lock before it creates the first tenant.
  const holding = server.db.begin(async (tx) => {
    await tx`lock table tenants in share row exclusive mode`
    held()
    await mayGo
  })
  await isHeld
  const starting = startServer({ beside: server, flags: { port: String(port), empty: true } })
  try {
    await expect.poll(async () => (await listWaiting(server.db)).length).toBe(1)
    for (const path of ['/', '/sign-in', '/apps?owner=none']) {
      const page = await at(path, html)
      expect(page.status).toBe(503)
      expect(page.headers.get('retry-after')).toBe('1')
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
      const text = await page.text()
      expect(text).toContain('Bailiwick is starting')
      expect(text).toContain('This page reloads.')
      expect(text).toContain('<meta http-equiv="refresh"')
    }
    const program = await at('/api/v1/auth/introspect', { accept: 'application/json' })
    expect([program.status, ((await program.json()) as { code: number }).code]).toEqual([401, 16])
    expect((await at('/readyz', html)).status).toBe(503)
  } finally {
    go()
    await holding
    await (await starting).stop()
  }
})

test('once it has started, the console opens', async () => {
  await server.serving.prepareConsole()
  await patiently(async () => {
    const page = await fetch(`${server.url}/sign-in`, { headers: html })
    expect(page.status).toBe(200)
    expect(await page.text()).not.toContain('is starting')
  })
})
