/**
 * Takes the pictures of docs/console.md: `npm run pictures`. It starts a server with the demo company in a temporary folder,
 * opens the pages of the console in a browser, and stops both. With names, it takes only those: `npm run pictures --
 * system-log`.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const folder = process.env['PICTURES_FOLDER'] ?? join(root, 'docs', 'pictures')
const browserFile =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const size = { width: 1120, height: 700 }

type Found = { id: string; displayName: string }
/** How a picture finds what it shows: things of the demo company, found through the API. */
type Scene = {
  page: Page
  /** The same, in the window of another user. */
  as(email: string): Promise<Scene>
  go(path: string): Promise<undefined>
  /** Waits until the page has loaded everything that it requested. */
  settle(): Promise<undefined>
  /** Posts to the API; returns the results of a search. */
  search(path: string, body: object): Promise<Record<string, unknown>[]>
}

async function within<T>(ms: number, find: () => T | undefined): Promise<T> {
  for (const until = Date.now() + ms; ; ) {
    const found = find()
    if (found !== undefined) return found
    if (Date.now() > until) throw new Error('the server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function startDemo(): Promise<{ link: string; linkFor(email: string): Promise<string>; stop(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'bailiwick-pictures-'))
  const child = spawn(
    process.execPath,
    [join(root, 'bin/bailiwick.mjs'), 'serve', '--port', '0', '--metrics-port', '0', '--data-dir', data],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true, force: true })
  }
  try {
    const link = await within(180_000, () => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${said}`)
      return /^ +Sign in +(\S+)$/m.exec(said)?.[1]
    })
    const command = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'bin/bailiwick.mjs'), ...words, '--data-dir', data])
    const linkFor = async (email: string): Promise<string> => {
      const { stdout } = await command('sign-in-link', '--user', email, '--url', new URL(link).origin, '--json')
      return /http[^"\s]+/.exec(stdout)?.[0] ?? ''
    }
    return { link, linkFor, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The space of the wiki whose editors are maintained by a rule. */
const entitlement = async (scene: Scene): Promise<string> => {
  const apps = (await scene.search('/api/v1/search/apps', { query: 'Wiki', pageSize: 10 })) as Found[]
  const appIds = apps.map(({ id }) => id)
  const list = await scene.search('/api/v1/search/entitlements', { query: 'Sales', appIds, pageSize: 10 })
  const all = list.map(({ appEntitlement }) => appEntitlement as Found & { appId: string })
  const found = all.find(({ displayName }) => /edit/i.test(displayName)) ?? all[0]
  if (!found) throw new Error('the demo has no such space')
  return `/apps/${found.appId}/entitlements/${found.id}`
}
const personWith = async (scene: Scene): Promise<string> => {
  const people = await scene.search('/api/v1/search/users', { pageSize: 25 })
  const [, ...others] = people.map(({ user }) => user as Found & { status: string; type: string })
  const found = others.find(({ status, type }) => status === 'ENABLED' && type === 'USER_TYPE_HUMAN')
  if (!found) throw new Error('the demo has no people')
  return found.id
}

type Person = Found & { email: string; jobTitle: string; status: string }
const titled = async (scene: Scene, jobTitle: string): Promise<Person> => {
  const people = await scene.search('/api/v1/search/users', { query: '', jobTitles: [jobTitle], pageSize: 10 })
  const found = people.map(({ user }) => user as Person).find(({ status }) => status === 'ENABLED')
  if (!found) throw new Error(`the demo has no ${jobTitle}`)
  return found
}
/** Someone who requested access recently; their manager decides. */
const employee = async (scene: Scene): Promise<Scene> =>
  scene.as((await titled(scene, 'Senior Firmware Engineer')).email)
const manager = async (scene: Scene): Promise<Scene> =>
  scene.as((await titled(scene, 'Firmware Engineering Manager')).email)
const appNamed = async (scene: Scene, query: string): Promise<string> => {
  const [app] = (await scene.search('/api/v1/search/apps', { query, pageSize: 10 })) as Found[]
  if (!app) throw new Error(`the demo has no ${query}`)
  return app.id
}
/** The address of someone's access paths: to the first entitlement that they hold. */
const pathOf = async (scene: Scene): Promise<string> => {
  const userId = await personWith(scene)
  const held = await scene.search('/api/v1/search/grants', { userId, pageSize: 25 })
  const all = held.map(
    ({ entitlement: view }) => (view as { appEntitlement: Found & { appId: string } }).appEntitlement,
  )
  const found = all.at(-1)
  if (!found) throw new Error('nobody holds anything')
  return `/users/${userId}/paths?app=${found.appId}&entitlement=${found.id}`
}

/** Each picture: what is opened before it is taken, and in whose window if it is not the administrator's. */
const pictures: Record<string, (scene: Scene) => Promise<Scene | undefined>> = {
  home: ({ go }) => go('/'),
  'home-employee': async (scene) => {
    const own = await employee(scene)
    await own.go('/')
    return own
  },
  'own-access': async (scene) => {
    const own = await employee(scene)
    await own.go('/me')
    return own
  },
  request: async (scene) => {
    const own = await employee(scene)
    await own.go('/request?show=new')
    await own.page
      .getByRole('button', { name: /^Request / })
      .nth(2)
      .click()
    await own.page.getByRole('dialog').getByLabel('Reason').fill('Field test in May')
    await own.page.getByRole('list', { name: 'Steps of this request' }).waitFor()
    await own.settle()
    return own
  },
  decide: async (scene) => {
    const own = await manager(scene)
    await own.go('/decide')
    return own
  },
  task: async (scene) => {
    const own = await manager(scene)
    await own.go('/decide')
    await own.page.getByRole('rowheader').getByRole('link').first().click()
    await own.page.getByRole('list', { name: 'Steps of this request' }).waitFor()
    await own.settle()
    return own
  },
  search: async (scene) => {
    await scene.go('/')
    await scene.page.keyboard.press('Control+k')
    await scene.page.getByRole('combobox').fill('sales wiki')
    await scene.settle()
    return undefined
  },
  list: ({ go }) => go('/entitlements'),
  bulk: async (scene) => {
    await scene.go('/grants?source=manual')
    const boxes = scene.page.getByRole('main').getByRole('table').getByRole('checkbox')
    for (const place of [1, 2, 3, 4]) await boxes.nth(place).click()
    await scene.page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click()
    await scene.settle()
    return undefined
  },
  'who-has-what': async (scene) => scene.go(await entitlement(scene)),
  person: async (scene) => scene.go(`/users/${await personWith(scene)}`),
  timeline: async (scene) => scene.go(`/users/${await personWith(scene)}/timeline`),
  paths: async (scene) => scene.go(await pathOf(scene)),
  compare: ({ go }) => go('/changes'),
  'heat-map': async (scene) => scene.go(`/apps/${await appNamed(scene, 'Wiki')}/heat-map`),
  rule: async (scene) => scene.go(`${await entitlement(scene)}/automation`),
  versions: async (scene) => scene.go(`${await entitlement(scene)}/versions`),
  import: ({ go }) => go('/imports'),
  leaving: async (scene) => scene.go(`/users/${await personWith(scene)}/leaving`),
  'system-log': ({ go }) => go('/log'),
  'system-log-event': async (scene) => {
    // A change to show: an app whose description and cost change.
    const appId = await appNamed(scene, 'Wiki')
    const changed = {
      description: 'Pages of all departments. Ask in #wiki-help for a new space.',
      monthlyCostUsd: 4200,
    }
    await scene.search(`/api/v1/apps/${appId}`, { app: changed, updateMask: 'description,monthlyCostUsd' })
    const asked = { pageSize: 10, kind: 'EVENT_KIND_UPDATE', objectId: appId }
    const [event] = (await scene.search('/api/v1/search/systemlog/events', asked)) as { metadata?: { uid?: string } }[]
    return scene.go(`/log/events/${event?.metadata?.uid ?? ''}`)
  },
  'time-travel': async (scene) => {
    const at = new Date(Date.now() - 30 * 86_400_000).toISOString()
    return scene.go(`${await entitlement(scene)}?as_of=${encodeURIComponent(at)}`)
  },
}

const wanted = process.argv.slice(2)
const names = Object.keys(pictures).filter((name) => wanted.length === 0 || wanted.includes(name))
await mkdir(folder, { recursive: true })
const demo = await startDemo()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void demo.stop().then(() => process.exit(1)))
const browser = await chromium.launch({
  ...(browserFile && { executablePath: browserFile }),
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
try {
  const dark = process.env['PICTURES_SCHEME'] === 'dark'
  const width = Number(process.env['PICTURES_WIDTH'] ?? size.width)
  const origin = new URL(demo.link).origin
  const windows = new Map<string, Promise<Scene>>()
  const open = async (link: string): Promise<Scene> => {
    const context = await browser.newContext({
      viewport: { ...size, width },
      reducedMotion: 'reduce',
      colorScheme: dark ? 'dark' : 'light',
      locale: 'en-GB',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    await page.goto(link)
    // The console is built on the first visit.
    await page.locator('main#main').waitFor({ timeout: 600_000 })
    const settle = async (): Promise<undefined> => {
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(400)
    }
    // Closes the notices of the first day, which cover the usual page.
    await settle()
    for (const notices = page.getByRole('button', { name: /^Dismiss: / }); (await notices.count()) > 0; )
      await notices.first().click()
    return {
      page,
      settle,
      as(email) {
        const known = windows.get(email) ?? demo.linkFor(email).then(open)
        windows.set(email, known)
        return known
      },
      async go(path) {
        await page.goto(origin + path)
        await settle()
      },
      search: (path, body) =>
        page.evaluate(
          async ([at, sent]) => {
            const reply = await fetch(at, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-bailiwick-console': '1' },
              body: JSON.stringify(sent),
            })
            return ((await reply.json()) as { list?: Record<string, unknown>[] }).list ?? []
          },
          [path, body] as const,
        ),
    }
  }
  const scene = await open(demo.link)
  for (const name of names) {
    const { page } = (await (pictures[name] as (of: Scene) => Promise<Scene | undefined>)(scene)) ?? scene
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: process.env['PICTURES_WHOLE'] !== undefined })
    console.log(`${name}.png`)
  }
} finally {
  await browser.close()
  await demo.stop()
}
