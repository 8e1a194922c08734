import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkPage, checkState, inBrowser, openScene, openWindow, type Scene, signInLink } from '../fixture/browser.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

inBrowser('notifications', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('without a mail server, Home and the settings say what is not being sent', async () => {
    const { page } = scene.owner
    await scene.go('/')
    await page.getByText('Notifications: No email is sent').waitFor()
    await scene.go('/settings/organisation-notifications')
    await page.getByText('This server has no mail server.').waitFor()
    await page.getByRole('table', { name: 'Email' }).waitFor()
    await checkPage(scene.owner, 'organisation-notifications')
  })

  test('switches and locks of the organisation are changed one by one, and count for each person', async () => {
    const { page } = scene.owner
    await scene.go('/settings/organisation-notifications')
    await page.getByRole('switch', { name: 'Email: Comments' }).uncheck({ force: true })
    await page.getByRole('checkbox', { name: 'Email: Comments, same for everyone' }).check({ force: true })
    await expect
      .poll(async () => {
        const [row] = await scene.server.db<{ settings: { email: { kinds: Record<string, unknown> } } }[]>`
          select settings from notification_settings where user_id = ''`
        return row?.settings.email.kinds['commentOnRequest']
      })
      .toEqual({ enabled: false, locked: true })

    await scene.go('/settings/notifications')
    await page.getByText('No email is sent').waitFor()
    const comments = page.getByRole('switch', { name: 'Email: Comments' })
    await comments.waitFor()
    expect(await comments.isDisabled()).toBe(true)
    expect(await comments.isChecked()).toBe(false)
    await page.getByRole('switch', { name: 'Email: send one digest instead' }).check({ force: true })
    await page.getByRole('combobox', { name: 'How often' }).selectOption('Every week')
    await page.getByRole('combobox', { name: 'On' }).selectOption('Thursday')
    await expect
      .poll(async () => {
        const [row] = await scene.server.db<{ settings: { digest: unknown } }[]>`
          select settings from notification_settings where user_id = ${scene.owner.userId}`
        return row?.settings.digest
      })
      .toEqual({ enabled: true, frequency: 'WEEKLY', day: 'THURSDAY' })
    await checkPage(scene.owner, 'own-notifications')
  })

  test('a webhook is set without its address being shown again, and removed', async () => {
    const { page } = scene.owner
    await scene.go('/settings/organisation-notifications')
    const slack = page.getByRole('region', { name: 'Slack' })
    await slack.getByLabel('Incoming webhook').fill('http://hooks.example.com/x')
    await slack.getByRole('button', { name: 'Set webhook' }).click()
    await slack.getByText('must begin with https://').waitFor()
    await slack.getByLabel('Incoming webhook').fill('https://hooks.example.com/T0/very-secret')
    await slack.getByRole('button', { name: 'Set webhook' }).click()
    await slack.getByText('Posts to a channel at hooks.example.com').waitFor()
    await slack.getByRole('switch', { name: 'Slack: Approval needed' }).waitFor()
    expect(await page.content()).not.toContain('very-secret')
    await checkState(scene.owner, 'chat-webhook')
    await slack.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await slack.getByText('Not set up').waitFor()
  })

  test('the preview shows each email as it is sent, in a frame that runs nothing', async () => {
    const { page } = scene.owner
    await scene.go('/settings/notification-previews')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('link', { name: 'Open request 4711' }).waitFor()
    await page.getByRole('combobox', { name: 'Email' }).selectOption('digest')
    await frame.getByRole('heading', { name: 'Your digest: 4 notifications' }).waitFor()
    const background = await frame.locator('td.b-card').evaluate((cell) => getComputedStyle(cell).backgroundColor)
    expect(['rgb(255, 255, 255)', 'rgb(28, 31, 38)']).toContain(background)
    await checkState(scene.owner, 'notification-previews')
    await page.getByText('Text', { exact: true }).click()
    await page.getByText('Opening a link decides nothing').waitFor()
  })

  test('the link of an email leads through signing in to its task, and decides nothing', async () => {
    const { access, server, browser } = scene
    const [row] = await server.db<{ id: string; userId: string; version: number }[]>`
      select t.task_id as id, a.user_id as "userId", t.version from tasks t
      join task_assignees a on a.tenant_id = t.tenant_id and a.task_id = t.task_id where t.is_open limit 1`
    if (!row) return
    const window = await openWindow(browser, server.url)
    await window.page.goto(`/tasks/${row.id}`)
    await window.page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    const { search } = new URL(window.page.url())
    const token = (await signInLink(access, server, row.userId)).split('#')[1]
    await window.page.goto('about:blank')
    await window.page.goto(`/sign-in${search}#${token}`)
    await window.page.waitForURL(new RegExp(`/tasks/${row.id}`))
    await window.page.getByRole('navigation', { name: 'Main' }).waitFor()
    const [after] = await server.db<{ version: number }[]>`select version from tasks where task_id = ${row.id}`
    expect(after?.version).toBe(row.version)
    await window.close()
  })
})
