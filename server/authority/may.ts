import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Route } from '#kernel/routes.ts'
import type { Permission } from './permissions.ts'
import { type Action, rules } from './rules.ts'

/** The rules that ask for a permission alone, and those that let everyone do it with what is about themselves. */
type Asks<A extends Action, Self> = (typeof rules)[A] extends { owners: unknown } | { ownersAbove: unknown }
  ? never
  : (typeof rules)[A] extends { needs: Permission }
    ? (typeof rules)[A] extends { self: true }
      ? Self extends true
        ? A
        : never
      : Self extends true
        ? never
        : A
    : never
export type Plain = { [A in Action]: Asks<A, false> }[Action]
export type Personal = { [A in Action]: Asks<A, true> }[Action]

type Holder = Pick<Actor, 'permissions'>

export const permissionFor = (action: Plain | Personal): Permission => rules[action].needs

/**
 * Whether a caller may do something. Who was let in as the owner of what a request is about has, besides their own permissions, those
 * that their roles give to owners.
 */
export const may = ({ permissions }: Holder, action: Plain): boolean => permissions.has(permissionFor(action))

/** The same of what belongs to one person: that person may too. */
export const mayOf = (actor: Pick<Actor, 'permissions' | 'userId'>, action: Personal, userId: string): boolean =>
  userId === actor.userId || actor.permissions.has(permissionFor(action))

/** Whether a caller may do something with anything there is, and not only with what they own. */
export const mayEverywhere = (actor: Pick<Actor, 'permissions' | 'permissionsEverywhere'>, action: Plain): boolean =>
  everywhere(actor).has(permissionFor(action))

/** Whether a caller's roles let them do something with what they own: which of it is theirs is not asked here. */
export const mayWithOwned = ({ permissionsOnOwned }: Pick<Actor, 'permissionsOnOwned'>, action: Plain): boolean =>
  permissionsOnOwned.has(permissionFor(action))

/** Of some permissions, those that a caller does not have everywhere: what somebody with these may do, they may not. */
export const lackingEverywhere = (
  actor: Pick<Actor, 'permissions' | 'permissionsEverywhere'>,
  permissions: ReadonlySet<string>,
): string[] => [...permissions.difference(everywhere(actor))]

/** Of some actions, the permissions for them that a caller does not have. */
export const lacking = (actor: Holder, actions: readonly Plain[]): Permission[] =>
  actions.filter((action) => !may(actor, action)).map(permissionFor)

/** `purpose` says what it is needed for, where the request as such is allowed: `, to name owners`. */
export const denied = (action: Plain, purpose = ''): Refusal => deniedFor([permissionFor(action)], purpose)

export function deniedFor(permissions: readonly Permission[], purpose = ''): Refusal {
  const permission = permissions.join(', ')
  return new Refusal('PERMISSION_DENIED', `This needs the permission ${permission}${purpose}.`, {
    metadata: { permission },
  })
}

/**
 * How a caller stands to a route. Where `asOwner` holds, they are let in with more if what it is about is theirs; if it is not, they
 * are let in as everyone else is, if `asCaller` holds.
 */
export function standingTo(
  { permissions, permissionsOnOwned }: Pick<Actor, 'permissions' | 'permissionsOnOwned'>,
  { allow, allowOwners, about }: Pick<Route, 'allow' | 'allowOwners' | 'about'>,
): { asCaller: boolean; asOwner: boolean } {
  return {
    asCaller: permissions.has(allow),
    asOwner: about.length > 0 && !permissions.has(allowOwners) && permissionsOnOwned.has(allowOwners),
  }
}

/** Whether a caller may see, everywhere, what the owners of something may change by a route. */
export const seesOthers = ({ permissions }: Holder, { allowOwners }: Pick<Route, 'allowOwners'>): boolean =>
  permissions.has(allowOwners.replace(/\.write$/, '.read'))

/** A caller with what their roles give to owners, for a request about what is theirs. */
export const asOwnerOfIt = (actor: Actor): Actor => ({
  ...actor,
  permissions: actor.permissions.union(actor.permissionsOnOwned),
  permissionsEverywhere: actor.permissions,
})

const everywhere = ({ permissions, permissionsEverywhere }: Pick<Actor, 'permissions' | 'permissionsEverywhere'>) =>
  permissionsEverywhere ?? permissions
