import { isPlainAddress } from '#kernel/single-line.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { domainOf, insertTenant, rotateSigningKey, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { assignRole, insertBuiltInRoles } from '#rooms/identity/roles/index.ts'
import { insertUsers, isPrincipalRow } from './store.ts'

export type Founding = { domain: string; ownerEmail: string }
export type FoundingRefusal = 'DOMAIN_INVALID' | 'EMAIL_INVALID' | 'HOST_TAKEN'

// Good enough to catch a typing error; only a message sent to it proves an address.
const email = /^[^\s@]{1,64}@[^\s@]{1,255}$/

/** The first user who may do everything in a tenant. */
export async function findOwnerEmail(db: Reads, tenantId: number): Promise<string | null> {
  const [row] = await db<{ email: string }[]>`
    select u.email from users u
      join user_roles using (tenant_id, user_id) join roles r using (tenant_id, role_id)
    where u.tenant_id = ${tenantId} and r.name = 'system:owner' and u.status = 'ENABLED' and u.deleted_at is null
      and not ${isPrincipalRow(db, 'u')}
    order by u.user_id limit 1`
  return row?.email ?? null
}

/** Creates a tenant with its built-in roles and one person who may do everything in it. */
export async function foundTenant(tx: Tx, world: World, founding: Founding): Promise<Tenant | FoundingRefusal> {
  const named = domainOf(founding.domain)
  if (!named) return 'DOMAIN_INVALID'
  if (!email.test(founding.ownerEmail) || !isPlainAddress(founding.ownerEmail)) return 'EMAIL_INVALID'
  const now = world.now()
  const tenant = await insertTenant(tx, world.newId(), named.domain, named.host, now)
  if (!tenant) return 'HOST_TAKEN'
  await insertBuiltInRoles(tx, tenant.id, world)
  const owner = world.newId()
  const displayName = founding.ownerEmail.split('@', 1)[0] as string
  await insertUsers(tx, tenant.id, [{ id: owner, displayName, email: founding.ownerEmail }], now)
  await assignRole(tx, world, tenant.id, [{ id: owner, email: founding.ownerEmail }], 'system:owner')
  await rotateSigningKey(tx, world, tenant.id)
  const cause = operatorCause(tenant, 'tenant create')
  const touched = [
    { type: 'tenant', id: tenant.publicId, name: tenant.domain },
    { type: 'user', id: owner, name: displayName },
  ]
  await record(tx, world, cause, change(cause, 'create', `Created the tenant ${tenant.domain}`, touched))
  return tenant
}
