/**
 * Makes the pictures of docs/console.md: `npm run pictures`. It starts a server with the demo company in a folder of its own, goes
 * through the console in a browser, and ends both. Names of pictures to make only those: `npm run pictures -- system-log`.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const folder = process.env['PICTURES_FOLDER'] ?? join(root, 'docs', 'pictures')
const browserFile =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const size = { width: 1120, height: 700 }

type Found = { id: string; displayName: string }
/** What the pictures are of: things of the demo company, found by the API. */
type Scene = {
  page: Page
  go(path: string): Promise<void>
  /** Posts to the API; of a search, what it found. */
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

async function startDemo(): Promise<{ link: string; stop(): Promise<void> }> {
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
    return { link, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The space of the wiki whose editors a rule keeps. */
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

/** Each picture: what is looked at before it is taken. */
const pictures: Record<string, (scene: Scene) => Promise<void>> = {
  home: ({ go }) => go('/'),
  'who-has-what': async (scene) => scene.go(await entitlement(scene)),
  person: async (scene) => scene.go(`/users/${await personWith(scene)}`),
  request: ({ go }) => go('/request'),
  decide: ({ go }) => go('/decide'),
  rule: async (scene) => scene.go(`${await entitlement(scene)}/automation`),
  import: ({ go }) => go('/imports'),
  leaving: async (scene) => scene.go(`/users/${await personWith(scene)}/leaving`),
  'system-log': ({ go }) => go('/log'),
  'system-log-event': async (scene) => {
    // Something to show: an app whose description and cost change.
    const [app] = (await scene.search('/api/v1/search/apps', { query: 'Wiki', pageSize: 10 })) as Found[]
    if (!app) throw new Error('the demo has no wiki')
    const changed = {
      description: 'Pages of all departments. Ask in #wiki-help for a new space.',
      monthlyCostUsd: 4200,
    }
    await scene.search(`/api/v1/apps/${app.id}`, { app: changed, updateMask: 'description,monthlyCostUsd' })
    const asked = { pageSize: 10, kind: 'EVENT_KIND_UPDATE', objectId: app.id }
    const [event] = (await scene.search('/api/v1/search/systemlog/events', asked)) as { metadata?: { uid?: string } }[]
    await scene.go(`/log/events/${event?.metadata?.uid ?? ''}`)
  },
  'time-travel': async (scene) => {
    const at = new Date(Date.now() - 30 * 86_400_000).toISOString()
    await scene.go(`${await entitlement(scene)}?as_of=${encodeURIComponent(at)}`)
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
  const context = await browser.newContext({
    viewport: { ...size, width },
    reducedMotion: 'reduce',
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  await page.goto(demo.link)
  // The console is built at the first visit.
  await page.locator('main#main').waitFor({ timeout: 600_000 })
  const origin = new URL(demo.link).origin
  const scene: Scene = {
    page,
    async go(path) {
      await page.goto(origin + path)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(400)
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
  for (const name of names) {
    await (pictures[name] as (of: Scene) => Promise<void>)(scene)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: process.env['PICTURES_WHOLE'] !== undefined })
    console.log(`${name}.png`)
  }
} finally {
  await browser.close()
  await demo.stop()
}
