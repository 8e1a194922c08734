import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiDocument } from '#http/openapi.ts'
import { type Route, signedIn } from '#kernel/routes.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { routes } from '#server/registry/routes.ts'
import { type Access, ask, getToken, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, openBrowser, signIn } from '../sessions/support.ts'
import { misfits, type Schemas } from './schema.ts'

/** Requests made of the API document and then spoiled. Nothing that a caller sends makes a 5xx. */

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

const { components } = apiDocument(routes) as { components: { schemas: Schemas } }
const { schemas } = components

const nasty = fc.constantFrom<unknown>(
  '',
  ' ',
  '\0',
  '\ud800',
  'a\u0000b',
  '\u202e\ufeff\u0301',
  '🙈'.repeat(50),
  'x'.repeat(70_000),
  '%',
  '%00',
  "'; drop table users; --",
  '\\',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '2zzzzzzzzzzzzzzzzzzzzzzzzzz',
  '0001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '-1s',
  '999999999999.999999999s',
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [null],
  [[[[[]]]]],
  { __proto__: null, a: { a: { a: {} } } },
)
const anything = fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }))

const resolve = (schema: JsonSchema): JsonSchema => {
  const ref = schema['$ref']
  return typeof ref === 'string' ? (schemas[ref.slice('#/components/schemas/'.length)] as JsonSchema) : schema
}

/** A value that fits a schema, more or less: at any depth something else may stand in its place. */
function valueOf(given: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given)
  const { type, oneOf, items, properties, format, enum: names, examples } = schema
  const right = (): fc.Arbitrary<unknown> => {
    if (Array.isArray(oneOf)) return depth > 4 ? fc.constant(null) : valueOf(oneOf[0] as JsonSchema, depth)
    if (Array.isArray(names)) return fc.constantFrom(...(names as string[]))
    const types = [type].flat()
    if (types.includes('array')) return fc.array(valueOf(items as JsonSchema, depth + 1), { maxLength: 4 })
    if (types.includes('object'))
      return properties ? objectOf(properties as Schemas, depth + 1) : fc.dictionary(fc.string(), fc.jsonValue())
    if (types.includes('boolean')) return fc.boolean()
    if (types.includes('integer')) return fc.oneof(fc.integer(), fc.constant('25'))
    if (format === 'date-time')
      return fc
        .date({ min: new Date('0001-01-01'), max: new Date('9998-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString())
    if (Array.isArray(examples) && examples.includes('600s')) return fc.constantFrom('2592000s', '7776000s', '1s')
    if (format === 'int64') return fc.bigInt().map(String)
    return fc.oneof(fc.string(), fc.constantFrom('10.0.0.0/8', 'x', 'displayName', '2zzzzzzzzzzzzzzzzzzzzzzzzzz'))
  }
  return fc.oneof({ weight: 4, arbitrary: right() }, { weight: 1, arbitrary: anything })
}
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const objectOf = (properties: Schemas, depth: number): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueOf(each, depth)])), {
        requiredKeys: [],
      }),
      fc.boolean(),
    )
    .map(([value, isSnake]) =>
      isSnake ? Object.fromEntries(Object.entries(value).map(([name, each]) => [snake(name), each])) : value,
    )

const messageOf = (of: Message<Fields>): fc.Arbitrary<unknown> =>
  objectOf(Object.fromEntries(Object.entries(of.fields).map(([name, shape]) => [name, shape.schema])), 0)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const encodeAll = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed()).slice(0, 2000)
const queryText = (value: unknown): string =>
  Object.entries(value as Record<string, unknown>)
    .flatMap(([name, each]) => (Array.isArray(each) ? each : [each]).map((one) => `${name}=${encodeAll(one)}`))
    .join('&')
    .slice(0, 6000)

const rawBodies = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  '{"a":1}}',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"client":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"displayName":"${'x'.repeat(300_000)}"}`,
  '{"displayName":"\\ud800"}',
  '{"pageSize":1e400}',
)

type Fuzzed = { route: Route; path: string; body: string | undefined; type: string }
const fuzzed = (of: Route): fc.Arbitrary<Fuzzed> => {
  const names = [...of.path.matchAll(/\{\w+\}/g)].map(([name]) => name)
  const parameter = fc.oneof(fc.constant('2zzzzzzzzzzzzzzzzzzzzzzzzzz'), fc.string(), nasty)
  const right = of.form ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = of.body
    ? fc.oneof(
        {
          weight: 8,
          arbitrary: messageOf(of.body).map((value) => (of.form ? queryText(value) : JSON.stringify(value))),
        },
        { weight: 1, arbitrary: rawBodies },
        { weight: 1, arbitrary: anything.map(textOf) },
      )
    : fc.constant(undefined)
  return fc
    .record({
      parameters: fc.tuple(...names.map(() => parameter)),
      query: messageOf(of.query),
      noise: fc.constantFrom('', 'page_size=abc', 'page_token=%00', 'constructor=1', 'a[b]=c', '&&=&'),
      body,
      type: fc.oneof({ weight: 20, arbitrary: fc.constant(right) }, fc.constantFrom('text/plain', 'application/xml')),
    })
    .map(({ parameters, query, noise, body: sent, type }) => ({
      route: of,
      path: `${names.reduce((path, name, i) => path.replace(name, encodeAll(parameters[i])), of.path)}?${queryText(query)}&${noise}`,
      body: sent,
      type,
    }))
}

function send({ route, path, body, type }: Fuzzed): Promise<Reply> {
  const isOfConsole = route.ownPages || route.allow === signedIn
  const asking = {
    method: route.method,
    from: newAddress(),
    ...(route.form || isOfConsole ? {} : { token }),
    ...(body !== undefined && { body, headers: { 'content-type': type } }),
  }
  if (!isOfConsole) return ask(server, path, asking)
  return (route.ownPages ? openBrowser(server) : browser).ask(path, asking)
}

/** What is wrong with the answer, or nothing. */
function wrongWith({ route, path }: Fuzzed, { status, json, text, headers }: Reply): string[] {
  if (status >= 500) return [`${status}: ${text}`]
  if (route.download && status === 200)
    return route.download.includes(headers['content-type']?.split(';')[0] ?? '')
      ? []
      : [`is ${headers['content-type']}`]
  if (headers['content-type'] !== 'application/json') return [`is ${headers['content-type']}: ${text.slice(0, 200)}`]
  if (route.redirect && status === 303) return headers.location?.startsWith('/sign-in?error=') ? [] : [text]
  if (status === 200) return misfits(schemas, route.reply.schema, json)
  // An empty parameter makes another address of it, where nothing or something else is.
  const isOther =
    status === 404 || status === 405 || path.includes('//') || !path.startsWith(route.path.split('{')[0] ?? '')
  if (route.errors && !isOther)
    return typeof json['error'] === 'string' && typeof json['error_description'] === 'string' ? [] : [text]
  return misfits(schemas, schemas['Error'] as JsonSchema, json)
}

// In `npm test` one batch for each operation; otherwise about as many in all, however many operations there are.
const requestsInAll = 60_000
const atOnce = 20

describe('nothing that is sent to it makes a 5xx, and what it answers fits the document:', () => {
  test.each(routes.map((route) => [route.id, route] as const))('%s', async (_id, route) => {
    const batch = fc.array(fuzzed(route), { minLength: atOnce, maxLength: atOnce })
    const property = fc.asyncProperty(batch, async (requests) => {
      const wrong = await Promise.all(requests.map(async (each) => wrongWith(each, await send(each))))
      expect(wrong.flat()).toEqual([])
    })
    const numRuns = Math.max(1, Math.ceil(requestsInAll / atOnce / routes.length))
    await fc.assert(property, { numRuns })
  })
})

test('nor does a time at the end of all times make a 5xx', async () => {
  for (const time of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59Z'])
    for (const field of ['since', 'until']) {
      const apart = await startServer({ beside: server })
      const reply = await ask(apart, '/api/v1/systemlog/events', { token, body: { [field]: time } })
      await apart.stop()
      expect(reply.status, `${field} ${time}`).toBeLessThan(500)
    }
})

test('and nothing of it was a bug in the log', () => {
  expect(server.logged.filter((line) => line['level'] === 'error')).toEqual([])
})
