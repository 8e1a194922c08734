import { beforeAll, expect, test, vi } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

inBrowser('what can be requested, and how', () => {
  const scene = prepareRequests()
  let appId: string
  let editor: Ref
  beforeAll(async () => {
    appId = await scene.app('Wiki')
    editor = await scene.entitlement(appId, 'Editor')
    await scene.entitlement(appId, 'Reader')
  })
  const pick = async (label: string, typed: string, option: RegExp | string): Promise<void> => {
    const { page } = scene.owner
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(typed)
    await page.getByRole('option', { name: option }).first().click()
  }

  test('an access profile is created, filled and published, and then people find what is in it', async () => {
    const { page } = scene.owner
    await scene.go('/profiles')
    await page.getByText('No access profiles yet').waitFor()
    await page.getByRole('button', { name: 'New access profile' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('For everyone')
    await checkPage(scene.owner, 'profile-new', [1440])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'For everyone' }).waitFor()
    await page.getByRole('button', { name: 'Add entitlements' }).first().click()
    await pick('Entitlement', 'Editor', /Editor/)
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Editor' }).waitFor()
    await settled(page)
    await checkPage(scene.owner, 'profile')
    const basic = await scene.asA('system:user')
    await basic.page.goto('/request')
    await settled(basic.page)
    expect(await basic.page.getByRole('button', { name: /^Request / }).count()).toBe(1)
    await page.getByRole('link', { name: 'Who sees it' }).click()
    await page.getByText('No audience is chosen').waitFor()
    await page.getByRole('link', { name: 'Automation', exact: true }).click()
    await page.getByRole('textbox', { name: 'Expression' }).fill('subject.department == "Sales"')
    await checkPage(scene.owner, 'profile-automation')
    await page.getByRole('button', { name: 'Create automation' }).click()
    await page.getByRole('button', { name: 'Run now' }).waitFor()
    await page.getByRole('link', { name: 'Entitlements', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Editor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('It contains nothing yet').waitFor()
  })

  test('a form is made of questions, a routing rule chooses it, and the entitlement says where it comes from', async () => {
    const { page } = scene.owner
    await scene.go('/forms/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Tickets')
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByRole('textbox', { name: 'Question' }).fill('Which ticket?')
    await page.getByLabel('Must be answered').check()
    await checkPage(scene.owner, 'form')
    await page.getByRole('button', { name: 'Create form' }).click()
    await page.waitForURL(/\/forms\/(?!new)\w+$/)
    await scene.go('/forms')
    await page.getByRole('link', { name: 'Tickets' }).waitFor()
    await checkPage(scene.owner, 'forms', [1440])
    await scene.go(`/apps/${appId}/requests`)
    await page.getByRole('button', { name: 'New rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Editors')
    await dialog.getByLabel('Condition').fill('entitlement.nothing == 1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog
      .getByText(/nothing/)
      .last()
      .waitFor()
    await dialog.getByLabel('Condition').fill('entitlement.displayName == "Editor"')
    await pick('Form', 'Tick', 'Tickets')
    await checkPage(scene.owner, 'routing-rule', [1440])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('list', { name: 'Routing rules' }).getByText('Editors').waitFor()
    await settled(page)
    await checkPage(scene.owner, 'app-requests')
    await scene.go(`/apps/${appId}/entitlements/${editor.id}/requests`)
    const applied = page.getByRole('region', { name: 'What applies now' })
    await applied.getByRole('link', { name: 'Tickets' }).waitFor()
    await applied
      .getByText(/Editors/)
      .first()
      .waitFor()
    await page.getByRole('combobox', { name: 'When access is requested' }).fill('Manager approves')
    await page.getByRole('option', { name: 'Manager approves', exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    // A form of its own is bound at once, and then counts instead of the rule's.
    await page.getByRole('combobox', { name: 'Form' }).fill('Tick')
    await page.getByRole('option', { name: 'Tickets' }).click()
    await expect
      .poll(async () => (await scene.get(`/api/v1/apps/${appId}/entitlements/${editor.id}`)).text)
      .toMatch(/"requestSchemaId":"\w+"/)
    await settled(page)
    await checkPage(scene.owner, 'entitlement-requests')
    const { json } = await scene.get(`/api/v1/apps/${appId}/entitlements/${editor.id}`)
    const view = json['appEntitlementView'] as { appEntitlement: { grantPolicyId: string } }
    expect(view.appEntitlement.grantPolicyId).not.toBe(byOwners)
    expect(view.appEntitlement.grantPolicyId).toMatch(/Manager/)
  })
})
