import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

/** Whether decisions are carried out in apps, as the console says it. */
inBrowser('enforcement', () => {
  const scene = prepareRequests()
  let editor: Ref
  let person: string

  beforeAll(async () => {
    ;[editor] = (await scene.appOf(scene.owner.userId, 'Wiki', automatic, 'Editor')) as [Ref]
    person = await scene.user({ displayName: 'Ann Lee' })
  })

  test('an app without a connector says everywhere that nobody is asked', async () => {
    const { page } = scene.owner
    await scene.go('/apps')
    const row = page.getByRole('row').filter({ hasText: 'Wiki' })
    await row.getByText('Records only').waitFor()
    await row.getByText('nobody is asked').waitFor()
    await checkPage(scene.owner, 'apps-enforcement')
    await scene.go(`/apps/${editor.appId}/connectors`)
    const panel = page.getByRole('region', { name: 'Enforcement' })
    await panel.getByText('nobody is asked', { exact: true }).waitFor()
    await panel.getByText('1 entitlement', { exact: true }).waitFor()
    await checkPage(scene.owner, 'app-enforcement')
    await scene.go(`/apps/${editor.appId}/entitlements/${editor.id}`)
    await page.getByText('Records only').waitFor()
    await page.getByRole('button', { name: 'Add members' }).first().click()
    await page.getByRole('dialog').getByText('Nobody is asked to change the app.').waitFor()
  })

  test('who may edit an app chooses whether its owners are asked, and its state follows', async () => {
    const { page } = scene.owner
    const [other] = (await scene.appOf(scene.owner.userId, 'Vault', automatic, 'Opener')) as [Ref]
    await scene.go(`/apps/${other.appId}/connectors`)
    const panel = page.getByRole('region', { name: 'Enforcement' })
    await panel.getByText('nobody is asked', { exact: true }).waitFor()
    await panel.getByText('Ask the owners').click()
    await panel.getByText('tasks go to the owners of the app').waitFor()
    await panel.getByText('Changed by people, who get tasks').waitFor()
    await checkPage(scene.owner, 'app-manual')
    await scene.go(`/request?q=Opener`)
    await page.getByRole('button', { name: 'Request Opener' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^Changed in the app by/)
      .waitFor()
    await page
      .getByRole('dialog')
      .getByText('No decision is needed, but somebody must make the change in the app.')
      .waitFor()
  })

  test('a request that is only recorded is not said to be provisioned', async () => {
    const { page } = scene.owner
    const number = await scene.asks(editor, person)
    await scene.go(`/tasks/${number}`)
    const steps = page.getByRole('region', { name: 'Steps' })
    await steps.getByText(/^Recorded in Bailiwick/).waitFor()
    await steps.getByText('Nothing is connected to Wiki: somebody must make the change there.').waitFor()
    await page
      .getByRole('region', { name: 'History' })
      .getByText('Recorded in Bailiwick. Nothing is connected to Wiki: somebody must make the change there.')
      .waitFor()
    expect(await page.getByText(/Access was provisioned|Done: Bailiwick/).count()).toBe(0)
    await checkPage(scene.owner, 'task-recorded')
  })

  test('revoking many grants says how many must still be removed in apps', async () => {
    const { page } = scene.owner
    await scene.go(`/grants?app=${editor.appId}`)
    await page.getByRole('checkbox', { name: /Ann Lee: Editor/ }).check()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ends 1 grant in Bailiwick.').waitFor()
    await dialog.getByText('It must still be removed in apps that are not connected.').waitFor()
    await checkPage(scene.owner, 'bulk-revoke-recorded')
    await dialog.getByLabel('Reason or ticket').fill('No longer needed')
    await dialog.getByRole('button', { name: 'Revoke 1 grant' }).click()
    await page.getByText(/^Ended 1 grant in Bailiwick\. It must still be removed/).waitFor()
    expect(await scene.holds(editor, person)).toHaveLength(0)
  })

  test('an app with a connector names it, what it can do, and when it synced', async () => {
    const { page } = scene.owner
    const made = await scene.post(`/api/v1/apps/${editor.appId}/connectors`, { displayName: 'Reader' })
    expect(made.status, made.text).toBe(200)
    await scene.go(`/apps/${editor.appId}/connectors`)
    const panel = page.getByRole('region', { name: 'Enforcement' })
    await panel.getByText('Reader, not synced yet').waitFor()
    await panel.getByText('Has not synced yet').waitFor()
    await checkPage(scene.owner, 'app-connected')
    // The entitlement exists only here: no connector reports it.
    await scene.go(`/apps/${editor.appId}/entitlements/${editor.id}`)
    await page.getByText('Records only').waitFor()
  })
})
