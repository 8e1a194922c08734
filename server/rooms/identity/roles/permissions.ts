import type { Actor } from '#kernel/routes.ts'

/** Every permission there is. Each operation of the route table names the one it needs. */
export const permissions = {
  'credentials.own.read': 'See your own API credentials',
  'credentials.own.write': 'Create, change and delete your own API credentials',
  'credentials.read': "See everyone's API credentials",
  'credentials.write': "Delete everyone's API credentials",
  'roles.read': 'See the roles',
  'roles.write': 'Rename roles that are not built in',
  'roles.assign': 'Grant roles to users and revoke them, within your own permissions',
  'sessions.read': "See everyone's sessions of the console and their identities at the OpenID Connect provider",
  'sessions.write': "End everyone's sessions of the console and unlink their identities",
  'sign-in.read': 'See how people may sign in to the console',
  'sign-in.write': 'Change how people may sign in to the console',
  'organization.read': "See the organization's domains, contacts and external id for AWS",
  'organization.write': "Change the organization's domains and contacts",
  'systemlog.read': 'Read the system log',
  'systemlog.verify': 'Verify the system log',
  'exports.read': 'See exports of the system log, their files and the datasources',
  'exports.write': 'Create, change, run and delete exports of the system log',
  'users.own.read': 'See your own user',
  'users.own.delegate': 'Set a delegate who decides for you, for a limited time',
  'users.read': 'See everyone',
  'users.names.read': 'Find a person by exact email address; find by name people whom you can see by id',
  'users.write': 'Disable and enable users, and set delegates for them',
  'principals.read': 'See all service principals and their credentials, without secrets',
  'principals.write':
    'Create, change and delete service principals, and create and revoke their credentials, within your own permissions',
  'attributes.read': 'See attribute values, such as risk levels',
  'attributes.write': 'Create and delete attribute values',
  'apps.read': 'See apps, resource types and resources',
  'apps.write': 'Create, change and delete apps, resource types and resources',
  'entitlements.read': 'See entitlements',
  'entitlements.own.read':
    'See the entitlements that you have, their apps and resources, and the names of their owners',
  'entitlements.write': 'Create, change and delete entitlements',
  'accounts.own.read': 'See your own accounts',
  'accounts.read': 'See all accounts',
  'accounts.write': 'Change accounts',
  'grants.own.read': 'See your own access',
  'grants.read': "See everyone's access",
  'grants.write': 'Grant and revoke access',
  'owners.own.read': 'See what you own',
  'owners.read': 'See who owns what',
  'owners.write': 'Change who owns what',
  'automations.read': 'See automation rules, their exclusions, plans and runs',
  'automations.write': 'Create, change, run and delete automation rules and their exclusions',
  'policies.read': 'See the policies by which access is decided',
  'policies.write': 'Create, change and delete policies',
  'webhooks.read': 'See webhooks and what was sent to them',
  'webhooks.write': 'Create, change, test and delete webhooks',
  'forms.read': 'See request schemas: the forms that requesters fill in',
  'forms.write': 'Create, change, bind and delete request schemas',
  'terms.own.read': 'See the settings of requests that you can create: form and maximum duration',
  'terms.read': 'See the settings of requests: routing rules, defaults of apps and request settings',
  'terms.write': 'Change the settings of requests: routing rules, defaults of apps and request settings',
  'profiles.own.read': 'See the access profiles that are visible to you, and search what you can request',
  'profiles.read': 'See all access profiles, their visibility and automation',
  'profiles.write': 'Create, change and delete access profiles, their entries, visibility and automation',
  'four-eyes.read': 'See which kinds of change need approval',
  'four-eyes.write': 'Choose which kinds of change need approval',
  'tasks.own.read': 'See your own requests, and what is assigned to you',
  'tasks.own': 'Request access, and decide what is assigned to you',
  'tasks.read': "See everyone's tasks",
  'tasks.others': 'Request access for others',
  'tasks.manage': 'Restart, reset, skip, reassign and close tasks, and request entitlements that are not requestable',
  'directories.read': 'See directories, their tokens (without secrets) and held deactivations',
  'directories.write': 'Create, change and delete directories and their tokens, and decide held deactivations',
  'subscriptions.read': 'See subscriptions to events and their deliveries, without secrets',
  'subscriptions.write':
    'Create, change, pause, replay, test and delete subscriptions to events, if you may also read the system log',
  'imports.read': 'See past imports',
  'imports.write': 'Import records',
  'notifications.own': 'See and change which notifications you get',
  'notifications.read': 'See which notifications the organization sends, how, and their outcome',
  'notifications.write': 'Change which notifications the organization sends, and how',
  'views.own': 'Save your own views of lists, and see the shared ones',
  'views.share': 'Share saved views with everyone, and edit and delete shared ones',
  'jobs.read': 'See waiting, running and stuck jobs',
  'jobs.manage': 'Retry and delete jobs',
} as const
export type Permission = keyof typeof permissions

const all = Object.keys(permissions) as Permission[]
const reads = all.filter((permission) => permission.endsWith('.read'))

/** The roles that every tenant has from its first day, and what each permits. What a person may do is their sum. */
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
    // Of what everyone may own, only service principals: owners look after their credentials.
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
  /** What it permits with what one owns, and with what lies in that, beyond `permissions`. */
  permissionsOnOwned?: readonly Permission[]
  isForApiOnly?: boolean
  /** The published names of the roles within services that it stands for; clients such as cone look for them. */
  serviceRoles?: readonly string[]
}
export type BuiltInRole = keyof typeof builtInRoles

/** What everyone has: to see oneself, to request access, to decide what one is asked to, and to have API credentials. */
export const basicRole = 'system:user' satisfies BuiltInRole

export const isBuiltIn = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name)

/** What a role permits: the program's word for built-in ones, the row's for others. */
export const permissionsOf = (role: { name: string; permissions: readonly string[] }): readonly string[] =>
  isBuiltIn(role.name) ? builtInRoles[role.name].permissions : role.permissions

/** The service roles of a built-in role; others have none. */
export const serviceRolesOf = ({ name }: { name: string }): readonly string[] => {
  const builtIn: BuiltIn | null = isBuiltIn(name) ? builtInRoles[name] : null
  return builtIn?.serviceRoles ?? []
}

/** Those of roles that are held in full: a scope may name a role of which its owner may do only a part. */
export const heldServiceRoles = (roles: readonly Permitting[], held: ReadonlySet<string>): string[] =>
  roles.filter((role) => permissionsOf(role).every((each) => held.has(each))).flatMap(serviceRolesOf)

type Permitting = { name: string; permissions: readonly string[] }

const permissionsOnOwnedOf = ({ name }: Permitting): readonly string[] => {
  const builtIn: BuiltIn | null = isBuiltIn(name) ? builtInRoles[name] : null
  return builtIn?.permissionsOnOwned ?? []
}

/** What a role permits that someone may not do themselves: what they may neither give nor remove. */
export function beyond(
  { permissions: own, permissionsOnOwned: onOwned }: Pick<Actor, 'permissions' | 'permissionsOnOwned'>,
  role: Permitting,
): string[] {
  const missing = permissionsOf(role).filter((each) => !own.has(each))
  const missingOnOwned = permissionsOnOwnedOf(role).filter((each) => !own.has(each) && !onOwned.has(each))
  return [...new Set([...missing, ...missingOnOwned])]
}

/** What roles permit, added up; where there is a scope too, what both permit. */
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
