import { type Db, type Tx, transact } from '#kernel/sql.ts'

/**
 * Fills tables with hundreds of thousands of rows in seconds: without the triggers that keep what nobody asks for there,
 * with indexes that are made afterwards, and without asking of each id whether it is one. Each takes longer than the rows.
 */
export async function fill(db: Db, tables: readonly string[], insert: (tx: Tx) => Promise<void>): Promise<void> {
  await transact(db, async (tx) => {
    await tx.unsafe('set local session_replication_role = replica; set local statement_timeout = 0')
    await tx`alter domain ksuid drop constraint ksuid_check`
    const indexes = await tx<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = any(${tables}::text[])
        and indexname not in (select conname from pg_constraint where contype in ('p', 'u'))`
    for (const { name } of indexes) await tx`drop index ${tx(name)}`
    await insert(tx)
    for (const { definition } of indexes) await tx.unsafe(definition)
    await tx`alter domain ksuid add constraint ksuid_check check (value ~ '^[0-9A-Za-z]{27}$') not valid`
  })
  for (const table of tables) await db`analyze ${db(table)}`
}
