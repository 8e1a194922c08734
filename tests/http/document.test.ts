import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tagTexts } from '#http/openapi-tags.ts'
import { anyone, type Route } from '#kernel/routes.ts'
import type { JsonSchema } from '#kernel/wire.ts'
import { routes } from '#server/registry/routes.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { misfits } from '../sweep/schema.ts'
import { ask } from './client.ts'
import { testRoutes } from './routes.ts'

type Operation = {
  operationId: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<string, object>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string; variables: Record<string, { default: string }> }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  components: {
    securitySchemes: Record<string, object>
    schemas: Record<string, JsonSchema>
    responses: Record<string, Refused>
  }
}
type Refused = {
  content: { 'application/json': { examples: Record<string, { value: { details: { reason?: string }[] } }> } }
}

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
  const reply = await ask(`${server.url}/api/openapi.json`)
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
  document = JSON.parse(reply.text) as Document
})
afterAll(() => server.stop())

const all = [...routes, ...testRoutes]
const operationOf = ({ path, method }: Route): Operation => document.paths[path]?.[method.toLowerCase()] as Operation

test('the API document is OpenAPI 3.1, of the version that the specification says', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ version: '0.1.0-alpha', title: expect.stringMatching(/\S/) as unknown })
})

test('the server of the API document is the tenant, by the variable tenantDomain', () => {
  expect(document.servers).toHaveLength(1)
  expect(document.servers[0]?.url).toContain('{tenantDomain}')
  expect(Object.keys(document.servers[0]?.variables ?? {})).toContain('tenantDomain')
  for (const [, name] of document.servers[0]?.url.matchAll(/\{(\w+)\}/g) ?? [])
    expect(document.servers[0]?.variables[name as string]?.default).toMatch(/\S/)
})

test('the API document has both security schemes, and no scopes', () => {
  const schemes = Object.entries(document.components.securitySchemes)
  const named = Object.fromEntries(
    schemes.map(([name, scheme]) => [(scheme as { type: string }).type, { name, scheme }]),
  )
  expect(named['http']?.scheme).toMatchObject({ scheme: 'bearer' })
  expect(named['oauth2']?.scheme).toMatchObject({
    flows: { clientCredentials: { tokenUrl: '/auth/v1/token', scopes: {} } },
  })
  expect(document.security).toEqual([
    { [named['http']?.name as string]: [] },
    { [named['oauth2']?.name as string]: [] },
  ])
})

test('every route is in the API document, with its operation id and its parameters', () => {
  for (const route of all) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()]
    expect(operation).toMatchObject({ operationId: route.id })
    expect(Object.keys(operation?.responses ?? {})).toContain(route.redirect ? '303' : '200')
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
    expect(inPath).toEqual(route.path.match(/\{\w+\}/g) ?? [])
    expect(operation?.requestBody !== undefined).toBe(route.body !== null || route.stream !== null)
  }
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})

test('every reference in the API document leads somewhere', () => {
  const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const [, kind, name] = /#\/components\/(schemas|responses)\/([^"]+)"/.exec(reference) ?? []
    expect(document.components).toHaveProperty([kind as string, name as string])
  }
})

test('every operation has a description, a tag with a text, and the refusals that it has', () => {
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
  expect([...tags.keys()].filter((name) => !name.startsWith('test.')).toSorted()).toEqual(
    Object.keys(tagTexts).toSorted(),
  )
  for (const route of routes) {
    const {
      description,
      tags: [tag = ''],
      responses,
    } = operationOf(route)
    expect(description, route.id).toMatch(/\S/)
    expect(tags.get(tag), route.id).toMatch(/\.$/)
    const statuses = Object.keys(responses)
    expect(statuses, route.id).toEqual(expect.arrayContaining(['400', '404', '408', '429', '431']))
    if (route.refusals) continue
    expect(statuses, route.id).toContain('default')
    expect(statuses.includes('401'), route.id).toBe(route.allow !== anyone || route.admits !== null)
    expect(statuses.includes('415'), route.id).toBe(route.method !== 'GET')
  }
})

test('the examples of refusals have the form of refusals', () => {
  for (const [name, { content }] of Object.entries(document.components.responses))
    for (const [reason, { value }] of Object.entries(content['application/json'].examples)) {
      expect(misfits(document.components.schemas, document.components.schemas['Error'] as JsonSchema, value)).toEqual(
        [],
      )
      expect(value.details[0]?.reason, name).toBe(reason)
    }
})

test('durations have a pattern that they match, and JSON files are described as what they contain', () => {
  expect(JSON.stringify(document)).not.toContain('"format":"duration"')
  for (const route of routes.filter(({ download }) => download?.includes('application/json'))) {
    const ok = operationOf(route).responses['200'] as { content: Record<string, { schema: JsonSchema }> }
    expect(ok.content['application/json']?.schema, route.id).not.toEqual({ type: 'string' })
  }
})

test('the reference page names every operation, and runs and loads nothing', async () => {
  const { status, headers, text } = await ask(`${server.url}/docs`)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  for (const route of all) {
    expect(text).toContain(`id="${route.id}"`)
    expect(text).toContain(route.path)
  }
  const policy = headers['content-security-policy'] as string
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(policy).not.toContain('script-src')
  expect(policy).toContain("frame-ancestors 'none'")
  // The page's own style is the one that the policy lets through.
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? []
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  expect(text).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|\sstyle=|src=|url\(|@import|javascript:/i)
  for (const [, href] of text.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(#|\/)/)
  for (const [, anchor] of text.matchAll(/href="#([^"]*)"/g)) expect(text).toContain(`id="${anchor}"`)
})

test('the reference shows each operation as curl and as TypeScript, by the name that the client has', async () => {
  const { text } = await ask(`${server.url}/docs`)
  const [, create = ''] = /<section id="iam\.v1\.PersonalClientService\.Create">([^]*?)<\/section>/.exec(text) ?? []
  expect(create).toContain('curl -s &quot;$BAILIWICK_URL/api/v1/iam/personal_clients&quot;')
  expect(create).toContain('await bailiwick.call(personalClientCreate, {')
})

test('every guide is a page; links between guides lead to pages and headings that exist, and nothing runs', async () => {
  const index = await ask(`${server.url}/docs/guides`)
  expect(index.status).toBe(200)
  const [, main = ''] = /<main id="content">([^]*)<\/main>/.exec(index.text) ?? []
  const paths = [...main.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path]) => path as string)
  expect(paths.length).toBeGreaterThan(15)
  const pages = new Map<string, string>()
  for (const path of paths) {
    const page = await ask(server.url + path)
    expect(page.status, path).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.text, path).not.toMatch(/<script|<link|<iframe|\son\w+=|\sstyle=|javascript:/i)
    pages.set(path, page.text)
  }
  for (const [path, text] of pages)
    for (const [, href = ''] of text.matchAll(/href="((?:\/docs\/guides\/|#)[^"]*)"/g)) {
      const [to = '', hash] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#')
      expect(pages.get(to), `${path} links to ${href}`).toContain(hash ? `id="${hash}"` : '')
    }
  for (const [, src = ''] of (pages.get('/docs/guides/console') ?? '').matchAll(/<img src="([^"]*)"/g)) {
    const picture = await fetch(server.url + src)
    expect([picture.status, picture.headers.get('content-type')], src).toEqual([200, 'image/png'])
  }
  for (const path of [
    '/docs/guides/nothing',
    '/docs/guides/..%2f..%2fpackage',
    '/docs/pictures/..%2fapi.md',
    '/docs/pictures/x.png',
  ])
    expect((await ask(server.url + path)).status, path).toBe(404)
})

test('the docs are searched by words, in guides and operations; what is searched for is text', async () => {
  const search = async (query: string): Promise<string> =>
    (await ask(`${server.url}/docs/search?q=${encodeURIComponent(query)}`)).text
  expect(await search('personal_clients')).toContain('/docs#iam.v1.PersonalClientService.Create')
  expect(await search('TOKEN assertion')).toContain('href="/docs/guides/api#getting-an-access-token"')
  expect(await search('no-such-word-anywhere')).toContain('No results for')
  expect(await search('')).toContain('Type one or more words')
  const evil = await search('"><script>alert(1)</script> \\ ( [ *')
  expect(evil).not.toContain('<script')
  expect((await ask(`${server.url}/docs/search?q=a&q=b`)).status).toBe(200)
  expect((await ask(`${server.url}/docs/search?q=${'x'.repeat(5000)}`)).status).toBe(200)
})
