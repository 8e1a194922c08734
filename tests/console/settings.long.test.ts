import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, enter, inBrowser, openScene, openWindow, type Scene, settled } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('the settings', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('API credentials: with none, the page says what to do; the form checks addresses while they are typed', async () => {
    await scene.go('/settings/credentials')
    await scene.owner.page.getByText('You have no API credentials').waitFor()
    await checkPage(scene.owner, 'credentials-none')

    await scene.owner.page.getByRole('button', { name: 'Create credential' }).first().click()
    const dialog = scene.owner.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('nightly-export')
    await dialog.getByLabel('Allowed IPs').pressSequentially('192.0.2.300')
    await dialog.getByText('192.0.2.300 is not an IP address').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create credential' }).isDisabled()).toBe(true)
    await checkPage(scene.owner, 'credential-form')
    await scene.owner.page.keyboard.press('Escape')
  })

  test("everyone's credentials are found by name, a page at a time, and the address holds where one is", async () => {
    for (const number of Array.from({ length: 26 }, (_, index) => index))
      await scene.access.makeKey(scene.owner.userId, { name: `paged-${String(number).padStart(2, '0')}` })
    await scene.go('/settings/everyone')
    await checkPage(scene.owner, 'everyones-credentials')

    await scene.owner.page.getByRole('searchbox', { name: 'Search names and client IDs' }).fill('paged-')
    await scene.owner.page.waitForURL(/q=paged-/)
    await settled(scene.owner.page)
    const rows = scene.owner.page.getByRole('table').getByRole('rowheader')
    const first = await rows.allTextContents()
    expect(first).toHaveLength(25)
    await scene.owner.page.getByRole('button', { name: 'Next' }).click()
    await scene.owner.page.waitForURL(/page=/)
    await settled(scene.owner.page)
    expect(await rows.allTextContents()).toHaveLength(1)
    // What the address says is all there is to it: a fresh window shows the same page.
    const second = await rows.allTextContents()
    await scene.owner.page.reload()
    await settled(scene.owner.page)
    expect(await rows.allTextContents()).toEqual(second)
    await scene.owner.page.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(() => rows.allTextContents()).toEqual(first)

    await scene.owner.page.getByRole('searchbox').fill('nobody calls it that')
    await scene.owner.page.getByText('No results').waitFor()
    await checkPage(scene.owner, 'list-nothing-fits')
    await scene.owner.page.getByRole('button', { name: 'Clear filters' }).click()
    await scene.owner.page.waitForURL((url) => url.search === '')
  })

  test('a page token of somewhere else is refused in the words of the API, with a way out', async () => {
    await scene.go('/settings/everyone?page=not-a-token')
    await scene.owner.page.getByRole('alert').waitFor()
    expect(await scene.owner.page.getByRole('alert').textContent()).toMatch(/page.?token/i)
    await checkPage(scene.owner, 'list-refused')
    await scene.owner.page.getByRole('button', { name: 'Go to the first page' }).click()
    await scene.owner.page.getByRole('table').waitFor()
  })

  test('deleting a credential asks first', async () => {
    await scene.access.makeKey(scene.owner.userId, { name: 'to-be-deleted' })
    await scene.go('/settings/everyone?q=to-be-deleted')
    await scene.owner.page.getByRole('button', { name: 'Delete to-be-deleted' }).click()
    const dialog = scene.owner.page.getByRole('dialog', { name: 'Delete to-be-deleted?' })
    await dialog.waitFor()
    await checkPage(scene.owner, 'credential-delete')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await scene.owner.page.getByRole('button', { name: 'Delete to-be-deleted' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await scene.owner.page.getByText('No results').waitFor()
    // The row that had the focus is gone, and no other has taken its place.
    await scene.owner.page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  })

  test('sessions: the other ones can be ended, and are out from their next request on', async () => {
    const other = await openWindow(scene.browser, scene.server.url)
    await enter(other, scene.server, scene.access, scene.owner.userId)
    const { page } = other
    await scene.go('/settings/sessions')
    expect(await scene.owner.page.getByRole('rowheader').count()).toBe(2)
    await scene.owner.page.getByText('This session').waitFor()
    await checkPage(scene.owner, 'sessions')
    await scene.owner.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await scene.owner.page.getByRole('dialog').getByRole('button', { name: 'Sign out elsewhere' }).click()
    await scene.owner.page.getByText('Ended 1 other session').waitFor()
    await page.goto('/settings/sessions')
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    await other.close()
  })
})
