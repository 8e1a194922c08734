import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('across apps', () => {
  const scene = prepareConsole()
  const dialog = () => scene.owner.page.getByRole('dialog')
  const option = () => dialog().locator('[role=option][aria-selected=true]')
  let wiki: string
  let editor: Ref
  let ann: string
  beforeAll(async () => {
    wiki = await scene.app('Sales Wiki')
    editor = await scene.entitlement(wiki, 'Editor')
    const cloud = await scene.app('Cloud')
    const owner = await scene.entitlement(cloud, 'Production Owner')
    ann = await scene.user({ displayName: 'Ann Archer' })
    await scene.grant(editor, await scene.account(wiki, { userId: ann }), { source: 'manual' })
    await scene.grant(editor, await scene.account(wiki, { displayName: 'Robot' }), { source: 'manual' })
    await scene.grant(owner, await scene.account(cloud, { userId: ann }))
  })

  test('Ctrl-K opens its first hit on Enter: by words in any order, by the name of the app, pages and actions', async () => {
    const { page } = scene.owner
    await scene.go('/settings/credentials')
    let asked = 0
    page.on('request', (request) => {
      if (/\/api\/v1\/find\b/.test(request.url())) asked++
    })
    await page.keyboard.press('Control+k')
    await dialog().getByRole('combobox', { name: 'Search' }).waitFor()
    asked = 0
    await page.keyboard.type('owner prod', { delay: 10 })
    // At once: before the answer is there, and it opens what was found nevertheless.
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Production Owner', level: 1 }).waitFor()
    await settled(page)
    const hits = [
      ['sales wiki', 'Sales Wiki', new RegExp(`/apps/${wiki}$`)],
      ['system l', 'System log', /\/log$/],
      ['wiki edi', 'Editor', new RegExp(`/entitlements/${editor.id}$`)],
      ['archer', 'Ann Archer', new RegExp(`/users/${ann}$`)],
      ['add pass', 'Add passkey', /\/settings\/passkeys$/],
    ] as const
    for (const [typed, label, path] of hits) {
      await page.keyboard.press('Control+k')
      asked = 0
      await dialog().getByRole('combobox', { name: 'Search' }).fill(typed)
      await dialog()
        .getByRole('option', { name: new RegExp(`^${label}`) })
        .first()
        .waitFor()
      await page.locator('[role=listbox][aria-busy=false]').waitFor()
      expect(asked, `${typed}: one request`).toBe(1)
      expect(await option().textContent(), typed).toContain(label)
      const active = await dialog().getByRole('combobox').getAttribute('aria-activedescendant')
      expect(await option().getAttribute('id')).toBe(active)
      if (typed === 'sales wiki') await checkPage(scene.owner, 'palette')
      await page.keyboard.press('Enter')
      await page.waitForURL(path)
    }
    // What was opened lately comes first, when nothing is typed.
    await scene.go(`/users/${ann}`)
    await page.getByRole('heading', { name: 'Ann Archer', level: 1 }).waitFor()
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Ann Archer')
    await page.keyboard.press('Control+k')
    await dialog().getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Ann Archer' }).waitFor()
    await dialog().getByRole('combobox').fill('no such thing at all')
    await dialog().getByText('No results for “no such thing at all”.').waitFor()
    await dialog().getByRole('combobox').fill('create app')
    await dialog().getByRole('option', { name: 'Create app' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/apps$/)
    await dialog().getByRole('heading', { name: /app/i }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('keys lead to pages and through lists, not while someone types, and not once they are switched off', async () => {
    const { page } = scene.owner
    await scene.go('/apps')
    await page.locator('h1').click()
    for (const key of ['g', 'u']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await settled(page)
    await page.keyboard.press('/')
    await page.keyboard.type('archer g a ?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('archer g a ?')
    expect(await dialog().count()).toBe(0)
    await scene.go('/entitlements')
    await page.locator('h1').click()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/entitlements\/[^/]+$/)
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await dialog().getByText('Next row').waitFor()
    await checkPage(scene.owner, 'shortcuts')
    await dialog().getByRole('switch').click()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    const before = page.url()
    for (const key of ['g', 'u', '?']) await page.keyboard.press(key)
    expect([page.url(), await dialog().count()]).toEqual([before, 0])
    // The help menu opens the same page, whether they are on or off.
    await page.evaluate(() => window.dispatchEvent(new Event('open-shortcuts')))
    await dialog().getByText('Next row').waitFor()
    await page.evaluate(() => localStorage.clear())
  })

  test('a rule is created and access is granted from the lists, once the entitlement is chosen', async () => {
    const { page } = scene.owner
    const choose = async (list: string, label: string): Promise<void> => {
      await scene.go(list)
      await page.getByRole('button', { name: label }).click()
      await dialog().getByRole('combobox', { name: 'Entitlement' }).fill('editor')
      await page.getByRole('option', { name: 'Editor (Sales Wiki)' }).click()
    }
    await choose('/rules', 'Create rule')
    await page.waitForURL(new RegExp(`/entitlements/${editor.id}/automation$`))
    await page.getByRole('textbox', { name: 'Expression' }).waitFor()
    await choose('/grants', 'Grant access')
    await page.waitForURL(new RegExp(`/entitlements/${editor.id}$`))
    await dialog().getByRole('combobox', { name: 'Users' }).fill('ann')
    await page.getByRole('option', { name: /^Ann Archer/ }).click()
    await dialog().getByText('At a set time').click()
    await dialog().getByLabel('Expires at').fill('2020-01-01T00:00')
    await dialog().getByRole('button', { name: 'Add 1 member' }).click()
    await dialog().getByText('must be in the future', { exact: true }).waitFor()
    await checkPage(scene.owner, 'add-members')
    await page.keyboard.press('Escape')
  })

  test('grants are selected and revoked by a plan, with a reason', async () => {
    const { page } = scene.owner
    await scene.go('/grants?source=manual')
    expect(await page.getByRole('rowheader').count()).toBe(2)
    await checkPage(scene.owner, 'grants')
    await page.getByRole('checkbox', { name: 'Select Ann Archer: Editor (Sales Wiki)' }).click()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await dialog().getByText('1 Will change').or(dialog().getByText('Will change')).first().waitFor()
    await dialog().getByText('Ann Archer: Editor (Sales Wiki)').waitFor()
    const revoke = dialog().getByRole('button', { name: 'Revoke 1 grant' })
    expect(await revoke.isDisabled()).toBe(true)
    await dialog().getByLabel('Reason or ticket').fill('Moved to another team')
    await checkPage(scene.owner, 'bulk-plan')
    await revoke.click()
    await page.getByText('Ended 1 grant in Bailiwick.').waitFor()
    await settled(page)
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([expect.stringContaining('Robot')])
    // And back: what it did is kept, and undone by a plan.
    await scene.go('/bulk-changes')
    await page.getByText('Moved to another team').waitFor()
    await checkPage(scene.owner, 'bulk-changes')
    await page.getByRole('button', { name: 'Undo: Revoked 1 grant' }).click()
    await dialog()
      .getByText(/Ann Archer|Account/)
      .first()
      .waitFor()
    await dialog().getByLabel('Reason or ticket').fill('Moved back')
    await dialog().getByRole('button', { name: 'Undo 1 grant' }).click()
    await page.getByText(/^Undone .*: 1 of 1$/).waitFor()
    await scene.go('/grants?source=manual&sort=user')
    await settled(page)
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([
      expect.stringContaining('Ann Archer'),
      expect.stringContaining('Robot'),
    ])
    // The log is asked for a thing by its name.
    await scene.go('/log')
    await page.getByRole('combobox', { name: 'Object', exact: true }).fill('sales wiki')
    await page.getByRole('option', { name: 'Sales Wiki (app)' }).click()
    await page.waitForURL(new RegExp(`object=${wiki}`))
    await page.getByText('Object: Sales Wiki').waitFor()
    for (const path of ['/rules', '/accounts?owner=none', '/entitlements?owner=none']) {
      await scene.go(path)
      await checkPage(scene.owner, path.slice(1).split('?')[0] as string)
    }
  })
})
