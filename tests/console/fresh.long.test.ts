import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import {
  addAuthenticator,
  checkPage,
  complaintsOf,
  enter,
  inBrowser,
  type Opened,
  openStage,
  openWindow,
  ownHeaders,
  settled,
  signIn,
  signInLink,
} from '../fixture/browser.ts'
import { clientId, clientSecret, startProvider } from '../sessions/provider.ts'
import { letPass } from '../sessions/support.ts'

inBrowser('a fresh sign-in', () => {
  let { server, access, browser, close } = {} as Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    ;({ server, access, browser, close } = await openStage())
  })
  afterAll(() => close())

  async function createCredential({ page, go }: Opened, name: string): Promise<void> {
    await go('/settings/credentials')
    await page.getByRole('button', { name: 'Create credential' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create an API credential' })
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Create credential' }).click()
  }

  test('is asked for in place when it is long past; without one nothing is made', async () => {
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, userId } = opened
    await letPass(access, userId, 20)
    await createCredential(opened, 'nightly-export')
    const question = page.getByRole('dialog', { name: 'Confirm your identity' })
    await question.getByText('Open a new sign-in link').waitFor()
    // The form behind it waits, and says so: the page does not settle.
    expect(await complaintsOf(page)).toEqual([])
    await question.getByRole('button', { name: 'Close' }).click()
    await page.getByText('This needs a recent sign-in').waitFor()
    await opened.close()
  })

  test('is asked for in place when it is long past, and what was begun goes on', async () => {
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, context, userId } = opened
    const question = page.getByRole('dialog', { name: 'Confirm your identity' })
    await addAuthenticator(opened)
    await opened.go('/settings/passkeys')
    await page.getByRole('button', { name: 'Add a passkey' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('rowheader', { name: 'My laptop' }).waitFor()

    await letPass(access, userId, 20)
    await createCredential(opened, 'nightly-export')
    await question.getByRole('button', { name: 'Continue with a passkey' }).waitFor()
    expect(await complaintsOf(page)).toEqual([])
    await question.getByRole('button', { name: 'Continue with a passkey' }).click()
    await page.getByRole('dialog', { name: 'Created nightly-export' }).waitFor()
    expect(opened.problems).toEqual([])
    await context.close()
  })

  test('at the provider leads back to the page', async () => {
    const provider = await startProvider([`${server.url}/auth/v1/oidc/callback`])
    const cause = operatorCause(access.tenant, 'test')
    const wanted = { issuer: provider.issuer, clientId, clientSecret }
    await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, context, userId } = opened
    await context.route(/googleapis/, (route) => route.abort())
    provider.people.set('kim', { email: `${userId}@example.com`, email_verified: true })
    await letPass(access, userId, 20)
    await createCredential(opened, 'by-provider')
    await page.getByRole('button', { name: 'Sign in at your provider' }).click()
    await page.locator('input[name=login]').fill('kim')
    await page.locator('input[name=password]').fill('any')
    await page.locator('[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${server.url}/settings/credentials`)
    await createCredential(opened, 'by-provider')
    await page.getByRole('dialog', { name: 'Created by-provider' }).waitFor()
    await context.close()
    await provider.stop()
  })

  test('page: a user who was signed out sees the reason', async () => {
    const opened = await signIn(browser, server, access, ['system:user'])
    const { page, context, userId } = opened
    const [cookie] = await context.cookies()
    await letPass(access, userId, 16)
    await opened.go('/settings/sessions')
    // Its requests went out together; the cookie that came back is used from here on.
    await opened.go('/settings/sessions')
    await letPass(access, userId, 1)
    // A copy of the cookie from before is used elsewhere.
    const thief = await browser.newContext({ baseURL: server.url })
    await thief.addCookies([cookie as NonNullable<typeof cookie>])
    expect((await thief.request.get('/api/v1/auth/session', { headers: ownHeaders })).status()).toBe(401)
    const window = await thief.newPage()
    await window.goto('/settings/sessions')
    await window.getByText('was used in two places').waitFor()
    await page.goto('/settings/sessions')
    await page.getByText('was used in two places').waitFor()
    await checkPage(opened, 'sign-in-ended')
    await thief.close()
    await opened.close()
  })

  // tests/console/destination.test.ts has all addresses, without a browser.
  test('leads to no other site', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const fresh = await openWindow(browser, server.url)
    const elsewhere = [
      '//evil.example',
      '/%09/evil.example',
      '/%0a/evil.example',
      '/%5Cevil.example',
      '/.//evil.example',
    ]
    for (const returnTo of elsewhere) {
      await fresh.context.clearCookies()
      await fresh.page.goto(`/sign-in?returnTo=${returnTo}#${(await signInLink(access, server, userId)).split('#')[1]}`)
      await fresh.page.getByRole('navigation', { name: 'Main' }).waitFor()
      expect(new URL(fresh.page.url()).origin).toBe(server.url)
      // The page is left, and its cookies are removed, only after it has asked for everything.
      await settled(fresh.page)
      expect(fresh.problems).toEqual([])
    }
    await fresh.close()
  })

  test('policy, single sign-on and other people’s sessions have their pages', async () => {
    const owner = await signIn(browser, server, access, ['system:owner'])
    const { page, go } = owner
    await go('/settings/sign-in')
    await checkPage(owner, 'sign-in-policy')
    const idle = page.getByRole('textbox', { name: 'End inactive sessions after' })
    const unit = page.getByRole('combobox', { name: 'Unit: End inactive sessions after' })
    expect(await page.getByRole('textbox', { name: 'Sessions last at most' }).inputValue()).toBe('7')
    expect(await page.getByRole('combobox', { name: 'Unit: Sessions last at most' }).inputValue()).toBe('days')
    await unit.selectOption('minutes')
    await idle.fill('60')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved the sign-in policy').waitFor()
    // What was saved is read again, and then shown in place of what is typed.
    await settled(page)
    expect([await idle.inputValue(), await unit.inputValue()]).toEqual(['1', 'hours'])
    await unit.selectOption('minutes')
    await idle.fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be from 5 minutes to 30 days').waitFor()
    await idle.fill('60')
    await page.getByRole('checkbox', { name: 'One-time link' }).uncheck()
    await page.getByRole('checkbox', { name: 'Single sign-on' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You would no longer be able to sign in').waitFor()

    await go('/settings/single-sign-on')
    await checkPage(owner, 'single-sign-on')

    const other = { context: await browser.newContext({ baseURL: server.url }), userId: await access.makeUser() }
    await enter(other, server, access, other.userId)
    // Longer than a narrow window is wide: it is broken, and makes no page wider.
    const email = `${'w'.repeat(50)}@example.com`
    await access.world.db`update users set email = ${email} where user_id = ${other.userId}`
    await go(`/users/${other.userId}/sessions`)
    await checkPage(owner, 'user-sessions')
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('Ended 1 session').waitFor()
    await page.getByText('is not signed in').waitFor()
    expect((await other.context.request.get('/api/v1/auth/session', { headers: ownHeaders })).status()).toBe(401)
    await other.context.close()
    await owner.close()
  })
})
