import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, signIn } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('service principals', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('an administrator creates one, gives it a role and a credential, revokes that and deletes it', async () => {
    const { page } = scene.owner
    await scene.go('/principals')
    await page.getByText('No service principals').waitFor()
    await checkPage(scene.owner, 'principals-empty')
    await page.getByRole('button', { name: 'Create service principal' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Nightly export')
    await dialog.getByRole('button', { name: 'Create service principal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nightly export' }).waitFor()
    await page.getByText('No roles: it has no permissions.').waitFor()
    await page.getByRole('combobox', { name: 'Grant a role' }).click()
    await page.getByRole('option', { name: 'Read-Only Administrator' }).click()
    await page.getByRole('button', { name: 'Grant', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the role Read-Only Administrator' }).waitFor()

    await page.getByRole('button', { name: 'Create credential' }).click()
    await dialog.getByLabel('Name').fill('host 1')
    await dialog.getByText('180 days').click()
    await dialog.getByRole('switch', { name: 'Require DPoP' }).check()
    await checkPage(scene.owner, 'principal-credential')
    await dialog.getByRole('button', { name: 'Create credential' }).click()
    await page.getByText('Anyone who has it can call the API as Nightly export').waitFor()
    const secret = await dialog.textContent()
    expect(secret).toMatch(/@.*\/spc/)
    expect(secret).toContain('secret-token:')
    // Without curl, which cannot make proofs.
    expect(secret).toContain('dpop: true')
    expect(secret).not.toContain('curl')
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByRole('rowheader', { name: 'host 1' }).waitFor()
    await page.getByRole('cell', { name: 'DPoP' }).waitFor()
    await checkPage(scene.owner, 'principal')

    await page.getByRole('button', { name: 'Revoke host 1' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No API credentials').waitFor()
    await scene.go('/principals')
    await page.getByRole('link', { name: 'Nightly export' }).waitFor()
    await checkPage(scene.owner, 'principals')
    await page.getByRole('link', { name: 'Nightly export' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nightly export' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No service principals').waitFor()
  })

  test('an owner sees theirs and its credentials, and cannot delete it', async () => {
    const { page } = scene.owner
    await scene.go('/principals')
    await page.getByRole('button', { name: 'Create service principal' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Theirs')
    await page.getByRole('dialog').getByRole('button', { name: 'Create service principal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    const owner = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const named = await page.evaluate(
      async ([principalId, userId]) =>
        (
          await fetch(`/api/v2/users/${principalId}/owners`, {
            method: 'PUT',
            headers: { 'content-type': 'application/json', 'x-bailiwick-console': '1' },
            body: JSON.stringify({ roleSlug: 'primary', userRefs: [{ id: userId }] }),
          })
        ).status,
      [id, owner.userId] as const,
    )
    expect(named).toBe(200)
    await owner.go('/owned')
    await owner.page.getByRole('link', { name: 'Service principals you own' }).click()
    await owner.page.getByRole('link', { name: 'Theirs' }).click()
    await owner.page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
    await owner.page.getByRole('button', { name: 'Create credential' }).waitFor()
    expect(await owner.page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect(await owner.page.getByRole('button', { name: 'Grant', exact: true }).count()).toBe(0)
    await owner.close()
  })
})
