import type { By } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Definition, EntitlementRef } from '../automation.ts'
import { engineEffort } from '../effort.ts'
import { insertExclusions } from '../exclusions/store.ts'
import { matcherOf, readsOf } from '../matching/matching.ts'
import { putAutomation, replaceReads } from '../rule/store.ts'
import { keepVersion } from '../versions/keep.ts'

export type FoundingRule = {
  ref: EntitlementRef
  displayName: string
  description: string
  definition: Definition
  excluded: readonly string[]
}

/** Rules that a tenant has from its first day, created without a request; they run with the first tick. */
export async function foundRules(
  tx: Tx,
  world: Pick<World, 'memory' | 'now'>,
  first: By<'operator'>,
  rules: readonly FoundingRule[],
): Promise<void> {
  const at = world.now()
  const tenantId = first.tenant.id
  for (const { ref, displayName, description, definition, excluded } of rules) {
    const { fields, entitlements, apps, isClocked } = readsOf(
      await matcherOf(world, engineEffort(tenantId), definition),
    )
    await putAutomation(tx, first, ref, {
      displayName,
      description,
      definition,
      examples: [],
      isClocked,
      isOfOwner: false,
      reads: fields,
      version: 1,
      staysPaused: false,
      isConfirmed: true,
      by: '',
      at,
    })
    await keepVersion(tx, tenantId, {
      appId: ref.appId,
      id: ref.id,
      version: 1,
      definition,
      displayName,
      description,
      examples: [],
      reason: '',
      restores: null,
      savedBy: '',
      savedAt: at,
    })
    await replaceReads(tx, tenantId, ref, [ref, ...entitlements, ...apps.map((appId) => ({ appId, id: '' }))])
    await insertExclusions(tx, tenantId, ref, excluded, { by: '', at, reason: '' })
  }
}
