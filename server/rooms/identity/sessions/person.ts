import type { Reads } from '#kernel/sql.ts'
import { findUser, isPrincipal } from '#rooms/identity/users/index.ts'

/** The owner of a session, or of one that would begin. */
export type Person = {
  id: string
  name: string
  email: string
  /** Whether they may sign in: service principals never do. */
  isEnabled: boolean
  isPrincipal: boolean
}

export async function findPerson(db: Reads, tenantId: number, userId: string, now: Date): Promise<Person | null> {
  const user = await findUser(db, tenantId, userId, now)
  return (
    user && {
      id: user.id,
      name: user.displayName,
      email: user.email,
      isEnabled: user.status === 'ENABLED' && user.deletedAt === null && !isPrincipal(user),
      isPrincipal: isPrincipal(user),
    }
  )
}
