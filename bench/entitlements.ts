import { openDatabase } from '#database/open.ts'
import { insertRecords } from '#rooms/foundation/writes/index.ts'
import type { Side } from './claim.ts'
import { load, requestBytes } from './load.ts'
import { operate, type Served, startBailiwick } from './processes.ts'

/** Two apps, one with 100,000 entitlements and one with 100; and a token to read them with. */
export const largeApp = '2LargeApp000000000000000000'
export const smallApp = '2SmallApp000000000000000000'
const largeCount = 100_000
const smallCount = 100

export type Scene = Served & { dataDir: string; token: string; tenantId: number }

export async function startScene(): Promise<Scene> {
  const served = await startBailiwick()
  const tenantId = await fill(served.dataDir)
  return { ...served, token: await tokenOf(served), tenantId }
}

/** An access token of a credential of the tenant's owner, who may do everything. */
export const tokenOf = (of: { dataDir: string; port: number }): Promise<string> => tokenFor(of, 'admin@localhost')

/** The same of any user. */
export const tokenFor = async (of: { dataDir: string; port: number }, email: string): Promise<string> =>
  (await credentialOf(of, email))()

/** A credential of a user, to get tokens with: they last some minutes. */
export async function credentialOf(
  { dataDir, port }: { dataDir: string; port: number },
  email: string,
): Promise<() => Promise<string>> {
  const printed = operate(dataDir, 'credential', 'create', '--user', email, '--name', 'bench', '--json')
  const { clientId, clientSecret } = JSON.parse(printed) as { clientId: string; clientSecret: string }
  return async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    const reply = await fetch(`http://127.0.0.1:${port}/auth/v1/token`, { method: 'POST', body })
    return ((await reply.json()) as { access_token: string }).access_token
  }
}

async function fill(dataDir: string): Promise<number> {
  const { db, close } = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
  await db`set statement_timeout = 0`
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  for (const [appId, count] of [
    [largeApp, largeCount],
    [smallApp, smallCount],
  ] as const) {
    const app = db`(tenant_id, app_id, display_name, created_at, updated_at)
      values (${tenantId}, ${appId}, ${appId}, now(), now())`
    const entitlements = db`
      (tenant_id, app_id, entitlement_id, display_name, description, slug, created_at, updated_at)
      select ${tenantId}::int, ${appId}, left(${appId}, 2) || lpad(n::text, 25, '0'), 'Entitlement ' || n, 'One of many', 'e' || n, now(), now()
      from generate_series(1, ${count}::int) n`
    await db.begin(async (tx) => {
      await insertRecords(tx, tenantId, 'apps', app)
      await insertRecords(tx, tenantId, 'entitlements', entitlements)
    })
  }
  await db`vacuum analyze entitlements`
  await close()
  return tenantId
}

export const listPath = (appId: string, pageToken = ''): string =>
  `/api/v1/apps/${appId}/entitlements?page_size=25&page_token=${pageToken}`

/** The token of the last page of a list: paged to its end, a hundred at a time. */
export async function lastPageToken({ port, token }: Scene, appId: string): Promise<string> {
  const ask = async (size: number, pageToken: string) => {
    const url = `http://127.0.0.1:${port}/api/v1/apps/${appId}/entitlements?page_size=${size}&page_token=${pageToken}`
    const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return ((await reply.json()) as { nextPageToken: string }).nextPageToken
  }
  let before = ''
  for (let next = await ask(100, ''); next !== ''; next = await ask(100, next)) before = next
  return before
}

export const pagesOf = ({ port, token }: Scene, path: string): Omit<Side, 'stop'> => {
  const request = requestBytes('GET', path, { headers: { authorization: `Bearer ${token}` } })
  return {
    async round() {
      const { perSecond, statuses } = await load({ port, connections: 32, durationMs: 1500, next: () => request })
      if ([...statuses.keys()].some((status) => status !== 200)) throw new Error('not every answer was a 200')
      return perSecond
    },
  }
}
