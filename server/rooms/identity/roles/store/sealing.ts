import type { Tx } from '#kernel/sql.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { basicRole } from '../permissions.ts'
import { assignmentMac, type ProvenAssignment, type ProvenRole, roleMac } from '../proof.ts'

const rowsPerStatement = 1000

/**
 * Adds MACs to the roles and assignments from before MACs were introduced. Run once, at the first start after the
 * migration.
 */
export async function sealExistingRoles(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (const tenantId of await listTenantIds(tx))
    count += (await sealRoles(tx, seals, tenantId)) + (await sealAssignments(tx, seals, tenantId))
  return count
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
