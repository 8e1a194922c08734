import type { World } from '#kernel/world.ts'
import { listRolesOfUser, permitted } from '#rooms/roles/index.ts'
import { findPerson, type Person } from './person.ts'
import type { KeptSession } from './session.ts'
import { findSessionBySecret } from './store.ts'

/** Everything that decides whether a session is honoured, and for what. */
export type SignedIn = {
  session: KeptSession
  user: Person
  roleIds: readonly string[]
  permissions: ReadonlySet<string>
  permissionsOnOwned: ReadonlySet<string>
}

/**
 * Who is signed in by a secret, as of now. Not remembered, as what stands behind a client id is: people ask for little,
 * and so what ends a session counts at once, on every server.
 */
export async function findSignedIn(world: World, tenantId: number, secretSha256: Buffer): Promise<SignedIn | null> {
  const session = await findSessionBySecret(world.db, tenantId, secretSha256)
  if (!session) return null
  const [user, roles] = await Promise.all([
    findPerson(world.db, tenantId, session.userId, world.now()),
    listRolesOfUser(world.db, tenantId, session.userId),
  ])
  return user && { session, user, roleIds: roles.map((role) => role.id), ...permitted(roles, null) }
}
