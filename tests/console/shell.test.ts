import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, narrow, openScene, type Scene, settled } from '../fixture/browser.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('the shell', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('Ctrl-K finds pages and users, and leads there by the keyboard alone', async () => {
    await scene.go('/imports')
    await scene.owner.page.keyboard.press('Control+k')
    const field = scene.owner.page.getByRole('dialog').getByRole('combobox', { name: 'Search' })
    await field.fill('system')
    await scene.owner.page.getByRole('dialog').getByText('System log').waitFor()
    await checkPage(scene.owner, 'search')
    await scene.owner.page.keyboard.press('Enter')
    await scene.owner.page.waitForURL(/\/log$/)
    // Who goes on by a link hears where they are.
    await scene.owner.page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    await expect.poll(() => scene.owner.page.title()).toBe('System log · Bailiwick')
  })

  longTest('what is typed right after Ctrl-K is searched for, however long the search takes to load', async () => {
    const { page } = scene.owner
    const waiting: (() => Promise<void>)[] = []
    await page.route(/\/search-[^/]*\.js$/, (route) => void waiting.push(() => route.continue()))
    const load = async (): Promise<void> => {
      // Without anyone having opened it, too: when nothing else is to do, it is loaded.
      await expect.poll(() => waiting.length).toBe(1)
      await waiting.pop()?.()
    }
    await page.goto('/imports')
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('systemm')
    await page.keyboard.press('Backspace')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await load()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Search' }).waitFor()
    await page.keyboard.type(' lo')
    await expect.poll(() => page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('system lo')
    await page.keyboard.press('Escape')
    // With the keys of shortcuts, and Enter.
    const session = await scene.owner.context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await page.goto('/imports')
    await expect.poll(() => waiting.length).toBe(1)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('system log')
    await page.keyboard.press('Enter')
    await load()
    await page.waitForURL(/\/log$/)
    await page.unrouteAll()
  })

  test('an address that leads nowhere says so, at home in the shell', async () => {
    await scene.go('/no/such/page')
    await scene.owner.page.getByText('Page not found').waitFor()
    await checkPage(scene.owner, 'nowhere')
  })

  test('whatever page it begins with, the first load is under 300 kB of compressed script', async () => {
    const { page, context } = scene.owner
    const paths = ['/', '/log', '/decide', '/settings/credentials', '/imports', '/settings/passkeys']
    for (const path of paths.slice(0, fewOrMany(1, 6))) {
      // What a browser keeps between pages would not be counted.
      const session = await context.newCDPSession(page)
      await session.send('Network.clearBrowserCache')
      await page.goto(path)
      await settled(page)
      await page.waitForLoadState('networkidle')
      const bytes = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
      )
      expect(bytes, path).toBeGreaterThan(100_000)
      expect(bytes, path).toBeLessThan(300_000)
    }
  })

  longTest('light and dark can be chosen, and the choice stays', async () => {
    await scene.go('/settings/credentials')
    const scheme = (): Promise<string | undefined> =>
      scene.owner.page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
    await expect.poll(scheme).toBe('light')
    await scene.owner.page.getByRole('button', { name: 'Theme' }).click()
    await scene.owner.page.getByRole('menuitem', { name: 'Dark' }).click()
    await expect.poll(scheme).toBe('dark')
    await scene.owner.page.reload()
    await expect.poll(scheme).toBe('dark')
    await scene.owner.page.evaluate(() => localStorage.clear())
  })

  longTest('the first stop of the keyboard leads past the navigation', async () => {
    await scene.owner.page.goto('/settings/credentials')
    await settled(scene.owner.page)
    await scene.owner.page.keyboard.press('Tab')
    await expect
      .poll(() => scene.owner.page.evaluate(() => document.activeElement?.textContent))
      .toBe('Skip to content')
    await scene.owner.page.keyboard.press('Enter')
    await expect.poll(() => scene.owner.page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  longTest('a narrow window has its navigation behind a button', async () => {
    await scene.go('/settings/credentials')
    await scene.owner.page.setViewportSize({ width: 360, height: 780 })
    await scene.owner.page.getByRole('button', { name: 'Navigation' }).click()
    await scene.owner.page.getByRole('dialog').getByRole('link', { name: 'Imports' }).waitFor()
    await checkPage(scene.owner, 'narrow-navigation', [narrow])
    await scene.owner.page.getByRole('dialog').getByRole('link', { name: 'Imports' }).click()
    await scene.owner.page.waitForURL(/\/imports$/)
    await scene.owner.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await scene.owner.page.setViewportSize({ width: 1440, height: 900 })
  })
})
