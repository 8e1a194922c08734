import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator, checkPage, inBrowser, openStage, signIn } from '../fixture/browser.ts'

inBrowser('passkeys', () => {
  let { server, access, browser, close } = {} as Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    ;({ server, access, browser, close } = await openStage())
  })
  afterAll(() => close())

  test('one is added, signs in after signing out, is renamed, and once deleted signs in no more', async () => {
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, context } = opened
    await addAuthenticator(opened)

    await opened.go('/settings/passkeys')
    await page.getByText('You have no passkeys').waitFor()
    await checkPage(opened, 'passkeys-none')
    await page.getByRole('button', { name: 'Add a passkey' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('rowheader', { name: 'My laptop' }).waitFor()
    await checkPage(opened, 'passkeys')

    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()

    await opened.go('/settings/passkeys')
    await page.getByRole('button', { name: 'Rename My laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('rowheader', { name: 'Work laptop' }).waitFor()
    await page.getByRole('button', { name: 'Delete Work laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('You have no passkeys').waitFor()

    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('You were not signed in').waitFor()
    expect(opened.problems).toEqual([])
    await context.close()
  })
})
