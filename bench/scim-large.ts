import { openDatabase } from '#database/open.ts'
import { tokenOf } from './entitlements.ts'
import { type Served, startBailiwick } from './processes.ts'

type Sizes = { users: number; groups: number; members: number }
export type LargeDirectory = Sizes & {
  appId: string
  token: string
  userId(n: number): string
  groupId(n: number): string
}
type LargeScene = Served & { dataDir: string; large: LargeDirectory; small: LargeDirectory }

/** A server with two directories, one of them large. Filled by statements: one by one it would take an hour. */
export async function startLarge(sizes: Sizes): Promise<LargeScene> {
  const served = await startBailiwick()
  const admin = await tokenOf(served)
  const make = async (letter: string, of: Sizes): Promise<LargeDirectory> => {
    const made = await fetch(`http://127.0.0.1:${served.port}/api/v1/scim-directories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ displayName: letter }),
    })
    if (made.status !== 200) throw new Error(await made.text())
    const { directory, token } = (await made.json()) as { directory: { appId: string }; token: string }
    const idOf = (prefix: string) => (n: number) => `${prefix}${String(n).padStart(26, '0')}`
    await fill(served.dataDir, directory.appId, letter, of)
    return { ...of, appId: directory.appId, token, userId: idOf(letter), groupId: idOf(letter.toUpperCase()) }
  }
  const large = await make('y', sizes)
  return { ...served, large, small: await make('z', { users: 200, groups: 2, members: 100 }) }
}

async function fill(dataDir: string, appId: string, letter: string, { users, groups, members }: Sizes): Promise<void> {
  const { db, close } = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
  await db`set statement_timeout = 0`
  const group = letter.toUpperCase()
  await db`
    insert into users (tenant_id, user_id, display_name, email, created_at, updated_at)
    select tenant_id, ${letter}::text || lpad(n::text, 26, '0'), 'Person ' || n, ${letter}::text || n || '@example.com', now(), now()
    from directories, generate_series(1, ${users}::int) n where app_id = ${appId}`
  await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select d.tenant_id, d.app_id, u.user_id, u.user_id, u.display_name, now(), now()
    from directories d join users u on u.tenant_id = d.tenant_id
    where d.app_id = ${appId} and u.email like ${`${letter}%@example.com`}`
  await db`
    insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails, resource,
      version, is_source, created_at, updated_at)
    select d.tenant_id, d.app_id, ${letter}::text || lpad(n::text, 26, '0'), ${letter}::text || lpad(n::text, 26, '0'),
      ${letter}::text || n, 'x' || n, true, array[${letter}::text || n || '@example.com'],
      jsonb_build_object('userName', ${letter}::text || n, 'externalId', 'x' || n, 'active', true, 'emails', jsonb_build_array(
        jsonb_build_object('type', 'work', 'primary', true, 'value', ${letter}::text || n || '@example.com'))),
      1, true, now(), now()
    from directories d, generate_series(1, ${users}::int) n where d.app_id = ${appId}`
  await db`
    insert into directory_sizes (tenant_id, app_id, part, users, active)
    select tenant_id, app_id, 0, ${users}::int, ${users}::int from directories where app_id = ${appId}`
  await db`
    insert into resources (tenant_id, app_id, resource_type_id, resource_id, display_name, created_at, updated_at)
    select tenant_id, app_id, group_type_id, ${group}::text || lpad(n::text, 26, '0'), 'Group ' || n, now(), now()
    from directories, generate_series(1, ${groups}::int) n where app_id = ${appId}`
  await db`
    insert into entitlements (tenant_id, app_id, entitlement_id, resource_type_id, resource_id, display_name, slug, created_at,
      updated_at)
    select tenant_id, app_id, resource_id, resource_type_id, resource_id, display_name, 'member', now(), now() from resources
    where app_id = ${appId} and display_name like 'Group %'`
  await db`
    insert into directory_groups (tenant_id, app_id, entitlement_id, resource_id, display_name, version, created_at, updated_at)
    select tenant_id, app_id, resource_id, resource_id, display_name, 1, now(), now() from resources
    where app_id = ${appId} and display_name like 'Group %'`
  // Each group has as many members, beginning with another user.
  for (let n = 1; n <= groups; n++)
    await db`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
      select tenant_id, app_id, ${group}::text || lpad(${n}::int::text, 26, '0'),
        ${letter}::text || lpad((((${n}::int * 997 + m) % ${users}::int) + 1)::text, 26, '0'),
        ${letter}::text || lpad(${n}::int::text, 13, '0') || lpad(m::text, 13, '0'), 'directory', now(), now()
      from directories, generate_series(1, ${members}::int) m where app_id = ${appId}`
  await db`vacuum analyze users, accounts, directory_users, directory_groups, entitlements, grants`
  await close()
}
