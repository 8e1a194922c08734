import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { listOidcWithoutMac, putOidc } from './oidc/store.ts'
import { listPasskeysWithoutMac, updatePasskey } from './passkeys/store.ts'

/** Puts MACs on the passkeys and provider settings of before there were any. Run once, at the first start after the migration. */
export async function sealExistingSignIns(tx: Tx, { seals }: Pick<World, 'seals'>): Promise<number> {
  const passkeys = await listPasskeysWithoutMac(tx)
  const providers = await listOidcWithoutMac(tx)
  for (const { tenantId, ...passkey } of passkeys) await updatePasskey(tx, seals, tenantId, passkey)
  for (const { tenantId, ...provider } of providers) await putOidc(tx, seals, tenantId, provider)
  return passkeys.length + providers.length
}
