import { expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('the members of an entitlement', () => {
  const scene = prepareConsole()
  const addressOf = ({ appId, id }: Ref): string => `/apps/${appId}/entitlements/${id}`
  const dialog = () => scene.owner.page.getByRole('dialog')
  const press = (name: string) => scene.owner.page.getByRole('button', { name, exact: true }).first().click()

  test('members: where each comes from, since when and until when; and who they were before', async () => {
    const { go, owner, access } = scene
    const { page } = owner
    const entitlement = await scene.entitlement(await scene.app('Vault'), 'Open the vault')
    const importId = access.world.newId()
    const giver = await scene.user({ displayName: 'Gil Giver' })
    const from = (days: number): Date => new Date(Date.now() + days * 86_400_000)
    const member = async (name: string, ...grants: Parameters<typeof scene.grant>[2][]): Promise<Ref> => {
      const userId = await scene.user({ displayName: name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` })
      const account = await scene.account(entitlement.appId, { userId, displayName: name })
      for (const grant of grants) await scene.grant(entitlement, account, grant)
      return account
    }
    await member('Hal Hand', { source: 'manual', grantedBy: giver, grantedAt: new Date('2024-02-03T12:00:00Z') })
    await member('Ida Import', { source: 'import', grantedBy: importId, beganAt: new Date('2024-01-01') })
    await member(
      'Rob Rule',
      { source: 'rule', grantedBy: access.world.newId(), beganAt: new Date('2024-01-01'), expiresAt: from(3.2) },
      { source: 'request', grantedBy: giver, expiresAt: from(3.2) },
    )

    await go(addressOf(entitlement))
    expect(await scene.named()).toEqual(['Hal Hand', 'Ida Import', 'Rob Rule'])
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    expect(await row('Hal Hand').textContent()).toMatch(/ManualGil Giver3 Feb 2024Never/)
    expect(await row('Rob Rule').getByRole('listitem').allTextContents()).toEqual(['Rule', 'Request'])
    await row('Rob Rule').getByRole('link', { name: 'Request', exact: true }).waitFor()
    expect(await row('Rob Rule').textContent()).toContain('in 3 days')
    await row('Ida Import').getByRole('link', { name: 'Import', exact: true }).waitFor()
    await checkPage(owner, 'members')

    // The past is asked by the address, which says the same moment to everyone.
    await page.getByLabel('As it was at').fill('2024-06-01T10:00')
    await page.waitForURL(/as_of=2024-06-01T08%3A00%3A00.000Z/)
    await settled(page)
    expect(await scene.named()).toEqual(['Ida Import', 'Rob Rule'])
    expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)
    await checkPage(owner, 'members-past')
    await press('Return to now')
    await expect.poll(scene.named).toHaveLength(3)

    // One among many is found by name.
    await press('Add filter')
    await page.getByRole('dialog').getByRole('button', { name: 'User', exact: true }).click()
    await page.getByRole('combobox', { name: 'User' }).fill('rob')
    await page.getByRole('option', { name: /^Rob Rule/ }).click()
    await page.waitForURL(/user=/)
    await expect.poll(() => scene.named()).toEqual(['Rob Rule'])
    await press('Remove filter: User')
    await settled(page)

    await press('Edit expiry of Hal Hand')
    await dialog().getByText('At a set time').click()
    await dialog()
      .getByLabel(/^Expires at/)
      .fill('2020-01-01T00:00')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByText('must be in the future', { exact: true }).waitFor()
    await checkPage(owner, 'member-end')
    await dialog()
      .getByLabel(/^Expires at/)
      .fill('2099-01-01T12:00')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('Hal Hand').getByText('1 Jan 2099').waitFor()

    await press('Remove Rob Rule')
    await dialog().getByText('The rule grants it again').waitFor()
    await checkPage(owner, 'member-take-away')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await row('Rob Rule').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'History' }).click()
    await page.waitForURL(/\/history$/)
    await settled(page)
    expect((await page.getByRole('row').allTextContents())[1]).toMatch(/^Rob Rule.*Removed/)
    await checkPage(owner, 'history')
  })

  test('an owner of the app grants to someone by their whole address, with an expiry and a reason', async () => {
    const olga = await scene.asA('system:user', 'system:application-admin')
    const { page } = olga
    const entitlement = await scene.entitlement(await scene.app('Workshop'), 'Use the lathe')
    await scene.post(`/api/v1/apps/${entitlement.appId}/owners/${olga.userId}`, {})
    await scene.user({ displayName: 'Kit Marsh', email: 'kit.marsh@example.com' })
    // From the first page, by clicks: the lists of what they own are in the navigation.
    await olga.go('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Entitlements' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Workshop' }).click()
    // The search of their app's entitlements names the resource of each, as it does for administrators.
    await page.getByPlaceholder('Search entitlements').fill('lathe')
    await page.waitForURL(/q=lathe/)
    await page.getByRole('main').getByRole('link', { name: 'Use the lathe' }).click()
    await page.getByRole('button', { name: 'Add members' }).first().click()
    const form = page.getByRole('dialog')
    const users = form.getByRole('combobox', { name: 'Users' })
    await users.fill('Kit')
    await page.getByText('Nobody is found by this. Type the whole email address.').waitFor()
    await users.fill('kit.marsh@example.com')
    await page.getByRole('option', { name: /^Kit Marsh/ }).click()
    await form.getByLabel('Reason').fill('LATHE-7')
    await form.getByText('At a set time').click()
    await form.getByText(/^Your time zone: /).waitFor()
    await form.getByLabel(/^Expires at \*$/).fill('2099-01-01T12:00')
    await form.getByRole('button', { name: 'Add 1 member' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Kit Marsh' })
    await row.getByText('1 Jan 2099').waitFor()
    await row.getByText('LATHE-7').waitFor()
    // They may not open the pages of people: a name leads nowhere rather than to a refusal.
    expect(await row.getByRole('rowheader').getByRole('link').count()).toBe(0)
    await checkPage(olga, 'members-owner')
    await page.getByRole('button', { name: 'Remove Kit Marsh' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect(olga.problems).toEqual([])
    await olga.close()
  })

  test('an entitlement is changed, and what the API refuses is said at its field', async () => {
    const { page } = scene.owner
    const entitlement = await scene.entitlement(await scene.app('Terms'), 'Visit')
    await scene.go(addressOf(entitlement))
    await press('Edit Visit')
    await dialog().getByText('After a time').click()
    await dialog().getByLabel('Duration').fill('40000')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog()
      .getByText(/^must be whole seconds/)
      .waitFor()
    await checkPage(scene.owner, 'entitlement-form')
    await dialog().getByLabel('Duration').fill('12')
    await dialog().getByLabel('Unit').selectOption('hours')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('12 hours').waitFor()
    await page.reload()
    await page.getByText('12 hours').waitFor()
  })
})
