/** Every permission there is. Each operation of the route table names the one it needs. */
export const permissions = {
  'credentials.own.read': "See one's own API credentials",
  'credentials.own.write': "Make, change and delete one's own API credentials",
  'credentials.read': "See everyone's API credentials",
  'credentials.write': "Delete everyone's API credentials",
  'roles.read': 'See the roles',
  'roles.write': 'Rename roles that are not built in',
  'systemlog.read': 'Read the system log',
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
    permissions: ['credentials.own.read', 'credentials.own.write', 'roles.read'],
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
