import { openDatabase } from '#database/open.ts'
import type { Db } from '#kernel/sql.ts'
import { tokenOf } from './entitlements.ts'
import { type Served, startBailiwick } from './processes.ts'

/** As many users, who all hold the one entitlement; and apps to be owned. */
export const holders = 10_000
const groupApp = '2GroupApp000000000000000000'
export const groupEntitlement = { appId: groupApp, id: '2GroupEntitlement0000000000' }
export const userId = (n: number): string => `2User${String(n).padStart(22, '0')}`
export const appId = (n: number): string => `2Owned${String(n).padStart(21, '0')}`

export type Scene = Served & {
  dataDir: string
  token: string
  tenantId: number
  db: Db
  /** Sets the owners of an app, through the API. */
  set(app: string, body: object): Promise<void>
}

export async function startScene(apps: number): Promise<Scene> {
  const served = await startBailiwick()
  const token = await tokenOf(served)
  const { db, close } = await openDatabase({ from: { dataDir: served.dataDir, purpose: 'command' } })
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  await fill(db, tenantId, apps)
  return {
    ...served,
    token,
    tenantId,
    db,
    async set(app, body) {
      const reply = await fetch(`http://127.0.0.1:${served.port}/api/v2/apps/${app}/owners`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ roleSlug: 'primary', ...body }),
      })
      if (reply.status !== 200) throw new Error(await reply.text())
    },
    async stop() {
      await close()
      await served.stop()
    },
  }
}

async function fill(db: Db, tenantId: number, apps: number): Promise<void> {
  await db`
    insert into users (tenant_id, user_id, display_name, email, created_at, updated_at)
    select ${tenantId}, '2User' || lpad(n::text, 22, '0'), 'User ' || n, 'user' || n || '@example.com', now(), now()
    from generate_series(0, ${holders - 1}::int) n`
  await db`
    insert into apps (tenant_id, app_id, display_name, created_at, updated_at)
    select ${tenantId}::int, '2Owned' || lpad(n::text, 21, '0'), 'App ' || n, now(), now()
    from generate_series(0, ${apps - 1}::int) n
    union all select ${tenantId}::int, ${groupApp}, 'Groups', now(), now()`
  await db`
    insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
    values (${tenantId}, ${groupApp}, ${groupEntitlement.id}, 'Everyone', now(), now())`
  // The accounts are in another order than their users.
  await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select ${tenantId}, ${groupApp}, left(md5(n::text), 10) || lpad(n::text, 17, '0'),
      '2User' || lpad(n::text, 22, '0'), 'User ' || n, now(), now()
    from generate_series(0, ${holders - 1}::int) n`
  await db`
    insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
    select tenant_id, app_id, ${groupEntitlement.id}, account_id, account_id, 'import', now(), now() from accounts
    where tenant_id = ${tenantId} and app_id = ${groupApp}`
  await db`vacuum analyze`
}
