import { isSameMac } from '#kernel/seals.ts'
import type { World } from '#kernel/world.ts'
import { type ForgedRow, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { basicRole, permitted } from './permissions.ts'
import { assignmentMac, roleMac } from './proof.ts'
import { type AssignedRole, findRolesWithMac, listAssignedRoles, type Role, type RoleWithMac } from './store.ts'

type Checking = Pick<World, 'seals'>

const isRoleProven = ({ seals }: Checking, tenantId: number, role: RoleWithMac): boolean =>
  isSameMac(role.mac, roleMac(seals, tenantId, role))

/** Whether an assignment was made by this program. Basic User, which every imported user has, needs no proof. */
export function isAssignmentProven({ seals }: Checking, tenantId: number, role: AssignedRole): boolean {
  if (role.name === basicRole) return true
  const { userId, id, grantedAt, assignedEmail } = role
  if (assignedEmail === null) return false
  const right = assignmentMac(seals, tenantId, { userId, roleId: id, grantedAt, email: assignedEmail })
  return isSameMac(role.assignmentMac, right)
}

/** The roles that a user has, without those that were not written by this program. */
async function provenRoles(world: World, tenantId: number, userId: string): Promise<AssignedRole[]> {
  const proven: AssignedRole[] = []
  for (const role of await listAssignedRoles(world.db, tenantId, userId)) {
    const forged: ForgedRow | null = !isRoleProven(world, tenantId, role)
      ? { type: 'role', id: role.id, userId: '' }
      : !isAssignmentProven(world, tenantId, role)
        ? { type: 'role assignment', id: role.id, userId }
        : null
    if (forged) await reportForged(world, tenantId, forged)
    else proven.push(role)
  }
  return proven
}

const plain = ({ id, name, displayName, permissions, createdAt, updatedAt }: Role): Role => ({
  id,
  name,
  displayName,
  permissions,
  createdAt,
  updatedAt,
})

export const listRolesOfUser = async (world: World, tenantId: number, userId: string): Promise<Role[]> =>
  (await provenRoles(world, tenantId, userId)).map(plain)

/** What the roles of a user permit, without a scope. */
export const permittedIn = (world: World, tenantId: number) => async (userId: string) =>
  permitted(await listRolesOfUser(world, tenantId, userId), null)

/** The roles of a scope, without those that were not written by this program. */
export async function findProvenRoles(world: World, tenantId: number, roleIds: readonly string[]): Promise<Role[]> {
  const proven: Role[] = []
  for (const role of await findRolesWithMac(world.db, tenantId, roleIds)) {
    if (isRoleProven(world, tenantId, role)) proven.push(plain(role))
    else await reportForged(world, tenantId, { type: 'role', id: role.id, userId: '' })
  }
  return proven
}

/**
 * The email address that a user had when they were granted more than the role Basic User; null if they have no more. It
 * is protected by the MAC of the assignment. A sign-in by email address as someone with such a role must use this one:
 * an attacker who writes to the database can change the one in `users`. An empty one belongs to nobody. For Super
 * Administrators it is the address of that role: other roles are granted without approval, after the address was changed.
 */
export async function findAssignedEmail(world: World, tenantId: number, userId: string): Promise<string | null> {
  const roles = (await provenRoles(world, tenantId, userId)).filter(({ name }) => name !== basicRole)
  const newest = roles.toSorted((a, b) => b.grantedAt.getTime() - a.grantedAt.getTime())[0]
  return (roles.find(({ name }) => name === administrators) ?? newest)?.assignedEmail ?? null
}

/** Since when a user is a Super Administrator; null where they are not. */
export async function administratorSince(world: World, tenantId: number, userId: string): Promise<Date | null> {
  const roles = await provenRoles(world, tenantId, userId)
  return roles.find(({ name }) => name === administrators)?.grantedAt ?? null
}
const administrators = 'system:owner'
