import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant, listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { type BuiltInRole, basicRole, builtInRoles } from '../permissions.ts'
import { assignmentMac, type ProvenAssignment, type ProvenRole, roleMac } from '../proof.ts'

const rowsPerStatement = 1000

/** Puts MACs on the roles and assignments of before there were any. Run once, at the first start after the migration. */
export async function sealExistingRoles(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (const tenantId of await listTenantIds(tx))
    count += (await sealRoles(tx, seals, tenantId)) + (await sealAssignments(tx, seals, tenantId))
  return count
}

/** Roles that came with a newer program than a tenant was made by. Several servers may do so at once. */
export async function seedBuiltInRoles(world: World): Promise<void> {
  const names = Object.keys(builtInRoles) as BuiltInRole[]
  await forEachTenant(await listTenantIds(world.db), async (tenantId) => {
    const rows = await world.db<{ name: string }[]>`
      select name from roles where tenant_id = ${tenantId} and name = any(${names}::text[])`
    const known = new Set(rows.map(({ name }) => name))
    const missing = names.filter((name) => !known.has(name))
    if (missing.length > 0) await transact(world.db, (tx) => insertMissing(tx, world, tenantId, missing))
  })
}

async function insertMissing(tx: Tx, world: World, tenantId: number, names: readonly BuiltInRole[]): Promise<void> {
  const at = world.now()
  for (const name of names) {
    const role = { id: world.newId(), name, permissions: [] }
    await tx`
      insert into roles (tenant_id, role_id, name, display_name, permissions, created_at, updated_at, mac)
      values (${tenantId}, ${role.id}, ${name}, ${builtInRoles[name].displayName}, '{}', ${at}, ${at},
        decode(${roleMac(world.seals, tenantId, role).toString('hex')}, 'hex'))
      on conflict (tenant_id, name) do nothing`
  }
}

async function sealRoles(tx: Tx, seals: World['seals'], tenantId: number): Promise<number> {
  const roles = await tx<ProvenRole[]>`
    select role_id as id, name, permissions from roles where tenant_id = ${tenantId} and mac is null`
  for (let from = 0; from < roles.length; from += rowsPerStatement) {
    const some = roles.slice(from, from + rowsPerStatement)
    await tx`
      update roles r set mac = decode(s.mac, 'hex')
      from unnest(
        ${some.map(({ id }) => id)}::text[],
        ${some.map((role) => roleMac(seals, tenantId, role).toString('hex'))}::text[]
      ) as s (role_id, mac)
      where r.tenant_id = ${tenantId} and r.role_id = s.role_id`
  }
  return roles.length
}

async function sealAssignments(tx: Tx, seals: World['seals'], tenantId: number): Promise<number> {
  const assignments = await tx<ProvenAssignment[]>`
    select a.user_id as "userId", a.role_id as "roleId", a.granted_at as "grantedAt", u.email
    from user_roles a
    join roles r on r.tenant_id = ${tenantId} and r.role_id = a.role_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where a.tenant_id = ${tenantId} and a.mac is null and r.name <> ${basicRole}`
  for (let from = 0; from < assignments.length; from += rowsPerStatement) {
    const some = assignments.slice(from, from + rowsPerStatement)
    await tx`
      update user_roles a set assigned_email = s.email, mac = decode(s.mac, 'hex')
      from unnest(
        ${some.map(({ userId }) => userId)}::text[],
        ${some.map(({ roleId }) => roleId)}::text[],
        ${some.map(({ email }) => email)}::text[],
        ${some.map((each) => assignmentMac(seals, tenantId, each).toString('hex'))}::text[]
      ) as s (user_id, role_id, email, mac)
      where a.tenant_id = ${tenantId} and a.user_id = s.user_id and a.role_id = s.role_id`
  }
  return assignments.length
}
