import type { Reserved } from '#kernel/sql.ts'
import { hasCitus, isDistributed, listDistributed } from './citus.ts'
import { guardShards } from './guards.ts'
import { listPlaces } from './places.ts'
import { isHalfDistributed } from './put-aside.ts'
import { addForeignKey, dropForeignKey, listForeignKeys, makeDistributed } from './tables.ts'

export { hasCitus, isHalfDistributed }

/** In the transaction of a migration: if the other tables of tenants are distributed, the new ones are too. */
export async function distributeNew(connection: Reserved): Promise<void> {
  if (!(await isDistributed(connection))) return
  const there = await listDistributed(connection)
  const places = await listPlaces(connection)
  const homeless = places.find(({ place }) => place === null)
  if (homeless)
    throw new Error(
      `the table ${homeless.table} has no place on a distributed database: see server/database/distribute/places.ts`,
    )
  const isNew = ({ table, place }: (typeof places)[number]): boolean =>
    place === 'distributed' && there.get(table) !== 'distributed'
  const tables = places.filter(isNew).map(({ table }) => table)
  if (tables.length === 0) return
  const beside = [...there].find(([, kind]) => kind === 'distributed')?.[0]
  if (beside === undefined) throw new Error('no table of tenants is distributed')
  const keys = await listForeignKeys(connection, tables)
  for (const key of keys) await dropForeignKey(connection, key)
  for (const table of tables) await makeDistributed(connection, table, beside, 0)
  for (const key of keys) await addForeignKey(connection, key)
}

/** Once migrations were applied: on a distributed database, their new guards have to be on the shards too. */
export async function guardNew(connection: Reserved): Promise<void> {
  if (await isDistributed(connection)) await guardShards(connection)
}
