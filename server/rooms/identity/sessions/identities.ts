import type { World } from '#kernel/world.ts'
import type { MetBy } from '#rooms/foundation/systemlog/index.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findSourceLimits, sourceCheck, sourceOf } from '#rooms/identity/sources/index.ts'
import { findAuthentic } from './find.ts'
import { findPerson, type Person } from './person.ts'
import type { SessionRow } from './store.ts'

/** Everything that decides whether a session is accepted, and for what. */
export type SignedIn = {
  session: SessionRow
  user: Person
  roleIds: readonly string[]
  permissions: ReadonlySet<string>
  permissionsOnOwned: ReadonlySet<string>
  isAllowedFrom: (address: string) => boolean
}

/**
 * Who is signed in with a session at present. Not cached, as the identities of client ids are: people send few
 * requests, and so the end of a session takes effect at once, on every server.
 */
export async function findSignedIn(world: World, where: MetBy, sessionId: string): Promise<SignedIn | null> {
  const session = await findAuthentic(world, world.db, where, sessionId)
  if (!session) return null
  const [user, roles, sources] = await Promise.all([
    findPerson(world.db, where.tenant.id, session.userId, world.now()),
    listRolesOfUser(world, where.tenant.id, session.userId),
    findSourceLimits(world, world.db, where),
  ])
  const allowed = permitted(roles, null)
  const isAllowedFrom = sourceCheck(sources[sourceOf('sso', allowed)])
  return user && { session, user, roleIds: roles.map((role) => role.id), ...allowed, isAllowedFrom }
}
