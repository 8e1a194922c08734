import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { serve } from '../cli/command.ts'
import { checkPage, closeWindows, inBrowser, openBrowser, openWindow, ownHeaders } from '../fixture/browser.ts'
import { dataFolder, later, until } from '../fixture/later.ts'

/** A newcomer's first minutes, from the first start to a program that calls the API. It may be read as a manual. */
inBrowser('the first minutes', () => {
  test('from the link that the first start prints to a curl that works', async () => {
    // 1. Start the server: `npm start`. It prints a link that signs you in.
    const server = await serve(['--data-dir', dataFolder(), '--empty'])
    const [, link = ''] = /^ +Sign in +(\S+)$/m.exec(server.said().stdout) ?? []
    expect(link).toMatch(/^http:\/\/localhost:\d+\/sign-in#[\w-]{43}$/)

    // 2. Open the link in a browser. The first time, the console is being built: the page says so and waits with you.
    const browser = await openBrowser()
    later(closeWindows)
    const { page, problems, context, go } = await openWindow(browser, server.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(link)
    // Our own pages may write to the clipboard and not read it: it is read in a window beside.
    const beside = await context.newPage()
    await beside.goto('/docs')
    const pasted = async (): Promise<string> => {
      await beside.bringToFront()
      const text = await beside.evaluate(() => navigator.clipboard.readText())
      await page.bringToFront()
      return text
    }
    await page.bringToFront()

    // 3. You are in. Go to your API credentials, by the menu at the top right.
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'API credentials' }).click()
    await page.getByText('You have no API credentials').waitFor()

    // 4. Create a credential: a name, how long it lasts, where it may be used from, what it may do.
    await page.getByRole('button', { name: 'Create credential' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create an API credential' })
    await form.getByLabel('Name').fill('my first program')
    await form.getByText('30 days').click()
    await form.getByLabel('Allowed IPs').fill('127.0.0.1, ::1')
    await form.getByLabel('Allowed IPs').press('Enter')
    await form.getByLabel('Full permissions').check()
    await form.getByRole('button', { name: 'Create credential' }).click()

    // 5. The secret is shown this once. Copy it, or the whole command.
    const made = page.getByRole('dialog', { name: 'Created my first program' })
    await made.getByText('It is shown only once and is not stored').waitFor()
    await checkPage({ page, problems }, 'new-credential')
    await made.getByRole('button', { name: 'Copy curl snippet' }).click()
    // The browser writes the clipboard a moment later.
    let curl = ''
    await until(async () => (curl = await pasted()).includes('curl'))
    await made.getByText('TypeScript').click()
    await made.getByRole('button', { name: 'Copy typescript snippet' }).click()
    let typescript = curl
    await until(async () => (typescript = await pasted()) !== curl)
    await made.getByRole('button', { name: 'I have copied the secret' }).click()

    // 6. Paste the command into a terminal: the program speaks for you.
    const { stdout } = await promisify(execFile)('bash', ['-c', curl])
    const introspected = JSON.parse(stdout) as { principleId: string; permissions: string[] }
    expect(introspected.permissions).toContain('apps.write')
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', typescript])
    expect(ran.stdout).toContain(introspected.principleId)

    // 7. The credential is in the table, and so is when it was last used. The secret is nowhere any more.
    const row = page.getByRole('row', { name: /my first program/ })
    await row.getByText('Full permissions').waitFor()
    await until(async () => {
      const reply = await context.request.get('/api/v1/iam/personal_clients', { headers: ownHeaders })
      const { list } = (await reply.json()) as { list: { lastUsedAt: string | null }[] }
      return list.every(({ lastUsedAt }) => lastUsedAt !== null)
    })
    await go('/settings/credentials')
    expect(await row.getByText('Never').count()).toBe(0)
    const secret = /client_secret=([^']+)'/.exec(curl)?.[1] ?? ''
    expect(secret).toMatch(/^secret-token:/)
    expect(await page.content()).not.toContain(secret)

    // 8. Nothing that the browser would complain about has happened on the way.
    expect(problems).toEqual([])
  })
})
