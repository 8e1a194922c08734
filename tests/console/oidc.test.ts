import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import { checkPage, inBrowser, openScene, openWindow, type Scene } from '../fixture/browser.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../sessions/provider.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('single sign-on', () => {
  let scene: Scene
  let provider: TestProvider
  beforeAll(async () => {
    scene = await openScene()
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
  async function trying(login: string, name?: string): Promise<Page> {
    const opened = await openWindow(scene.browser, scene.server.url)
    const { page, context } = opened
    // The provider's own page asks another host for a font.
    await context.route(/googleapis/, (route) => route.abort())
    await page.goto('/settings/sessions')
    const button = page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` })
    await button.waitFor()
    if (name) await checkPage(opened, name)
    await button.click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    return page
  }

  test('who is known at the provider comes in, and back to where they wanted to go; others are told why not', async () => {
    await scene.access.makeUser({ email: 'ada@example.com', roles: ['system:user'] })
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true })
    provider.people.set('eve', { email: 'eve@example.com', email_verified: true })

    const eve = await trying('eve', 'sign-in-oidc')
    await eve.getByText('No enabled user here has your email address').waitFor()
    await eve.context().close()

    const ada = await trying('ada')
    await ada.getByRole('cell', { name: 'Single sign-on' }).waitFor()
    expect(ada.url()).toBe(`${scene.server.url}/settings/sessions`)
    await ada.context().close()
  })
})
