import { afterAll, beforeAll, test } from 'vitest'
import { checkPage, inBrowser, type Opened, openStage, openWindow, settled, signIn } from '../fixture/browser.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../sessions/provider.ts'

inBrowser('providers by mail domain', () => {
  let stage: Awaited<ReturnType<typeof openStage>>
  let acme: TestProvider
  let other: TestProvider
  beforeAll(async () => {
    stage = await openStage({ flags: { 'outgoing-allow': ['localhost'], 'outgoing-http': true } })
    const callbacks = [`${stage.server.url}/auth/v1/oidc/callback`]
    ;[acme, other] = await Promise.all([startProvider(callbacks), startProvider(callbacks)])
  })
  afterAll(async () => {
    await Promise.all([acme?.stop(), other?.stop()])
    await stage.close()
  })

  const withoutFonts = ({ context }: Opened) => context.route(/googleapis/, (route) => route.abort())

  async function atProvider({ page }: Opened, login: string): Promise<void> {
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  async function add({ page }: Opened, name: string, { issuer }: TestProvider, domains: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const form = page.getByRole('dialog', { name: 'Add a provider' })
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Issuer').fill(issuer)
    await form.getByLabel('Client ID').fill(clientId)
    await form.getByLabel('Client secret').fill(clientSecret)
    await form.getByLabel('Mail domains').fill(domains)
    await form.getByRole('button', { name: 'Add, disabled' }).click()
    await page.getByRole('button', { name: `Enable ${name}` }).waitFor()
  }

  async function enable({ page }: Opened, name: string): Promise<void> {
    await page.getByRole('button', { name: `Enable ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: `Disable ${name}` }).waitFor()
  }

  test('are added, tested by a round trip that signs in nobody, and enabled; then the address leads to the right one', async () => {
    const owner = await signIn(stage.browser, stage.server, stage.access, ['system:owner'])
    await withoutFonts(owner)
    const { page } = owner
    await owner.go('/settings/sign-in')
    await page.getByText('No providers').waitFor()
    await add(owner, 'Acme', acme, 'acme.example, acme.org')
    await stage.access.makeUser({ email: 'ann@acme.example', roles: ['system:user'] })
    acme.people.set('ann', { email: 'ann@acme.example', email_verified: true })
    await page.getByRole('button', { name: 'Test Acme' }).click()
    await atProvider(owner, 'ann')
    await page.waitForURL(`${stage.server.url}/settings/sign-in`)
    await page.getByText('Would sign in').waitFor()
    await page.getByText('ann@acme.example').first().waitFor()
    // It went to the provider, as it was to.
    owner.problems.length = 0
    await checkPage(owner, 'providers-tested')
    await enable(owner, 'Acme')
    await add(owner, 'Other', other, 'other.example')
    await enable(owner, 'Other')
    await settled(page)
    await page.getByRole('button', { name: 'Edit Acme' }).click()
    await page.getByText('only the name and the client secret can be changed').waitFor()
    await checkPage(owner, 'provider-edit')
    await page.keyboard.press('Escape')
    await owner.close()

    const stranger = await openWindow(stage.browser, stage.server.url)
    await withoutFonts(stranger)
    await stranger.page.goto('/settings/sessions')
    await stranger.page.getByLabel('Email address').fill('ann@nowhere.example')
    await stranger.page.getByRole('button', { name: 'Continue' }).click()
    await stranger.page.getByText('no provider is configured for this mail domain').waitFor()
    await checkPage(stranger, 'sign-in-by-email')
    await stranger.page.getByLabel('Email address').fill('ann@acme.example')
    await stranger.page.getByRole('button', { name: 'Continue' }).click()
    await stranger.page.waitForURL(new RegExp(`^${acme.issuer}`))
    await atProvider(stranger, 'ann')
    await stranger.page.getByRole('cell', { name: 'Single sign-on' }).waitFor()
    await stranger.close()
  })
})
