import { expect, test, vi } from 'vitest'
import { checkPage, checkState, inBrowser } from '../fixture/browser.ts'
import { prepareRules } from './rules-scene.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('the runs of an automation rule', () => {
  const scene = prepareRules()
  const button = (name: string | RegExp) => scene.owner.page.getByRole('button', { name })
  const said = (words: string | RegExp) => scene.owner.page.getByText(words).first().waitFor()

  test('a run that would add or remove too many is held; if it is cancelled, the rule is paused; if it is released, it runs', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Choir'), 'Singer')
    const names = Array.from({ length: 24 }, (_, index) => `Singer ${String(index).padStart(2, '0')}`)
    await scene.staff('Choir', ...names)
    await scene.rule(target, 'subject.department == "Choir"')
    await scene.open(target, 'automation')
    await said('A run is held: it would grant this entitlement to 24 people')
    await said(/Runs that grant it to more than 20 people must be confirmed/)
    await expect.poll(scene.counts).toEqual(['24 Added', '0 Removed', '0 Unchanged', '0 Excluded'])
    await button('Release run').click()
    await page.getByRole('dialog', { name: 'Grant to 24 people?' }).getByRole('button', { name: 'Release run' }).click()
    await expect.poll(() => scene.holders(target), { timeout: 15_000 }).toHaveLength(24)
    await scene.rule(target, 'subject.department == "Choir" && !subject.displayName.startsWith("Singer 0")')
    await scene.open(target, 'automation')
    await said('A run is held: it would revoke this entitlement from 10 people')
    await said(/That is 42% of the 24 who have it by the rule/)
    await expect.poll(scene.counts).toEqual(['0 Added', '10 Removed', '14 Unchanged', '0 Excluded'])
    expect(await scene.named()).toHaveLength(10)
    await checkState(scene.owner, 'rules-held')

    await button('Cancel run').click()
    await said('Rule paused')
    await checkState(scene.owner, 'rules-resting')
    expect(await scene.holders(target)).toHaveLength(24)
    await button('Run now').click()
    await said('A run is held: it would revoke this entitlement from 10 people')
    await button('Release run').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release run' }).click()
    await said('Run released')
    await expect.poll(() => scene.holders(target), { timeout: 15_000 }).toHaveLength(14)
  })

  test('runs are shown in a chart and a table, failures by name; the last one is undone after a confirmation', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Harbour'), 'Pilot')
    await scene.user({ displayName: 'Pia Pilot', department: 'Port', profile: { grade: 3 } })
    await scene.user({ displayName: 'Gus Gradeless', department: 'Port' })
    await scene.rule(target, 'subject.department == "Port"')
    await scene.rule(target, 'subject.department == "Port" && subject.profile.grade > 2')
    await scene.open(target, 'runs')
    const chart = page.getByRole('img', { name: 'Last 2 runs: 2 added, 1 removed, 0 failed or held.' })
    await chart.waitFor()
    const latest = page.getByRole('row').nth(1)
    expect((await latest.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Rule saved User .* version 2 1 0 1 −1 .*Done/)
    await checkPage(scene.owner, 'rules-runs')

    await latest.getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: 'Run of the rule' })
    await drawer.getByRole('link', { name: 'Gus Gradeless' }).last().waitFor()
    await checkState(scene.owner, 'rules-run')
    await page.keyboard.press('Escape')

    await button('Undo last run').click()
    await said(/1 person removed by the run will be added again/)
    await checkState(scene.owner, 'rules-undo', [1440])
    await page.getByRole('dialog').getByRole('button', { name: 'Undo run' }).click()
    await said('Undone')
    expect(await scene.holders(target)).toEqual(['Gus Gradeless', 'Pia Pilot'])
    await page.getByRole('row', { name: /Run undone/ }).waitFor()
    await expect.poll(() => button('Undo last run').count()).toBe(0)
  })
})
