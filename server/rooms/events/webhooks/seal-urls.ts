import { resealUrl } from '#kernel/outgoing/secret-url.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { listPlainUrls, listTenantsWithPlainUrls, putUrl } from './store.ts'

/** Seals the queries of addresses that were stored before queries were sealed. */
export const sealPlainUrls = async (world: World): Promise<void> =>
  forEachTenant(await listTenantsWithPlainUrls(world.db), (tenantId) =>
    transact(world.db, async (tx) => {
      for (const plain of await listPlainUrls(tx, tenantId))
        await putUrl(tx, tenantId, plain, resealUrl(world.seals, tenantId, plain.url))
    }),
  )
