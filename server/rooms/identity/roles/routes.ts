import { route } from '#authority/route.ts'
import { fieldsToChange, keptIn, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { fixed, flag, list, listOf, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { builtInRoles, isBuiltIn, permissionsOf, serviceRolesOf } from './permissions.ts'
import { findRole, listRoles, type Role, updateRoleName } from './store.ts'

export const RoleMessage = message('iam.v1.Role', {
  id: readOnly(text()),
  name: readOnly(text()),
  displayName: text({ maxLength: 200 }),
  permissions: fixed(list(text())),
  serviceRoles: fixed(list(text())),
  systemBuiltin: readOnly(flag()),
  systemApiOnly: readOnly(flag()),
  createdAt: readOnly(timestamp()),
  updatedAt: readOnly(timestamp()),
  deletedAt: readOnly(timestamp()),
})

export const viewRole = (role: Role) => ({
  ...role,
  permissions: [...permissionsOf(role)],
  serviceRoles: [...serviceRolesOf(role)],
  systemBuiltin: isBuiltIn(role.name),
  systemApiOnly: isBuiltIn(role.name) && 'isForApiOnly' in builtInRoles[role.name],
  deletedAt: null,
})

async function getRole(call: Call, db: Call['db'] | Parameters<typeof updateRoleName>[0], id: string): Promise<Role> {
  const role = await findRole(db, call.tenant.id, id)
  if (!role) throw new Refusal('ROLE_NOT_FOUND', `There is no role ${id}.`, { metadata: { roleId: id } })
  return role
}

export const roleRoutes = [
  route({
    id: 'iam.v1.Roles.List',
    at: 'GET /api/v1/iam/roles',
    summary: 'List the roles.',
    rule: 'roles.read',
    paged: true,
    reply: message('iam.v1.ListRolesResponse', { list: listOf(RoleMessage), nextPageToken }),
    async handle(call, { page }) {
      return page.cut(await listRoles(call.db, call.tenant.id, page), (role) => [role.id], viewRole)
    },
  }),
  route({
    id: 'iam.v1.Roles.Get',
    at: 'GET /api/v1/iam/roles/{role_id}',
    summary: 'Get a role, by its id or its name.',
    rule: 'roles.read',
    reply: message('iam.v1.GetRolesResponse', { role: nested(RoleMessage) }),
    handle: async (call, { path }) => ({ role: viewRole(await getRole(call, call.db, path.role_id)) }),
  }),
  route({
    id: 'iam.v1.Roles.Update',
    at: 'POST /api/v1/iam/roles/{role_id}',
    summary: 'Change the display name of a role that is not built in.',
    rule: 'roles.edit',
    body: message('iam.v1.UpdateRoleRequest', { role: updatable(RoleMessage), updateMask: text() }),
    reply: message('iam.v1.UpdateRolesResponse', { role: nested(RoleMessage) }),
    handle: (call, { path, body }) =>
      transact(call.db, async (tx) => {
        const role = await getRole(call, tx, path.role_id)
        if (isBuiltIn(role.name))
          throw new Refusal('ROLE_BUILT_IN', `${role.name} is built in and cannot be changed.`, {
            metadata: { roleId: role.id },
          })
        const fields = fieldsToChange(body.role, body.updateMask, ['displayName'])
        keptIn(RoleMessage, { at: 'role', value: body.role, updateMask: body.updateMask }, viewRole(role))
        if (!fields.has('displayName')) return { role: viewRole(role) }
        const displayName = body.role?.displayName.trim() ?? ''
        if (displayName === '') throw invalid({ field: 'role.displayName', description: 'must not be empty' })
        const updatedAt = call.now()
        await updateRoleName(tx, call, role.id, displayName, updatedAt)
        const touched = { type: 'role', id: role.id, name: displayName, data: { before: role.displayName } }
        await recordChange(tx, call, 'update', `Renamed the role ${role.name}`, [touched])
        return { role: viewRole({ ...role, displayName, updatedAt }) }
      }),
  }),
]
