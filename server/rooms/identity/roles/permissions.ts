import { type Permission, permissions } from '#authority/permissions.ts'
import type { Actor } from '#kernel/routes.ts'

const all = Object.keys(permissions) as Permission[]
const reads = all.filter((permission) => permission.endsWith('.read'))

/**
 * The roles that every tenant has from the beginning, and what each permits. A person may do what any of their roles
 * permits.
 */
export const builtInRoles = {
  'system:owner': {
    displayName: 'Super Administrator',
    permissions: all,
    serviceRoles: [
      'role/c1.api.tenant.v1.Tenant:owner',
      'role/c1.api.auth.v1.Auth:owner',
      'role/c1.api.app.v1.Apps:owner',
      'role/c1.api.app.v1.AppEntitlements:owner',
    ],
  },
  'system:viewer': {
    displayName: 'Read-Only Administrator',
    permissions: reads,
    serviceRoles: [
      'role/c1.api.tenant.v1.Tenant:viewer',
      'role/c1.api.auth.v1.Auth:viewer',
      'role/c1.api.app.v1.Apps:viewer',
      'role/c1.api.app.v1.AppEntitlements:viewer',
    ],
  },
  'system:user': {
    displayName: 'Basic User',
    permissions: [
      'credentials.own.read',
      'credentials.own.write',
      'roles.read',
      'users.own.read',
      'users.own.delegate',
      'entitlements.own.read',
      'accounts.own.read',
      'grants.own.read',
      'owners.own.read',
      'profiles.own.read',
      'tasks.own.read',
      'tasks.own',
      'terms.own.read',
      'notifications.own',
      'views.own',
    ],
    // Everyone may own something, but this concerns only service principals: owners manage their credentials.
    permissionsOnOwned: ['principals.read', 'principals.write'],
  },
  'system:helpdesk': {
    displayName: 'Help Desk',
    permissions: [
      'tasks.own.read',
      'tasks.own',
      'tasks.others',
      'terms.own.read',
      'profiles.own.read',
      'users.names.read',
    ],
  },
  'system:request-admin': {
    displayName: 'Request Administrator',
    permissions: [
      'tasks.own.read',
      'tasks.own',
      'tasks.read',
      'tasks.others',
      'tasks.manage',
      'policies.read',
      'policies.write',
      'webhooks.read',
      'forms.read',
      'forms.write',
      'terms.own.read',
      'terms.read',
      'terms.write',
      'profiles.own.read',
      'profiles.read',
      'profiles.write',
      'users.names.read',
    ],
  },
  'system:application-admin': {
    displayName: 'Application Administrator',
    permissions: ['owners.own.read', 'users.names.read'],
    permissionsOnOwned: [
      'apps.read',
      'apps.write',
      'entitlements.read',
      'entitlements.write',
      'accounts.read',
      'accounts.write',
      'grants.read',
      'grants.write',
      'automations.read',
      'automations.write',
      'owners.read',
      'owners.write',
      'terms.read',
      'terms.write',
    ],
  },
  'system:system-logs-reader': {
    displayName: 'System Log Reader',
    permissions: ['systemlog.read'],
    isForApiOnly: true,
  },
} as const satisfies Record<string, BuiltIn>
type BuiltIn = {
  displayName: string
  permissions: readonly Permission[]
  /** What it permits with what a person owns, and with what that contains, in addition to `permissions`. */
  permissionsOnOwned?: readonly Permission[]
  isForApiOnly?: boolean
  /** The published names of the service roles that correspond to it; clients such as cone look for them. */
  serviceRoles?: readonly string[]
}
export type BuiltInRole = keyof typeof builtInRoles

/**
 * What everyone has: seeing your own record, requesting access, deciding what you are asked to, and having API
 * credentials.
 */
export const basicRole = 'system:user' satisfies BuiltInRole

export const isBuiltIn = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name)

/** What a role permits: defined by the program for built-in ones, by the row for others. */
export const permissionsOf = (role: { name: string; permissions: readonly string[] }): readonly string[] =>
  isBuiltIn(role.name) ? builtInRoles[role.name].permissions : role.permissions

/** The service roles of a built-in role; others have none. */
export const serviceRolesOf = ({ name }: { name: string }): readonly string[] => {
  const builtIn: BuiltIn | null = isBuiltIn(name) ? builtInRoles[name] : null
  return builtIn?.serviceRoles ?? []
}

/** Those of roles that are held in full: a scope may include a role of which its owner may do only a part. */
export const heldServiceRoles = (roles: readonly Permitting[], held: ReadonlySet<string>): string[] =>
  roles.filter((role) => permissionsOf(role).every((each) => held.has(each))).flatMap(serviceRolesOf)

type Permitting = { name: string; permissions: readonly string[] }

const permissionsOnOwnedOf = ({ name }: Permitting): readonly string[] => {
  const builtIn: BuiltIn | null = isBuiltIn(name) ? builtInRoles[name] : null
  return builtIn?.permissionsOnOwned ?? []
}

/** What a role permits that someone may not do themselves: the role that they may neither grant nor revoke. */
export function beyond(
  { permissions: own, permissionsOnOwned: onOwned }: Pick<Actor, 'permissions' | 'permissionsOnOwned'>,
  role: Permitting,
): string[] {
  const missing = permissionsOf(role).filter((each) => !own.has(each))
  const missingOnOwned = permissionsOnOwnedOf(role).filter((each) => !own.has(each) && !onOwned.has(each))
  return [...new Set([...missing, ...missingOnOwned])]
}

/** What roles permit in total; if there is a scope too, what both permit. */
export function permitted(own: readonly Permitting[], scope: readonly Permitting[] | null) {
  const sides = (scope ? [own, scope] : [own]).map((roles) => {
    const everywhere = new Set(roles.flatMap(permissionsOf))
    return { everywhere, onOwned: everywhere.union(new Set(roles.flatMap(permissionsOnOwnedOf))) }
  })
  const common = (sets: Set<string>[]): Set<string> => sets.reduce((some, each) => some.intersection(each))
  return {
    permissions: common(sides.map(({ everywhere }) => everywhere)),
    permissionsOnOwned: common(sides.map(({ onOwned }) => onOwned)),
  }
}
