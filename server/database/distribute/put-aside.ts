import type { Sql } from '#kernel/sql.ts'
import type { ForeignKey } from './tables.ts'

/**
 * Foreign keys that were dropped for the duration of a distribution, in a table that exists only while one is running.
 * While it exists the database is incomplete, and no server starts on it.
 */
const name = 'distribution_foreign_keys'

export async function isHalfDistributed(db: Sql): Promise<boolean> {
  const [row] = await db<{ isThere: boolean }[]>`select to_regclass(${name}) is not null as "isThere"`
  return row?.isThere === true
}

export const isPutAsideTable = (table: string): boolean => table === name

export async function beginPuttingAside(tx: Sql): Promise<void> {
  await tx`
    create table if not exists ${tx(name)} (
      table_name text not null,
      name text not null,
      referenced text not null,
      definition text not null,
      primary key (table_name, name)
    )`
}

export async function putAside(tx: Sql, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name: key, referenced, definition } of keys)
    await tx`
      insert into ${tx(name)} (table_name, name, referenced, definition)
      values (${table}, ${key}, ${referenced}, ${definition})`
}

export const listPutAside = (db: Sql): Promise<ForeignKey[]> => db<ForeignKey[]>`
  select table_name as table, name, referenced, definition from ${db(name)} order by table_name, name`

export async function takeBack(tx: Sql, key: ForeignKey): Promise<void> {
  await tx`delete from ${tx(name)} where table_name = ${key.table} and name = ${key.name}`
}

export async function endPuttingAside(tx: Sql): Promise<void> {
  await tx`drop table if exists ${tx(name)}`
}
