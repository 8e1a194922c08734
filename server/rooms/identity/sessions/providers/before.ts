import { isSameMac, type Seals } from '#kernel/seals.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { rowMac } from '../row-mac.ts'
import { insertProvider } from './store.ts'

/** A provider as versions before migration 76 kept it: one for each tenant, which the operator had set. */
type RowBefore = {
  issuer: string
  clientId: string
  sealedClientSecret: Buffer | null
  updatedAt: Date
  mac: Buffer | null
}

const macBefore = (seals: Seals, tenantId: number, row: RowBefore): Buffer =>
  rowMac(seals, 'oidc provider', tenantId, [row.issuer, row.clientId, row.sealedClientSecret, row.updatedAt])

const columns = (db: Reads) => db`
  issuer, client_id as "clientId", sealed_client_secret as "sealedClientSecret", updated_at as "updatedAt", mac`

/** Adds MACs to those that have none; for the one start that does so. */
export async function sealProvidersBefore(tx: Tx, seals: Seals, tenantId: number): Promise<number> {
  const rows = await tx<RowBefore[]>`
    select ${columns(tx)} from oidc_providers where tenant_id = ${tenantId} and mac is null for update`
  for (const row of rows)
    await tx`update oidc_providers set mac = ${macBefore(seals, tenantId, row)} where tenant_id = ${tenantId}`
  return rows.length
}

/** Copies providers of versions before, once for each tenant: for every start, where it mostly finds none. */
export async function moveProvidersBefore(world: World): Promise<void> {
  const tenantIds = await listTenantsWith(
    world.db,
    (after) => world.db`select tenant_id from oidc_providers where moved_at is null and tenant_id > ${after}`,
  )
  await forEachTenant(tenantIds, (tenantId) => transact(world.db, (tx) => moveOne(tx, world, tenantId)))
}

async function moveOne(tx: Tx, { seals, newId, now }: World, tenantId: number): Promise<void> {
  const [row] = await tx<RowBefore[]>`
    select ${columns(tx)} from oidc_providers where tenant_id = ${tenantId} and moved_at is null for update`
  // One that this program did not write is left where it is, and does not count.
  if (!row || !isSameMac(row.mac, macBefore(seals, tenantId, row))) return
  const { issuer, clientId, sealedClientSecret, updatedAt } = row
  await insertProvider(tx, seals, tenantId, {
    id: newId(),
    displayName: URL.parse(issuer)?.host ?? issuer,
    issuer,
    clientId,
    sealedClientSecret,
    domains: [],
    isEnabled: true,
    isOfOperator: true,
    createdAt: updatedAt,
    updatedAt,
  })
  await tx`update oidc_providers set moved_at = ${now()} where tenant_id = ${tenantId}`
}
