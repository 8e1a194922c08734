import { expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('who sees what of the governed records', () => {
  const scene = prepareConsole()

  test('who may only read is offered nothing else', async () => {
    const entitlement = await scene.entitlement(await scene.app('Read me'), 'Look')
    const { appId, id } = entitlement
    await scene.grant(entitlement, await scene.account(appId, { displayName: 'Ann Account' }))
    const { page, context } = await scene.asA('system:viewer')
    for (const path of ['/apps', `/apps/${appId}`, `/apps/${appId}/accounts`, `/apps/${appId}/entitlements/${id}`]) {
      await page.goto(path)
      await settled(page)
      expect(await page.getByRole('rowheader').count(), path).toBeGreaterThan(0)
      const offered = page
        .getByRole('main')
        .getByRole('button', { name: /^(Create|Add(?! filter)|Edit|Delete|Remove|Disable|Change)\b/ })
      expect(await offered.allTextContents(), path).toEqual([])
    }
    await context.close()
  })

  test('a basic user sees their own access, and the way to nothing else', async () => {
    const anna = await scene.asA('system:user')
    const { page, context, userId } = anna
    const entitlement = await scene.entitlement(await scene.app('Canteen'), 'Lunch')
    await scene.grant(entitlement, await scene.account(entitlement.appId, { userId, username: 'anna' }))
    await page.goto('/me')
    await page.waitForURL(new RegExp(`/users/${userId}$`))
    await settled(page)
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(await places.allTextContents()).toEqual([
      'Home',
      'Request access',
      'Inbox',
      'My requests',
      'Your access',
      'What you own',
      'Settings',
    ])
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['Lunch'])
    await page.getByRole('region', { name: 'Canteen' }).getByRole('link', { name: 'anna' }).waitFor()
    // Only how they came to it.
    expect(await page.getByRole('table').getByRole('link').allTextContents()).toEqual(['Path'])
    await checkPage(anna, 'own-access')
    await page.goto(`/users/${scene.owner.userId}`)
    await page.getByText('Your roles do not include this page').first().waitFor()
    await context.close()
  })

  test('who owns an app works on it by its address, and sees no others', async () => {
    const olga = await scene.asA('system:application-admin')
    const { page, context, userId } = olga
    const entitlement = await scene.entitlement(await scene.app('Owned app'), 'Enter')
    const { appId } = entitlement
    const other = await scene.app('Foreign app')
    await scene.resource(appId, 'Hall')
    await scene.account(appId, { displayName: 'Ann Account' })
    await scene.post(`/api/v1/apps/${appId}/owners/${userId}`, {})
    for (const [path, name] of [
      [`/apps/${appId}`, 'Enter'],
      [`/apps/${appId}/resources`, 'Hall'],
      [`/apps/${appId}/accounts`, 'Ann Account'],
    ] as const) {
      await page.goto(path)
      await settled(page)
      expect(await page.getByRole('rowheader').getByRole('link').allTextContents(), path).toEqual([name])
    }
    await page.goto(`/apps/${appId}`)
    await page.getByRole('button', { name: 'Edit Owned app' }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('Mine.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mine.', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete Owned app' }).count()).toBe(0)
    await checkPage(olga, 'owned-app')
    await page.goto(`/apps/${other}`)
    await page.getByText('There is no such app.').first().waitFor()
    await context.close()
  })
})
