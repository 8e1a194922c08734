import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from './refusals.ts'
import type { Sql } from './statements.ts'
import { currentWork } from './work.ts'

export type { Fragment, Row, Rows, Sql } from './statements.ts'

declare const transaction: unique symbol

/** An open transaction. A function that writes takes a `Tx`, so a write cannot be sent outside one: it does not compile. */
export type Tx = Sql & {
  readonly [transaction]: true
  /** Work that can be rolled back without the rest of the transaction. */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Whether it has sent anything that writes, or locks rows to write them. A transaction id does not show this: the
   * coordinator of a distributed database needs none for what workers write.
   */
  hasWritten(): boolean
}

/** A connection that is used exclusively until it is released. */
export type Reserved = Sql & { release(): void }

/** The database, outside any transaction: it can be read, and it can begin a transaction. */
export type Db = Sql & {
  /**
   * Statements that are carried out one after the other, in the order in which they were sent, though none waits for
   * the reply to those before it: they share one connection. If it is lost, all without a reply fail. Each commits
   * separately.
   */
  readonly inOrder: Sql
  /** Statements that wake nothing, whatever they change: see wakes.ts. */
  readonly unnoticed: Unnoticed
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `options` follow `begin`, as in `isolation level repeatable read read only`. */
  begin<T>(options: string, work: (tx: Tx) => Promise<T>): Promise<T>
  reserve(): Promise<Reserved>
  /** Waits for running statements, up to this many milliseconds, then closes all connections. */
  end(graceMs?: number): Promise<void>
}

/** The same database, whose changes wake nothing. */
export type Unnoticed = Sql & Pick<Db, 'begin'>

/** For functions that only read: either will do. */
export type Reads = Db | Tx

// Class 40: the database rolled back to keep transactions apart; the same work may succeed when repeated. So may work
// that found a table changed by a newer program since the statement was prepared.
const isLostRace = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '40001' || code === '40P01' || routine === 'RevalidateCachedQuery'
}

const attemptsMax = 5

/** Runs `work` in one transaction; work that lost a race to another transaction is repeated from its start. */
export async function transact<T>(db: Db | Unnoticed, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(db, work)
    } catch (error) {
      if (!isLostRace(error)) throw error
      if (attempt === attemptsMax)
        throw new Refusal('LOST_RACE', 'The same object was being changed by another request; try again.')
    }
  }
}

/** The outcome of a transaction. `unknown`: the connection was lost while it committed. */
export type Outcome = 'committed' | 'rolled back' | 'unknown'
type OnOutcome = (outcome: Outcome) => void
const listeners = new WeakMap<Tx, OnOutcome[]>()

/** Calls back, once, with the outcome of a transaction that `transact` or `transactOnce` began. */
export function onOutcome(tx: Tx, listener: OnOutcome): void {
  const all = listeners.get(tx)
  if (all) all.push(listener)
  else listener('unknown')
}

function settle(tx: Tx | null, outcome: Outcome): void {
  const all = (tx && listeners.get(tx)) ?? []
  if (tx) listeners.delete(tx)
  for (const listener of all) listener(outcome)
}

const savepoints = new WeakMap<Db | Unnoticed, Tx>()

/** A `Db` whose transactions are savepoints of `tx`: what they do is committed with `tx`, or not at all. */
export function within(tx: Tx): Db {
  const db = Object.assign(tx, {
    begin: <T>(work: (tx: Tx) => Promise<T>) => tx.savepoint(work),
  }) as unknown as Db
  savepoints.set(db, tx)
  return db
}

/** What is done in it has the outcome of its transaction, unless only the savepoint is rolled back. */
async function inSavepoint<T>(db: Db | Unnoticed, outer: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  let begun: Tx | null = null
  try {
    const result = (await db.begin((tx) => {
      begun = tx
      listeners.set(tx, [])
      return work(tx)
    })) as T
    const inner = begun as Tx | null
    for (const listener of (inner && listeners.get(inner)) ?? []) onOutcome(outer, listener)
    return result
  } catch (error) {
    settle(begun, 'rolled back')
    throw error
  }
}

/**
 * Runs `work` in one transaction, once. An error means that nothing was committed, except `OUTCOME_UNKNOWN`, which
 * means that this is not known.
 */
export async function transactOnce<T>(db: Db | Unnoticed, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outer = savepoints.get(db)
  if (outer) return inSavepoint(db, outer, work)
  const request = currentWork()
  let begun: Tx | null = null
  let isSent = false
  let xid: Promise<string | null> | undefined
  try {
    const result = await db.begin(async (tx) => {
      begun = tx
      listeners.set(tx, [])
      const done = await work(tx)
      if (request?.isAbandoned) throw new Refusal('DATABASE_AWAY', 'The request was completed before it was committed.')
      xid = sendXid(tx)
      isSent = true
      if (request) request.commitsSent++
      return done
    })
    if (request) request.commits++
    settle(begun, 'committed')
    return result
  } catch (error) {
    // An ERROR in reply to COMMIT, such as a deferred constraint's, is a rollback. Without a reply, or with the end of
    // the connection (FATAL) in its place, the commit may have happened: PostgreSQL ends a session also after that.
    const isUndone =
      !isSent ||
      (!isLostNode(error) &&
        (isDatabaseError(error) || (request && (await isAborted(db, (await xid) ?? null))) === true))
    settle(begun, isUndone ? 'rolled back' : 'unknown')
    throw isUndone || !request ? error : outcomeUnknown(error)
  } finally {
    if (isSent && request) request.commitsSent--
  }
}

/** An error that the database itself sent, while the connection was open: its statement or transaction was not committed. */
export const isDatabaseError = (error: unknown): boolean =>
  (error as { severity?: string } | null)?.severity === 'ERROR'

/** On a cluster: the node that was called lost another in the middle of COMMIT, and may report it as an error (class 08). */
const isLostNode = (error: unknown): boolean =>
  /^(08...|CONNECTION_LOST_AT_COMMIT)$/.test((error as { code?: string } | null)?.code ?? '')

export const outcomeUnknown = (cause?: unknown): Refusal =>
  Object.assign(
    new Refusal(
      'OUTCOME_UNKNOWN',
      'The connection to the database was lost while the change was being committed, so the change may or may not have ' +
        'been made. Check whether it was, or repeat the request with the same Idempotency-Key if it had one.',
    ),
    { cause },
  )

// Sent along with COMMIT, in one write; the reply comes before COMMIT is done. Null for a transaction that wrote
// nothing.
function sendXid(tx: Tx): Promise<string | null> {
  const asked = tx<{ xid: string | null }[]>`select pg_current_xact_id_if_assigned()::text as xid`.execute()
  return asked.then(
    ([row]) => row?.xid ?? null,
    () => null,
  )
}

const askAgainMs = 100
const askForMs = 5_000

/**
 * Whether a transaction is known to have been rolled back. What PostgreSQL calls aborted was never committed. What it
 * calls committed need not be ours: after a crash the ids of transactions that left no trace are used again.
 */
async function isAborted(db: Sql, xid: string | null): Promise<boolean> {
  if (xid === null) return false
  const deadline = performance.now() + askForMs
  do {
    const status = await db<{ status: string | null; isCluster: boolean }[]>`
      select pg_xact_status(${xid}::text::xid8) as status,
        exists (select 1 from pg_extension where extname = 'citus') as "isCluster"`.then(
      // A coordinator that rolled back may have had a worker commit before.
      ([row]) => (row?.isCluster ? null : (row?.status ?? null)),
      // 22023: an id in the future, because the crash left no trace of it.
      (error: { code?: string }) => (error.code === '22023' ? 'aborted' : 'in progress'),
    )
    if (status !== 'in progress') return status === 'aborted'
    await sleep(askAgainMs)
  } while (performance.now() < deadline)
  return false
}
