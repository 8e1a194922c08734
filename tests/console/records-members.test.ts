import { expect, test } from 'vitest'
import { checkPage, checkState, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { pagesMs, prepareConsole } from './records-scene.ts'

inBrowser('the members of an entitlement', { timeout: pagesMs }, () => {
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
    await checkState(owner, 'members-past')
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
    await checkState(owner, 'member-end')
    await dialog()
      .getByLabel(/^Expires at/)
      .fill('2099-01-01T12:00')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('Hal Hand').getByText('1 Jan 2099').waitFor()

    await press('Remove Rob Rule')
    await dialog().getByText('The rule grants it again').waitFor()
    await checkState(owner, 'member-take-away')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await row('Rob Rule').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'History' }).click()
    await page.waitForURL(/\/history$/)
    await settled(page)
    expect((await page.getByRole('row').allTextContents())[1]).toMatch(/^Rob Rule.*Removed/)
    await checkPage(owner, 'history')
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
    await checkState(scene.owner, 'entitlement-form')
    await dialog().getByLabel('Duration').fill('12')
    await dialog().getByLabel('Unit').selectOption('hours')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('12 hours').waitFor()
    await page.reload()
    await page.getByText('12 hours').waitFor()
  })
})
