import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import { checkPage, inBrowser, type Opened, openStage, openWindow } from '../fixture/browser.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../sessions/provider.ts'

inBrowser('single sign-on', () => {
  let scene: Awaited<ReturnType<typeof openStage>>
  let provider: TestProvider
  let window: Opened
  beforeAll(async () => {
    scene = await openStage()
    await scene.server.serving.prepareConsole()
    window = await openWindow(scene.browser, scene.server.url)
    // The provider's own page asks another host for a font.
    await window.context.route(/googleapis/, (route) => route.abort())
    provider = await startProvider([`${scene.server.url}/auth/v1/oidc/callback`])
    const { world, tenant } = scene.access
    const cause = operatorCause(tenant, 'test')
    await transact(world.db, (tx) => setOidc(tx, world, cause, { issuer: provider.issuer, clientId, clientSecret }))
  })
  afterAll(async () => {
    await provider.stop()
    await scene.close()
  })

  /** Wants to see their sessions, and goes by the provider as someone. */
  async function trying(login: string, name?: string): Promise<void> {
    const { page, context } = window
    await context.clearCookies()
    await page.goto('/settings/sessions')
    const button = page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` })
    await button.waitFor()
    if (name) await checkPage(window, name)
    await button.click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('users who are known at the provider are signed in, and return to the page they wanted', async () => {
    await scene.access.makeUser({ email: 'ada@example.com', roles: ['system:user'] })
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true })
    const { page } = window
    await trying('ada', 'sign-in-oidc')
    await page.getByRole('cell', { name: 'Single sign-on' }).waitFor()
    expect(page.url()).toBe(`${scene.server.url}/settings/sessions`)
  })

  test('others see the reason', async () => {
    provider.people.set('eve', { email: 'eve@example.com', email_verified: true })
    await trying('eve')
    await window.page.getByText('No enabled user has your email address').waitFor()
  })
})
