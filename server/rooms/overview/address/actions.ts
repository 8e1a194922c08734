import { canonicalHost } from '#kernel/hosts.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { addressOf, findTenant, listHosts, type TenantHost } from '#rooms/foundation/tenants/index.ts'
import { type Use, usesOf } from './uses/decide.ts'
import { countUses } from './uses/store.ts'
import type { Named } from './uses/uses.ts'

export type Addresses = { currentHost: string; rows: TenantHost[] }

/** The names of a tenant, those that have ended too. */
export async function listAddresses(db: Reads, tenantId: number): Promise<Addresses> {
  const tenant = await findTenant(db, tenantId)
  if (!tenant) throw new Error(`there is no tenant ${tenantId}`)
  const currentHost = canonicalHost(tenant.domain)
  const rows = await listHosts(db, tenantId)
  if (rows.some(({ host }) => host === currentHost)) return { currentHost, rows }
  // A tenant that an earlier version created has a row once an address is added.
  return { currentHost, rows: [unwritten(tenant, currentHost), ...rows] }
}

const unwritten = (tenant: { id: number; domain: string; createdAt: Date }, host: string): TenantHost => ({
  host,
  tenantId: tenant.id,
  domain: tenant.domain,
  origin: '',
  createdAt: tenant.createdAt,
  reachedAt: null,
  reachedOrigin: '',
  signedInAt: null,
  replacedAt: null,
  endsAt: null,
  endedAt: null,
  certificateAt: null,
})

export async function getAddress(db: Reads, tenantId: number, given: string) {
  const { currentHost, rows } = await listAddresses(db, tenantId)
  const row = rows.find(({ host }) => host === canonicalHost(given))
  if (!row)
    throw new Refusal('ADDRESS_NOT_FOUND', `${given} is not a host name of this tenant.`, { metadata: { host: given } })
  const named: Named = { host: row.host, domain: row.domain, isFirst: row === rows[0] }
  return { row, named, currentHost, current: rows.find(({ host }) => host === currentHost) ?? row }
}

/** What depends on an address that another one replaces. */
export async function findUses(
  world: Pick<World, 'now'>,
  db: Reads,
  tenantId: number,
  host: string,
  to: string,
): Promise<Use[]> {
  const { row, named } = await getAddress(db, tenantId, host)
  return usesOf(await countUses(db, tenantId, named, world.now()), addressOf(row), to)
}

/**
 * Where the caller opened the console; null for a change that is carried out once it was approved, which no request has
 * brought: only that has no headers.
 */
export const openedBy = ({ origin, headers }: Pick<Call, 'origin' | 'headers'>): { origin: string } | null =>
  Object.keys(headers).length === 0 ? null : { origin }
