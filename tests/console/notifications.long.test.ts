import { expect, test } from 'vitest'
import { checkPage, inBrowser, openWindow, signInLink } from '../fixture/browser.ts'
import { byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

inBrowser('notifications', () => {
  const scene = prepareRequests()

  test('without a mail server, Home and the settings say what is not being sent', async () => {
    const { page } = scene.owner
    await scene.go('/')
    await page.getByRole('region', { name: 'Needs attention' }).getByText('No email is sent').waitFor()
    await scene.go('/settings/organisation-notifications')
    await page.getByText('No mail server is configured.').waitFor()
    await page.getByRole('table', { name: 'Email' }).waitFor()
    await checkPage(scene.owner, 'organisation-notifications')
  })

  test('switches and locks of the organisation are changed one by one, and count for each person', async () => {
    const { page } = scene.owner
    await scene.go('/settings/organisation-notifications')
    // What is shown is what the server answered: each click waits for the one before.
    const comments = page.getByRole('switch', { name: 'Email: Comments' })
    await comments.press('Space')
    await expect.poll(() => comments.isChecked()).toBe(false)
    const lock = page.getByRole('checkbox', { name: 'Email: Comments, same for everyone' })
    await expect.poll(() => lock.isEnabled()).toBe(true)
    await lock.press('Space')
    await expect.poll(() => lock.isChecked()).toBe(true)
    const ofComments = async (): Promise<unknown> => {
      const [row] = await scene.server.db<{ settings: { email: { kinds: Record<string, unknown> } } }[]>`
        select settings from notification_settings where user_id = ''`
      return row?.settings.email.kinds['commentOnRequest']
    }
    await expect.poll(ofComments).toEqual({ enabled: false, locked: true })

    await scene.go('/settings/notifications')
    await page.getByText('No email is sent').waitFor()
    await expect.poll(() => comments.isDisabled()).toBe(true)
    expect(await comments.isChecked()).toBe(false)
    await page.getByRole('switch', { name: 'Email: send one digest instead' }).press('Space')
    await page.getByRole('combobox', { name: 'How often' }).selectOption('Every week')
    await page.getByRole('combobox', { name: 'On' }).selectOption('Thursday')
    await expect
      .poll(async () => {
        const [own] = await scene.server.db<{ settings: { digest: unknown } }[]>`
          select settings from notification_settings where user_id = ${scene.owner.userId}`
        return own?.settings.digest
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
    await checkPage(scene.owner, 'chat-webhook')
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
    await checkPage(scene.owner, 'notification-previews')
    await page.getByText('Text', { exact: true }).click()
    await page.getByText('Opening a link does not decide anything').waitFor()
  })

  test('the link of an email leads through signing in to its task, and decides nothing', async () => {
    const { access, server, browser } = scene
    const boss = await access.makeUser({ roles: ['system:user'] })
    const [ref] = await scene.appOf(boss, 'Wiki', byOwners, 'Editor')
    const asked = { appId: ref?.appId, appEntitlementId: ref?.id, identityUserId: await scene.user() }
    const { id } = scene.task(await scene.post('/api/v1/task/grant', asked))
    const versionOf = async () =>
      (await server.db<{ version: number }[]>`select version from tasks where task_id = ${id}`)[0]?.version
    const version = await versionOf()
    const window = await openWindow(browser, server.url)
    await window.page.goto(`/tasks/${id}`)
    await window.page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    const { search } = new URL(window.page.url())
    const token = (await signInLink(access, server, boss)).split('#')[1]
    await window.page.goto('about:blank')
    await window.page.goto(`/sign-in${search}#${token}`)
    await window.page.waitForURL(new RegExp(`/tasks/${id}`))
    await window.page.getByRole('navigation', { name: 'Main' }).waitFor()
    await window.page.getByText('Editor').first().waitFor()
    expect(await versionOf()).toBe(version)
    expect((await scene.look(id)).state).toBe('TASK_STATE_OPEN')
    await window.close()
  })
})
