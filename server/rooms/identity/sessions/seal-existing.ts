import type { Tx } from '#kernel/sql.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { listPasskeysWithoutMac, updatePasskey } from './passkeys/store.ts'
import { sealProvidersBefore } from './providers/before.ts'

/**
 * Adds MACs to the passkeys and provider settings from before MACs were introduced. Run once, at the first start after
 * the migration.
 */
export async function sealExistingSignIns(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (const tenantId of await listTenantIds(tx)) {
    const passkeys = await listPasskeysWithoutMac(tx, tenantId)
    for (const passkey of passkeys) await updatePasskey(tx, seals, tenantId, passkey)
    count += passkeys.length + (await sealProvidersBefore(tx, seals, tenantId))
  }
  return count
}
