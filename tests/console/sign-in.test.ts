import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask } from '../fixture/access.ts'
import { checkPage, inBrowser, type Opened, openStage, openWindow, signInLink } from '../fixture/browser.ts'
import { isLong, longTest } from '../fixture/long.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('signing in to the console', () => {
  let scene: Awaited<ReturnType<typeof openStage>>
  let window: Opened
  beforeAll(async () => {
    scene = await openStage()
    await scene.server.serving.prepareConsole()
    window = await openWindow(scene.browser, scene.server.url)
  })
  afterAll(() => scene.close())
  // Nobody is signed in. From another page a link is loaded: it is not just another place in the page for signing in.
  beforeEach(async () => {
    await window.context.clearCookies()
    await window.page.goto('about:blank')
  })

  const navigation = () => window.page.getByRole('navigation', { name: 'Main' })
  const linkOfBasicUser = async (): Promise<string> =>
    signInLink(scene.access, scene.server, await scene.access.makeUser({ roles: ['system:user'] }))

  test('who is not signed in is asked to, and led back to where they wanted to go', async () => {
    const { page } = window
    await page.goto('/log?order=oldest')
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/log?order=oldest')
    await checkPage(window, 'sign-in')
  })

  test('a sign-in link works once; its token stays neither in the address nor in the history', async () => {
    const { page, context } = window
    const link = await linkOfBasicUser()
    await page.goto(link)
    await navigation().waitFor()
    expect(page.url()).not.toContain('#')
    if (!isLong) return
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This sign-in link is not valid').waitFor()
    expect(page.url()).toBe(`${scene.server.url}/sign-in`)
    await checkPage(window, 'sign-in-refused')
  })

  test('an invitation signs someone in for the first time, and its token stays nowhere', async () => {
    const { server, access } = scene
    const administrator = await access.makeToken(await access.makeCaller(['system:owner']))
    const userIds = [await access.makeUser({ roles: ['system:user'] })]
    const made = await ask(server, '/api/v1/auth/invitations', { token: administrator, body: { userIds } })
    const [{ url }] = made.json['list'] as [{ url: string }]
    const { page } = window
    await page.goto(url)
    await navigation().waitFor()
    expect(page.url()).not.toContain('#')
    await page.getByText('Add a passkey to sign in next time').waitFor()
  })

  longTest('a basic user is led only to what is theirs, and signing out ends it', async () => {
    const { page, go } = window
    await page.goto(await linkOfBasicUser())
    await navigation().waitFor()
    expect(await navigation().getByRole('link').allTextContents()).toEqual([
      'Home',
      'Request access',
      'Inbox',
      'My requests',
      'Your access',
      'What you own',
      'Settings',
    ])
    await go('/settings/credentials')
    expect(await page.getByRole('link', { name: "Everyone's credentials" }).count()).toBe(0)
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
  })
})
