import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, narrow } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

/** What every list has: an order, filters, saved views, an export, rows that open. */
inBrowser('lists', () => {
  const scene = prepareConsole()
  const page = () => scene.owner.page
  const first = async (count = 3): Promise<string[]> => (await scene.named()).slice(0, count)

  beforeAll(async () => {
    const departments = ['Sales', 'Sales, EMEA', 'IT']
    for (let n = 0; n < 30; n++)
      await scene.user({
        displayName: `${n % 2 === 0 ? 'person' : 'Person'} ${String(n).padStart(2, '0')}`,
        department: departments[n % 3] ?? '',
        ...(n % 10 === 0 && { status: 'DISABLED' as const }),
      })
  })

  test('a column sorts upwards, downwards and no more, and the address holds it', async () => {
    await scene.go('/users?q=person')
    const header = page().getByRole('columnheader', { name: 'Name' })
    const sort = header.getByRole('button')
    expect(await header.getAttribute('aria-sort')).toBe('none')
    await sort.click()
    await expect.poll(() => first()).toEqual(['person 00', 'Person 01', 'person 02'])
    expect(new URL(page().url()).search).toContain('sort=name')
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    await sort.focus()
    await page().keyboard.press('Enter')
    await expect.poll(() => first()).toEqual(['Person 29', 'person 28', 'Person 27'])
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => page().getByRole('navigation', { name: 'Pages' }).textContent()).toContain('1–25 of 30')
    await page().getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => first(5)).toEqual(['person 04', 'Person 03', 'person 02', 'Person 01', 'person 00'])
    await expect.poll(() => page().getByRole('navigation', { name: 'Pages' }).textContent()).toContain('26–30 of 30')
    await checkPage(scene.owner, 'users-sorted')
  })

  test('a filter is added, is a pill that can be changed and removed, and is in the address', async () => {
    await scene.go('/users?q=person')
    await page().getByRole('button', { name: 'Add filter' }).click()
    await page().getByRole('dialog').getByRole('button', { name: 'Department' }).click()
    // What exists is suggested, by any part of it.
    await page().getByRole('combobox', { name: 'Department' }).fill('emea')
    await page().getByRole('option', { name: 'Sales, EMEA (10)' }).click()
    const pill = page().getByRole('button', { name: 'Department: Sales, EMEA' })
    await pill.waitFor()
    await expect.poll(() => page().getByRole('navigation', { name: 'Pages' }).textContent()).toContain('10 rows')
    await pill.click()
    await page().getByRole('combobox', { name: 'Department' }).fill('IT')
    await page().keyboard.press('Enter')
    await page().getByRole('button', { name: 'Department: Sales, EMEA, IT' }).waitFor()
    await expect.poll(() => page().getByRole('navigation', { name: 'Pages' }).textContent()).toContain('20 rows')
    await page().getByRole('button', { name: 'Add filter' }).click()
    await page().getByRole('dialog').getByRole('button', { name: 'Status', exact: true }).click()
    await page().getByRole('checkbox', { name: 'Disabled' }).check()
    await page().keyboard.press('Escape')
    await expect.poll(() => page().getByRole('rowheader').count()).toBe(2)
    await checkPage(scene.owner, 'users-filtered')
    await page().reload()
    await page().getByRole('button', { name: 'Status: Disabled' }).waitFor()
    await page().getByRole('button', { name: 'Remove filter: Department' }).click()
    await expect.poll(() => page().getByRole('rowheader').count()).toBe(3)
  })

  test('a view is saved under a name, opened, edited and deleted', async () => {
    await scene.go('/users?status=DISABLED&sort=-name&q=person')
    await page().getByRole('button', { name: 'Save view' }).click()
    await page().getByRole('textbox', { name: 'Name' }).fill('Disabled people')
    await page().getByRole('checkbox', { name: 'Share with everyone' }).check()
    await page().getByRole('button', { name: 'Save', exact: true }).click()
    const views = page().getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('button', { name: 'Disabled people', exact: false }).first().waitFor()
    await views.getByRole('button', { name: 'All' }).click()
    await expect.poll(() => new URL(page().url()).search).toBe('')
    await views.getByRole('button', { name: 'Disabled people' }).click()
    await expect.poll(() => first()).toEqual(['person 20', 'person 10', 'person 00'])
    await checkPage(scene.owner, 'users-view')
    await views.getByRole('button', { name: 'Edit view Disabled people' }).click()
    await page().getByRole('menuitem', { name: 'Edit' }).click()
    await page().getByRole('textbox', { name: 'Name' }).fill('No longer active')
    await page().getByRole('button', { name: 'Save', exact: true }).click()
    await views.getByRole('button', { name: 'Edit view No longer active' }).click()
    await page().getByRole('menuitem', { name: 'Delete' }).click()
    await page().getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await views.waitFor({ state: 'detached' })
  })

  test('what is found is exported as a file with all its pages', async () => {
    await scene.go('/users?q=person&sort=name')
    await page().getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^users-.*\.csv$/)
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(31)
    expect(lines[0]).toContain('Name,Email,Job title,Department')
    expect(lines[30]).toMatch(/^Person 29,/)
  })

  test('a row opens by a click anywhere in it, in a new tab with a key held; links and selected text are left alone', async () => {
    await scene.go('/users?q=person&sort=name')
    const row = page().getByRole('row', { name: /Person 01/ })
    const free = row.getByRole('cell').filter({ hasText: 'Enabled' })
    const [tab] = await Promise.all([
      scene.owner.context.waitForEvent('page'),
      free.click({ modifiers: ['ControlOrMeta'], position: { x: 2, y: 2 } }),
    ])
    await tab.waitForURL(/\/users\/\w+/)
    await tab.close()
    expect(new URL(page().url()).pathname).toBe('/users')
    // Text of the row is selected with the mouse: it stays where it is.
    const box = await free.boundingBox()
    if (!box) throw new Error('the cell is not there')
    await page().mouse.move(box.x + 14, box.y + 16)
    await page().mouse.down()
    await page().mouse.move(box.x + 60, box.y + 18, { steps: 4 })
    await page().mouse.up()
    expect(await page().evaluate(() => window.getSelection()?.toString())).not.toBe('')
    expect(new URL(page().url()).pathname).toBe('/users')
    await page().evaluate(() => window.getSelection()?.removeAllRanges())
    await row.getByRole('link', { name: 'Sales', exact: false }).first().click()
    await expect.poll(() => new URL(page().url()).search).toContain('department=')
    await page().goBack()
    await free.click({ position: { x: 2, y: 2 } })
    await page().getByRole('heading', { name: 'Person 01' }).waitFor()
  })

  test('rows are dense for whoever wants them so, and the browser remembers it; a narrow window has all of it', async () => {
    await scene.go('/users?q=person&status=ENABLED')
    const table = page().getByRole('table')
    const height = async (): Promise<number> => (await page().getByRole('row').nth(2).boundingBox())?.height ?? 0
    const comfortable = await height()
    await page().getByRole('button', { name: 'Dense rows' }).click()
    await expect.poll(() => table.getAttribute('data-density')).toBe('dense')
    expect(await height()).toBeLessThan(comfortable)
    await page().reload()
    await expect.poll(() => page().getByRole('table').getAttribute('data-density')).toBe('dense')
    await page().setViewportSize({ width: narrow, height: 800 })
    await page().getByRole('combobox', { name: 'Sort by' }).selectOption('Name')
    await expect.poll(() => first()).toEqual(['Person 01', 'person 02', 'Person 03'])
    for (const name of ['Add filter', 'Export', 'Save view'])
      expect(await page().getByRole('button', { name }).isVisible(), name).toBe(true)
    expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrow)
    await page().setViewportSize({ width: 1440, height: 900 })
  })
})
