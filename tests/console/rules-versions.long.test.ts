import { expect, test } from 'vitest'
import { pathOf } from '../automation/scene.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareRules } from './rules-scene.ts'

inBrowser('versions, examples and reasons of rules', () => {
  const scene = prepareRules()
  const button = (name: string | RegExp) =>
    scene.owner.page.getByRole('button', { name, exact: typeof name === 'string' })
  const said = (words: string | RegExp) => scene.owner.page.getByText(words).first().waitFor()
  const expression = () => scene.owner.page.getByRole('textbox', { name: 'Expression' })
  const dialog = (name: string | RegExp) => scene.owner.page.getByRole('dialog', { name })
  const versionsOf = (ref: { appId: string; id: string }) => scene.all(`${pathOf(ref)}/automation/versions`)

  test('versions are listed, compared and restored with a reason; the plan is shown first', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Observatory'), 'Astronomer')
    await scene.staff('Stars', 'Caroline Herschel', 'Maria Mitchell')
    await scene.staff('Comets', 'Edmond Halley')
    await scene.rule(target, 'subject.department == "Stars"')
    await scene.post(`${pathOf(target)}/automation/update`, {
      cel: { expression: 'subject.department == "Comets"' },
      reason: 'OPS-41',
    })
    await scene.settleRules()
    await scene.open(target, 'versions')
    await page.getByRole('rowheader', { name: /Version 2.*Current/ }).waitFor()
    await said('OPS-41')
    await checkPage(scene.owner, 'rules-versions')

    await button('Version 1').click()
    const drawer = dialog('Version 1')
    await drawer.getByText('From version 1 to version 2.').waitFor()
    await expect.poll(() => drawer.locator('del').allInnerTexts()).toEqual(['Stars'])
    await expect.poll(() => drawer.locator('ins').allInnerTexts()).toEqual(['Comets'])
    await drawer.getByRole('rowheader', { name: /Caroline Herschel/ }).waitFor()
    await drawer.getByRole('rowheader', { name: /Edmond Halley/ }).waitFor()
    expect(
      (await drawer.getByRole('term').filter({ hasText: 'Only version 1' }).locator('..').innerText()).replaceAll(
        /\s+/g,
        ' ',
      ),
    ).toBe('Only version 1 matches 2 people')
    await checkPage(scene.owner, 'rules-version')

    await drawer.getByRole('button', { name: 'Restore this version' }).click()
    const question = dialog('Restore version 1?')
    await question.getByText(/2 people .*, 1 person /).waitFor()
    await question.getByRole('textbox', { name: 'Reason' }).fill('The stars were right')
    await checkPage(scene.owner, 'rules-restore')
    await question.getByRole('button', { name: 'Restore version' }).click()
    await said(/Restored version 1/)
    await expect.poll(() => scene.holders(target)).toEqual(['Caroline Herschel', 'Maria Mitchell'])
    await page.getByRole('rowheader', { name: /Version 3.*Current/ }).waitFor()
    await said('Restores version 1')
    expect((await versionsOf(target))[0]).toMatchObject({ reason: 'The stars were right', restoresVersion: 1 })
  })

  test('who may only read sees versions, and cannot restore one', async () => {
    const target = await scene.entitlement(await scene.app('Planetarium'), 'Projectionist')
    await scene.rule(target, 'subject.department == "Moons"')
    await scene.rule(target, 'subject.department == "Rings"')
    const viewer = await scene.asA('system:viewer')
    await viewer.go(`${scene.addressOf(target)}/versions`)
    await viewer.page.getByRole('button', { name: 'Version 1' }).click()
    await viewer.page.getByText('From version 1 to version 2.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0)
  })

  test('undoing a run restores the rule before it; the run says who was added and removed', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Bakery'), 'Baker')
    await scene.staff('Oven', 'Rye Loaf', 'Oat Loaf')
    await scene.staff('Counter', 'Tilly Till')
    await scene.rule(target, 'subject.department == "Oven"')
    await scene.rule(target, 'subject.department == "Counter"')
    await scene.open(target, 'runs')
    await page.getByRole('row').nth(1).getByRole('button').click()
    const drawer = dialog('Run of the rule')
    await drawer.getByRole('rowheader', { name: /Tilly Till/ }).waitFor()
    expect(await drawer.getByRole('rowheader').count()).toBe(3)
    await drawer.getByRole('searchbox', { name: 'Search people of the run' }).fill('oat')
    await expect.poll(() => drawer.getByRole('rowheader').count()).toBe(1)
    await drawer.getByRole('searchbox').fill('')
    await drawer.getByRole('combobox', { name: 'Added or removed' }).selectOption('Added')
    await expect
      .poll(() => drawer.getByRole('rowheader').allInnerTexts())
      .toEqual([expect.stringContaining('Tilly Till')])
    await checkPage(scene.owner, 'rules-run-changes')
    await page.keyboard.press('Escape')

    await button('Undo last run').click()
    const restore = page.getByRole('checkbox', { name: 'Also restore the rule to version 1' })
    expect(await restore.isChecked()).toBe(true)
    await checkPage(scene.owner, 'rules-undo-restore')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo run' }).click()
    await said('Undone')
    expect((await versionsOf(target))[0]).toMatchObject({
      version: 3,
      restoresVersion: 1,
      cel: { expression: 'subject.department == "Oven"' },
    })
    await scene.settleRules()
    expect(await scene.holders(target)).toEqual(['Oat Loaf', 'Rye Loaf'])
  })

  test('examples are checked while the rule is written, and a rule that fails one is not saved', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Theatre'), 'Stage door')
    await scene.staff('Stage', 'Sarah Siddons')
    await scene.staff('House', 'Usher Usher')
    await scene.rule(target, 'subject.department == "Stage"')
    await scene.open(target, 'automation')
    const examples = page.getByRole('group', { name: 'Examples' })
    await scene.pick(examples.getByRole('combobox', { name: 'Add an example' }), 'Sarah Siddons')
    await examples.getByText('Must not match', { exact: true }).first().click()
    await scene.pick(examples.getByRole('combobox', { name: 'Add an example' }), 'Usher Usher')
    await examples
      .getByRole('listitem')
      .filter({ hasText: 'Sarah Siddons' })
      .getByText('Matches', { exact: true })
      .waitFor()
    await examples.getByRole('listitem').filter({ hasText: 'Usher Usher' }).getByText('Does not match').waitFor()
    await expression().fill('subject.department == "House"')
    await said('An example fails')
    expect(await button('Save and apply').isDisabled()).toBe(true)
    await checkPage(scene.owner, 'rules-examples')
    await expression().fill('subject.department in ["Stage", "Pit"]')
    await examples
      .getByRole('listitem')
      .filter({ hasText: 'Sarah Siddons' })
      .getByText('Matches', { exact: true })
      .waitFor()
    await page.getByRole('textbox', { name: 'Reason' }).fill('THEATRE-1')
    await button('Save and apply').click()
    await said(/^Saved/)
    expect((await versionsOf(target))[0]).toMatchObject({
      version: 2,
      reason: 'THEATRE-1',
      examples: { mustMatchUserIds: [expect.any(String)], mustNotMatchUserIds: [expect.any(String)] },
    })
  })

  test('values of the data are offered while they are typed, as are fields and functions', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Zoo'), 'Keeper')
    await scene.staff('Reptile "House"', 'Rex Viper', 'Ana Conda')
    await scene.user({ displayName: 'Cat Keeper', department: 'Cats', profile: { aisle: 'North' } })
    await scene.open(target, 'automation')
    await button('Create rule').click()
    const offered = page.getByRole('listbox')
    const write = async (text: string): Promise<void> => {
      await expression().fill('')
      await expression().pressSequentially(text)
    }
    await write('subject.department == "rept')
    await offered.getByRole('option', { name: 'Reptile "House" 2 people' }).waitFor()
    await checkPage(scene.owner, 'rules-values')
    await page.keyboard.press('Enter')
    await expect.poll(() => expression().inputValue()).toBe(String.raw`subject.department == "Reptile \"House\""`)
    await write('subject.department in ["Cats", "')
    await offered.getByRole('option', { name: /Reptile/ }).waitFor()
    await page.keyboard.press('Escape')
    await write('subject.profile.ai')
    await offered.getByRole('option', { name: 'subject.profile.aisle' }).click()
    await expression().pressSequentially(' == "n')
    await offered.getByRole('option', { name: /North/ }).click()
    await expect.poll(() => expression().inputValue()).toBe('subject.profile.aisle == "North"')
    await write('c1.user.v1.HasA')
    await offered.getByRole('option').first().click()
    await expression().pressSequentially('zo')
    await offered.getByRole('option', { name: /^Zoo/ }).click()
    await expect.poll(() => expression().inputValue()).toBe(`c1.user.v1.HasApp(subject, "${target.appId}"`)
    // In a text no name is offered.
    await write('subject.email == "subj')
    await settled(page)
    expect(await offered.count()).toBe(0)
  })

  test('a mass gain is asked about like a loss', async () => {
    const target = await scene.entitlement(await scene.app('Parade'), 'Marcher')
    await scene.staff('Band', ...Array.from({ length: 60 }, (_, i) => `Marcher ${String(i).padStart(2, '0')}`))
    await scene.open(target, 'automation')
    await button('Create rule').click()
    await expression().fill('subject.department == "Band"')
    await expect.poll(async () => (await scene.counts())[0]).toMatch(/^60 /)
    await button('Save and apply').click()
    const question = dialog(/60 people\?/)
    await question.getByText(/circuit breaker would hold/).waitFor()
    await checkPage(scene.owner, 'rules-mass-gain')
    expect(await scene.holders(target)).toEqual([])
    await question.getByRole('button', { name: 'Save and apply' }).click()
    await expect.poll(() => scene.holders(target)).toHaveLength(60)
  })

  test('switching the breaker off is asked about', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Fair'), 'Stall')
    await scene.rule(target, 'subject.department == "Market"')
    await scene.open(target, 'automation')
    const breaker = page.getByRole('switch', { name: 'Circuit breaker' })
    await breaker.click({ force: true })
    const off = dialog('Turn off the circuit breaker?')
    await off.waitFor()
    await checkPage(scene.owner, 'rules-breaker-off')
    await off.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => breaker.isChecked()).toBe(true)
    await breaker.click({ force: true })
    await off.getByRole('textbox', { name: 'Reason' }).fill('Fireworks')
    await off.getByRole('button', { name: 'Turn off' }).click()
    await expect.poll(() => breaker.isChecked()).toBe(false)
    await expect
      .poll(async () => {
        const logged = await scene.logged('app.v1.AppEntitlements.SetAutomationBreaker')
        return logged.at(-1)?.resources[0]?.data
      })
      .toMatchObject({ hasBreaker: false, reason: 'Fireworks' })
    // It takes no click while it is saved.
    await off.waitFor({ state: 'hidden' })
    await expect.poll(() => breaker.isEnabled()).toBe(true)
    await breaker.click({ force: true })
    await expect.poll(() => breaker.isChecked()).toBe(true)
  })

  test('manual grants and exclusions carry a reason, which stands where their origin does', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Museum'), 'Curator')
    await scene.staff('Attic', 'Dora Dust', 'Vera Vase')
    await scene.go(scene.addressOf(target))
    await button(/^Add members/)
      .first()
      .click()
    await scene.pick(page.getByRole('dialog').getByRole('combobox', { name: 'Users' }), 'Dora Dust')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('MUSEUM-5')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Add 1/ })
      .click()
    await page
      .getByRole('row', { name: /Dora Dust/ })
      .getByText('MUSEUM-5')
      .waitFor()
    await scene.open(target, 'exclusions')
    await button('Exclude people').first().click()
    await scene.pick(page.getByRole('dialog').getByRole('combobox', { name: 'Users' }), 'Vera Vase')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('On a loan')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Exclude 1/ })
      .click()
    await page
      .getByRole('row', { name: /Vera Vase/ })
      .getByText('On a loan')
      .waitFor()
    await checkPage(scene.owner, 'rules-exclusion-reason')
  })
})
