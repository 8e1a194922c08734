import { expect, test } from 'vitest'
import { checkPage, inBrowser } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

const dayMs = 86_400_000

inBrowser('the page of a person', () => {
  const scene = prepareConsole()
  const tab = (name: string) =>
    scene.owner.page.getByRole('navigation', { name: 'The user' }).getByRole('link', { name, exact: true })
  const dialog = () => scene.owner.page.getByRole('dialog')

  /** Someone with accounts in two apps, a nested group, a resource, and access that ended. */
  const make = async (email: string) => {
    const { access, server } = scene
    const user = await scene.user({ displayName: 'Pia Person', email })
    const [wiki, store] = [await scene.app('Wiki'), await scene.app('Store')]
    const [inWiki, inStore] = [
      await scene.account(wiki, { userId: user, username: 'pia' }),
      await scene.account(store, { userId: user, username: 'p.person' }),
    ]
    const till = await scene.resource(store, 'Till 7')
    const edit = await scene.entitlement(wiki, 'Edit pages')
    const cashiers = await scene.entitlement(store, 'Cashiers')
    const open = await scene.entitlement(store, 'Open till', { resource: till })
    const past = await scene.entitlement(store, 'Night shift')
    const at = (days: number): Date => new Date(Date.now() - days * dayMs)
    const by = { source: 'manual', grantedBy: scene.owner.userId } as const
    await scene.grant(edit, inWiki, { ...by, beganAt: at(200), grantedAt: at(200) })
    await scene.grant(cashiers, inStore, { ...by, beganAt: at(90), grantedAt: at(90) })
    await scene.grant(open, inStore, { source: 'import', beganAt: at(90), grantedAt: at(90) })
    await scene.grant(past, inStore, { source: 'request', beganAt: at(60), grantedAt: at(60), expiresAt: at(20) })
    await server.db`
      insert into grant_sources (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
      values (${access.tenant.id}, ${store}, ${open.id}, ${inStore.id}, ${cashiers.id})`
    return { user, store, till }
  }

  test('all that is about a person is on the tabs of their page, and all access is removed after a plan', async () => {
    const { page } = scene.owner
    const { user, store, till } = await make('pia@example.com')
    await scene.go(`/users/${user}`)
    const ofStore = page.getByRole('region', { name: 'Store' })
    await ofStore.getByRole('link', { name: 'Open till', exact: true }).waitFor()
    await ofStore.getByRole('link', { name: 'p.person' }).waitFor()
    await page.getByRole('region', { name: 'Wiki' }).getByRole('link', { name: 'Edit pages', exact: true }).waitFor()
    await page.getByText('3 entitlements in 2 apps').waitFor()
    await checkPage(scene.owner, 'person-access')

    await tab('Timeline').click()
    const chart = page.getByRole('img', { name: /^What Pia Person held from/ })
    await chart.waitFor()
    // A linear axis of time with its name and labels, a bar for each span, told apart by more than colour.
    expect(await chart.locator('text').first().textContent()).toBe('Date')
    expect(await chart.locator('[data-tick] text').count()).toBeGreaterThan(3)
    expect(await chart.locator('[data-bar]').count()).toBe(4)
    expect(await chart.locator('[data-bar="import"] rect').count()).toBe(2)
    await checkPage(scene.owner, 'person-timeline')
    await page.getByLabel('Range').selectOption('30')
    await page.waitForURL(/range=30/)
    await page.getByText('Table', { exact: true }).click()
    const table = page.getByRole('table', { name: /^What Pia Person held/ })
    await table.getByRole('row', { name: /Night shift.*Expired/ }).waitFor()
    await checkPage(scene.owner, 'person-timeline-table')
    // Who disabled them, when and why.
    for (const [verb, reason] of [
      ['disable', 'On leave'],
      ['enable', ''],
    ] as const)
      expect((await scene.post(`/api/v1/users/${user}/${verb}`, { reason })).status).toBe(200)
    await page.reload()
    const statuses = page.getByRole('table', { name: 'Changes of the status, the latest first' })
    await statuses.getByRole('row', { name: /^Enabled Pia Person/ }).waitFor()
    await statuses.getByRole('row', { name: /^Disabled Pia Person.*On leave/ }).waitFor()

    await scene.go(`/users/${user}/paths?app=${store}&type=${till.typeId}&resource=${till.id}`)
    const graph = page.getByRole('group', { name: /^How Pia Person reaches Till 7/ })
    await graph.waitFor()
    const nodes = await graph
      .getByRole('link')
      .evaluateAll((links) => links.map((each) => [...each.querySelectorAll('text')].map((text) => text.textContent)))
    expect(nodes).toEqual([
      ['Pia Person', 'Person · pia@example.com'],
      ['p.person', 'Account'],
      ['Cashiers', 'Entitlement · Store'],
      ['Open till', 'Entitlement · Store, Till 7'],
      ['Till 7', 'Resource · Store, A kind'],
    ])
    await graph.getByRole('link').first().focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.querySelector('text')?.textContent)).toBe('p.person')
    await checkPage(scene.owner, 'person-paths')
    await page.getByText('List', { exact: true }).click()
    await page.getByText('granted by the app through the one above').waitFor()
    await checkPage(scene.owner, 'person-paths-list')

    await tab('Requests').click()
    await page.getByText('Revocation in Store').waitFor()
    await tab('Roles').click()
    await page.getByRole('region', { name: 'Roles' }).waitFor()
    await tab('Details').click()
    await page.getByRole('region', { name: 'Person' }).waitFor()
    await tab('Owns and dependents').click()
    await page.getByText('Nothing depends on them').waitFor()

    await page.getByRole('button', { name: 'Remove all access' }).click()
    await dialog().getByText('Ends 2 grants in Bailiwick.').waitFor()
    await dialog().getByText('All of them must still be removed in apps that are not connected.').waitFor()
    await dialog().getByText('1 entitlement kept: see why below').waitFor()
    await dialog().getByText('Every entitlement, and what happens to it').first().click()
    await dialog().getByText('The app grants this through "Cashiers".').waitFor()
    expect(await dialog().getByRole('button', { name: 'End 2 grants' }).isDisabled()).toBe(true)
    await dialog().getByLabel('Reason').fill('Left on Friday')
    await checkPage(scene.owner, 'person-remove')
    await dialog().getByRole('button', { name: 'End 2 grants' }).click()
    await dialog().getByText('Grants of Pia Person ended').waitFor()
    await dialog()
      .getByText(/^Ended 2 grants in Bailiwick\. All of them must still be removed/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await scene.go(`/users/${user}/timeline`)
    const removals = page.getByRole('region', { name: 'Removals of all access' })
    await removals.getByRole('row', { name: /Left on Friday/ }).waitFor()
    await checkPage(scene.owner, 'person-removals')
    // Nobody who is disabled gets access again.
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await dialog().getByRole('button', { name: 'Disable' }).click()
    await removals.getByText('To undo this, enable the person first.').waitFor()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await dialog().getByRole('button', { name: 'Enable' }).click()
    await removals.getByRole('button', { name: 'Undo' }).click()
    await dialog().getByRole('button', { name: 'Restore' }).click()
    await removals.getByText('Undone').waitFor()
    await scene.go(`/users/${user}`)
    await page.getByText('3 entitlements in 2 apps').waitFor()
  })

  test('of access that is not shown yet it is not said that there is none', async () => {
    const { access, server } = scene
    const user = await scene.user({ displayName: 'Moe Many', email: 'moe@example.com' })
    // By the ids of the apps, in the order of their creation: what is held in the second is on the second page.
    const [many, later, idle] = [await scene.app('Many'), await scene.app('Later'), await scene.app('Idle')]
    const inMany = await scene.account(many, { userId: user })
    await scene.grant(await scene.entitlement(later, 'Read it'), await scene.account(later, { userId: user }))
    await scene.account(idle, { userId: user })
    await server.db`
      insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
      select ${access.tenant.id}, ${many}, lpad(i::text, 27, '0'), 'Right ' || i, now(), now() from generate_series(1, 100) i`
    await server.db`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
      select ${access.tenant.id}, ${many}, lpad(i::text, 27, '0'), ${inMany.id}, lpad(i::text, 27, '7'), 'import', now(), now()
      from generate_series(1, 100) i`
    await scene.go(`/users/${user}`)
    const { page } = scene.owner
    await page.getByRole('region', { name: 'Idle' }).getByText('No entitlements.').waitFor()
    expect(await page.getByRole('region', { name: 'Later' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('region', { name: 'Later' }).getByRole('link', { name: 'Read it', exact: true }).waitFor()
  })

  test('who may only see is offered nothing that changes, and basic users see their own history and paths', async () => {
    const { user } = await make('pia.too@example.com')
    const viewer = await scene.asA('system:viewer')
    await viewer.go(`/users/${user}`)
    await viewer.page.getByRole('region', { name: 'Store' }).first().waitFor()
    for (const name of ['Remove all access', 'Disable', 'Request access'])
      expect(await viewer.page.getByRole('main').getByRole('button', { name, exact: true }).count()).toBe(0)
    await viewer.close()
    const basic = await scene.asA('system:user')
    const entitlement = await scene.entitlement(await scene.app('Canteen'), 'Lunch')
    await scene.grant(entitlement, await scene.account(entitlement.appId, { userId: basic.userId, username: 'b' }))
    await basic.go(`/users/${basic.userId}/paths?app=${entitlement.appId}&entitlement=${entitlement.id}`)
    await basic.page.getByRole('img', { name: 'Entitlement Lunch, Canteen' }).waitFor()
    await basic.go(`/users/${basic.userId}/timeline`)
    await basic.page.getByRole('img', { name: /^What .* held from/ }).waitFor()
    await checkPage(basic, 'person-own-timeline')
    await basic.close()
  })
})
