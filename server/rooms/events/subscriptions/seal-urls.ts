import { resealUrl } from '#kernel/outgoing/secret-url.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { secretsOf } from './deliver/run.ts'
import { sealSecret } from './secret.ts'
import { listTenantsWithPlainUrls, lockPlainUrls, updateSubscription } from './store/subscriptions.ts'

/**
 * Seals the queries of addresses that were stored before queries were sealed. A row that was altered in the database is
 * unchanged.
 */
export const sealPlainUrls = async (world: World): Promise<void> =>
  forEachTenant(await listTenantsWithPlainUrls(world.db), (tenantId) =>
    transact(world.db, async (tx) => {
      for (const before of await lockPlainUrls(tx, tenantId)) {
        const [secret, oldSecret] = secretsOf(world, tenantId, before) ?? []
        if (secret === undefined) continue
        const target = { ...before, url: resealUrl(world.seals, tenantId, before.url) }
        const sealing = { seals: world.seals, tenantId, id: before.id, target }
        const sealedOldSecret = oldSecret === undefined ? null : sealSecret(sealing, oldSecret)
        await updateSubscription(tx, tenantId, {
          ...target,
          sealedSecret: sealSecret(sealing, secret),
          sealedOldSecret,
          oldSecretUntil: oldSecret === undefined ? null : before.oldSecretUntil,
        })
      }
    }),
  )
