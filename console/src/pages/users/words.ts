import type { User } from '#client/api/types.ts'

export const userTypes: Readonly<Partial<Record<User['type'], string>>> = {
  USER_TYPE_HUMAN: 'Person',
  USER_TYPE_SERVICE: 'Service',
  USER_TYPE_AGENT: 'Agent',
  USER_TYPE_SYSTEM: 'System',
}

export const userOrigins: Readonly<Partial<Record<User['origin'], string>>> = {
  USER_ORIGIN_DIRECTORY: 'Directory or import',
  USER_ORIGIN_LOCAL: 'Created in Bailiwick',
  USER_ORIGIN_SYSTEM: 'Built-in',
}
