import { expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('the pages of governed records', () => {
  const scene = prepareConsole()
  const addressOf = ({ appId, id }: Ref): string => `/apps/${appId}/entitlements/${id}`
  const dialog = () => scene.owner.page.getByRole('dialog')
  const press = (name: string) => scene.owner.page.getByRole('button', { name, exact: true }).first().click()

  test('an app and an entitlement are created, and a member is added and removed, with the keyboard only', async () => {
    const { page } = scene.owner
    await scene.user({ displayName: 'Kay Board', email: 'kay@example.com' })
    await scene.go('/apps')
    const { keyboard } = page
    /** Goes on by Tab until the focus is on what is called that. */
    const tabTo = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await keyboard.press('Tab')
        const called = await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
        )
        if (called === name) return
      }
      throw new Error(`the keyboard does not reach ${name}`)
    }
    /** The field of a form that has just opened: it takes what is typed once the focus is there. */
    const focused = async (label: string): Promise<void> => {
      const field = dialog().getByLabel(label).first()
      await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true)
    }
    await tabTo('Create app')
    await keyboard.press('Enter')
    await focused('Name')
    await keyboard.type('Ledger')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor()

    await settled(page)
    await tabTo('Create entitlement')
    await keyboard.press('Enter')
    await focused('Name')
    await keyboard.type('Bookkeeper')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bookkeeper', level: 1 }).waitFor()
    // Who goes on hears where they are.
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')

    await settled(page)
    await tabTo('Add members')
    await keyboard.press('Enter')
    await focused('Users')
    await keyboard.type('kay b')
    // What was found before is not offered: who is quick would give access to someone else.
    await page.getByRole('option', { name: 'Kay Board (kay@example.com)' }).waitFor()
    expect(await page.getByRole('option').count()).toBe(1)
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Add 1 member' }).waitFor()
    await tabTo('Add 1 member')
    await keyboard.press('Enter')
    await page.getByRole('rowheader', { name: /^Kay Board/ }).waitFor()
    // The focus is where it was before the form.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add members')

    await tabTo('Remove Kay Board')
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Remove Kay Board?' }).waitFor()
    // The focus is on Cancel: who presses on without reading does no harm.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await tabTo('Remove')
    await keyboard.press('Enter')
    await page.getByText('No members').waitFor()
    const [row] = await scene.server.db`select ended_why from grants order by grant_id desc limit 1`
    expect(row).toEqual({ ended_why: 'revoked' })
  })

  test('an app with all that is in it, and each thing on a page of its own', async () => {
    const { go, owner } = scene
    const { page } = owner
    const made = async (path: string, body: object) => (await scene.post(path, body)).json
    const { value: risk } = (await made('/api/v1/attributes/risk_levels', { value: 'High' })) as {
      value: { id: string }
    }
    await go('/apps')
    await press('Create app')
    await dialog().getByLabel('Name').fill('Source code')
    await dialog().getByRole('button', { name: 'Create app' }).click()
    await page.getByRole('heading', { name: 'Source code', level: 1 }).waitFor()
    const appId = new URL(page.url()).pathname.split('/').at(-1) as string
    await press('Create entitlement')
    await dialog().getByLabel('Name').fill('Read')
    await dialog().getByRole('button', { name: 'Create entitlement' }).click()
    await page.getByRole('heading', { name: 'Read', level: 1 }).waitFor()
    const shelf = await scene.resource(appId, 'Firmware')
    const user = await scene.user({
      displayName: 'Una User',
      email: 'una@example.com',
      department: 'Platform',
      jobTitle: 'Engineer',
    })
    for (const [name, more] of [
      ['Write', { appResourceTypeId: shelf.typeId, appResourceId: shelf.id, riskLevelValueId: risk.id }],
      ['Administer', { durationGrant: '259200s', description: 'All of it.' }],
    ] as const)
      await made(`/api/v1/apps/${appId}/entitlements`, { displayName: name, ...more })
    const entitlements = await scene.all(`/api/v1/apps/${appId}/entitlements`)
    const ids = entitlements.map(({ appEntitlement }) => (appEntitlement as { id: string }).id)
    for (const id of ids) await made(`/api/v1/apps/${appId}/entitlements/${id}/add-manual-user`, { userIds: [user] })

    await go(`/apps/${appId}`)
    expect(await scene.named()).toEqual(['Read', 'Write', 'Administer'])
    await checkPage(owner, 'app')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Risk level' }).click()
    await page.getByRole('checkbox', { name: 'High' }).check()
    await page.keyboard.press('Escape')
    await page.waitForURL(/risk=/)
    await settled(page)
    expect(await scene.named()).toEqual(['Write'])

    await page.getByRole('link', { name: 'Firmware' }).click()
    await page.getByRole('heading', { name: 'Firmware', level: 1 }).waitFor()
    await settled(page)
    expect(await scene.named()).toEqual(['Write'])
    await checkPage(owner, 'resource')

    await go(`/apps/${appId}/resources`)
    await checkPage(owner, 'resources')
    await press('Create type')
    await dialog().getByLabel('Name').fill('Pipeline')
    await dialog().getByRole('button', { name: 'Create type' }).click()
    await page.getByText('No results').waitFor()
    await press('Create resource')
    await dialog().getByLabel('Name').fill('Nightly build')
    await checkPage(owner, 'resource-form')
    await dialog().getByRole('button', { name: 'Create resource' }).click()
    await page.getByRole('heading', { name: 'Nightly build', level: 1 }).waitFor()
    // Beside the page, a notice says for a while that the type was made.
    await page.getByRole('main').getByText('Pipeline').waitFor()

    await go(`/apps/${appId}/accounts`)
    await checkPage(owner, 'accounts')
    await press('Disable Una User')
    await dialog().getByRole('button', { name: 'Disable account' }).click()
    await page.getByRole('row', { name: /Una User.*Disabled/ }).waitFor()
    await page.getByRole('rowheader').getByRole('link').click()
    await page.getByRole('heading', { name: 'Una User', level: 1 }).waitFor()
    await settled(page)
    expect(await scene.named()).toHaveLength(3)
    await checkPage(owner, 'account')

    await go('/users?q=una')
    await page.getByRole('link', { name: 'Platform' }).click()
    await page.waitForURL(/department=Platform/)
    await checkPage(owner, 'users')
    await page.getByRole('link', { name: 'Una User' }).click()
    await page.getByRole('heading', { name: 'Una User', level: 1 }).waitFor()
    await settled(page)
    expect(await scene.named()).toEqual(['Read', 'Write', 'Administer'])
    await checkPage(owner, 'access')
    await page.getByRole('link', { name: 'Details', exact: true }).click()
    await page.getByRole('heading', { name: 'Person' }).waitFor()
    await checkPage(owner, 'profile')
    await go(`/users/${user}/accounts`)
    await checkPage(owner, 'user-accounts')

    await go(`/apps/${appId}`)
    await press('Edit Source code')
    await dialog().getByLabel('Description').fill('Where programs are kept.')
    await checkPage(owner, 'app-form')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Where programs are kept.').waitFor()
    await press('Delete Source code')
    await dialog().getByRole('button', { name: 'Delete app' }).click()
    await page.waitForURL(/\/apps$/)
    await settled(page)
    expect(await scene.named()).not.toContain('Source code')
  })

  test('Ctrl-K opens an app, a user and an entitlement, which is shown with its app', async () => {
    const { page } = scene.owner
    const appId = await scene.app('Zebra crossing')
    const entitlement = await scene.entitlement(appId, 'Zebra keeper')
    const user = await scene.user({ displayName: 'Zebra Zed' })
    await scene.go('/settings/credentials')
    for (const [name, path, about] of [
      ['Zebra crossing', `/apps/${appId}`, ''],
      ['Zebra Zed', `/users/${user}`, '@example.com'],
      ['Zebra keeper', addressOf(entitlement), 'Zebra crossing'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await dialog().getByRole('combobox', { name: 'Search' }).fill('zebra')
      const found = dialog().getByRole('option', { name: new RegExp(`^${name}`) })
      await found.waitFor()
      expect(await found.textContent()).toContain(about)
      await found.click()
      await page.waitForURL((url) => url.pathname === path)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
  })
})
