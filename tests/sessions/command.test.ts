import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ran, run, serve } from '../cli/command.ts'
import { type Access, openAccess, outcomeOf } from '../fixture/access.ts'
import { dataFolder } from '../fixture/later.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byLink, openBrowser } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  await access.makeTenant('links.example.com')
  await access.makeUser({ email: 'ada@example.com' })
  const gone = await access.makeUser({ email: 'gone@example.com' })
  await server.db`update users set status = 'DISABLED' where user_id = ${gone}`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const link = (...words: string[]): Promise<Ran> =>
  run(['sign-in-link', ...words, '--data-dir', server.config.dataDir, '--database-url', server.databaseUrl])

const tokenIn = (text: string): string => /\/sign-in#([\w-]{43})$/m.exec(text)?.[1] ?? ''

test('bailiwick sign-in-link prints a link that signs the user in, by the running server', async () => {
  const { port } = new URL(server.url)
  const url = `http://localhost:${port}`
  const ran = await link('--user', 'ADA@example.com', '--tenant', 'localhost', '--url', url)
  expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout.split('\n')[0]).toBe(`${url}/sign-in#${tokenIn(ran.stdout)}`)
  const browser = openBrowser(server)
  expect(outcomeOf(await browser.ask(byLink, { body: { token: tokenIn(ran.stdout) } }))).toBe('200')
})

test('the link is of the tenant’s own address, HTTPS but for localhost', async () => {
  const [far, near] = await Promise.all([
    link('--user', 'owner@example.com', '--tenant', 'links.example.com', '--json'),
    link('--user', 'ada@example.com', '--tenant', 'localhost', '--json'),
  ])
  expect((JSON.parse(far.stdout) as { url: string }).url).toMatch(/^https:\/\/links\.example\.com\/sign-in#[\w-]{43}$/)
  expect((JSON.parse(near.stdout) as { url: string }).url).toMatch(/^http:\/\/localhost\/sign-in#[\w-]{43}$/)
})

test('what cannot be done is one line', async () => {
  const cases: [string[], RegExp][] = [
    [['--user', 'nobody@example.com', '--tenant', 'localhost'], /no user has the email address nobody@example.com/],
    [['--user', 'gone@example.com', '--tenant', 'localhost'], /gone@example.com is disabled/],
    [['--user', 'ada@example.com'], /several tenants/],
    [['--user', 'ada@example.com', '--tenant', 'localhost', '--url', 'https://evil.example.com'], /--url must be/],
  ]
  await Promise.all(
    cases.map(async ([words, message]) => {
      const ran = await link(...words)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toMatch(message)
    }),
  )
})

onlyLongTest(
  'the first start prints a link that works; the next one prints the command that makes one, and it works without a server',
  async () => {
    const folder = dataFolder()
    const first = await serve(['--data-dir', folder, '--empty'])
    const printed = first.said().stdout
    const token = tokenIn(printed)
    expect(printed).toContain(`Sign in    ${first.url}/sign-in#${token}`)
    expect(outcomeOf(await openBrowser(first).ask(byLink, { body: { token } }))).toBe('200')
    expect(first.said().stderr).not.toContain(token)
    expect((await first.stop()).code).toBe(0)

    const made = await run(['sign-in-link', '--user', 'admin@localhost', '--data-dir', folder])
    expect(made, made.stderr).toMatchObject({ code: 0 })
    const second = await serve(['--data-dir', folder])
    expect(second.said().stdout).toMatch(/Sign in +node \S+bin\/bailiwick\.mjs sign-in-link --user admin@localhost/)
    expect(second.said().stdout).not.toMatch(/sign-in#/)
    const reply = await openBrowser(second).ask(byLink, { body: { token: tokenIn(made.stdout) } })
    expect(outcomeOf(reply)).toBe('200')
  },
)
