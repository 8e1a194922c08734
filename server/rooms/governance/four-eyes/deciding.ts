import type { Reads } from '#kernel/sql.ts'
import { listReferred } from './store.ts'

// Saving allows references five deep.
const hopsMax = 6

/** A policy by which changes are decided, and those that it refers to. */
export async function listPoliciesOf(db: Reads, tenantId: number, policyId: string): Promise<string[]> {
  const found = new Set<string>()
  let ids = [policyId]
  for (let hop = 0; hop < hopsMax && ids.length > 0; hop++) {
    for (const id of ids) found.add(id)
    ids = await listReferred(db, tenantId, ids)
  }
  return [...found]
}
