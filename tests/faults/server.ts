import { writeSync } from 'node:fs'
import { anyone, route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { int32, message, text } from '#kernel/wire.ts'
import { serve } from '#server/main.ts'
import { routes } from '#server/registry/routes.ts'
import { readServeConfig } from '#server/settings/config.ts'

// The real server, with a route that writes and one that is slow; says where it listens, and stops on SIGTERM.
const Row = message('TestRow', { name: text() })
const extraRoutes = [
  route({
    id: 'test.v1.Rows.Write',
    at: 'POST /test/rows',
    summary: 'Writes a row.',
    allow: anyone,
    body: Row,
    reply: Row,
    handle: async ({ db }, { body }) => {
      await transact(db, async (tx) => {
        await tx`insert into written (name) values (${body.name})`
      })
      return body
    },
  }),
  route({
    id: 'test.v1.Rows.Sleep',
    at: 'GET /test/sleep',
    summary: 'Keeps the database busy.',
    allow: anyone,
    query: message('TestSleep', { ms: int32() }),
    reply: Row,
    handle: async ({ db }, { query }) => {
      await db`create table if not exists written (name text primary key)`
      await db`select pg_sleep(${query.ms / 1000})`
      return {}
    },
  }),
]

const flags = JSON.parse(process.argv[2] ?? '{}') as Record<string, string | boolean>
const config = readServeConfig({ port: '0', 'metrics-port': '0', empty: true, ...flags }, {})
const serving = await serve(config, undefined, { routes: [...routes, ...extraRoutes] })
process.once('SIGTERM', () => void serving.stop())
serving.guard(() => {
  process.exitCode = 70
  void serving.stop()
})
writeSync(1, `${JSON.stringify({ url: serving.url, metricsUrl: serving.metricsUrl })}\n`)
