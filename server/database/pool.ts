import type { Db, Reserved, Row, Rows, Sql, Tx } from '#kernel/sql.ts'
import { Connection, type Target } from './connection.ts'
import { type Built, type Carrier, sqlOf } from './statement.ts'

export type PoolOptions = {
  target: Target
  /** Of those that single statements share. */
  sharedMax: number
  /** Of those that transactions have for themselves. */
  ownMax: number
}

/** A statement that has not been answered for so long holds up those behind it: they go elsewhere, if they can. */
const slowMs = 25
// Backends keep what they prepared, and the memory of their largest statement: they go when they are idle or old.
const idleMs = 60_000
const ageMaxMs = 30 * 60_000
const sweepMs = 10_000

/** Connections to one database: single statements share some, in pipelines; each transaction has one for itself. */
export function openPool({ target, sharedMax, ownMax }: PoolOptions): Db {
  const shared = new Set<Connection>()
  const own = new Set<Connection>()
  const idle: Connection[] = []
  const waiters: ((connection: Connection) => void)[] = []
  let isEnded = false

  const open = (set: Set<Connection>): Connection => {
    const connection = new Connection(target, set === shared, (lost) => {
      set.delete(lost)
      const place = idle.indexOf(lost)
      if (place >= 0) idle.splice(place, 1)
      if (set === own) handOver()
    })
    set.add(connection)
    return connection
  }

  /** An idle one; else a new one; else the one with the least before it. */
  const choose = (): Connection => {
    if (isEnded) throw ended()
    const now = performance.now()
    let best: Connection | undefined
    let bestCost = Number.POSITIVE_INFINITY
    for (const each of shared) {
      if (each.inFlight === 0) return each
      const cost = each.inFlight + (now - each.busySince > slowMs ? 1_000 : 0)
      if (cost < bestCost) {
        best = each
        bestCost = cost
      }
    }
    return best === undefined || shared.size < sharedMax ? open(shared) : best
  }

  const take = (): Promise<Connection> => {
    if (isEnded) return Promise.reject(ended())
    const ready = idle.pop()
    if (ready) return Promise.resolve(ready)
    if (own.size < ownMax) return Promise.resolve(open(own))
    return new Promise((resolve) => waiters.push(resolve))
  }

  // One was lost, so that whoever waits may open another.
  const handOver = (): void => {
    if (own.size < ownMax) waiters.shift()?.(open(own))
  }

  const giveBack = (connection: Connection): void => {
    if (connection.isLost) return
    if (isEnded || performance.now() - connection.openedAt > ageMaxMs) {
      own.delete(connection)
      void connection.close(1_000)
      handOver()
      return
    }
    const next = waiters.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  const sweep = setInterval(() => {
    const now = performance.now()
    for (const each of [...shared].slice(1)) {
      if (each.inFlight > 0 || (now - each.usedAt < idleMs && now - each.openedAt < ageMaxMs)) continue
      shared.delete(each)
      void each.close(1_000)
    }
    // The one that was used last is at the end: those that a burst needed come to the front.
    while (idle.length > 1 && now - (idle[0]?.usedAt ?? now) > idleMs) {
      const each = idle.shift() as Connection
      own.delete(each)
      void each.close(1_000)
    }
  }, sweepMs).unref()

  const oneOff = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await take()
    try {
      return await work(connection)
    } finally {
      giveBack(connection)
    }
  }
  const carrier: Carrier = {
    run: async (statement: Built): Promise<Rows<Row[]>> => choose().run(statement),
    runText: (text) => oneOff((connection) => connection.runText(text)),
    copyIn: async (text) => streamed(await take(), (connection) => connection.copyIn(text), giveBack),
    copyOut: async (text) => streamed(await take(), (connection) => connection.copyOut(text), giveBack),
  }

  return Object.assign(sqlOf(carrier), {
    async begin<T>(first: string | ((tx: Tx) => Promise<T>), second?: (tx: Tx) => Promise<T>): Promise<T> {
      const [how, work] = typeof first === 'string' ? [first, second as (tx: Tx) => Promise<T>] : ['', first]
      const connection = await take()
      try {
        return await inTransaction(connection, how, work)
      } finally {
        giveBack(connection)
      }
    },
    async reserve(): Promise<Reserved> {
      const connection = await take()
      return Object.assign(sqlOn(connection), { release: () => giveBack(connection) })
    },
    async end(graceMs = 5_000): Promise<void> {
      isEnded = true
      clearInterval(sweep)
      await Promise.all([...shared, ...own].map((connection) => connection.close(graceMs)))
    },
  })
}

const ended = (): Error =>
  Object.assign(new Error('The connections to the database are closed.'), { code: 'CONNECTION_ENDED' })

/** The connection of whoever has it for himself. */
export const sqlOn = (connection: Connection): Sql => sqlOf(alone(connection))

const alone = (connection: Connection): Carrier => ({
  run: (statement) => connection.runInTurn(statement),
  runText: (text) => connection.runText(text),
  copyIn: (text) => connection.copyIn(text),
  copyOut: (text) => connection.copyOut(text),
})

async function streamed<S extends { once(event: 'close', then: () => void): unknown }>(
  connection: Connection,
  begin: (connection: Connection) => Promise<S>,
  giveBack: (connection: Connection) => void,
): Promise<S> {
  try {
    const stream = await begin(connection)
    stream.once('close', () => giveBack(connection))
    return stream
  } catch (error) {
    giveBack(connection)
    throw error
  }
}

async function inTransaction<T>(connection: Connection, how: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  let isOver = false
  let failure: { error: unknown } | null = null
  // PostgreSQL answers COMMIT with ROLLBACK once a statement failed, also where somebody caught the error.
  const noting = async <R>(answer: () => Promise<R>): Promise<R> => {
    if (isOver) throw new Error('The transaction is over.')
    try {
      return await answer()
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  const carrier = alone(connection)
  const tx = sqlOf({
    run: (statement) => noting(() => carrier.run(statement)),
    runText: (text) => noting(() => carrier.runText(text)),
    copyIn: (text) => noting(() => carrier.copyIn(text)),
    copyOut: (text) => noting(() => carrier.copyOut(text)),
  }) as Tx
  await connection.runText(`begin ${how}`)
  try {
    // Whoever waits for something else in the middle of it is told at once that the connection is gone.
    const result = await Promise.race([
      work(tx),
      connection.whenLost.then((error) => {
        throw error
      }),
    ])
    isOver = true
    if (failure) throw (failure as { error: unknown }).error
    await connection.runText('commit')
    return result
  } catch (error) {
    isOver = true
    if (!connection.isLost) await connection.runText('rollback').catch(() => connection.destroy())
    throw error
  }
}
