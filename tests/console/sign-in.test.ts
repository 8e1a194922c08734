import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  checkPage,
  checkState,
  inBrowser,
  openScene,
  openWindow,
  type Scene,
  settled,
  signIn,
  signInLink,
} from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('signing in to the console', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('who is not signed in is asked to, and led back to where they wanted to go', async () => {
    const { page, problems, context } = await openWindow(scene.browser, scene.server.url)
    await page.goto('/log?order=oldest')
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/log?order=oldest')
    await checkPage({ page, problems }, 'sign-in')
    await context.close()
  })

  test('a sign-in link works once; its token stays neither in the address nor in the history', async () => {
    const { page, problems, context } = await openWindow(scene.browser, scene.server.url)
    const link = await signInLink(scene.access, scene.server, await scene.access.makeUser({ roles: ['system:user'] }))
    await page.goto(link)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(page.url()).not.toContain('#')
    await context.clearCookies()
    await page.goto('/docs')
    await page.goto(link)
    await page.getByText('This sign-in link is not valid').waitFor()
    expect(page.url()).toBe(`${scene.server.url}/sign-in`)
    await checkState({ page, problems }, 'sign-in-refused')
    await context.close()
  })

  test('a basic user is led only to what is theirs', async () => {
    const { page, context } = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(await places.allTextContents()).toEqual([
      'Home',
      'Request access',
      'To decide',
      'My requests',
      'Your access',
      'What you own',
      'Settings',
    ])
    await page.goto('/settings/credentials')
    await settled(page)
    expect(await page.getByRole('link', { name: "Everyone's credentials" }).count()).toBe(0)
    await context.close()
  })

  test('signing out ends it', async () => {
    const { page, context } = await signIn(scene.browser, scene.server, scene.access)
    await page.getByRole('button', { name: /^Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    await context.close()
  })
})
