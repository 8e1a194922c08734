import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Seals } from '#kernel/seals.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type BuiltInRole, builtInRoles } from './permissions.ts'
import { assignmentMac, type ProvenAssignment, roleMac } from './proof.ts'

export type Role = {
  id: string
  name: string
  displayName: string
  permissions: string[]
  createdAt: Date
  updatedAt: Date
}

const columns = (db: Reads, of = 'roles') => {
  const r = db(of)
  return db`
    ${r}.role_id as id, ${r}.name, ${r}.display_name as "displayName", ${r}.permissions, ${r}.created_at as "createdAt",
    ${r}.updated_at as "updatedAt"`
}

export type RoleWithMac = Role & { mac: Buffer | null }
export type AssignedRole = RoleWithMac & {
  userId: string
  grantedAt: Date
  assignedEmail: string | null
  assignmentMac: Buffer | null
}
export type NewRole = { id: string; name: string; displayName: string; permissions: readonly string[] }

export async function insertRoles(
  tx: Tx,
  { now, seals }: Pick<World, 'now' | 'seals'>,
  tenantId: number,
  roles: readonly NewRole[],
): Promise<void> {
  const at = now()
  const rows = roles.map((role) => ({
    tenant_id: tenantId,
    role_id: role.id,
    name: role.name,
    display_name: role.displayName,
    permissions: role.permissions as string[],
    created_at: at,
    updated_at: at,
    mac: roleMac(seals, tenantId, role),
  }))
  await tx`insert into roles ${tx(rows)} on conflict (tenant_id, name) do nothing`
}

/** The program defines what a built-in role permits: its row has no permissions. Existing ones stay unchanged. */
export const insertBuiltInRoles = (tx: Tx, tenantId: number, world: World): Promise<void> =>
  insertRoles(
    tx,
    world,
    tenantId,
    Object.entries(builtInRoles).map(([name, { displayName }]) => ({
      id: world.newId(),
      name,
      displayName,
      permissions: [],
    })),
  )

export async function countBuiltInRoles(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from roles
    where tenant_id = ${tenantId} and name = any(${Object.keys(builtInRoles)}::text[])`
  return row?.count ?? 0
}

type Person = { id: string; email: string }
type Assignment = ProvenAssignment & { mac: Buffer }

const assignment = (seals: Seals, tenantId: number, of: ProvenAssignment): Assignment => ({
  ...of,
  mac: assignmentMac(seals, tenantId, of),
})

/** Assigns a built-in role to people, in addition to the roles that they have. */
export async function assignRole(
  tx: Tx,
  { now, seals }: Pick<World, 'now' | 'seals'>,
  tenantId: number,
  people: readonly Person[],
  role: BuiltInRole,
): Promise<void> {
  const at = now()
  const roleId = (await findRole(tx, tenantId, role))?.id
  if (roleId === undefined) throw new Error(`the tenant has no role ${role}`)
  await putAssignments(
    tx,
    tenantId,
    people.map(({ id, email }) => assignment(seals, tenantId, { userId: id, roleId, grantedAt: at, email })),
  )
}

/** One role in addition to those that a user has, with their present email address. */
export async function insertAssignment(
  tx: Tx,
  { now, seals, tenant: { id: tenantId } }: May<'roles.assign'>,
  { id: userId, email }: Person,
  roleId: string,
): Promise<void> {
  await putAssignments(tx, tenantId, [assignment(seals, tenantId, { userId, roleId, grantedAt: now(), email })])
}

/** Whether they had it, whoever assigned it. */
export async function deleteAssignment(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'roles.assign'>,
  userId: string,
  roleId: string,
): Promise<boolean> {
  const { count } = await tx`
    delete from user_roles where tenant_id = ${tenantId} and user_id = ${userId} and role_id = ${roleId}`
  return count > 0
}

/** These roles and no others, with the user's present email address; the times of existing assignments stay unchanged. */
export async function replaceRolesOfUser(
  tx: Tx,
  { now, seals }: Pick<World, 'now' | 'seals'>,
  tenantId: number,
  { id: userId, email }: Person,
  roleIds: readonly string[],
): Promise<void> {
  await tx`
    delete from user_roles
    where tenant_id = ${tenantId} and user_id = ${userId} and not role_id = any(${roleIds}::text[])`
  const kept = await listAssignedRoles(tx, tenantId, userId)
  const since = new Map(kept.map(({ id, grantedAt }) => [id, grantedAt]))
  await putAssignments(
    tx,
    tenantId,
    roleIds.map((roleId) =>
      assignment(seals, tenantId, { userId, roleId, grantedAt: since.get(roleId) ?? now(), email }),
    ),
  )
}

/** Assigns the role of basic users to those without a role: `users` selects (user_id). */
export async function addBasicRole(tx: Tx, tenantId: number, users: Fragment, at: Date): Promise<void> {
  await tx`
    insert into user_roles (tenant_id, user_id, role_id, granted_at)
    select ${tenantId}, x.user_id, o.role_id, ${at}
    from (${users}) x
    join roles o on o.tenant_id = ${tenantId} and o.name = 'system:user'
    left join user_roles h on h.tenant_id = ${tenantId} and h.user_id = x.user_id
    where h.user_id is null`
}

async function putAssignments(tx: Tx, tenantId: number, assignments: readonly Assignment[]): Promise<void> {
  await tx`
    insert into user_roles (tenant_id, user_id, role_id, granted_at, assigned_email, mac)
    select ${tenantId}, a.user_id, a.role_id, a.granted_at, a.email, decode(a.mac, 'hex')
    from unnest(
      ${assignments.map(({ userId }) => userId)}::text[],
      ${assignments.map(({ roleId }) => roleId)}::text[],
      ${assignments.map(({ grantedAt }) => grantedAt.toISOString())}::timestamptz[],
      ${assignments.map(({ email }) => email)}::text[],
      ${assignments.map(({ mac }) => mac.toString('hex'))}::text[]
    ) as a (user_id, role_id, granted_at, email, mac)
    on conflict (tenant_id, user_id, role_id) do update set granted_at = excluded.granted_at,
      assigned_email = excluded.assigned_email, mac = excluded.mac`
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
    where tenant_id = ${tenantId} and role_id = any(${roleIds}::text[])`
}

/** By id or by name: people use names such as `system:viewer`. */
export async function findRole(db: Reads, tenantId: number, idOrName: string): Promise<Role | null> {
  const [row] = await db<Role[]>`
    select ${columns(db)} from roles
    where tenant_id = ${tenantId} and (role_id = ${idOrName} or name = ${idOrName})`
  return row ?? null
}

export async function findRolesWithMac(
  db: Reads,
  tenantId: number,
  roleIds: readonly string[],
): Promise<RoleWithMac[]> {
  return db<RoleWithMac[]>`
    select ${columns(db)}, mac from roles
    where tenant_id = ${tenantId} and role_id = any(${roleIds}::text[])
    order by role_id`
}

/** The rows as they are: `assigned.ts` checks whether this program wrote them. */
export async function listAssignedRoles(db: Reads, tenantId: number, userId: string): Promise<AssignedRole[]> {
  return db<AssignedRole[]>`
    select ${columns(db, 'r')}, r.mac, a.user_id as "userId", a.granted_at as "grantedAt",
      a.assigned_email as "assignedEmail", a.mac as "assignmentMac"
    from user_roles a join roles r on r.tenant_id = a.tenant_id and r.role_id = a.role_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId}
    order by r.role_id`
}

export async function updateRoleName(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'roles.edit'>,
  id: string,
  displayName: string,
  at: Date,
): Promise<void> {
  await tx`
    update roles set display_name = ${displayName}, updated_at = ${at}
    where tenant_id = ${tenantId} and role_id = ${id}`
}
