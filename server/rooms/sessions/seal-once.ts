import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alarm, change, operatorCause, record } from '#rooms/systemlog/index.ts'
import { listTenants } from '#rooms/tenants/index.ts'
import { listOidcWithoutMac, putOidc } from './store-oidc.ts'
import { listPasskeysWithoutMac, updatePasskey } from './store-passkeys.ts'
import { findSealing } from './store-sealings.ts'

/** The migration that brought the MACs. */
const migration = 'sign_in_macs'
const operation = 'bailiwick seal passkeys and providers'

/**
 * Gives the passkeys and provider settings from before there were MACs theirs. Only the start that applies the migration
 * does: a row without a MAC that turns up later is another's. The migration cannot run twice on one schema; and where
 * somebody took the schema back to make it run again, the system log still says that this was done.
 */
export async function sealRecordsFromBefore(
  world: World,
  applied: readonly { version: number; name: string }[],
): Promise<void> {
  if (!applied.some(({ name }) => name === migration)) return
  await transact(world.db, async (tx) => {
    const passkeys = await listPasskeysWithoutMac(tx)
    const providers = await listOidcWithoutMac(tx)
    if (passkeys.length === 0 && providers.length === 0) return
    if (await findSealing(tx, operation)) {
      world.log.error('passkeys and provider settings were given their MACs before: those without one do not count')
      return
    }
    for (const { tenantId, ...passkey } of passkeys) await updatePasskey(tx, world.seals, tenantId, passkey)
    for (const { tenantId, ...provider } of providers) await putOidc(tx, world.seals, tenantId, provider)
    await tellTenants(tx, world, [...passkeys, ...providers])
  })
}

async function tellTenants(tx: Tx, world: World, sealed: readonly { tenantId: number }[]): Promise<void> {
  for (const tenant of await listTenants(tx)) {
    const count = sealed.filter(({ tenantId }) => tenantId === tenant.id).length
    const cause = { ...operatorCause(tenant, 'serve'), operation }
    const message = `Accepted ${count} passkeys and provider settings of the version before`
    const touched = [{ type: 'tenant', id: tenant.publicId, name: tenant.domain }]
    await record(tx, world, cause, alarm(change(cause, 'update', message, touched)))
  }
}
