import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '#kernel/version.ts'
import { ask, getToken, type Json } from '../fixture/access.ts'
import { checkPage, inBrowser, openScene, type Scene, settled } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('the system log and imports', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('the system log: names with links, filters in the address, an event with what it changed, the chain verified', async () => {
    const { page } = scene.owner
    const { server, access } = scene
    const key = await access.makeCaller(['system:owner'])
    const token = await getToken(server, key)
    const made = await ask(server, '/api/v1/apps', { token, body: { displayName: 'Sales Wiki' } })
    const appId = (made.json['app'] as Json)['id'] as string
    const body = { app: { displayName: 'Wiki of Sales' }, updateMask: 'displayName' }
    await ask(server, `/api/v1/apps/${appId}`, { token, body })

    await scene.go('/log')
    // Not verified yet, unless the server has done so itself, half a minute after its start.
    await page
      .getByText(/^Chain (?:not verified yet|verified)/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByText('Chain verified').waitFor()
    await checkPage(scene.owner, 'system-log')

    // Found by kind and by words of the name; the filters are in the address.
    await page.getByLabel('Kind').selectOption('Changed')
    await page.getByRole('searchbox').fill('wiki sales')
    await page.waitForURL(/kind=update.*q=wiki|q=wiki.*kind=update/)
    await settled(page)
    const row = page.getByRole('rowheader').first()
    await row.getByText('Wiki of Sales').waitFor()
    expect(await page.getByRole('cell').getByRole('link', { name: 'Wiki of Sales' }).getAttribute('href')).toBe(
      `/apps/${appId}`,
    )
    expect(await page.locator(`a[href="/users/${key.userId}"]`).count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await page.getByRole('menuitem', { name: 'CSV' }).getAttribute('href')
    expect(file).toMatch(/^\/api\/v1\/systemlog\/download\?format=csv&query=wiki\+sales&.*kind=EVENT_KIND_UPDATE/)
    await page.keyboard.press('Escape')

    // The event has an address of its own, and says what was there before.
    await row.getByRole('link').click()
    await page.waitForURL(/\/log\/events\/\w{27}$/)
    const changes = page.getByRole('table', { name: 'Changes of Wiki of Sales' })
    expect(await changes.getByRole('row').nth(1).textContent()).toBe('NameChangedSales WikiWiki of Sales')
    await page.getByRole('button', { name: 'Show JSON' }).click()
    await page.getByText('"class_uid"').waitFor()
    await checkPage(scene.owner, 'system-log-event')
    await page.getByRole('link', { name: 'All events of this object' }).click()
    await page.waitForURL(new RegExp(`/log\\?object=${appId}`))
    await page.getByText('Created the app Sales Wiki').waitFor()
    await page.getByRole('button', { name: 'Remove the object filter' }).click()
    await page.getByLabel('Order').selectOption('oldest')
    await page.waitForURL(/order=oldest/)
    await page.getByRole('link', { name: /^Created the tenant/ }).waitFor()
    await page.getByLabel('From').fill('2999-01-01T00:00')
    // The same moment for whoever the address is sent to, in whichever zone they are.
    await page.waitForURL(/since=2998-12-31T23%3A00%3A00.000Z/)
    expect(await page.getByLabel('From').inputValue()).toBe('2999-01-01T00:00')
    await page.getByText('No results').waitFor()
  })

  test('help: a menu with the docs, the reference, shortcuts and the version', async () => {
    const { page } = scene.owner
    await scene.go('/log')
    const heard = page.evaluate(
      () => new Promise<string>((resolve) => window.addEventListener('open-shortcuts', ({ type }) => resolve(type))),
    )
    await page.getByRole('button', { name: 'Help' }).click()
    expect(await page.getByRole('menuitem', { name: 'API reference' }).getAttribute('href')).toBe('/docs')
    expect(await page.getByRole('menuitem', { name: 'Glossary' }).getAttribute('href')).toBe('/docs/guides/glossary')
    await page.getByText(`Bailiwick ${version}`).waitFor()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    expect(await heard).toBe('open-shortcuts')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the docs are searched; on a phone nothing is wider than the window, and the contents are folded', async () => {
    const docs = await scene.owner.context.newPage()
    await docs.goto('/docs/guides/console')
    await docs.getByRole('searchbox').first().fill('personal_clients expires')
    await docs.getByRole('button', { name: 'Search' }).click()
    await docs.getByRole('link', { name: 'POST /api/v1/iam/personal_clients' }).first().click()
    await docs.waitForURL(/\/docs#iam\.v1\.PersonalClientService\.Create$/)
    await docs.setViewportSize({ width: 390, height: 800 })
    for (const path of ['/docs/guides/api', '/docs/guides/console', '/docs/search?q=token', '/docs']) {
      await docs.goto(path)
      expect(await docs.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
      await docs.getByText('Contents', { exact: true }).waitFor()
    }
    await docs.close()
  })

  test('imports: a dry run of a file is refused with its lines, then the file is fixed, imported and listed', async () => {
    await scene.go('/imports')
    await scene.owner.page.getByText('No imports yet').waitFor()
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    const choose = scene.owner.page.getByLabel('File to import')
    await choose.setInputFiles(file('people.csv', 'externalId,email,displayName\n1,no address,Ann\n'))
    await scene.owner.page.getByLabel('Record type').selectOption('Users')
    await scene.owner.page.getByRole('button', { name: 'Dry run' }).click()
    await scene.owner.page.getByText('1 line was rejected. Nothing was imported').waitFor()
    await scene.owner.page.getByText('is not an email address').waitFor()
    await checkPage(scene.owner, 'import-refused')

    await choose.setInputFiles(file('people.csv', 'externalId,email,displayName\n1,ann@example.com,Ann Ask\n'))
    await scene.owner.page.getByLabel('Record type').selectOption('Users')
    await scene.owner.page.getByRole('button', { name: 'Dry run' }).click()
    await scene.owner.page.getByText('Dry run: nothing was saved').waitFor()
    await checkPage(scene.owner, 'import-tried')
    await scene.owner.page.getByText('No imports yet').waitFor()
    await scene.owner.page.getByRole('button', { name: 'Import', exact: true }).click()
    await scene.owner.page.getByText('Imported: 1 added').waitFor()
    await scene.owner.page.getByRole('rowheader').last().getByRole('link').click()
    await scene.owner.page.getByRole('heading', { name: 'Changes' }).waitFor()
    await checkPage(scene.owner, 'import')
  })
})
