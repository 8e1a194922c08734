import { expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('the past', () => {
  const scene = prepareConsole()
  const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  const bar = () => scene.owner.page.getByRole('region', { name: 'Viewing the past' })

  const person = async (name: string, department: string, appId: string): Promise<{ userId: string; account: Ref }> => {
    const userId = await scene.user({ displayName: name, department })
    return { userId, account: await scene.account(appId, { userId, displayName: name, username: name.toLowerCase() }) }
  }

  test('two moments of a person are compared: what was added and removed, when, and by what; and the badge opens the import', async () => {
    const { page } = scene.owner
    const { db } = scene.server
    const appId = await scene.app('Vault')
    const { userId, account } = await person('Ann Lee', 'Finance', appId)
    const importId = scene.access.world.newId()
    await db`
      insert into imports (tenant_id, import_id, format, is_full, is_forced, line_count, byte_count, counts, started_at,
        finished_at)
      values (${scene.access.tenant.id}, ${importId}, 'jsonl', false, false, 1, 1, '[]', now(), now())`
    const [came, went, kept] = await Promise.all(['Came', 'Went', 'Kept'].map((name) => scene.entitlement(appId, name)))
    await scene.grant(came as Ref, account, { grantedBy: importId, beganAt: ago(2) })
    await scene.grant(went as Ref, account, {
      source: 'manual',
      grantedBy: scene.owner.userId,
      beganAt: ago(40),
      expiresAt: ago(1),
    })
    await scene.grant(kept as Ref, account, { beganAt: ago(40) })

    await scene.go(`/users/${userId}/changes`)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    expect(await scene.named()).toEqual(['Went', 'Came'])
    expect(await row('Came').textContent()).toMatch(/\+Added/)
    expect(await row('Went').textContent()).toMatch(/−Removed.*Expired/)
    await page.getByRole('img', { name: /^Grants per day.*1 added, 1 removed/s }).waitFor()
    await checkPage(scene.owner, 'compare-person')
    await page.getByText('24 hours', { exact: true }).click()
    await page.waitForURL(/last=24h/)
    await settled(page)
    expect(await scene.named()).toEqual([])
    await page.getByText('30 days', { exact: true }).click()
    await page.waitForURL(/last=30d/)
    await settled(page)
    await page.getByRole('radio', { name: /Added/ }).check({ force: true })
    await page.waitForURL(/kind=added/)
    await expect.poll(scene.named).toEqual(['Came'])
    await row('Came').getByRole('link', { name: 'Import', exact: true }).click()
    await page.waitForURL(new RegExp(`/imports/${importId}$`))
    await page.getByRole('heading', { name: 'Details' }).waitFor()

    await scene.go('/changes')
    await page.getByText(/^Accounts \d/).click()
    await page.waitForURL(/subject=accounts/)
    await settled(page)
    expect(await scene.named()).toContain('Ann Lee')
    await checkPage(scene.owner, 'changes')
  })

  test('the past stays over tabs and links, says so, lets nothing be changed, and is left by one button', async () => {
    const { page } = scene.owner
    const appId = await scene.app('Archive')
    const entitlement = await scene.entitlement(appId, 'Read the archive')
    const { account } = await person('Bo Bell', 'Legal', appId)
    await scene.grant(entitlement, account, {
      source: 'manual',
      grantedBy: scene.owner.userId,
      beganAt: ago(20),
      expiresAt: ago(5),
    })
    const asOf = ago(10).toISOString()
    const base = `/apps/${appId}/entitlements/${entitlement.id}`
    await scene.go(`${base}?as_of=${asOf}`)
    expect(await scene.named()).toContain('Bo Bell')
    await bar()
      .getByText(/You are viewing/)
      .waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete|Add members)/ }).count()).toBe(0)
    await checkPage(scene.owner, 'past')

    await page.getByRole('link', { name: 'Owners', exact: true }).click()
    await page.waitForURL(/\/owners\?as_of=/)
    await bar().waitFor()
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.waitForURL(/\?as_of=/)
    await page.getByRole('link', { name: 'Bo Bell', exact: true }).click()
    await page.waitForURL(/\/users\/.*as_of=/)
    await settled(page)
    await page.getByRole('link', { name: 'Read the archive' }).first().waitFor()
    await page.getByRole('link', { name: 'Path to Read the archive' }).click()
    await page.waitForURL(/\/paths\?.*as_of=/)
    await bar()
      .getByText(/as they were then/)
      .waitFor()
    await page.getByRole('heading', { name: 'How Bo Bell reaches Read the archive' }).waitFor()
    // A page that has no past says so.
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.waitForURL(/\/apps\?as_of=/)
    await bar().getByText('This page has no history').waitFor()
    expect(await page.getByRole('button', { name: 'Create app' }).count()).toBe(0)
    await bar().getByRole('button', { name: 'Return to now' }).click()
    await page.waitForURL(/\/apps$/)
    await bar().waitFor({ state: 'detached' })
    await scene.go(base)
    await settled(page)
    expect(await scene.named()).not.toContain('Bo Bell')
  })

  test('a heat map shows how many of each department hold what, and a cell leads to them', async () => {
    const { page } = scene.owner
    const appId = await scene.app('Ledger')
    const entitlement = await scene.entitlement(appId, 'Post entries')
    for (const [name, department] of [
      ['Cy Cole', 'Accounting'],
      ['Di Dunn', 'Accounting'],
      ['Ed Eves', 'Sales'],
    ] as const) {
      const { account } = await person(name, department, appId)
      await scene.grant(entitlement, account)
    }
    await scene.user({ displayName: 'Flo Free', department: 'Accounting' })
    await scene.go(`/apps/${appId}/heat-map`)
    const cell = page.getByRole('link', { name: 'Post entries, Accounting: 2 of 3, 67%' })
    await cell.waitFor()
    // A hint of what the mouse was left over would stand outside of all landmarks.
    await page.mouse.move(700, 20)
    await checkPage(scene.owner, 'heat-map')
    await cell.click()
    await page.waitForURL(/group=Accounting/)
    await settled(page)
    expect(await scene.named()).toEqual(expect.arrayContaining(['Cy Cole', 'Di Dunn']))
    expect(await scene.named()).not.toContain('Ed Eves')
    await page.getByRole('button', { name: 'Show everyone' }).click()
    await expect.poll(scene.named).toContain('Ed Eves')
  })
})
