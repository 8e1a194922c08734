import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkPage, checkState, inBrowser, openScene, type Scene, settled } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('the system log and imports', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('the system log: newest first, with filters, and each event as a whole', async () => {
    await scene.go('/log')
    await checkPage(scene.owner, 'system-log')
    await scene.owner.page.getByLabel('Order').selectOption('oldest')
    await scene.owner.page.waitForURL(/order=oldest/)
    await settled(scene.owner.page)
    const first = scene.owner.page.getByRole('rowheader').first()
    expect(await first.textContent()).toMatch(/^Made the tenant/)
    await first.getByRole('button').click()
    await scene.owner.page.getByRole('dialog').getByText('"class_uid"').waitFor()
    await checkState(scene.owner, 'system-log-event')
    await scene.owner.page.keyboard.press('Escape')
    await scene.owner.page.getByLabel('From').fill('2999-01-01T00:00')
    await scene.owner.page.getByText('No results').waitFor()
  })

  test('imports: a file is tried, refused with its lines, mended, imported, and then in the list', async () => {
    await scene.go('/imports')
    await scene.owner.page.getByText('No imports yet').waitFor()
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    const choose = scene.owner.page.getByLabel('File to import')
    await choose.setInputFiles(file('people.csv', 'externalId,email,displayName\n1,no address,Ann\n'))
    await scene.owner.page.getByLabel('Record type').selectOption('Users')
    await scene.owner.page.getByRole('button', { name: 'Dry run' }).click()
    await scene.owner.page.getByText('1 line was rejected. Nothing was imported').waitFor()
    await scene.owner.page.getByText('is not an email address').waitFor()
    await checkState(scene.owner, 'import-refused')

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
