import type { App, AppEntitlement, AppResource, AppUser, User } from '#client/api/types.ts'

/** Expanded objects of views, by the last word of their `@type`. */
type Kinds = {
  App: App
  AppEntitlement: AppEntitlement
  AppResource: AppResource
  AppUser: AppUser
  User: User
}
type Reply = { expanded: readonly (Record<string, unknown> | null)[] }

/** The object that a path of a view refers to, as in `$.expanded[0]`, if it was requested with the view. */
export function neighbourAt<Kind extends keyof Kinds>(
  { expanded }: Reply,
  path: string,
  kind: Kind,
): Kinds[Kind] | undefined {
  const place = /^\$\.expanded\[(\d+)\]$/.exec(path)?.[1]
  const found = place === undefined ? null : expanded[Number(place)]
  return found && String(found['@type']).endsWith(`.${kind}`) ? (found as unknown as Kinds[Kind]) : undefined
}

/** The users that came along, by id. */
export function usersIn({ expanded }: Reply): ReadonlyMap<string, User> {
  const users = expanded.filter((each) => String(each?.['@type']).endsWith('.User')) as unknown as User[]
  return new Map(users.map((user) => [user.id, user]))
}
