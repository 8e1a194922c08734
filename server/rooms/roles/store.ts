import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type BuiltInRole, builtInRoles } from './permissions.ts'

export type Role = {
  id: string
  name: string
  displayName: string
  permissions: string[]
  createdAt: Date
  updatedAt: Date
}

const columns = (db: Reads) => db`
  role_id as id, name, display_name as "displayName", permissions, created_at as "createdAt", updated_at as "updatedAt"`

export async function insertBuiltInRoles(tx: Tx, tenantId: number, { newId, now }: World): Promise<void> {
  const at = now()
  const rows = Object.entries(builtInRoles).map(([name, { displayName }]) => ({
    tenant_id: tenantId,
    role_id: newId(),
    name,
    display_name: displayName,
    created_at: at,
    updated_at: at,
  }))
  await tx`insert into roles ${tx(rows)}`
}

export async function assignRole(
  tx: Tx,
  tenantId: number,
  userIds: string[],
  role: BuiltInRole,
  at: Date,
): Promise<void> {
  await tx`
    insert into user_roles (tenant_id, user_id, role_id, granted_at)
    select ${tenantId}, user_id, role_id, ${at}
    from roles, unnest(${userIds}::text[]) as user_id
    where tenant_id = ${tenantId} and name = ${role}
    on conflict do nothing`
}

/** These roles and no others; what a user has had all along is left as it is. */
export async function replaceRolesOfUser(
  tx: Tx,
  tenantId: number,
  userId: string,
  roleIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    delete from user_roles
    where tenant_id = ${tenantId} and user_id = ${userId} and not role_id = any(${roleIds as string[]}::text[])`
  await tx`
    insert into user_roles (tenant_id, user_id, role_id, granted_at)
    select ${tenantId}, ${userId}, role_id, ${at} from unnest(${roleIds as string[]}::text[]) as role_id
    on conflict do nothing`
}

export async function listRoles(db: Reads, tenantId: number, page: Pick<Page, 'after' | 'limit'>): Promise<Role[]> {
  return db<Role[]>`
    select ${columns(db)} from roles
    where tenant_id = ${tenantId} and role_id > ${page.after?.[0] ?? ''}
    order by role_id limit ${page.limit}`
}

export async function findRoles(db: Reads, tenantId: number, roleIds: readonly string[]): Promise<Role[]> {
  return db<Role[]>`
    select ${columns(db)} from roles
    where tenant_id = ${tenantId} and role_id = any(${roleIds as string[]}::text[])`
}

/** By id or by name: `system:viewer` and the like are how people speak of them. */
export async function findRole(db: Reads, tenantId: number, idOrName: string): Promise<Role | null> {
  const [row] = await db<Role[]>`
    select ${columns(db)} from roles
    where tenant_id = ${tenantId} and (role_id = ${idOrName} or name = ${idOrName})`
  return row ?? null
}

export async function listRolesOfUser(db: Reads, tenantId: number, userId: string): Promise<Role[]> {
  return db<Role[]>`
    select ${columns(db)} from roles
    where tenant_id = ${tenantId}
      and role_id in (select role_id from user_roles where tenant_id = ${tenantId} and user_id = ${userId})
    order by role_id`
}

export async function updateRoleName(
  tx: Tx,
  tenantId: number,
  id: string,
  displayName: string,
  at: Date,
): Promise<void> {
  await tx`
    update roles set display_name = ${displayName}, updated_at = ${at}
    where tenant_id = ${tenantId} and role_id = ${id}`
}
