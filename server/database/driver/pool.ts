import type { Db, Reserved, Row, Rows, Sql, Tx } from '#kernel/sql.ts'
import { Connection, type Target } from './connection.ts'
import { type Built, type Carrier, sqlOf } from './statement.ts'

export type PoolOptions = {
  target: Target
  /** Of those that single statements share. */
  sharedMax: number
  /** Of those that transactions have for themselves. */
  ownMax: number
  /** How long statements wait, while there are few connections, for one of those rather than for a new one. Not at all, unless said. */
  patienceMs?: number
  lives?: Partial<Lives>
  /** Called after rows were changed, when the change is committed, or was taken back. */
  onChange?: () => void
}

/** How long connections are kept: unused, at most, and how often that is looked at. */
export type Lives = { idleMs: number; ageMaxMs: number; sweepMs: number }

/** A statement that has not been answered for so long holds up those behind it: they go elsewhere, if they can. */
const slowMs = 25
/** With so many connections, statements share them rather than open more. */
const pipelinesMin = 4

type Waiter = { take(connection: Connection): void; refuse(error: Error): void }

// Backends keep what they prepared, and the memory of their largest statement: they go when they are idle or old.
const usualLives: Lives = { idleMs: 60_000, ageMaxMs: 30 * 60_000, sweepMs: 10_000 }

/** Connections to one database: single statements share some, in pipelines; each transaction has one for itself. */
export function openPool({ target, sharedMax, ownMax, patienceMs = 0, lives, onChange = () => {} }: PoolOptions): Db {
  const { idleMs, ageMaxMs, sweepMs }: Lives = { ...usualLives, ...lives }
  const shared = new Set<Connection>()
  /** Old ones that are given nothing more: under load they are never without a statement, and would stay for good. */
  const leaving = new Set<Connection>()
  const own = new Set<Connection>()
  /** At most one: by it statements are carried out in the order in which they were sent. */
  const line = new Set<Connection>()
  const idle: Connection[] = []
  const waiters: Waiter[] = []
  let isEnded = false

  const open = (set: Set<Connection>): Connection => {
    const connection = new Connection(target, (lost) => {
      set.delete(lost)
      leaving.delete(lost)
      const place = idle.indexOf(lost)
      if (place >= 0) idle.splice(place, 1)
      if (set === own) handOver()
    })
    set.add(connection)
    return connection
  }

  /**
   * An idle one; else a new one, while there are few; else the one with the least before it. Those whose oldest statement
   * takes long, such as one that waits for a lock, do not count: what comes behind it would wait for it.
   */
  const choose = (): Connection => {
    if (isEnded) throw ended()
    const now = performance.now()
    let quick: Connection | undefined
    let any: Connection | undefined
    for (const each of shared) {
      if (each.inFlight === 0) return each
      if (now - each.busySince <= slowMs && each.inFlight < (quick?.inFlight ?? Number.POSITIVE_INFINITY)) quick = each
      if (each.inFlight < (any?.inFlight ?? Number.POSITIVE_INFINITY)) any = each
    }
    if (quick && shared.size >= pipelinesMin) return quick
    if (!any || shared.size < sharedMax) return open(shared)
    return quick ?? any
  }

  const lineNow = (): Connection => {
    if (isEnded) throw ended()
    const [current] = line
    return current ?? open(line)
  }

  const take = async (): Promise<Connection> => {
    if (isEnded) throw ended()
    const ready = idle.pop()
    if (ready) return ready
    const isWorthAMoment = patienceMs > 0 && own.size > 0 && own.size < Math.min(pipelinesMin, ownMax)
    const soon = isWorthAMoment ? await givenBack(patienceMs) : null
    if (soon) return soon
    if (isEnded) throw ended()
    return own.size < ownMax ? open(own) : ((await givenBack(null)) as Connection)
  }

  /** The next one that is given back, or nothing after that long. */
  const givenBack = (mostMs: number | null): Promise<Connection | null> => {
    if (isEnded) return Promise.reject(ended())
    const { promise, resolve, reject } = Promise.withResolvers<Connection | null>()
    const waiter = { take: resolve, refuse: reject }
    waiters.push(waiter)
    if (mostMs === null) return promise
    const timer = setTimeout(() => {
      const place = waiters.indexOf(waiter)
      if (place >= 0) waiters.splice(place, 1)
      resolve(null)
    }, mostMs)
    return promise.finally(() => clearTimeout(timer))
  }

  /**
   * A new session takes PostgreSQL some 20 ms of CPU time and a megabyte or two before it has read of the catalog what it needs:
   * what one that is there answers sooner needs none.
   */
  const runPatiently = async (statement: Built): Promise<Rows<Row[]>> => {
    const isShared = shared.size >= pipelinesMin || [...shared].some(({ inFlight }) => inFlight === 0)
    const isReady = idle.length > 0 || own.size === 0
    const connection = isReady ? await take() : isShared ? null : await givenBack(patienceMs)
    if (!connection) return choose().runAlone(statement)
    try {
      return await connection.runAlone(statement)
    } finally {
      giveBack(connection)
    }
  }

  // One was lost, so that whoever waits may open another.
  const handOver = (): void => {
    if (own.size < ownMax) waiters.shift()?.take(open(own))
  }

  const giveBack = (connection: Connection): void => {
    if (connection.isLost) return
    if (connection.cancelling) {
      const { cancelling } = connection
      connection.cancelling = null
      void cancelling.then(() => giveBack(connection))
      return
    }
    if (isEnded || performance.now() - connection.openedAt > ageMaxMs) {
      own.delete(connection)
      void connection.close(1_000)
      handOver()
      return
    }
    const next = waiters.shift()
    if (next) next.take(connection)
    else idle.push(connection)
  }

  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [place, each] of [...shared].entries()) {
      const isIdle = place > 0 && each.inFlight === 0 && now - each.usedAt >= idleMs
      // One after the other: for as long as it takes, there is one connection more than there may be.
      const isOld = leaving.size === 0 && now - each.openedAt >= ageMaxMs
      if (!isIdle && !isOld) continue
      shared.delete(each)
      leaving.add(each)
    }
    // Not while something is under way: what follows must come after it.
    for (const each of line) {
      if (each.inFlight > 0 || (now - each.usedAt < idleMs && now - each.openedAt < ageMaxMs)) continue
      line.delete(each)
      leaving.add(each)
    }
    for (const each of [...leaving]) {
      if (each.inFlight > 0) continue
      leaving.delete(each)
      void each.close(1_000)
    }
    // The one that was used last is at the end: those that a burst needed come to the front.
    const last = idle.at(-1)
    for (const each of [...idle]) {
      const isIdle = each !== last && now - each.usedAt >= idleMs
      if (!isIdle && now - each.openedAt < ageMaxMs) continue
      idle.splice(idle.indexOf(each), 1)
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
  // By a connection that is shared, and so always there.
  const cancelBy = (text: string): Promise<unknown> => choose().runText(text)

  const unnoticed: Carrier = {
    run: patienceMs > 0 ? runPatiently : async (statement: Built): Promise<Rows<Row[]>> => choose().runAlone(statement),
    runText: (text) => oneOff((connection) => connection.runText(text)),
    cancel() {
      throw new TypeError('Only a statement of a transaction can be cancelled: others share its connection.')
    },
    copyIn: async (text) => streamed(await take(), (connection) => connection.copyIn(text), giveBack),
    copyOut: async (text) => streamed(await take(), (connection) => connection.copyOut(text), giveBack),
  }

  const carrier = noticed(unnoticed, onChange)
  const inOrder = noticed({ ...unnoticed, run: async (statement) => lineNow().run(statement) }, onChange)

  const beginning =
    (onTransaction: () => void) =>
    async <T>(first: string | ((tx: Tx) => Promise<T>), second?: (tx: Tx) => Promise<T>): Promise<T> => {
      const [how, work] = typeof first === 'string' ? [first, second as (tx: Tx) => Promise<T>] : ['', first]
      const connection = await take()
      try {
        return await inTransaction(connection, how, work, { cancelBy, onChange: onTransaction })
      } finally {
        giveBack(connection)
      }
    }

  return Object.assign(sqlOf(carrier), {
    inOrder: sqlOf(inOrder),
    unnoticed: Object.assign(sqlOf(unnoticed), { begin: beginning(() => {}) }),
    begin: beginning(onChange),
    async reserve(): Promise<Reserved> {
      const connection = await take()
      let hasChanged = false
      const noteChange = (): void => {
        hasChanged = true
      }
      return Object.assign(sqlOf(noticed(alone(connection, cancelBy), noteChange)), {
        release() {
          giveBack(connection)
          if (hasChanged) onChange()
        },
      })
    },
    async end(graceMs = 5_000): Promise<void> {
      isEnded = true
      clearInterval(sweep)
      for (const each of waiters.splice(0)) each.refuse(ended())
      await Promise.all([...shared, ...leaving, ...own, ...line].map((connection) => connection.close(graceMs)))
    },
  })
}

const ended = (): Error =>
  Object.assign(new Error('The connections to the database are closed.'), { code: 'CONNECTION_ENDED' })

/** The connection of whoever has it for himself. */
export const sqlOn = (connection: Connection, cancelBy: Cancel): Sql => sqlOf(alone(connection, cancelBy))

type Cancel = (text: string) => Promise<unknown>

const alone = (connection: Connection, cancelBy: Cancel): Carrier => ({
  cancel: () => connection.cancel(cancelBy),
  run: (statement) => connection.run(statement),
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

async function inTransaction<T>(
  connection: Connection,
  how: string,
  work: (tx: Tx) => Promise<T>,
  { cancelBy, onChange }: { cancelBy: Cancel; onChange: () => void },
): Promise<T> {
  const begun = connection.begin(how)
  const standing = { isOver: false }
  let hasChanged = false
  const noteChange = (): void => {
    hasChanged = true
  }
  try {
    const sent = watched(noticed(behind(begun, standing, alone(connection, cancelBy)), noteChange))
    // Whoever waits for something else in the middle of it is told at once that the connection is gone.
    const result = await connection.unlessLost(noted(sent, connection, work))
    await begun
    await connection.commit()
    return result
  } catch (error) {
    standing.isOver = true
    if (!connection.isLost) await connection.runText('rollback').catch(() => connection.destroy())
    throw error
  } finally {
    connection.isInTransaction = false
    // Also after a rollback: whoever passed over the rows that it held can have them now.
    if (hasChanged) onChange()
  }
}

const writesForm = /\b(?:insert|update|delete|merge|truncate|copy)\b/i

// The same but for rows that are only locked.
const changesForm = /(?<!\bfor (?:no key )?)\b(?:insert|update|delete|merge|truncate|copy)\b/i

type Manner = { writes: boolean; changes: boolean }
const manners = new Map<string, Manner>()
const mannersMax = 1_000

/** What a statement does, as its text tells. Most come again. */
function mannerOf(text: string): Manner {
  const known = manners.get(text)
  if (known) return known
  const manner = { writes: writesForm.test(text), changes: changesForm.test(text) }
  if (manners.size === mannersMax) manners.clear()
  manners.set(text, manner)
  return manner
}

/** Tells of statements that changed rows. What matched none changed nothing. */
function noticed(carrier: Carrier, onChange: () => void): Carrier {
  const note = <R extends { readonly count: number }>(text: string, rows: R): R => {
    if (rows.count > 0 && mannerOf(text).changes) onChange()
    return rows
  }
  return {
    ...carrier,
    run: async (statement) => note(statement.text, await carrier.run(statement)),
    async runText(text) {
      // Of several statements only the last one is counted.
      const rows = await carrier.runText(text)
      if (mannerOf(text).changes) onChange()
      return rows
    },
    async copyIn(text) {
      const stream = await carrier.copyIn(text)
      stream.once('close', onChange)
      return stream
    },
  }
}

const transactionOver = (): Error => new Error('The transaction is over.')

/**
 * What reads is sent along with BEGIN, one round trip earlier. What writes, and all after it, waits for the answer: if BEGIN
 * failed, it would be committed by itself. So it would if the work was given up meanwhile and ROLLBACK was sent: then it is refused.
 */
function behind(begun: Promise<unknown>, standing: { isOver: boolean }, carrier: Carrier): Carrier {
  let isBegun = false
  let isHeld = false
  begun.then(
    () => {
      isBegun = true
    },
    () => {},
  )
  const inTurn = async <R>(isRead: boolean, send: () => Promise<R>): Promise<R> => {
    isHeld ||= !isRead
    if (!isBegun && isHeld) {
      await begun
      if (standing.isOver) throw transactionOver()
    }
    const answer = send()
    if (isBegun) return answer
    const [read] = await Promise.all([answer, begun])
    return read
  }
  return {
    cancel: () => carrier.cancel(),
    run: (statement) => inTurn(!mannerOf(statement.text).changes, () => carrier.run(statement)),
    runText: (text) => inTurn(false, () => carrier.runText(text)),
    copyIn: (text) => inTurn(false, () => carrier.copyIn(text)),
    copyOut: (text) => inTurn(false, () => carrier.copyOut(text)),
  }
}

type Watched = Carrier & { hasWritten(): boolean }

/** Knows whether anything that is sent writes. */
function watched(carrier: Carrier): Watched {
  let hasWritten = false
  const note = (text: string): void => {
    hasWritten ||= mannerOf(text).writes
  }
  return {
    cancel: () => carrier.cancel(),
    run(statement) {
      note(statement.text)
      return carrier.run(statement)
    },
    runText(text) {
      note(text)
      return carrier.runText(text)
    },
    copyIn(text) {
      note(text)
      return carrier.copyIn(text)
    },
    copyOut: (text) => carrier.copyOut(text),
    hasWritten: () => hasWritten,
  }
}

/** Does work whose failed statements are not forgotten: PostgreSQL would answer COMMIT with ROLLBACK, and no error. */
async function noted<T>(carrier: Watched, connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  let isOver = false
  let failure: { error: unknown } | null = null
  const note = async <R>(answer: () => Promise<R>): Promise<R> => {
    if (isOver) throw transactionOver()
    try {
      return await answer()
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  const sql = sqlOf({
    cancel: () => carrier.cancel(),
    run: (statement) => note(() => carrier.run(statement)),
    runText: (text) => note(() => carrier.runText(text)),
    copyIn: (text) => note(() => carrier.copyIn(text)),
    copyOut: (text) => note(() => carrier.copyOut(text)),
  })
  const tx = Object.assign(sql, {
    savepoint: <R>(inner: (tx: Tx) => Promise<R>): Promise<R> => inSavepoint(carrier, connection, inner),
    hasWritten: () => carrier.hasWritten(),
  }) as Tx
  try {
    const result = await work(tx)
    if (failure) throw (failure as { error: unknown }).error
    return result
  } finally {
    isOver = true
  }
}

let savepoints = 0

async function inSavepoint<T>(carrier: Watched, connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  const name = `point_${++savepoints}`
  await connection.runText(`savepoint ${name}`)
  try {
    const result = await noted(carrier, connection, work)
    await connection.runText(`release savepoint ${name}`)
    return result
  } catch (error) {
    if (!connection.isLost) await connection.runText(`rollback to savepoint ${name}`)
    throw error
  }
}
