import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#database/open.ts'
import type { Sql } from '#kernel/sql.ts'
import { neverWoken } from '#kernel/wakes.ts'
import { holdLease, type Lease } from '#server/engine/lease.ts'
import { later, until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

let made: Awaited<ReturnType<typeof makeDatabase>>
let database: Database
beforeAll(async () => {
  made = await makeDatabase()
  database = await openDatabase({ from: { url: made.url }, connectionsMax: 4 })
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

const hold = (name: string, owner: string, mayHold = () => true): Lease => {
  const lease = holdLease(database.db, { name, owner, mayHold, wakes: neverWoken })
  later(() => lease.stop())
  return lease
}

test('of several who want a lease one holds it, and when it lets go another does', async () => {
  const all = ['one', 'two', 'three'].map((owner) => hold('shared', owner))
  const held = (): Lease[] => all.filter((lease) => lease.isHeld())
  await until(() => held().length > 0)
  expect(held()).toHaveLength(1)
  const [first] = held() as [Lease]
  await first.stop()
  expect(first.isHeld()).toBe(false)
  await until(() => held().length > 0)
  expect(held()).toHaveLength(1)
})

test('a lease whose owner is gone is taken when it has ended, and not before', async () => {
  const [left] = await database.db<{ until: Date }[]>`
    insert into leases (name, owner, until) values ('left', 'gone', clock_timestamp() + interval '2 seconds') returning until`
  const ends = left?.until as Date
  const lease = hold('left', 'next')
  await until(() => lease.isHeld())
  const [row] = await database.db<{ isOver: boolean }[]>`select clock_timestamp() >= ${ends} as "isOver"`
  expect(row?.isOver).toBe(true)
})

test('a lease that ends later than any can, because the clock was set back, is taken at once', async () => {
  await database.db`
    insert into leases (name, owner, until) values ('ahead', 'gone', clock_timestamp() + interval '1 day')`
  const lease = hold('ahead', 'next')
  await until(() => lease.isHeld())
})

test('a lease whose owner had a session is taken as soon as that has ended', async () => {
  await database.db`
    insert into leases (name, owner, until)
    values ('dead', 'gone in session', clock_timestamp() + interval '29 seconds')`
  const lease = hold('dead', 'next')
  await until(() => lease.isHeld())
})

test('who holds a lease in a session is followed when the session ends, and not before', async () => {
  const open = async () => {
    const own = await openDatabase({ from: { url: made.url }, connectionsMax: 2 })
    later(() => own.close())
    const listening = own.signals.listen(quiet as never)
    later(() => listening.stop())
    await until(() => own.signals.isHearing)
    const parts = { name: 'session', mayHold: () => true, session: listening, wakes: own.signals }
    return { own, listening, hold: (owner: string) => holdLease(own.db, { ...parts, owner }) }
  }
  const [one, two] = [await open(), await open()]
  const first = one.hold('first')
  const isInSession = async () =>
    (await database.db`select 1 from leases where name = 'session' and owner = 'first in session'`).length > 0
  await until(isInSession)
  const second = two.hold('second')
  later(() => second.stop())
  // A change has it look: it sees that the first one lives.
  await database.db`insert into leases (name, owner, until) values ('other', 'x', now())`
  await until(() => two.own.signals.count > 1)
  expect([first.isHeld(), second.isHeld()]).toEqual([true, false])
  // As when it is killed: it tells nobody.
  await Promise.all([one.own.db.end(0), one.own.background.end(0), one.listening.stop()])
  await until(() => second.isHeld())
  await first.stop()
  expect(second.isHeld()).toBe(true)
})

test('who may no longer hold it lets go of it for another', async () => {
  let isInDoubt = false
  const first = hold('doubted', 'first', () => !isInDoubt)
  await until(() => first.isHeld())
  const second = hold('doubted', 'second')
  isInDoubt = true
  await until(() => second.isHeld())
  expect(first.isHeld()).toBe(false)
})

longTest('who is not answered does not believe in its lease for longer than it lasts', async () => {
  let isAnswered = true
  const { db } = database
  const silently =
    (sql: Sql) =>
    (strings: TemplateStringsArray, ...values: never[]) =>
      isAnswered ? sql(strings, ...values) : new Promise(() => {})
  const silent = Object.assign(silently(db), { unnoticed: silently(db.unnoticed) }) as unknown as typeof db
  const lease = holdLease(silent, { name: 'silent', owner: 'one', mayHold: () => true, wakes: neverWoken })
  await until(() => lease.isHeld())
  isAnswered = false
  const other = hold('silent', 'other')
  await until(() => {
    expect(lease.isHeld() && other.isHeld()).toBe(false)
    return other.isHeld()
  })
  expect(lease.isHeld()).toBe(false)
})
