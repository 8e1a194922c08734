import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, settled } from '../fixture/browser.ts'

inBrowser('adding an app', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('an app is entered with an entitlement, and another one comes from a file of its members', async () => {
    const { page } = scene.owner
    await scene.go('/apps/new')
    await page.getByRole('button', { name: 'Enter it here' }).click()
    await page.getByLabel('Name of the app').fill('Wiki')
    await page.getByRole('group', { name: 'Entitlement 1' }).getByLabel('Name', { exact: true }).fill('Editor')
    await page.getByText('Nobody can be asked yet').waitFor()
    await checkPage(scene.owner, 'add-app')
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.waitForURL(/\/apps\/\w{27}$/)
    await page.getByRole('heading', { name: 'Wiki' }).waitFor()
    await settled(page)

    await scene.go('/apps/new')
    await page.getByRole('button', { name: 'Use a file' }).click()
    await page.getByLabel('Name of the app').fill('Sales (EU)')
    await page.getByText('Imports call it sales-eu.').waitFor()
    await page.getByLabel('File to import').setInputFiles({
      name: 'members.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Login,E-Mail,Role\nada,ada@corp.example,Admin;Reader\nbo,bo@corp.example,Reader\n'),
    })
    await page.getByLabel('Role becomes').waitFor()
    expect(await page.getByLabel('Role becomes').inputValue()).toBe('entitlements')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Checked: nothing was saved yet').waitFor()
    await checkPage(scene.owner, 'add-app-file')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported Sales (EU)').waitFor()
  })
})
