import { expect, test } from 'vitest'
import { pathOf } from '../automation/scene.ts'
import { ask } from '../fixture/access.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareRules } from './rules-scene.ts'

inBrowser('the automation rule of an entitlement', () => {
  const scene = prepareRules()
  const button = (name: string | RegExp) => scene.owner.page.getByRole('button', { name })
  const said = (words: string | RegExp) => scene.owner.page.getByText(words).first().waitFor()
  const expression = () => scene.owner.page.getByRole('textbox', { name: 'Expression' })

  test('without a rule, each page says what there is none of and what to do', async () => {
    const target = await scene.entitlement(await scene.app('Wiki'), 'Editor')
    const pages = [
      ['automation', 'This entitlement has no automation rule'],
      ['exclusions', 'No exclusions'],
      ['runs', 'The rule has never run'],
    ] as const
    for (const [tab, words] of pages) {
      await scene.open(target, tab)
      await said(words)
      await checkPage(scene.owner, `rules-${tab}-none`)
    }
  })

  test('a rule is written, its plan is looked at, and saving it does what the plan showed', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Source hosting'), 'Developer')
    const [ada, grace] = await scene.staff('Engineering', 'Ada Byron', 'Grace Murray', 'Kathleen McNulty')
    await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [ada] })
    await scene.post(`${pathOf(target)}/automation/exclusions`, { userIds: [grace] })
    await scene.open(target, 'automation')
    await button('Create rule').click()
    await said('Enter an expression to see the plan.')
    await expect.poll(() => expression().evaluate((field) => field === document.activeElement)).toBe(true)

    // What is wrong is said where it is wrong, in the words of the API.
    await expression().fill('subject.department == "Engineering"\n  && subject.shoeSize > 40')
    await said(/^line 2, column 13: /)
    expect(await button('Save and apply').isDisabled()).toBe(true)
    await checkPage(scene.owner, 'rules-wrong')
    await button('Go there').click()
    const caret = () => expression().evaluate((field) => (field as HTMLTextAreaElement).selectionStart)
    await expect
      .poll(async () => 'subject.department == "Engineering"\n  && subject.shoeSize'.slice(0, await caret()))
      .toMatch(/&& subject\.?$/)

    // Who leaves is asked first, and finds what they wrote when they stay.
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await said('Leave without saving?')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await expression().inputValue()).toContain('shoeSize')

    // The examples are right as they stand.
    await page.getByText('Examples and available fields').click()
    const examples = await page.locator('details button code').allTextContents()
    expect(examples.length).toBeGreaterThan(2)
    for (const example of examples) {
      await page.locator('details button', { hasText: example }).click()
      await expect.poll(() => expression().inputValue()).toBe(example)
      await scene.counts()
    }
    await page.getByText('Examples and available fields').click()

    await expression().fill('subject.department == "Engineering"')
    await expect.poll(scene.counts).toEqual(['1 Added', '0 Removed', '1 Unchanged', '1 Excluded'])
    await page.getByRole('rowheader', { name: /Kathleen McNulty/ }).waitFor()
    await checkPage(scene.owner, 'rules-plan')
    await page.getByRole('radio', { name: /Unchanged/ }).check({ force: true })
    await page.getByRole('rowheader', { name: /Ada Byron/ }).waitFor()
    await page.getByRole('radio', { name: /Excluded/ }).check({ force: true })
    await page.getByRole('rowheader', { name: /Grace Murray/ }).waitFor()
    expect(await scene.holders(target)).toEqual(['Ada Byron'])

    await button('Save and apply').click()
    await said('Saved. 1 person added, 0 people removed.')
    await expect.poll(() => scene.holders(target)).toEqual(['Ada Byron', 'Kathleen McNulty'])
    await said('version 1')
    await expect.poll(() => button('Save and apply').count()).toBe(0)
    await checkPage(scene.owner, 'rules-saved')
  })

  test('a plan that is outdated is not applied: the new one is shown, and can be', async () => {
    const target = await scene.entitlement(await scene.app('Ledger'), 'Bookkeeper')
    await scene.staff('Accounting', 'Luca Pacioli')
    await scene.open(target, 'automation')
    await button('Create rule').click()
    await expression().fill('subject.department == "Accounting"')
    await expect.poll(scene.counts).toContain('1 Added')
    await scene.staff('Accounting', 'Benedetto Cotrugli')
    await button('Save and apply').click()
    await said('The plan has changed')
    expect(await scene.holders(target)).toEqual([])
    await expect.poll(scene.counts).toContain('2 Added')
    await checkPage(scene.owner, 'rules-outdated')
    await button('Save and apply').click()
    await said('Saved. 2 people added, 0 people removed.')
    await expect.poll(() => scene.holders(target)).toEqual(['Benedetto Cotrugli', 'Luca Pacioli'])
  })

  test('who loses it by a change is asked about first; a rule can be for holders of entitlements', async () => {
    const { page } = scene.owner
    const appId = await scene.app('Warehouse')
    const target = await scene.entitlement(appId, 'Key')
    const badge = await scene.entitlement(appId, 'Badge')
    const [otto, nora] = await scene.staff('Stores', 'Otto Lager', 'Nora Regal')
    await scene.post(`${pathOf(badge)}/add-manual-user`, { userIds: [nora] })
    await scene.rule(target, 'subject.department == "Stores"')
    expect(otto).toBeDefined()
    await scene.open(target, 'automation')
    await page.getByRole('main').getByText('Entitlements', { exact: true }).click()
    await said('Select an entitlement to see the plan.')
    await scene.pick(page.getByRole('combobox', { name: 'Entitlements' }), 'Badge')
    await expect.poll(scene.counts).toEqual(['0 Added', '1 Removed', '1 Unchanged', '0 Excluded'])
    // Where nobody gains it, those who lose it are shown.
    await expect.poll(scene.named).toEqual(['Otto Lager'])
    await checkPage(scene.owner, 'rules-holders')
    await button('Save and apply').click()
    await said('Revoke from 1 person?')
    await page.getByRole('dialog').getByRole('button', { name: 'Save and apply' }).click()
    await said('Saved. 0 people added, 1 person removed.')
    await expect.poll(() => scene.holders(target)).toEqual(['Nora Regal'])
  })

  test('who may only read sees the rule, the plan and the runs, and nothing to change them with', async () => {
    const target = await scene.entitlement(await scene.app('Archive'), 'Reader')
    await scene.staff('Papers', 'Paula Papyrus')
    await scene.rule(target, 'subject.department == "Papers"')
    const viewer = await scene.asA('system:viewer')
    for (const tab of ['automation', 'exclusions', 'runs']) {
      await viewer.page.goto(`${scene.addressOf(target)}/${tab}`)
      await viewer.page.getByRole('navigation', { name: 'The entitlement' }).waitFor()
      await settled(viewer.page)
      const names = await viewer.page.getByRole('main').getByRole('button').allInnerTexts()
      expect(names.filter((name) => /save|run now|delete|undo|exclude\b/i.test(name))).toEqual([])
    }
    await viewer.page.goto(`${scene.addressOf(target)}/automation`)
    const field = viewer.page.getByRole('textbox', { name: 'Expression' })
    expect(await field.inputValue()).toBe('subject.department == "Papers"')
    expect(await field.isEditable()).toBe(false)
    await checkPage(viewer, 'rules-viewer', [1440])
    await viewer.close()
  })

  test('a rule is deleted after a question; who has it by the rule keeps it', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Museum'), 'Guide')
    await scene.staff('Halls', 'Hanna Hall')
    await scene.rule(target, 'subject.department == "Halls"')
    await scene.open(target, 'automation')
    await button('Delete the rule').click()
    await said(/who was granted the entitlement by the rule keeps it/)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
    await said('This entitlement has no automation rule')
    expect(await scene.holders(target)).toEqual(['Hanna Hall'])
  })

  test('a version that someone else saved in the meantime is shown before it is replaced', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Post'), 'Sorter')
    await scene.rule(target, 'subject.department == "Letters"')
    await scene.open(target, 'automation')
    await expression().fill('subject.department == "Parcels"')
    await said('Not saved')
    await scene.rule(target, 'subject.department == "Stamps"')
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await said('Someone else has saved the rule')
    expect(await expression().inputValue()).toBe('subject.department == "Parcels"')
    await button('Discard').click()
    await expect.poll(() => expression().inputValue()).toBe('subject.department == "Stamps"')
  })

  test('who owns the app writes rules for what is in it, and names owners of it', async () => {
    const appId = await scene.app('Bakery')
    const target = await scene.entitlement(appId, 'Oven')
    await scene.staff('Ovens', 'Bea Baker')
    const admin = await scene.asA('system:application-admin')
    const body = { roleSlug: 'primary', userRefs: [{ id: admin.userId }] }
    const asking = { method: 'PUT', token: scene.admin.token, body }
    expect((await ask(scene.server, `/api/v2/apps/${appId}/owners`, asking)).status).toBe(200)
    const { page } = admin
    await page.goto('/')
    // Their role knows no requests: home leads on to what they have.
    await page.getByRole('main').getByRole('link', { name: 'What you own' }).click()
    await page.getByRole('heading', { name: 'What you own' }).waitFor()
    await page.getByRole('rowheader').getByRole('link', { name: 'Bakery' }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Oven' }).click()
    await page.getByRole('link', { name: 'Automation' }).click()
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('textbox', { name: 'Expression' }).fill('subject.department == "Ovens"')
    await page.getByRole('button', { name: 'Save and apply' }).click()
    await page.getByText('Saved. 1 person added, 0 people removed.').waitFor()
    await expect.poll(() => scene.holders(target)).toEqual(['Bea Baker'])
    await page.getByRole('link', { name: 'Owners', exact: true }).click()
    await page.getByRole('button', { name: 'Add owner' }).waitFor()
    await checkPage(admin, 'rules-app-admin', [1440])
    await admin.close()
  })
})
