import { expect, test, vi } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

inBrowser('policies', () => {
  const scene = prepareRequests()
  type Policy = {
    policySteps: Record<string, { steps: { approval: unknown; provision: unknown }[] }>
    rules: unknown[]
  }
  const saved = async (id: string): Promise<Policy> =>
    (await scene.get(`/api/v1/policies/${id}`)).json['policy'] as Policy

  test('a built-in policy is shown and duplicated; the copy is edited step by step, and saved', async () => {
    const { page } = scene.owner
    await scene.go('/policies')
    await checkPage(scene.owner, 'policies')
    await page.getByRole('link', { name: 'Manager approves', exact: true }).click()
    await page.getByText('Built-in policies cannot be changed.').waitFor()
    expect(await page.getByRole('button', { name: /^(Save|Delete)$/ }).count()).toBe(0)
    await settled(page)
    await checkPage(scene.owner, 'policy-built-in', [1440])
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'New policy' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Twice approved')
    await page.getByRole('button', { name: 'Add step' }).last().click()
    await page.getByRole('menuitem', { name: 'Approval', exact: true }).click()
    // It must not come after the provisioning: the API says so at the step.
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.getByText('must not come before an approval: access would be given first').first().waitFor()
    await checkPage(scene.owner, 'policy-refused')
    await page.getByRole('button', { name: 'Move step 3, Approval up' }).click()
    const second = page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem').nth(1)
    await second.getByLabel('Who approves').selectOption('An owner of the app')
    await second.getByLabel('Denying requires a reason').check()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Condition').fill('subject.departmen == 1')
    await page.getByText(/^Line 1, column/).waitFor()
    await checkPage(scene.owner, 'policy-rule')
    await page.getByLabel('Condition').fill('subject.department == "Sales"')
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByText('Those of another policy').first().click()
    await page.getByRole('list', { name: 'Rules' }).getByRole('combobox', { name: 'Policy' }).fill('Approve auto')
    await page.getByRole('option', { name: 'Approve automatically' }).click()
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.waitForURL(/\/policies\/(?!new)\w+$/)
    const id = page.url().split('/').at(-1) as string
    const { policySteps, rules } = await saved(id)
    expect(policySteps['grant']?.steps.map(({ approval }) => approval !== null)).toEqual([true, true, false])
    expect(policySteps['grant']?.steps[1]?.approval).toMatchObject({ appOwners: {}, requireDenialReason: true })
    expect(rules).toEqual([expect.objectContaining({ condition: 'subject.department == "Sales"' })])
    await settled(page)
    await page.getByRole('button', { name: 'Remove step 1, Approval' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await saved(id)).policySteps['grant']?.steps).toHaveLength(2)
  })

  test('a policy that is used is not deleted, and what uses it is named', async () => {
    const { page } = scene.owner
    const policyId = await scene.policy([{ accept: { acceptMessage: '' } }, { provision: {} }])
    await scene.appOf(scene.owner.userId, 'Wiki', policyId, 'Editor')
    await scene.go(`/policies/${policyId}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await dialog.getByText(/is used by the entitlement Editor/).waitFor()
    await checkPage(scene.owner, 'policy-used', [1440])
    await scene.access.world.db`update entitlements set grant_policy_id = '' where grant_policy_id = ${policyId}`
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await page.waitForURL(/\/policies$/)
  })

  test('who may only read policies is offered no change', async () => {
    const viewer = await scene.asA('system:viewer')
    await viewer.page.goto('/policies')
    await settled(viewer.page)
    expect(await viewer.page.getByRole('link', { name: 'New policy' }).count()).toBe(0)
    await viewer.page.getByRole('link', { name: 'App owners approve', exact: true }).click()
    await viewer.page.getByText('Approval by an app owner').first().waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Save|Delete|Duplicate|Add step)$/ }).count()).toBe(0)
  })
})
