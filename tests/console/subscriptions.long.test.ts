import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, signIn } from '../fixture/browser.ts'
import { isLong } from '../fixture/long.ts'
import { type Receiver, startReceiver } from '../subscriptions/receiver.ts'

inBrowser('subscriptions', () => {
  let scene: Scene
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    scene = await openScene({ flags: { 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] } })
  })
  afterAll(async () => {
    await scene.close()
    await receiver.close()
  })

  /** How many buttons that would change it. */
  const offeredToReader = async (): Promise<number> => {
    const viewer = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await viewer.go('/subscriptions')
    await viewer.page.getByRole('link', { name: 'SIEM 2' }).click()
    await viewer.page.getByRole('heading', { level: 1, name: 'SIEM 2' }).waitFor()
    const count = await viewer.page.getByRole('button', { name: 'Pause', exact: true }).count()
    await viewer.close()
    return count
  }

  test('an administrator creates one, tests, replays, pauses, resumes, changes and deletes it', async () => {
    const { page } = scene.owner
    const dialog = page.getByRole('dialog')
    await scene.go('/subscriptions')
    await page.getByText('No subscriptions').waitFor()
    await checkPage(scene.owner, 'subscriptions-empty')
    await page.getByRole('button', { name: 'Create subscription' }).first().click()
    await dialog.getByLabel('Name').fill('SIEM')
    await dialog.getByLabel('URL').fill('not a URL')
    await dialog.getByLabel('Event kinds').fill('denied.*\nbad kind*')
    await dialog.getByRole('button', { name: 'Create subscription' }).click()
    await dialog.getByText('is not an address').waitFor()
    await dialog.getByLabel('URL').fill(receiver.url('/console'))
    await dialog.getByLabel('Event kinds').fill('bailiwick.v1.Subscriptions.*')
    await dialog.getByLabel('Filter').fill('event.status_id == 1')
    await dialog.getByRole('button', { name: 'Create subscription' }).click()
    await dialog.getByText('Copy the secret now').waitFor()
    expect(await dialog.textContent()).toContain('whsec_')
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByRole('heading', { level: 1, name: 'SIEM' }).waitFor()

    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The receiver responded with status 204').waitFor()
    await page.getByRole('button', { name: 'Test message' }).first().click()
    await page.getByText('[removed]').first().waitFor()
    await page.keyboard.press('Escape')
    await checkPage(scene.owner, 'subscription')

    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await dialog.getByText('From an event').click()
    const received = (): string | undefined => receiver.ids('/console').find((id) => !id.startsWith('test_'))
    await expect.poll(received).toBeDefined()
    await dialog.getByLabel('Event ID').fill(received() ?? '')
    await dialog.getByRole('button', { name: 'Count events' }).click()
    await dialog.getByText(/would be sent/).waitFor()
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await page.getByText('Started the replay').waitFor()

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('Events that occur while it is paused are sent when it is resumed.').waitFor()
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByLabel('Name').fill('SIEM 2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'SIEM 2' }).waitFor()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await dialog.getByText('Copy the secret now').waitFor()
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByText('Previous secret is valid until').waitFor()

    expect(isLong ? await offeredToReader() : 0).toBe(0)

    await scene.go('/subscriptions')
    await page.getByRole('link', { name: 'SIEM 2' }).waitFor()
    await checkPage(scene.owner, 'subscriptions')
    await page.getByRole('link', { name: 'SIEM 2' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No subscriptions').waitFor()
  })
})
