/** Every permission there is. Each operation of the route table names the one it needs. */
export const permissions = {
  'credentials.own.read': "See one's own API credentials",
  'credentials.own.write': "Make, change and delete one's own API credentials",
  'credentials.read': "See everyone's API credentials",
  'credentials.write': "Delete everyone's API credentials",
  'roles.read': 'See the roles',
  'roles.write': 'Rename roles that are not built in',
  'systemlog.read': 'Read the system log',
  'users.own.read': 'See oneself',
  'users.read': 'See everyone',
  'users.write': 'Change users',
  'attributes.read': 'See attribute values, such as risk levels',
  'attributes.write': 'Make and delete attribute values',
  'apps.read': 'See apps, resource types and resources',
  'apps.write': 'Make, change and delete apps, resource types and resources',
  'entitlements.read': 'See entitlements',
  'entitlements.write': 'Make, change and delete entitlements',
  'accounts.own.read': "See one's own accounts",
  'accounts.read': 'See all accounts',
  'accounts.write': 'Change accounts',
  'grants.own.read': "See one's own access",
  'grants.read': "See everyone's access",
  'grants.write': 'Give and take access',
  'imports.read': 'See past imports',
  'imports.write': 'Import records',
} as const
export type Permission = keyof typeof permissions

const all = Object.keys(permissions) as Permission[]
const reads = all.filter((permission) => permission.endsWith('.read'))

/** The roles that every tenant has from its first day, and what each permits. What a person may do is their sum. */
export const builtInRoles = {
  'system:owner': { displayName: 'Super Administrator', permissions: all },
  'system:viewer': { displayName: 'Read-Only Administrator', permissions: reads },
  'system:user': {
    displayName: 'Basic User',
    permissions: [
      'credentials.own.read',
      'credentials.own.write',
      'roles.read',
      'users.own.read',
      'accounts.own.read',
      'grants.own.read',
    ],
  },
  'system:application-admin': { displayName: 'Application Administrator', permissions: [] },
  'system:system-logs-reader': {
    displayName: 'System Log Reader',
    permissions: ['systemlog.read'],
    isForApiOnly: true,
  },
} as const satisfies Record<string, { displayName: string; permissions: readonly Permission[]; isForApiOnly?: boolean }>
export type BuiltInRole = keyof typeof builtInRoles

export const isBuiltIn = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name)

/** What a role permits: the program's word for built-in ones, the row's for others. */
export const permissionsOf = (role: { name: string; permissions: readonly string[] }): readonly string[] =>
  isBuiltIn(role.name) ? builtInRoles[role.name].permissions : role.permissions
