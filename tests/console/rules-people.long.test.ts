import { expect, test } from 'vitest'
import { pathOf } from '../automation/scene.ts'
import { checkPage, inBrowser } from '../fixture/browser.ts'
import { isLong } from '../fixture/long.ts'
import { prepareRules } from './rules-scene.ts'

inBrowser('whom a rule leaves alone, and what it says of each', () => {
  const scene = prepareRules()
  const button = (name: string | RegExp) => scene.owner.page.getByRole('button', { name })
  const said = (words: string | RegExp) => scene.owner.page.getByText(words).first().waitFor()

  test('people are excluded, many at a time, and taken off the list again after a question', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Radio'), 'Speaker')
    await scene.staff('Voices', 'Anna Alto', 'Bert Bass', 'Tina Tenor')
    await scene.open(target, 'exclusions')
    await button('Exclude people').first().click()
    const field = page.getByRole('combobox', { name: 'Users' })
    for (const name of ['Anna Alto', 'Bert Bass', 'Tina Tenor']) await scene.pick(field, name)
    await button('Remove Tina Tenor').click()
    await checkPage(scene.owner, 'rules-exclude')
    await button('Exclude 2 people').click()
    await said('Excluded 2 people')
    await expect.poll(scene.named).toEqual(['Anna Alto', 'Bert Bass'])
    await checkPage(scene.owner, 'rules-exclusions')

    await scene.rule(target, 'subject.department == "Voices"')
    expect(await scene.holders(target)).toEqual(['Tina Tenor'])
    await button('Remove Bert Bass from the exclusion list').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from list' }).click()
    await said('Bert Bass is no longer excluded')
    await expect.poll(scene.named).toEqual(['Anna Alto'])
    await expect.poll(() => scene.holders(target)).toEqual(['Bert Bass', 'Tina Tenor'])
  })

  test("a user's access is explained: from the member's row, from their page, and where they do not have it", async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Observatory'), 'Night watch')
    const [vera, tycho] = await scene.staff('Stars', 'Vera Rubin', 'Tycho Brahe')
    await scene.rule(target, 'subject.department == "Stars" && subject.displayName != "Tycho Brahe"')
    await scene.post(`${pathOf(target)}/automation/exclusions`, { userIds: [tycho] })
    await scene.go(scene.addressOf(target))
    await button('Explain access of Vera Rubin').click()
    const panel = page.getByRole('dialog')
    await panel.getByText('Has access', { exact: true }).waitFor()
    await panel.getByText('They match and have access: a run changes nothing.').waitFor()
    await panel.getByRole('row', { name: /subject\.department "Stars"/ }).waitFor()
    await checkPage(scene.owner, 'explain-member')
    if (!isLong) return

    await scene.go(`/users/${vera}`)
    await button('Explain access to Night watch').click()
    await panel.getByText('Has access', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    await scene.open(target, 'automation')
    await scene.pick(page.getByRole('combobox', { name: 'User' }), 'Tycho Brahe')
    await panel.getByText('No access').waitFor()
    await panel.getByText('never had access').waitFor()
    await panel.getByText('Excluded', { exact: true }).waitFor()
    await panel.getByRole('row', { name: /subject\.displayName "Tycho Brahe"/ }).waitFor()
    await checkPage(scene.owner, 'explain-not')
  })
})
