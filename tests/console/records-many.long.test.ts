import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { fewOrMany } from '../fixture/long.ts'
import { fill } from './filling.ts'
import { isWalked, walkPages } from './paging.ts'
import { prepareConsole } from './records-scene.ts'

const many = fewOrMany(2000, 100_000)

inBrowser('the pages of governed records, with as many rows as it takes', () => {
  const scene = prepareConsole()
  const id = (kind: string, n: number): string => `${kind}${String(n).padStart(27 - kind.length, '0')}`
  const [appId, typeId, wideId] = [id('0big', 0), id('0type', 0), id('0wide', 0)]
  /** One holds everything, and everyone holds one thing. */
  const [accountId, entitlementId] = [id('0account', 1), id('0entitlement', 1)]

  async function fillAll(): Promise<void> {
    const { db } = scene.server
    const tenant = scene.access.tenant.id
    const key = (kind: string) => db`${kind}::text || lpad(n::text, ${27 - kind.length}::int, '0')`
    const all = db`generate_series(1, ${many}::int) n`
    await fill(db, ['apps', 'resources', 'entitlements', 'users', 'accounts', 'grants'], async (tx) => {
      await tx`
        insert into apps (tenant_id, app_id, display_name, created_at, updated_at)
        select ${tenant}::int, ${key('0app')}, 'App ' || n, now(), now() from ${all}
        union all select ${tenant}::int, ${appId}::text, 'The big app', now(), now()`
      await tx`
        insert into resource_types (tenant_id, app_id, resource_type_id, display_name, created_at, updated_at)
        values (${tenant}, ${appId}, ${typeId}, 'Shelf', now(), now())`
      await tx`
        insert into resources (tenant_id, app_id, resource_type_id, resource_id, display_name, created_at, updated_at)
        select ${tenant}::int, ${appId}::text, ${typeId}::text, ${key('0resource')}, 'Resource ' || n, now(), now() from ${all}`
      await tx`
        insert into resources (tenant_id, app_id, resource_type_id, resource_id, display_name, created_at, updated_at)
        values (${tenant}, ${appId}, ${typeId}, ${wideId}, 'The wide resource', now(), now())`
      await tx`
        insert into entitlements (tenant_id, app_id, entitlement_id, resource_type_id, resource_id, display_name,
          created_at, updated_at)
        select ${tenant}::int, ${appId}::text, ${key('0entitlement')}, ${typeId}::text, ${key('0resource')},
          'Entitlement ' || n, now(), now() from ${all}
        union all
        select ${tenant}::int, ${appId}::text, ${key('0of')}, ${typeId}::text, ${wideId}::text, 'Of the wide ' || n,
          now(), now() from ${all}`
      await tx`
        insert into users (tenant_id, user_id, display_name, email, department, created_at, updated_at)
        select ${tenant}::int, ${key('0user')}, 'User ' || n, 'user' || n || '@example.com', 'Department ' || n % 7,
          now(), now() from ${all}`
      await tx`
        insert into accounts (tenant_id, app_id, account_id, user_id, display_name, username, created_at, updated_at)
        select ${tenant}::int, ${appId}::text, ${key('0account')}, ${key('0user')}, 'User ' || n, 'user' || n, now(), now()
        from ${all}`
      await tx`
        insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
        select ${tenant}::int, ${appId}::text, ${entitlementId}::text, ${key('0account')}, ${key('0grant')}, 'import',
          now() - n * interval '1 minute', now() - n * interval '1 minute' from ${all}
        union all
        select ${tenant}::int, ${appId}::text, ${key('0entitlement')}, ${accountId}::text, ${key('0other')}, 'rule', now(), now()
        from ${all}`
    })
  }

  beforeAll(fillAll)

  const entitlement = `/apps/${appId}/entitlements/${entitlementId}`

  const lists = [
    ['apps', '/apps'],
    ['users', '/users?department=Department+3'],
    ['app', `/apps/${appId}`],
    ['resources', `/apps/${appId}/resources`],
    ['accounts', `/apps/${appId}/accounts`],
    ['account', `/apps/${appId}/accounts/${accountId}`],
    ['resource', `/apps/${appId}/resources/${typeId}/${wideId}`],
    ['members', entitlement],
    ['history', `${entitlement}/history`],
  ] as const
  test.for(lists.filter(isWalked))(
    '%s: paged forth and back, and the address holds where one is',
    async ([name, path]) => {
      await scene.go(path)
      await walkPages(scene.owner.page)
      await checkPage(scene.owner, `${name}-many`)
    },
  )

  test('who opens a page in the middle goes on from there, or to the first one', async () => {
    const { page } = scene.owner
    await scene.go('/users?department=Department+3&size=100')
    expect(await scene.named()).toHaveLength(100)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/page=/)
    const address = page.url()
    const { page: fresh, context } = await scene.asA('system:viewer')
    await fresh.goto(address)
    await settled(fresh)
    // A page token is no secret and no permission: the list is the one of whoever opens it.
    expect(await fresh.getByRole('rowheader').count()).toBe(100)
    await fresh.getByRole('button', { name: 'First page' }).click()
    await fresh.waitForURL((url) => !url.searchParams.has('page'))
    await context.close()
  })
})
