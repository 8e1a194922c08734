import { registerHooks } from 'node:module'
import type Postgres from 'postgres'

/**
 * postgres.js 3.4.9 does not survive the loss of a connection inside a transaction, and we promise to: the process dies
 * (porsager/postgres#1208), or later statements of the lost transaction run inside someone else's (#1216), or the
 * connection never comes back (#1215). Install scripts are off here, so nothing patches files on disk: the few lines
 * are replaced while the module loads. The version is pinned; a text that is not found exactly once stops the start.
 */
type Replacement = readonly [before: string, after: string]

const connectionPatches: readonly Replacement[] = [
  // BEGIN is sent, so its connection is reserved, also at the edge of the pipeline (#1189).
  [
    `      return write(toBuffer(q))
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))`,
    `      const ready = write(toBuffer(q)) && !q.describeFirst && !q.cursorFn && sent.length < max_pipeline
      return q.options.onexecute ? q.options.onexecute(connection) : ready`,
  ],
  // What was not written yet goes down with the socket, and does not precede the next one's startup message.
  [
    `    socket = null

    if (initial)`,
    `    socket = null
    chunk = nextWriteTimer = null

    if (initial)`,
  ],
  // A connection that is made to be reserved is handed over also where no types are read (`fetch_types: false`): without
  // this, whoever asked for it waits for ever.
  [
    `      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return`,
    `      const first = initial
      options.shared.retries = retries = 0
      if (first && first.reserve) return (initial = null, onopen(connection))
      first && execute(first)
      initial = null
      return`,
  ],
  // A COPY that fails once all of it was sent ends with its error, rather than never.
  [
    `    stream && (stream.destroy(err), stream = null)
    query`,
    `    stream && (stream.destroy(err), stream = null)
    final && (final(err), final = null)
    query`,
  ],
  // All that waited is refused, nothing of the lost session is left for the next, and \`end()\` need not wait for it.
  [
    `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    `    terminated = true
    ;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = stream = final = null
    result = new Result()
    rows = 0
    ended && (ended(), ending = ended = null)`,
  ],
]

const poolPatches: readonly Replacement[] = [
  ['Object.assign(Postgres, {\n', 'Object.assign(Postgres, {\n  survivesLostConnections: true,\n'],
  // A transaction whose connection is lost refuses what it is still given, and what it had put in line.
  [
    `    let savepoints = 0
      , connection
      , prepare = null`,
    `    let savepoints = 0
      , connection
      , lost = null
      , prepare = null`,
  ],
  [
    `        new Promise((_, reject) => connection.onclose = reject)`,
    `        new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length) queries.shift().reject(e)
          reject(e)
        })`,
  ],
  [
    `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
    `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost) return q.reject(lost)
        c.queue === full`,
  ],
  // So does a reserved connection, which is not given back once it is lost.
  [
    `    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
      c.reserved = null`,
    `    c.reserved.release = true
    let lost = null
    c.onclose = e => {
      lost = e
      while (queue.length) queue.shift().reject(e)
    }

    const sql = Sql(handler)
    sql.release = () => {
      if (lost) return
      c.onclose = null
      c.reserved = null`,
  ],
  [
    `    function handler(q) {
      c.queue === full
        ? queue.push(q)`,
    `    function handler(q) {
      if (lost) return q.reject(lost)
      c.queue === full
        ? queue.push(q)`,
  ],
]

const patches = [
  { file: '/node_modules/postgres/src/connection.js', replacements: connectionPatches },
  { file: '/node_modules/postgres/src/index.js', replacements: poolPatches },
]

function replaceOnce(source: string, [before, after]: Replacement): string {
  const parts = source.split(before)
  if (parts.length !== 2) throw new Error(`postgres.js is not the version that driver.ts repairs: ${before.trim()}`)
  return parts.join(after)
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const patch = patches.find(({ file }) => url.endsWith(file))
    if (!patch) return loaded
    return { ...loaded, source: patch.replacements.reduce(replaceOnce, Buffer.from(loaded.source as never).toString()) }
  },
})

/** The driver. Import it from here only: whoever imports `postgres` itself first gets it without the repairs. */
export const postgres: typeof Postgres = (await import('postgres')).default
hooks.deregister()

if (!('survivesLostConnections' in postgres))
  throw new Error('postgres.js was loaded before driver.ts could repair it.')
