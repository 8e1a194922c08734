import { may } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { findProfile, lockProfile, type Viewer } from './catalog/store.ts'
import type { Profile } from './profile.ts'
import { profileNotFound } from './refuse.ts'

export const seesAllProfiles = ({ actor }: Pick<Call, 'actor'>): boolean => may(actor, 'profiles.read')

/** The caller, if they see only some profiles; null if they see all. */
export const viewerOf = (call: Call): Viewer | null =>
  seesAllProfiles(call) ? null : { userId: call.actor.userId, at: call.now() }

/** A profile that the caller can see; for any other the response is as if it did not exist. */
export async function getProfile(db: Reads, call: Call, id: string): Promise<Profile> {
  const profile = await findProfile(db, call.tenant.id, id, viewerOf(call))
  if (!profile) throw profileNotFound(id)
  return profile
}

/** The profile, locked until the transaction ends. */
export async function keepProfile(tx: Tx, call: Call, id: string): Promise<Profile> {
  const profile = await lockProfile(tx, call.tenant.id, id)
  if (!profile) throw profileNotFound(id)
  return profile
}
