import type { FieldViolation } from '#kernel/refusals.ts'
import type { EntitlementRef, Owners } from '#rooms/foundation/ownership/index.ts'

const slug = /^[a-z0-9][a-z0-9_-]{0,63}$/
export const slugRule = 'must have 1 to 64 characters of a-z, 0-9, _ and -, and begin with a letter or a digit'

/** A role must be named: a default would replace the owners of a role that the caller did not mean. */
export const roleProblem = (field: string, roleSlug: string): FieldViolation | null =>
  slug.test(roleSlug) ? null : { field, description: roleSlug === '' ? `must be given: it ${slugRule}` : slugRule }

export const refsMax = 1000

/** What is wrong with a list of owners, before they are looked up. */
export function ownersProblems({ userIds, entitlements }: Owners): FieldViolation[] {
  const count = userIds.length + entitlements.length
  return count > refsMax
    ? [{ field: 'userRefs', description: `must have at most ${refsMax} items, together with appEntitlementRefs` }]
    : []
}

/** Removes duplicates. */
export const distinct = ({ userIds, entitlements }: Owners): Owners => ({
  userIds: [...new Set(userIds)],
  entitlements: [...new Map(entitlements.map((ref) => [`${ref.appId} ${ref.id}`, ref])).values()],
})

/** The object of a request, by the parts of its key in the path. */
export type Named = {
  app: string
  entitlement?: string
  resourceType?: string
  resource?: string
  account?: string
  connector?: string
}

/** What a user can own to act on an object: the object itself, or what it is in. */
export type Level = 'app' | 'resource' | 'entitlement' | 'connector'

/** Whether someone may act on an object as its owner. `seen`: they own it, but this requires owning what it is in. */
export function standing(named: Named, owned: ReadonlySet<Level>, fromAbove: boolean): 'owner' | 'seen' | 'unseen' {
  const itself = named.entitlement ? 'entitlement' : named.resource ? 'resource' : named.connector ? 'connector' : null
  const isAbove = [...owned].some((level) => level !== (itself ?? (isApp(named) ? 'app' : null)))
  if (isAbove || (owned.size > 0 && !fromAbove)) return 'owner'
  return owned.size > 0 ? 'seen' : 'unseen'
}

const isApp = ({ entitlement, resourceType, account, connector }: Named): boolean =>
  !entitlement && !resourceType && !account && !connector

export const inWords = ({ appId, id }: EntitlementRef): string => `${id} of the app ${appId}`
