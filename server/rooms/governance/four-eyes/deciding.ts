import type { Reads } from '#kernel/sql.ts'
import { listReferred } from './store.ts'

// Policies can be saved with references up to five deep.
const hopsMax = 6

/** A policy that decides changes, and those that it refers to. */
export async function listPoliciesOf(db: Reads, tenantId: number, policyId: string): Promise<string[]> {
  const found = new Set<string>()
  let ids = [policyId]
  for (let hop = 0; hop < hopsMax && ids.length > 0; hop++) {
    for (const id of ids) found.add(id)
    ids = await listReferred(db, tenantId, ids)
  }
  return [...found]
}
