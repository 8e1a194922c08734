import type { Db, Reserved, Row, Rows, Tx } from '#kernel/sql.ts'
import type { Target } from './connect.ts'
import type { Connection } from './connection.ts'
import { Connections, type Lives } from './connections.ts'
import { noticed } from './notice.ts'
import { type Built, type Carrier, sqlOf } from './statement.ts'
import { alone, inTransaction } from './transaction.ts'

export type PoolOptions = {
  target: Target
  /** Connections that single statements share. */
  sharedMax: number
  /** Connections that each transaction has exclusively. */
  ownMax: number
  /**
   * How long statements wait, while there are few connections, for one of those rather than for a new one. By default,
   * not at all.
   */
  patienceMs?: number
  lives?: Partial<Lives>
  /** Called after rows were changed, when the change is committed or rolled back. */
  onChange?: () => void
}

/** Connections to one database: single statements share some, in pipelines; each transaction has one exclusively. */
export function openPool({ target, sharedMax, ownMax, patienceMs = 0, lives, onChange = () => {} }: PoolOptions): Db {
  const connections = new Connections({ target, sharedMax, ownMax, patienceMs, lives })
  const giveBack = (connection: Connection): void => connections.giveBack(connection)

  /**
   * A new session takes PostgreSQL some 20 ms of CPU time and a megabyte or two until it has read what it needs of the
   * catalog: if an open one can reply sooner, none is needed.
   */
  const runPatiently = async (statement: Built): Promise<Rows<Row[]>> => {
    const connection = connections.isOwnReady
      ? await connections.take()
      : connections.isSharedReady
        ? null
        : await connections.givenBack(patienceMs)
    if (!connection) return connections.choose().runAlone(statement)
    try {
      return await connection.runAlone(statement)
    } finally {
      giveBack(connection)
    }
  }

  const oneOff = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connections.take()
    try {
      return await work(connection)
    } finally {
      giveBack(connection)
    }
  }
  // On a shared connection, as there always is one.
  const cancelBy = (text: string): Promise<unknown> => connections.choose().runText(text)

  const unnoticed: Carrier = {
    run: patienceMs > 0 ? runPatiently : async (statement) => connections.choose().runAlone(statement),
    runText: (text) => oneOff((connection) => connection.runText(text)),
    cancel() {
      throw new TypeError('Only a statement of a transaction can be cancelled: others share its connection.')
    },
    copyIn: async (text) => streamed(await connections.take(), (connection) => connection.copyIn(text), giveBack),
    copyOut: async (text) => streamed(await connections.take(), (connection) => connection.copyOut(text), giveBack),
  }

  const carrier = noticed(unnoticed, onChange)
  const inOrder = noticed({ ...unnoticed, run: async (statement) => connections.lineNow().run(statement) }, onChange)

  const beginning =
    (onTransaction: () => void) =>
    async <T>(first: string | ((tx: Tx) => Promise<T>), second?: (tx: Tx) => Promise<T>): Promise<T> => {
      const [how, work] = typeof first === 'string' ? [first, second as (tx: Tx) => Promise<T>] : ['', first]
      const connection = await connections.take()
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
      const connection = await connections.take()
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
    end: (graceMs = 5_000) => connections.end(graceMs),
  })
}

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
