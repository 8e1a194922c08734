import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Page, Position } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import { findRoles, RoleMessage, viewRole } from '#rooms/identity/roles/index.ts'
import { findUsers } from './store/read.ts'
import type { User } from './user.ts'
import { UserMessage, viewUser } from './view.ts'

/** Adds a user to the neighbours, and returns their path. */
export const putUser = (expanded: Expanded, user: User): string =>
  expanded.put('user.v1.User', user.id, UserMessage.write(user))

/** Users as views, with the neighbours that the caller requests. */
export async function presentUsers(call: Call, users: readonly User[], mask: { paths: readonly string[] } | null) {
  const expanded = expansion(mask)
  const wantsRoles = expanded.wants('roleIds')
  const people = [
    ...(expanded.wants('managerIds') ? users.flatMap(({ managerIds }) => managerIds) : []),
    ...(expanded.wants('delegatedUserId') ? users.map(({ delegatedUserId }) => delegatedUserId) : []),
  ].filter((id) => id !== '')
  const [roles, neighbours] = await Promise.all([
    wantsRoles
      ? findRoles(call.db, call.tenant.id, [...new Set(users.flatMap(({ roleIds }) => roleIds))])
      : Promise.resolve([]),
    findUsers(call.db, call.tenant.id, people, call.now()),
  ])
  const roleOf = new Map(roles.map((role) => [role.id, role]))
  const userOf = new Map(neighbours.map((user) => [user.id, user]))
  const rolesPath = (ids: readonly string[]) =>
    pathOf(
      ids.flatMap((id) => {
        const role = roleOf.get(id)
        return role ? [expanded.put('iam.v1.Role', id, RoleMessage.write(viewRole(role)))] : []
      }),
    )
  const usersPath = (path: string, ids: readonly string[]) =>
    pathOf(
      expanded.wants(path)
        ? ids.flatMap((id) => {
            const user = userOf.get(id)
            return user ? [putUser(expanded, user)] : []
          })
        : [],
    )
  const views = users.map((user) =>
    viewUser(call.actor, user, {
      rolesPath: wantsRoles ? rolesPath(user.roleIds) : '',
      managersPath: usersPath('managerIds', user.managerIds),
      delegatedUserPath: usersPath('delegatedUserId', [user.delegatedUserId]),
    }),
  )
  return { views, expanded: expanded.list() }
}

/** The page of users that were read, field by field. */
export async function presentPage<U extends User>(
  call: Call,
  page: Page,
  found: readonly U[],
  positionOf: (user: U) => Position,
  mask: { paths: readonly string[] } | null,
) {
  const { list: users, nextPageToken } = page.cut(found, positionOf, (user) => user)
  const { views, expanded } = await presentUsers(call, users, mask)
  return { list: views, expanded, nextPageToken }
}

// Several neighbours are one path too: `$.expanded[0,3]`, with several selectors as in RFC 9535 section 2.5.1.
const pathOf = (places: readonly string[]): string =>
  places.length === 0 ? '' : `$.expanded[${places.map((place) => place.slice('$.expanded['.length, -1)).join(',')}]`
