import type { User } from '#rooms/identity/users/index.ts'

// The names that the room of users defines, by their types only: importing its index would load a hundred files, in each
// thread that evaluates expressions too.
const namesOf = <Name extends string>(names: Record<Name, true>): Name[] => Object.keys(names) as Name[]

export const userStatuses = namesOf<User['status']>({ UNKNOWN: true, ENABLED: true, DISABLED: true, DELETED: true })
export const userTypes = namesOf<User['type']>({
  USER_TYPE_UNSPECIFIED: true,
  USER_TYPE_SYSTEM: true,
  USER_TYPE_HUMAN: true,
  USER_TYPE_SERVICE: true,
  USER_TYPE_AGENT: true,
})
