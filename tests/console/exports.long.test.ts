import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, signIn } from '../fixture/browser.ts'

inBrowser('exports of the system log', () => {
  let scene: Scene
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bailiwick-console-exports-'))
    mkdirSync(join(folder, 'archive'))
    const datasources = {
      archive: { kind: 'folder', path: 'archive', everySeconds: 3600 },
      gone: { kind: 'folder', path: 'gone', everySeconds: 3600 },
    }
    writeFileSync(join(folder, 'd.json'), JSON.stringify(datasources))
    scene = await openScene({ flags: { 'datasources-file': join(folder, 'd.json') } })
  })
  afterAll(async () => {
    await scene.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('an administrator creates an export, sees its files and its errors, changes and deletes it', async () => {
    const { page } = scene.owner
    await scene.go('/log')
    await page.getByRole('link', { name: 'Exports' }).click()
    await page.getByText('No exports').waitFor()
    await checkPage(scene.owner, 'exports-empty')
    await page.getByRole('button', { name: 'Create export' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('To the archive')
    await dialog.getByLabel('Prefix').fill('../out')
    await dialog.getByRole('button', { name: 'Create export' }).click()
    await dialog.getByText('must consist of letters').waitFor()
    await dialog.getByLabel('Prefix').fill('audit')
    await dialog.getByRole('button', { name: 'Create export' }).click()
    await page.getByRole('heading', { level: 1, name: 'To the archive' }).waitFor()
    // The list of files follows, without anyone asking for it.
    await page.getByText('.ocsf.json.gz').first().waitFor()
    await page.getByText('Up to date').waitFor()
    await checkPage(scene.owner, 'export')

    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Datasource').selectOption('gone')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('the folder does not exist').waitFor()
    await checkPage(scene.owner, 'export-failing')
    await scene.go('/log/exports')
    await page.getByText('Failing').waitFor()
    await checkPage(scene.owner, 'exports')
    await page.getByRole('link', { name: 'To the archive' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No exports').waitFor()
  })

  test('who may only read sees exports and cannot change them', async () => {
    const viewer = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await viewer.go('/log/exports')
    await viewer.page.getByText('No exports').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Create export' }).count()).toBe(0)
    await viewer.close()
  })
})
