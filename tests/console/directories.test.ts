import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scimOf } from '../directories/support.ts'
import { checkPage, checkState, inBrowser, openScene, type Scene, signIn } from '../fixture/browser.ts'
import { isLong } from '../fixture/long.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('directories', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('one is added, shows its address and token once, is connected, held, decided, rotated and deleted', async () => {
    const { page } = scene.owner
    await scene.go('/directories')
    await page.getByText('No directories').waitFor()
    await checkState(scene.owner, 'directories-empty')
    await page.getByRole('button', { name: 'Add directory' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Okta')
    await checkState(scene.owner, 'directory-add')
    await dialog.getByRole('button', { name: 'Add directory' }).click()
    await dialog.getByText('Copy the token now').waitFor()
    const texts = await dialog.locator('code').allTextContents()
    const baseUrl = texts.find((each) => each.includes('/scim/v2/')) as string
    const token = texts.find((each) => each.startsWith('scim_')) as string
    await checkState(scene.owner, 'directory-added')
    await dialog.getByText('Entra', { exact: true }).click()
    await dialog.getByText('Secret token: the token.').waitFor()
    await dialog.getByRole('button', { name: 'I have copied the token' }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Okta' }).waitFor()
    expect(await page.content()).not.toContain(token)

    const scim = scimOf(scene.server, baseUrl.split('/').at(-1) as string, token)
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => scim.makeUser(`console-${i}`)))
    for (const { id } of people.slice(0, 8)) await scim.remove(`/Users/${id}`)
    await page.getByRole('link', { name: 'Okta' }).click()
    await page.getByText('deactivations are held').waitFor()
    await page.getByText('12, 12 of them active').waitFor()
    await checkPage(scene.owner, 'directory')
    await page.getByRole('button', { name: 'Disable them' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('deactivations are held').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Rotate token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'I have copied the token' }).click()
    await vi.waitFor(async () => expect(await page.getByRole('button', { name: /^Revoke / }).count()).toBe(2))
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await vi.waitFor(async () => expect(await page.getByRole('button', { name: /^Revoke / }).count()).toBe(1))
    expect((await scim.get('/Users')).status).toBe(401)

    const offeredToReader = async (): Promise<number> => {
      const reader = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
      await reader.go(`/directories/${scim.appId}`)
      return reader.page.getByRole('button', { name: /Rotate|Delete|Revoke/ }).count()
    }
    expect(isLong ? await offeredToReader() : 0).toBe(0)

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No directories').waitFor()
  })
})
