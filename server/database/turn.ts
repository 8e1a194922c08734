import type { Db, Reserved } from '#kernel/sql.ts'

// 'bail', 2.
const lockKey = [0x6261696c, 2] as const

/** Has the schema exclusively: others that change it, such as a server that starts, wait for their turn. */
export async function inTurn<T>(db: Db, work: (connection: Reserved) => Promise<T>): Promise<T> {
  const connection = await db.reserve()
  try {
    await connection`set statement_timeout = 0`
    await connection`set lock_timeout = 0`
    await connection`select pg_advisory_lock(${lockKey[0]}::int, ${lockKey[1]}::int)`
    try {
      return await work(connection)
    } finally {
      await connection`select pg_advisory_unlock(${lockKey[0]}::int, ${lockKey[1]}::int)`
      await connection`reset statement_timeout`
      await connection`reset lock_timeout`
    }
  } finally {
    connection.release()
  }
}

/** One transaction on a connection that is held for longer. */
export async function inOne<T>(connection: Reserved, work: () => Promise<T>): Promise<T> {
  await connection`begin`
  try {
    const done = await work()
    await connection`commit`
    return done
  } catch (error) {
    await connection`rollback`.catch(() => {})
    throw error
  }
}
