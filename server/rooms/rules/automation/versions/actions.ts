import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef, Version } from '../automation.ts'
import { versionNotFound } from '../refuse.ts'
import { findLatestVersion, findVersion } from './store.ts'

/** A version of the rule; 0 is the latest one. */
export async function getVersion(db: Reads, call: Call, ref: EntitlementRef, number: number): Promise<Version> {
  const version =
    number === 0 ? await findLatestVersion(db, call.tenant.id, ref) : await findVersion(db, call.tenant.id, ref, number)
  if (!version) throw versionNotFound(ref, number)
  return version
}
