import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, signedIn } from '#kernel/routes.ts'
import { routes } from '#server/registry/routes.ts'
import { type Access, ask, getToken, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, openBrowser, signIn } from '../sessions/support.ts'

/** What the API document says must be sent is what the server refuses to do without. */

let server: TestServer
let access: Access
let token: string
let browser: Browser
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
  browser = await signIn(server, access, await access.makeUser({ roles: ['system:owner'] }))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const nobody = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'

function sendNothing(route: Route): Promise<Reply> {
  const path = route.path.replaceAll(/\{\w+\}/g, nobody)
  const asked = {
    method: route.method,
    from: newAddress(),
    ...(route.body && !route.form && { body: '{}', headers: { 'content-type': 'application/json' } }),
  }
  if (route.ownPages) return openBrowser(server).ask(path, asked)
  return route.allow === signedIn ? browser.ask(path, asked) : ask(server, path, { ...asked, token })
}

type Violation = { field: string; description: string }
const violationsIn = ({ json, status }: Reply): Violation[] =>
  ((status === 200 ? [] : (json['details'] ?? [])) as { fieldViolations?: Violation[] }[]).flatMap(
    ({ fieldViolations }) => fieldViolations ?? [],
  )

const requiredOf = ({ body, query }: Route): string[] =>
  [query, body].flatMap((of) =>
    Object.entries(of?.fields ?? {})
      .filter(([, { isRequired }]) => isRequired)
      .map(([name]) => name),
  )

const asked = routes.filter((route) => !route.redirect && !route.download && !route.stream && !route.form)

test('a request without a required field is refused, and names it', async () => {
  const all = asked.filter((route) => requiredOf(route).length > 0)
  expect(all.length).toBeGreaterThan(50)
  for (const route of all) {
    const reply = await sendNothing(route)
    expect(reply.status, route.id).toBe(400)
    const named = violationsIn(reply).map(({ field }) => field)
    expect(named, route.id).toEqual(expect.arrayContaining(requiredOf(route)))
  }
})

// One of several fields, or one that depends on others.
const dependent = new Set([
  'workload_federation.v1.WorkloadFederationService.CreateProvider issuerUrl',
  'directory.v1.DirectoryPlans.Create appId',
])

test('what is refused because it is missing is required in the API document', async () => {
  const missing: string[] = []
  for (const route of asked.filter(({ body }) => body !== null))
    for (const { field, description } of violationsIn(await sendNothing(route)))
      if (/^must (not be empty|be given)$/.test(description) && !requiredOf(route).includes(field))
        missing.push(`${route.id} ${field}`)
  expect(missing.filter((each) => !dependent.has(each))).toEqual([])
})

test('what no other test asks for succeeds when nothing is there', async () => {
  for (const path of ['/api/v1/inbox', '/api/v1/inbox/reports', '/api/v1/requests/unanswerable', '/api/v1/directories'])
    expect((await ask(server, path, { token })).status, path).toBe(200)
  expect((await ask(server, '/api/v1/directory-precedence', { token })).status).toBe(200)
  expect((await browser.ask('/api/v1/auth/identities')).status).toBe(200)
  for (const path of ['/api/v1/lists/grants/count', '/api/v1/lists/rules/count', '/api/v1/owners/of_entitlements'])
    expect((await ask(server, path, { token, method: 'POST' })).status, path).toBe(200)
  for (const path of ['/api/v1/lists/grants/export', '/api/v1/lists/rules/export'])
    for (const format of ['csv', 'json']) {
      const reply = await ask(server, path, { token, method: 'POST', body: { format } })
      expect(reply.status, path).toBe(200)
      expect(format === 'json' ? JSON.parse(reply.text) : []).toEqual([])
    }
})
