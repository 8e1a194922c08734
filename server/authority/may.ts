import { Refusal } from '#kernel/refusals.ts'
import type { Actor, Route } from '#kernel/routes.ts'
import type { Permission } from './permissions.ts'
import { type Action, rules } from './rules.ts'

/** The rules that require only a permission, and those that let everyone do it with what concerns themselves. */
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
 * Whether a caller may do something. A caller admitted as the owner of what a request is about has, besides their own
 * permissions, those that their roles grant to owners.
 */
export const may = ({ permissions }: Holder, action: Plain): boolean => permissions.has(permissionFor(action))

/** The same for something that belongs to one person: that person may do it too. */
export const mayOf = (actor: Pick<Actor, 'permissions' | 'userId'>, action: Personal, userId: string): boolean =>
  userId === actor.userId || actor.permissions.has(permissionFor(action))

/** Whether a caller may do something with every object, and not only with those that they own. */
export const mayEverywhere = (actor: Pick<Actor, 'permissions' | 'permissionsEverywhere'>, action: Plain): boolean =>
  everywhere(actor).has(permissionFor(action))

/** Whether a caller's roles let them do something with what they own. Which objects those are is not checked here. */
export const mayWithOwned = ({ permissionsOnOwned }: Pick<Actor, 'permissionsOnOwned'>, action: Plain): boolean =>
  permissionsOnOwned.has(permissionFor(action))

/**
 * Of some permissions, those that a caller does not have everywhere: what the holder of these may do, the caller may
 * not.
 */
export const lackingEverywhere = (
  actor: Pick<Actor, 'permissions' | 'permissionsEverywhere'>,
  permissions: ReadonlySet<string>,
): string[] => [...permissions.difference(everywhere(actor))]

/** Of some actions, the permissions for them that a caller does not have. */
export const lacking = (actor: Holder, actions: readonly Plain[]): Permission[] =>
  actions.filter((action) => !may(actor, action)).map(permissionFor)

/** `purpose` says what it is needed for, if the request itself is allowed: `, to name owners`. */
export const denied = (action: Plain, purpose = ''): Refusal => deniedFor([permissionFor(action)], purpose)

export function deniedFor(permissions: readonly Permission[], purpose = ''): Refusal {
  const permission = permissions.join(', ')
  return new Refusal('PERMISSION_DENIED', `This needs the permission ${permission}${purpose}.`, {
    metadata: { permission },
  })
}

/**
 * On what grounds a route admits a caller. `asOwner`: as an owner, with more permissions, if the request is about
 * something that they own. If it is not, `asCaller` says whether they are admitted like everyone else.
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

/** A caller with the permissions that their roles grant to owners, for a request about something that they own. */
export const asOwnerOfIt = (actor: Actor): Actor => ({
  ...actor,
  permissions: actor.permissions.union(actor.permissionsOnOwned),
  permissionsEverywhere: actor.permissions,
})

const everywhere = ({ permissions, permissionsEverywhere }: Pick<Actor, 'permissions' | 'permissionsEverywhere'>) =>
  permissionsEverywhere ?? permissions
