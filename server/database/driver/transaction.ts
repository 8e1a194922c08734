import type { Sql, Tx } from '#kernel/sql.ts'
import type { Connection } from './connection.ts'
import { mannerOf, noticed } from './notice.ts'
import { type Carrier, sqlOf } from './statement.ts'

/** A connection that one caller has exclusively. */
export const sqlOn = (connection: Connection, cancelBy: Cancel): Sql => sqlOf(alone(connection, cancelBy))

type Cancel = (text: string) => Promise<unknown>

export const alone = (connection: Connection, cancelBy: Cancel): Carrier => ({
  cancel: () => connection.cancel(cancelBy),
  run: (statement) => connection.run(statement),
  runText: (text) => connection.runText(text),
  copyIn: (text) => connection.copyIn(text),
  copyOut: (text) => connection.copyOut(text),
})

export async function inTransaction<T>(
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
    // Work that waits for something else in the meantime fails at once if the connection is lost.
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
    // Also after a rollback: those who skipped the rows that it had locked can take them now.
    if (hasChanged) onChange()
  }
}

const transactionOver = (): Error => new Error('The transaction is over.')

/**
 * Reads are sent along with BEGIN, one round trip earlier. The first write, and everything after it, waits for the
 * reply: if BEGIN failed, it would be committed on its own. The same would happen if the work had failed in the
 * meantime and ROLLBACK was sent: then it is refused.
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

/** Records whether anything that is sent writes. */
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

/** Runs work and remembers its failed statements: PostgreSQL would reply to COMMIT with ROLLBACK, and no error. */
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
