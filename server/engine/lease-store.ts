import type { Db, Fragment } from '#kernel/sql.ts'

/** The lock that an owner with a session holds: if it is free, the owner has died. 'leas', and the number of the lease. */
export const sessionLock = (number: number) => [0x6c656173, number] as const

/** How the owner of a lease records that its session holds the lock. */
const withSession = (owner: string): string => `${owner} in session`

const isLocked = (db: Db, number: number): Fragment => db`
  exists (select 1 from pg_locks k
    where k.locktype = 'advisory' and k.classid = ${sessionLock(number)[0]}::int and k.objid = ${number}::int
      and k.objsubid = 2 and k.granted
      and k.database = (select d.oid from pg_database d where d.datname = current_database()))`

export type LeaseAsked = { name: string; number: number; owner: string; seconds: number; hasSession: boolean }

/**
 * Takes a lease that is free, or renews the owner's lease; returns whether the owner holds it. By the database's clock
 * alone. A lease that ends later than any lease can end is from before that clock was set back. A lease whose owner had a
 * session, and no longer has it, is free: the process has died. It wakes no process, because it does not mean that there is
 * work.
 */
export async function takeLease(
  db: Db,
  { name, number, owner, seconds, hasSession }: LeaseAsked,
  secondsMax: number,
): Promise<boolean> {
  const own = [owner, withSession(owner)]
  const rows = await db.unnoticed`
    insert into leases as l (name, owner, until)
    values (${name}, ${hasSession ? withSession(owner) : owner},
      clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
    where l.owner = any(${own}::text[]) or l.until < clock_timestamp()
      or l.until > clock_timestamp() + make_interval(secs => 2 * ${secondsMax}::float8)
      or (right(l.owner, 11) = ' in session' and not ${isLocked(db, number)})
    returning 1`
  return rows.length > 0
}

/** Whether another process has it: asking writes nothing. */
export async function isLeasedToOther(
  db: Db,
  { name, number, owner }: Pick<LeaseAsked, 'name' | 'number' | 'owner'>,
  secondsMax: number,
): Promise<boolean> {
  const own = [owner, withSession(owner)]
  const rows = await db`
    select 1 from leases l
    where l.name = ${name} and not l.owner = any(${own}::text[]) and l.until >= clock_timestamp()
      and l.until <= clock_timestamp() + make_interval(secs => 2 * ${secondsMax}::float8)
      and (right(l.owner, 11) <> ' in session' or ${isLocked(db, number)})`
  return rows.length > 0
}

export async function endLease(db: Db, owner: string, name: string): Promise<void> {
  await db`delete from leases where name = ${name} and owner in (${owner}, ${withSession(owner)})`
}

/** Of an owner that has exited. */
export async function endLeasesOf(db: Db, owner: string): Promise<void> {
  await db`delete from leases where owner in (${owner}, ${withSession(owner)})`
}

/** Only for callers that know that no other process uses this database. */
export async function endAllLeases(db: Db): Promise<void> {
  await db`delete from leases`
}
