import { setTimeout as sleep } from 'node:timers/promises'
import { anyone, type Route, route } from '#kernel/routes.ts'
import {
  duration,
  flag,
  int32,
  int64,
  list,
  listOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'

const Part = message('TestPart', { partName: text() })
const Whole = message('TestWhole', {
  someText: text({ maxLength: 1024 * 1024 }),
  isOn: flag(),
  count: int32(),
  bigCount: int64(),
  madeAt: timestamp(),
  lifeSpan: duration(),
  colour: oneOf(['COLOUR_UNSPECIFIED', 'COLOUR_RED']),
  freeForm: struct(),
  names: list(text()),
  part: nested(Part),
  partList: listOf(Part),
})
const Told = message('TestTold', { told: text() })

/** What a handler throws when it is asked to; read by the tests that look for it in replies and logs. */
export const thrown = { error: new Error('boom') as unknown }

/** Routes that show what every route gets for free. */
export const testRoutes: readonly Route[] = [
  route({
    id: 'test.v1.Test.Sort',
    at: 'POST /test/things/sorted',
    summary: 'Has a word where others have a parameter.',
    allow: anyone,
    reply: Told,
    handle: () => ({ told: '' }),
  }),
  route({
    id: 'test.v1.Test.Echo',
    at: 'POST /test/echo',
    summary: 'Says what it heard.',
    allow: anyone,
    // Not of strangers: their bodies are shorter.
    admits: async () => {},
    body: Whole,
    reply: Whole,
    handle: (_call, { body }) => body,
  }),
  route({
    id: 'test.v1.Test.Get',
    at: 'GET /test/things/{thing_id}',
    summary: 'Says which thing was asked for.',
    allow: anyone,
    query: message('TestQuery', { someText: text(), isOn: flag(), count: int32(), names: list(text()) }),
    reply: Whole,
    handle: (_call, { path, query }) => ({ ...query, freeForm: { thing: path.thing_id } }),
  }),
  route({
    id: 'test.v1.Test.Delete',
    at: 'DELETE /test/things/{thing_id}',
    summary: 'Says what it was told to delete.',
    allow: anyone,
    body: Told,
    reply: Told,
    handle: (_call, { body }) => body,
  }),
  route({
    id: 'test.v1.Test.Nothing',
    at: 'PUT /test/nothing',
    summary: 'Has nothing to say.',
    allow: anyone,
    reply: message('TestNothing', {}),
    handle: () => ({}),
  }),
  route({
    id: 'test.v1.Test.Fail',
    at: 'POST /test/fail',
    summary: 'Throws.',
    allow: anyone,
    reply: Told,
    handle: () => {
      throw thrown.error
    },
  }),
  route({
    id: 'test.v1.Test.Source',
    at: 'GET /test/source',
    summary: 'Says where the call came from.',
    allow: anyone,
    reply: Told,
    handle: ({ sourceAddress }) => ({ told: sourceAddress }),
  }),
  route({
    id: 'test.v1.Test.Wait',
    at: 'GET /test/wait',
    summary: 'Takes its time.',
    allow: anyone,
    query: message('TestWait', { ms: int32() }),
    reply: Told,
    handle: async (_call, { query }) => {
      await sleep(query.ms)
      return { told: 'waited' }
    },
  }),
  route({
    id: 'test.v1.Test.Ask',
    at: 'GET /test/ask',
    summary: 'Asks the database.',
    allow: anyone,
    query: message('TestAsk', { ms: int32() }),
    reply: Told,
    handle: async ({ db }, { query }) => {
      await db`select pg_sleep(${query.ms / 1000})`
      return { told: 'asked' }
    },
  }),
]
