/// <reference lib="dom" />
import { expect, test } from 'vitest'
import { checkPage, inBrowser, narrow } from '../fixture/browser.ts'
import { prepareRules } from './rules-scene.ts'

/** Rules without CEL: conditions beside the expression. */
inBrowser('conditions', () => {
  const scene = prepareRules()
  const page = () => scene.owner.page
  const all = () => page().getByRole('group', { name: 'All conditions' })
  const expression = () => page().getByRole('textbox', { name: 'Expression' })
  const written = async (text: string): Promise<void> => {
    await expect.poll(() => expression().inputValue()).toBe(text)
  }
  const field = (about: 'Attribute' | 'Comparison' | 'Value', place: string) =>
    all().getByLabel(`${about} of condition ${place}`, { exact: true })

  test('a rule is made of conditions alone, and its plan follows them', async () => {
    const appId = await scene.app('Observatory')
    const target = await scene.entitlement(appId, 'Dome')
    const badge = await scene.entitlement(appId, 'Badge')
    const [vera] = await scene.staff('Optics', 'Vera Lense')
    await scene.staff('Mechanics', 'Max Gear')
    await scene.staff('Catering', 'Kim Kettle')
    await scene.post(`/api/v1/apps/${appId}/entitlements/${badge.id}/add-manual-user`, { userIds: [vera] })
    await scene.open(target, 'automation')
    await page().getByRole('button', { name: 'Create rule' }).click()
    // With the keyboard: the button, the row, its fields in their order.
    await all().getByRole('button', { name: 'Add condition' }).press('Enter')
    await field('Value', '1').waitFor()
    await all().getByText('Enter a value.').waitFor()
    await written('subject.department == ?')
    await checkPage(scene.owner, 'conditions-unfinished', [1440])
    await field('Value', '1').fill('Optics')
    await written('subject.department == "Optics"')
    await expect.poll(scene.counts).toContain('1 Added')

    await field('Comparison', '1').selectOption({ label: 'is one of' })
    await field('Value', '1').fill('Mechanics')
    await field('Value', '1').press('Enter')
    // Its suggestions cover the button below until they are closed.
    await field('Value', '1').press('Escape')
    await written('subject.department in ["Optics", "Mechanics"]')
    await expect.poll(scene.counts).toContain('2 Added')

    await all().getByRole('button', { name: 'Add condition' }).click()
    await field('Attribute', '2').selectOption({ label: 'Entitlement' })
    await field('Comparison', '2').selectOption({ label: 'does not have' })
    await scene.pick(all().getByRole('combobox', { name: 'Entitlement of condition 2' }), 'Badge')
    await written(
      `subject.department in ["Optics", "Mechanics"] && !c1.user.v1.HasEntitlement(subject, "${appId}", "${badge.id}")`,
    )
    await expect.poll(scene.counts).toContain('1 Added')
    await expect.poll(scene.named).toEqual(['Max Gear'])
    await checkPage(scene.owner, 'conditions', [1440, 1024, narrow])

    await all().getByRole('button', { name: 'Remove condition 2' }).click()
    await expect.poll(() => page().evaluate(() => document.activeElement?.textContent)).toBe('Add condition')
    await page().getByRole('button', { name: 'Save and apply' }).click()
    await page().getByText('Saved. 2 people added, 0 people removed.').waitFor()
    await expect.poll(() => scene.holders(target)).toEqual(['Max Gear', 'Vera Lense'])
  })

  test('text becomes conditions where they can show it; what they cannot show says why, and stays', async () => {
    const target = await scene.entitlement(await scene.app('Foundry'), 'Forge')
    await scene.open(target, 'automation')
    await page().getByRole('button', { name: 'Create rule' }).click()
    await expression().fill(
      'subject.jobTitle.startsWith("Smith") || (has(subject.manager) && subject.status=="ENABLED")',
    )
    expect(await field('Comparison', '1').inputValue()).toBe('beginsWith false')
    expect(await all().getByLabel('Which of the conditions must be true').inputValue()).toBe('or false')
    expect(await field('Value', '2.2').inputValue()).toBe('ENABLED')
    // Nothing is rewritten before somebody edits the conditions.
    await written('subject.jobTitle.startsWith("Smith") || (has(subject.manager) && subject.status=="ENABLED")')
    await all().getByLabel('Which of the conditions must be true').selectOption({ label: 'None of these is true' })
    await written(
      '!(subject.jobTitle.startsWith("Smith") || (has(subject.manager) && subject.status == UserStatus.ENABLED))',
    )
    const other = 'subject.emails.exists(e, e.endsWith("@forge.example"))  // contractors'
    await expression().fill(other)
    await page().getByText('Conditions cannot show this expression. It has a comment, which would be lost.').waitFor()
    expect(await all().count()).toBe(0)
    await written(other)
    await checkPage(scene.owner, 'conditions-text', [1440])
  })
})
