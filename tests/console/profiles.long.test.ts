import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
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
    await page.getByRole('button', { name: 'Create access profile' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('For everyone')
    await checkPage(scene.owner, 'profile-new', [1440])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'For everyone' }).waitFor()
    await page.getByRole('button', { name: 'Add entitlements' }).first().click()
    await pick('Entitlement', 'Editor', /Editor/)
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Editor' }).waitFor()
    await checkPage(scene.owner, 'profile')
    const basic = await scene.asA('system:user')
    await basic.go('/request')
    expect(await basic.page.getByRole('button', { name: /^Request / }).count()).toBe(1)
    await page.getByRole('link', { name: 'Visibility' }).click()
    await page.getByText('No audience').waitFor()
    await page.getByRole('link', { name: 'Automation', exact: true }).click()
    await page.getByRole('textbox', { name: 'Expression' }).fill('subject.department == "Sales"')
    await checkPage(scene.owner, 'profile-automation')
    await page.getByRole('button', { name: 'Create automation' }).click()
    await page.getByRole('button', { name: 'Run now' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Entitlements', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Editor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No entitlements yet').waitFor()
  })

  test('a form is made of questions, a routing rule chooses it, and the entitlement says where it comes from', async () => {
    const { page } = scene.owner
    await scene.go('/forms/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Tickets')
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByRole('textbox', { name: 'Question' }).fill('Which ticket?')
    await page.getByLabel('Must be answered').check()
    await page.getByLabel('Allowed answers').selectOption('Matches a regular expression')
    await page.getByRole('textbox', { name: 'Matches a regular expression' }).fill('[A-Z')
    await page.getByRole('button', { name: 'Create form' }).click()
    await page.getByText('must be a regular expression of RE2').first().waitFor()
    await page.getByRole('textbox', { name: 'Matches a regular expression' }).fill('^[A-Z]+-[0-9]+$')
    await checkPage(scene.owner, 'form')
    await page.getByRole('button', { name: 'Create form' }).click()
    await page.waitForURL(/\/forms\/(?!new)\w+$/)
    await settled(page)
    // Each kind of question with its own rules.
    const question = async (title: string, kind: string): Promise<Locator> => {
      await page.getByRole('button', { name: 'Add question' }).click()
      const added = page.locator('fieldset').last()
      await added.getByRole('textbox', { name: 'Question' }).fill(title)
      await added.getByLabel('Answer', { exact: true }).selectOption(kind)
      return added
    }
    const number = await question('How many?', 'A number')
    await number.getByLabel('Allowed numbers').selectOption('At least')
    await number.getByRole('textbox', { name: 'At least' }).fill('5')
    const day = await question('From when?', 'A date')
    await day.getByLabel('Allowed dates').selectOption('At most this many days from today')
    const sure = await question('Sure?', 'Yes or no')
    await sure.getByLabel('Allowed answer').selectOption('Must be yes')
    const labels = await question('Labels', 'List of strings')
    await labels.getByLabel('Number of answers', { exact: true }).selectOption('No duplicates')
    await labels.getByLabel('Each answer').selectOption('An email address')
    const choice = await question('Where?', 'Single choice')
    await choice.getByRole('button', { name: 'Add choice' }).click()
    await choice.getByRole('textbox', { name: 'Choice 1' }).fill('Here')
    await question('With whom?', 'A user')
    await page.getByRole('button', { name: 'Add dependency' }).click()
    await page.getByRole('combobox', { name: 'Questions 1', exact: true }).click()
    await page.getByRole('option', { name: 'How many?' }).click()
    await page.getByRole('option', { name: 'From when?' }).click()
    await page.keyboard.press('Escape')
    await checkPage(scene.owner, 'form-kinds')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const formId = page.url().split('/').at(-1) as string
    const { form } = (await scene.get(`/api/v1/request_schemas/${formId}`)).json['requestSchema'] as { form: Json }
    expect(form).toMatchObject({
      fields: [
        { name: 'which_ticket', required: true, stringField: { rules: { pattern: '^[A-Z]+-[0-9]+$' } } },
        { int64Field: { rules: { gte: '5' } } },
        { stringField: { dateField: { maxDaysFromToday: 1 } } },
        { boolField: { rules: { const: true } } },
        { stringSliceField: { rules: { unique: true, items: { string: { email: true } } } } },
        { stringField: { selectField: { options: [{ value: 'Here', displayName: 'Here' }] } } },
        { stringField: { pickerField: { c1UserPicker: { userIds: [] } } } },
      ],
      fieldRelationships: [{ fieldNames: ['how_many', 'from_when'], atLeastOne: {} }],
    })
    // A question that is renamed or removed takes with it what names it.
    await settled(page)
    await page.locator('fieldset').nth(1).getByRole('textbox', { name: 'Question' }).fill('Pieces')
    await page.getByRole('button', { name: 'Remove Where?' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await scene.get(`/api/v1/request_schemas/${formId}`)).text)
      .toContain('"fieldNames":["pieces","from_when"]')
    await scene.go('/forms')
    await page.getByRole('link', { name: 'Tickets' }).waitFor()
    await checkPage(scene.owner, 'forms', [1440])
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Require a reason for every request').click()
    await expect
      .poll(async () => (await scene.get('/api/v1/settings/request')).text)
      .toContain('"skipJustification":false')
    await checkPage(scene.owner, 'settings-requests')
    await scene.go(`/apps/${appId}/requests`)
    await page.getByRole('button', { name: 'Create rule' }).click()
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
    const rules = page.getByRole('list', { name: 'Routing rules' })
    await rules.getByText('Editors').waitFor()
    await rules.getByRole('link', { name: 'Tickets' }).waitFor()
    // Defaults that say nothing of the duration say nothing of it after they are saved either.
    const defaults = page.getByRole('region', { name: 'Defaults of this app' })
    await defaults.getByLabel('Use these defaults').check()
    await defaults.getByRole('button', { name: 'Save defaults' }).click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    const saidOfLength = async (): Promise<unknown[]> => {
      const { json } = await scene.get(`/api/v1/apps/${appId}/access_request_defaults`)
      return [json['defaultsEnabled'], json['durationGrant'], json['durationUnset']]
    }
    await expect.poll(saidOfLength).toEqual([true, null, null])
    await defaults.getByLabel('Access can be requested without expiry').check()
    await defaults.getByRole('button', { name: 'Save defaults' }).click()
    await expect.poll(saidOfLength).toEqual([true, null, {}])
    // From the top: what the fixed header partly covers while the page is scrolled counts as too small.
    await page.evaluate(() => window.scrollTo(0, 0))
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
    await page.getByLabel('Granting access').selectOption('With another entitlement')
    await page.getByRole('combobox', { name: 'The other entitlement' }).fill('Reader')
    await page.getByRole('option', { name: /Reader/ }).click()
    await page.getByLabel('Ignore the routing rules and defaults of the app').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).last().waitFor()
    // A form of its own is bound at once, and then counts instead of the rule's.
    await page.getByRole('combobox', { name: 'Form' }).fill('Tick')
    await page.getByRole('option', { name: 'Tickets' }).click()
    await expect
      .poll(async () => (await scene.get(`/api/v1/apps/${appId}/entitlements/${editor.id}`)).text)
      .toMatch(/"requestSchemaId":"\w+"/)
    await checkPage(scene.owner, 'entitlement-requests')
    const { json } = await scene.get(`/api/v1/apps/${appId}/entitlements/${editor.id}`)
    const view = json['appEntitlementView'] as { appEntitlement: { grantPolicyId: string } & Json }
    expect(view.appEntitlement).toMatchObject({
      overrideAccessRequestsDefaults: true,
      provisionerPolicy: { delegated: { appId, entitlementId: expect.any(String) as unknown } },
    })
    expect(view.appEntitlement.grantPolicyId).not.toBe(byOwners)
    expect(view.appEntitlement.grantPolicyId).toMatch(/Manager/)
  })
})
