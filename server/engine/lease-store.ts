import type { Db } from '#kernel/sql.ts'

/**
 * Takes a lease that is free, or keeps one's own; answers whether it is ours. By the database's clock alone. One that
 * ends later than any lease can end is from before that clock was set back.
 */
export async function takeLease(db: Db, name: string, owner: string, seconds: number): Promise<boolean> {
  const rows = await db`
    insert into leases as l (name, owner, until)
    values (${name}, ${owner}, clock_timestamp() + make_interval(secs => ${seconds}::float8))
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
    where l.owner = excluded.owner or l.until < clock_timestamp() or l.until > excluded.until + make_interval(secs => ${seconds}::float8)
    returning 1`
  return rows.length > 0
}

export async function endLease(db: Db, owner: string): Promise<void> {
  await db`delete from leases where owner = ${owner}`
}

/** For who knows that no other process uses this database. */
export async function endAllLeases(db: Db): Promise<void> {
  await db`delete from leases`
}
