import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScimApp, startScimApp } from '../connectors/scim-app.ts'
import { checkPage, inBrowser, openScene, type Scene } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('an app that supports SCIM', () => {
  let scene: Scene
  let app: ScimApp
  beforeAll(async () => {
    app = await startScimApp()
    for (let i = 0; i < 12; i++) app.addUser(`person-${i}@scim.example`)
    app.addGroup('Staff', [...app.users.keys()].slice(0, 4))
    scene = await openScene({ flags: { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] } })
  })
  afterAll(async () => {
    await scene.close()
    await app.close()
  })

  test('is tested, added, read at once, and given a new token', async () => {
    const { page } = scene.owner
    const dialog = page.getByRole('dialog')
    const token = page.locator('input[type=password]')
    await scene.go('/connectors/new')
    await page.getByText('A new app').click()
    await page.getByLabel('Name of the app').fill('Chat')
    await page.getByRole('combobox', { name: 'Connector' }).fill('SCIM')
    await page.getByRole('option', { name: /SCIM 2.0 app/ }).click()
    await page.getByLabel('Base URL').fill('http://169.254.169.254/scim')
    await token.fill('wrong')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText(/is not allowed/).waitFor()
    await page.getByLabel('Base URL').fill(app.url)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The connection does not work').waitFor()
    await page.getByText(/replace the token of the connector/).waitFor()
    await checkPage(scene.owner, 'scim-add-refused')
    await token.fill(app.token)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The app answers: 12 users, 1 group.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Chat by SCIM')
    await checkPage(scene.owner, 'scim-add')
    await page.getByRole('button', { name: 'Add connector' }).click()
    const came = page.getByRole('table', { name: 'Imported records' })
    await came.getByRole('row', { name: /^Accounts 12/ }).waitFor()
    await checkPage(scene.owner, 'scim-came')

    await page.getByRole('link', { name: 'Go to the connector' }).click()
    await page.getByRole('heading', { name: 'SCIM app' }).waitFor()
    await page.getByText('Part of this server').waitFor()
    await page.getByText('Disabled in the app').waitFor()
    expect(await page.content()).not.toContain(app.token)
    expect(await page.getByText('The connector has no credential').count()).toBe(0)
    await checkPage(scene.owner, 'scim-connector')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('The connection works').waitFor()

    app.token = 'another-token-of-the-app'
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('The last sync failed. Nothing was changed').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.locator('input[type=password]').fill(app.token)
    await dialog.getByLabel('Delete accounts in the app instead of disabling them').check()
    await checkPage(scene.owner, 'scim-change')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Deleted in the app').waitFor()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('The last sync failed. Nothing was changed').waitFor({ state: 'detached' })
  })
})
