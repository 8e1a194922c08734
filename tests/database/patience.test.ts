import { expect, inject, test } from 'vitest'
import { openPool } from '#database/driver/pool.ts'
import { readDatabaseUrl } from '#database/url.ts'
import type { Db, Sql } from '#kernel/sql.ts'
import { later } from '../fixture/later.ts'

const long = 3_600_000
const poolWith = (patienceMs: number): Db => {
  const target = readDatabaseUrl(`postgres://bailiwick@localhost/postgres?host=${inject('socketDir')}`)
  const pool = openPool({ target, sharedMax: 4, ownMax: 4, patienceMs })
  later(() => pool.end())
  return pool
}
const pidBy = async (sql: Sql): Promise<number> =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid as number
const inTransaction = (db: Db): Promise<number> => db.begin(pidBy)

test('statements and transactions that can wait a moment are done by one connection, also where they come at once', async () => {
  const db = poolWith(long)
  const pids = [await pidBy(db), await inTransaction(db)]
  pids.push(...(await Promise.all([pidBy(db), inTransaction(db), pidBy(db), inTransaction(db), pidBy(db)])))
  expect(new Set(pids).size).toBe(1)
})

test('none waits longer for one that is held, nor behind one that waits', async () => {
  const db = poolWith(1)
  await db.begin(async (tx) => {
    const held = await pidBy(tx)
    await tx`select pg_advisory_xact_lock(139, 1)`
    const behind = db`select pg_advisory_xact_lock_shared(139, 1)`.then(() => 'let go')
    const others = await Promise.all([pidBy(db), inTransaction(db), pidBy(db), inTransaction(db)])
    expect(others).not.toContain(held)
    expect(await Promise.race([behind, pidBy(db)])).not.toBe('let go')
  })
})

test('where all are held, whoever needs one of their own waits for them, and gets one', async () => {
  const db = poolWith(1)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const holding = gates.map(({ promise }) =>
    db.begin(async (tx) => {
      const pid = await pidBy(tx)
      await promise
      return pid
    }),
  )
  const last = inTransaction(db)
  expect(await pidBy(db)).toBeGreaterThan(0)
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(holding)).toContain(await last)
})

test('who waits when the connections are closed is refused', async () => {
  const db = poolWith(long)
  const held = await db.reserve()
  const waiting = [pidBy(db), inTransaction(db)].map((each) => expect(each).rejects.toThrow('are closed'))
  await db.end()
  await Promise.all(waiting)
  held.release()
})
