import type { ProgramSettings } from '#kernel/world.ts'

type Users = ProgramSettings['users']

/** The user for programs that only describe themselves, and whether a connector may be running as it, too. */
export const userToDescribe = (users: Users): number | null => (users === 'same' ? null : users.first)

/** The users of which each runs one connector at a time; empty if all run as the same one. */
export function ownUsersOf(users: Users): number[] {
  if (users === 'same' || users.first === users.last) return []
  return Array.from({ length: users.last - users.first }, (_, index) => users.first + 1 + index)
}
