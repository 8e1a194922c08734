import type { Tx } from '#kernel/sql.ts'
import { listTenantIds } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { listOidcWithoutMac, putOidc } from './oidc/store.ts'
import { listPasskeysWithoutMac, updatePasskey } from './passkeys/store.ts'

/**
 * Adds MACs to the passkeys and provider settings from before MACs were introduced. Run once, at the first start after
 * the migration.
 */
export async function sealExistingSignIns(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  let count = 0
  for (const tenantId of await listTenantIds(tx)) {
    const passkeys = await listPasskeysWithoutMac(tx, tenantId)
    const providers = await listOidcWithoutMac(tx, tenantId)
    for (const passkey of passkeys) await updatePasskey(tx, seals, tenantId, passkey)
    for (const provider of providers) await putOidc(tx, seals, tenantId, provider)
    count += passkeys.length + providers.length
  }
  return count
}
