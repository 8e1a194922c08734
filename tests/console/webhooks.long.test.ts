import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene } from '../fixture/browser.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { flags } from '../webhooks/scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('webhooks', () => {
  let scene: Scene
  let receiver: Receiver
  beforeAll(async () => {
    scene = await openScene({ flags })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await scene.close()
    await receiver.close()
  })

  test('an administrator creates one, tests it and sees the answer, edits and deletes it', async () => {
    const { page } = scene.owner
    await scene.go('/webhooks')
    await page.getByText('No webhooks').waitFor()
    await checkPage(scene.owner, 'webhooks-empty')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ticket system')
    await dialog.getByLabel('URL').fill('ftp://tickets.example')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('must begin with https://').waitFor()
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ticket system' }).waitFor()
    await page.getByText('No deliveries yet').waitFor()

    receiver.does = () => [200, { version: 'v1', said: 'Hello from the receiver' }]
    await page.getByRole('button', { name: 'Send test' }).click()
    await dialog.getByText('Hello from the receiver').waitFor()
    await dialog.getByText('Succeeded').waitFor()
    await checkPage(scene.owner, 'webhook-delivery')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row').filter({ hasText: 'Succeeded' }).waitFor()
    await checkPage(scene.owner, 'webhook')

    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Description').fill('Opens tickets.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Opens tickets.').waitFor()
    await scene.go('/webhooks')
    await page.getByRole('link', { name: 'Ticket system' }).waitFor()
    await checkPage(scene.owner, 'webhooks')
    await page.getByRole('link', { name: 'Ticket system' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ticket system' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks').waitFor()
    expect(receiver.received).toHaveLength(1)
  })
})
