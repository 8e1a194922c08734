import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { described, message, nested, text } from '#kernel/wire.ts'
import { presentUsers } from '../present.ts'
import type { User } from '../user.ts'
import { UserView } from '../view.ts'
import { changeStatus, giveRole, takeRole } from './actions.ts'

/** Forgets what is remembered of a user's credentials: a change takes effect at once on the server where it was made. */
export type ForgetUser = (call: Call, userId: string) => Promise<void>

const reason = described(text({ maxLength: 1_000 }), 'Why, or the number of a ticket; kept in the system log.')

const viewReply = (name: string) => message(name, { userView: nested(UserView), expanded: expandedField })

/** Operations of administrators about what users may do here. */
export function administerUsers(forget: ForgetUser): Route[] {
  const change = async (call: Call, userId: string, work: (tx: Tx) => Promise<User>) => {
    const user = await transact(call.db, work)
    await forget(call, userId)
    const { views, expanded } = await presentUsers(call, [user], null)
    return { userView: views[0] ?? null, expanded }
  }
  return [
    route({
      id: 'user.v1.UserRoles.Add',
      at: 'POST /api/v1/users/{user_id}/roles/{role_id}',
      summary: 'Grant a user a role, by its id or name. The caller must have all permissions of the role.',
      rule: 'roles.assign',
      body: message('user.v1.UserRolesAddRequest', {}),
      reply: viewReply('user.v1.UserRolesAddResponse'),
      handle: (call, { path }) => change(call, path.user_id, (tx) => giveRole(tx, call, path.user_id, path.role_id)),
    }),
    route({
      id: 'user.v1.UserRoles.Remove',
      at: 'DELETE /api/v1/users/{user_id}/roles/{role_id}',
      summary: 'Revoke a role from a user. The caller must have all permissions of the role.',
      rule: 'roles.assign',
      body: message('user.v1.UserRolesRemoveRequest', {}),
      reply: viewReply('user.v1.UserRolesRemoveResponse'),
      handle: (call, { path }) => change(call, path.user_id, (tx) => takeRole(tx, call, path.user_id, path.role_id)),
    }),
    route({
      id: 'user.v1.UserStatus.Disable',
      at: 'POST /api/v1/users/{user_id}/disable',
      summary: 'Disable a user: sessions end, and API credentials are refused until the user is enabled again.',
      rule: 'users.change-status',
      body: message('user.v1.UserStatusDisableRequest', { reason }),
      reply: viewReply('user.v1.UserStatusDisableResponse'),
      handle: (call, { path, body }) =>
        change(call, path.user_id, (tx) => changeStatus(tx, call, path.user_id, 'DISABLED', body.reason.trim())),
    }),
    route({
      id: 'user.v1.UserStatus.Enable',
      at: 'POST /api/v1/users/{user_id}/enable',
      summary: 'Enable a user who was disabled.',
      rule: 'users.change-status',
      body: message('user.v1.UserStatusEnableRequest', { reason }),
      reply: viewReply('user.v1.UserStatusEnableResponse'),
      handle: (call, { path, body }) =>
        change(call, path.user_id, (tx) => changeStatus(tx, call, path.user_id, 'ENABLED', body.reason.trim())),
    }),
  ]
}
