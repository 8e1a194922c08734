import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { claimHost } from './hosts/store.ts'

export type Tenant = {
  id: number
  publicId: string
  domain: string
  createdAt: Date
  /** Empty if it follows from the domain. */
  origin: string
  /** Host names, with their ports, that work beside the current one. */
  otherDomains: string[]
}
/** A tenant, as a request to one of its host names finds it. */
export type TenantAt = Tenant & { movesTo?: string }

/** Of `tenants t left join tenant_hosts c`, which may lack names of tenants that earlier versions created. */
const columns = (db: Reads): Fragment => db`
  t.tenant_id as id, t.public_id as "publicId", t.domain, t.created_at as "createdAt",
  coalesce(c.origin, '') as origin,
  array(
    select o.domain from tenant_hosts o
    where o.tenant_id = t.tenant_id and o.host <> t.host and o.ended_at is null
      and (o.replaced_at is not null or o.reached_at is not null)
    order by o.created_at, o.host
  ) as "otherDomains"`
const joined = (db: Reads): Fragment =>
  db`tenants t left join tenant_hosts c on c.host = t.host and c.tenant_id = t.tenant_id`

/** By its current host name, or by another one that has not ended. */
export async function findTenantByHost(db: Reads, host: string): Promise<TenantAt | null> {
  const [row] = await db<(Tenant & { isReplaced: boolean })[]>`
    select ${columns(db)}, t.host <> ${host} and coalesce(h.replaced_at is not null, false) as "isReplaced"
    from ${joined(db)} left join tenant_hosts h on h.host = ${host} and h.tenant_id = t.tenant_id
    where t.tenant_id in (
      select tenant_id from tenants where host = ${host}
      union all select tenant_id from tenant_hosts where host = ${host} and ended_at is null)
    order by t.host = ${host} desc limit 1`
  if (!row) return null
  const { isReplaced, ...tenant } = row
  return isReplaced && tenant.origin !== '' ? { ...tenant, movesTo: tenant.origin } : tenant
}

export async function findTenant(db: Reads, id: number): Promise<Tenant | null> {
  const [row] = await db<Tenant[]>`select ${columns(db)} from ${joined(db)} where t.tenant_id = ${id}`
  return row ?? null
}

/** Null if the host already belongs to another tenant, also as one of its other names. */
export async function insertTenant(
  tx: Tx,
  publicId: string,
  domain: string,
  host: string,
  now: Date,
): Promise<Tenant | null> {
  const [row] = await tx<{ id: number }[]>`
    insert into tenants (public_id, domain, host, created_at) values (${publicId}, ${domain}, ${host}, ${now})
    on conflict (host) do nothing
    returning tenant_id as id`
  if (!row) return null
  if (await claimHost(tx, row.id, { domain, host, origin: '' }, now)) return findTenant(tx, row.id)
  // Nothing refers to it yet.
  await tx`delete from tenants where tenant_id = ${row.id}`
  return null
}

const tenantsMax = 10_000

export async function listTenants(db: Reads): Promise<Tenant[]> {
  return db<Tenant[]>`select ${columns(db)} from ${joined(db)} order by t.tenant_id limit ${tenantsMax}`
}

/** The current name: its domain and its host. Locked until the transaction ends: of two changes at once, the second waits. */
export async function lockTenant(tx: Tx, id: number): Promise<{ domain: string; host: string; createdAt: Date }> {
  const [row] = await tx<{ domain: string; host: string; createdAt: Date }[]>`
    select domain, host, created_at as "createdAt" from tenants where tenant_id = ${id} for no key update`
  if (!row) throw new Error(`there is no tenant ${id}`)
  return row
}

export async function updateName(
  tx: Tx,
  id: number,
  { domain, host }: { domain: string; host: string },
): Promise<void> {
  await tx`update tenants set domain = ${domain}, host = ${host} where tenant_id = ${id}`
}
