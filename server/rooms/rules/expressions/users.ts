import type { User } from '#rooms/identity/users/index.ts'

// The names of the room of users, by their types only: its door loads a hundred files, and each thread that evaluates
// expressions would load them too.
const namesOf = <Name extends string>(names: Record<Name, true>): Name[] => Object.keys(names) as Name[]

export const userStatuses = namesOf<User['status']>({ UNKNOWN: true, ENABLED: true, DISABLED: true, DELETED: true })
export const userTypes = namesOf<User['type']>({
  USER_TYPE_UNSPECIFIED: true,
  USER_TYPE_SYSTEM: true,
  USER_TYPE_HUMAN: true,
  USER_TYPE_SERVICE: true,
  USER_TYPE_AGENT: true,
})
