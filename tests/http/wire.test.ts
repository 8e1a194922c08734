import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, askJson } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
})
afterAll(() => server.stop())

const echo = async (body: object): Promise<unknown> => {
  const reply = await askJson(`${server.url}/test/echo`, JSON.stringify(body))
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
  return JSON.parse(reply.text)
}

const unset = {
  someText: '',
  isOn: false,
  count: 0,
  bigCount: '0',
  madeAt: null,
  lifeSpan: null,
  colour: 'COLOUR_UNSPECIFIED',
  freeForm: null,
  names: [],
  part: null,
  partList: [],
}

test('every field is in a reply, set or not', async () => {
  expect(await echo({})).toEqual(unset)
})

test('a field is taken in either spelling, and answered in lowerCamelCase', async () => {
  const camel = {
    someText: 'ü',
    isOn: true,
    bigCount: '9007199254740991',
    madeAt: '2026-01-31T12:00:00.000Z',
    lifeSpan: '600s',
    part: { partName: 'a' },
    partList: [{ partName: 'b' }],
  }
  const snake = {
    some_text: 'ü',
    is_on: true,
    big_count: 9007199254740991,
    made_at: '2026-01-31T13:00:00+01:00',
    life_span: '600s',
    part: { part_name: 'a' },
    part_list: [{ part_name: 'b' }],
  }
  expect(await echo(camel)).toEqual({ ...unset, ...camel })
  expect(await echo(snake)).toEqual({ ...unset, ...camel })
})

test('unknown fields are ignored, and null is unset', async () => {
  const nulls = Object.fromEntries(Object.keys(unset).map((name) => [name, null]))
  expect(await echo({ ...nulls, nobody: { knows: ['this'] }, constructor: 1, toString: null })).toEqual(unset)
  const proto = await askJson(`${server.url}/test/echo`, '{"__proto__":{"someText":"x"},"isOn":true}')
  expect(JSON.parse(proto.text)).toEqual({ ...unset, isOn: true })
})

test('a query is read like a body, in either spelling', async () => {
  const get = async (query: string): Promise<unknown> =>
    JSON.parse((await ask(`${server.url}/test/things/one?${query}`)).text)
  const expected = { ...unset, someText: 'a b', isOn: true, count: 7, names: ['x', 'y'], freeForm: { thing: 'one' } }
  expect(await get('someText=a%20b&isOn=true&count=7&names=x&names=y')).toEqual(expected)
  expect(await get('some_text=a+b&is_on=true&count=7&names=x&names=y&nobody=1')).toEqual(expected)
  expect(await get('names=x')).toMatchObject({ names: ['x'] })
  expect(await get('')).toEqual({ ...unset, freeForm: { thing: 'one' } })
})

test('an operation with nothing to say answers {}', async () => {
  const reply = await ask(`${server.url}/test/nothing`, { method: 'PUT' })
  expect(reply).toMatchObject({ status: 200, text: '{}', headers: { 'content-type': 'application/json' } })
})

test('HEAD answers as GET does, without the body', async () => {
  const got = await ask(`${server.url}/test/things/one`)
  const head = await ask(`${server.url}/test/things/one`, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, text: '' })
  for (const name of ['content-type', 'content-length']) expect(head.headers[name]).toBe(got.headers[name])
})

test('no reply is to be stored or guessed at by anyone in between', async () => {
  for (const path of ['/healthz', '/test/things/one', '/nowhere', '/%ZZ', '/docs', '/api/openapi.json'])
    expect((await ask(server.url + path)).headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
})
