import type { Reads, Tx } from '#kernel/sql.ts'

export type Tenant = { id: number; publicId: string; domain: string; createdAt: Date }

export async function findTenantByHost(db: Reads, host: string): Promise<Tenant | null> {
  const [row] = await db<Tenant[]>`
    select tenant_id as id, public_id as "publicId", domain, created_at as "createdAt" from tenants where host = ${host}`
  return row ?? null
}

export async function findTenant(db: Reads, id: number): Promise<Tenant | null> {
  const [row] = await db<Tenant[]>`
    select tenant_id as id, public_id as "publicId", domain, created_at as "createdAt" from tenants
    where tenant_id = ${id}`
  return row ?? null
}

/** Null if the host already belongs to another tenant. */
export async function insertTenant(
  tx: Tx,
  publicId: string,
  domain: string,
  host: string,
  now: Date,
): Promise<Tenant | null> {
  const [row] = await tx<Tenant[]>`
    insert into tenants (public_id, domain, host, created_at) values (${publicId}, ${domain}, ${host}, ${now})
    on conflict (host) do nothing
    returning tenant_id as id, public_id as "publicId", domain, created_at as "createdAt"`
  return row ?? null
}

const tenantsMax = 10_000

export async function listTenants(db: Reads): Promise<Tenant[]> {
  return db<Tenant[]>`
    select tenant_id as id, public_id as "publicId", domain, created_at as "createdAt" from tenants order by tenant_id limit ${tenantsMax}`
}
