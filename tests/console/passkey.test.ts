import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Access, openAccess } from '../fixture/access.ts'
import { checkPage, closeWindows, inBrowser, openBrowser, signIn } from '../fixture/browser.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('passkeys', () => {
  let server: TestServer
  let access: Access
  let browser: Browser
  beforeAll(async () => {
    server = await startServer()
    access = await openAccess(server)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await closeWindows()
    await access.close()
    await server.stop()
  })

  test('one is added, signs in after signing out, is renamed, and once deleted signs in no more', async () => {
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, context } = opened
    // The browser's own stand-in for a device that keeps passkeys and knows its owner.
    const device = await context.newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })

    await page.goto('/settings/passkeys')
    await page.getByText('You have no passkeys').waitFor()
    await checkPage(opened, 'passkeys-none')
    await page.getByRole('button', { name: 'Add a passkey' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('rowheader', { name: 'My laptop' }).waitFor()
    await checkPage(opened, 'passkeys')

    await page.getByRole('button', { name: /^Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()

    await page.goto('/settings/passkeys')
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
