import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { RoleName } from '../fixture/access.ts'
import { closeWindows, consolePort, type Opened, openBrowser, signIn } from '../fixture/browser.ts'
import type { TestServerOptions } from '../fixture/server.ts'
import { prepare, type Scene } from '../grants/scene.ts'

/** For tests that look at many pages, each in light and dark, wide and narrow. */

export type ConsoleScene = Scene & {
  browser: Browser
  /** A window of a Super Administrator. */
  owner: Opened & { userId: string }
  /** Leads the owner's window somewhere, and waits until it is all there. */
  go(path: string): Promise<void>
  /** Another window, of someone with these roles. */
  asA(...roles: RoleName[]): Promise<Opened & { userId: string }>
  /** The names in the first column of the list in the owner's window. */
  named(): Promise<string[]>
}

/** A server with records, a browser, and someone who is signed in; for the tests of a file. */
export function prepareConsole(): ConsoleScene {
  const options: TestServerOptions = {}
  beforeAll(async () => {
    options.flags = { port: String(await consolePort()) }
  })
  const scene = prepare(options) as ConsoleScene
  beforeAll(async () => {
    // At once: whatever fails from here on, it is closed at the end.
    const browser = await openBrowser()
    scene.browser = browser
    const asA = (...roles: RoleName[]) => signIn(browser, scene.server, scene.access, roles)
    const owner = await asA('system:owner')
    Object.assign(scene, {
      owner,
      asA,
      go: owner.go,
      named: () => owner.page.getByRole('rowheader').getByRole('link').allTextContents(),
    })
    // The first page builds the console, if its sources have changed.
  })
  afterAll(closeWindows)
  return scene
}
