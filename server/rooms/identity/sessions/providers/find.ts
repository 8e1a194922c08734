import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type MetBy, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { isAuthenticProvider, listProviderRows, type ProviderRow } from './store.ts'

/** The providers of a tenant that this program wrote. */
export async function listProviders(world: World, db: Reads, where: MetBy): Promise<ProviderRow[]> {
  return keepAuthentic(world, where, await listProviderRows(db, where.tenant.id))
}

export async function keepAuthentic(world: World, where: MetBy, rows: readonly ProviderRow[]): Promise<ProviderRow[]> {
  const authentic = rows.filter((row) => isAuthenticProvider(world.seals, where.tenant.id, row))
  for (const row of rows)
    if (!authentic.includes(row)) await reportForged(world, where, { type: 'OpenID Connect provider', id: row.id })
  return authentic
}

/** The one that the operator configured. */
export const findOidc = async (world: World, db: Reads, where: MetBy): Promise<ProviderRow | null> =>
  (await listProviders(world, db, where)).find(({ isOfOperator }) => isOfOperator) ?? null

export const findProvider = async (world: World, db: Reads, where: MetBy, id: string): Promise<ProviderRow | null> =>
  (await listProviders(world, db, where)).find((row) => row.id === id) ?? null
