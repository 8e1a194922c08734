import type { May } from '#authority/proof.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import {
  beyond,
  deleteAssignment,
  findProvenRoles,
  findRole,
  insertAssignment,
  listRolesOfUser,
  type Role,
} from '#rooms/identity/roles/index.ts'
import { holdUser, refuseWithoutOwner, setStatus } from '../actions.ts'
import type { User } from '../user.ts'

/** Grants a user a role in addition to those that they have. Does nothing if they have it already. */
export async function giveRole(tx: Tx, call: May<'roles.assign'>, userId: string, role: string): Promise<User> {
  const user = await holdUser(tx, call, call, userId)
  const given = await getRoleToGive(call, role)
  refuseBeyond(call, [given])
  const has = await listRolesOfUser(call, call.tenant.id, userId)
  if (has.some(({ id }) => id === given.id)) return user
  await insertAssignment(tx, call, user, given.id)
  await recordRoleChange(tx, call, user, given, `Granted ${user.displayName} the role ${given.displayName}`)
  return { ...user, roleIds: [...new Set([...user.roleIds, given.id])].toSorted() }
}

/** Revokes a role of a user, whoever granted it. Does nothing if they do not have it. */
export async function takeRole(tx: Tx, call: May<'roles.assign'>, userId: string, role: string): Promise<User> {
  const user = await holdUser(tx, call, call, userId)
  const taken = await findRole(tx, call.tenant.id, role)
  if (!taken) throw roleNotFound(role)
  refuseBeyond(call, [taken])
  if (!(await deleteAssignment(tx, call, userId, taken.id))) return user
  await refuseWithoutOwner(tx, call, call.tenant.id)
  await recordRoleChange(tx, call, user, taken, `Revoked the role ${taken.displayName} from ${user.displayName}`)
  return { ...user, roleIds: user.roleIds.filter((id) => id !== taken.id) }
}

/** Enables or disables a user; the caller must have all permissions of the user. */
export async function changeStatus(
  tx: Tx,
  call: May<'users.change-status' | 'users.edit'>,
  userId: string,
  status: 'ENABLED' | 'DISABLED',
  reason = '',
): Promise<User> {
  const user = await holdUser(tx, call, call, userId)
  if (status === 'DISABLED' && userId === call.actor.userId)
    throw new Refusal('CANNOT_DISABLE_SELF', 'You cannot disable yourself; another administrator can.')
  refuseBeyond(call, await listRolesOfUser(call, call.tenant.id, userId))
  await setStatus(tx, call, causeOf(call), userId, { status, reason })
  return { ...user, status }
}

/** A role that this program wrote: what any other one would permit is unknown. */
async function getRoleToGive(call: Call, idOrName: string): Promise<Role> {
  const role = await findRole(call.db, call.tenant.id, idOrName)
  const [proven] = role ? await findProvenRoles(call, call.tenant.id, [role.id]) : []
  if (!proven) throw roleNotFound(idOrName)
  return proven
}

const roleNotFound = (id: string): Refusal =>
  new Refusal('ROLE_NOT_FOUND', `There is no role ${id}.`, { metadata: { roleId: id } })

/** Nobody grants or revokes a role, or disables or enables a user, with more permissions than their own. */
function refuseBeyond({ actor }: Call, roles: readonly Role[]): void {
  for (const role of roles) {
    const missing = beyond(actor, role)
    if (missing.length > 0)
      throw new Refusal(
        'PERMISSION_DENIED',
        `The role ${role.displayName} permits more than you may do: ${missing.join(', ')}.`,
        { metadata: { roleId: role.id, permission: missing.join(',') } },
      )
  }
}

async function recordRoleChange(tx: Tx, call: Call, user: User, role: Role, message: string): Promise<void> {
  const data = { roleId: role.id, roleName: role.name, before: user.roleIds }
  const touched = { type: 'user', id: user.id, name: user.displayName, data }
  await record(tx, call, call, alert(causeOf(call), 'update', message, [touched]))
}
