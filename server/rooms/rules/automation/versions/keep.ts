import type { Tx } from '#kernel/sql.ts'
import type { Version } from '../automation.ts'
import { deleteVersionsUpTo, insertVersion } from './store.ts'

/** A rule that a program saves every minute must not fill the database; nobody restores the thousandth version. */
const versionsMax = 1000

/** Keeps the version that a save wrote, and deletes the oldest if there are very many. */
export async function keepVersion(tx: Tx, tenantId: number, version: Version): Promise<void> {
  await insertVersion(tx, tenantId, version)
  if (version.version > versionsMax) await deleteVersionsUpTo(tx, tenantId, version, version.version - versionsMax)
}
