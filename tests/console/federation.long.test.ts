import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, getToken } from '../fixture/access.ts'
import { checkPage, inBrowser, openScene, type Scene } from '../fixture/browser.ts'
import { isLong } from '../fixture/long.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('workload federation', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  /** What a trust would know after a token had been exchanged. */
  const attempt = async (clientId: string, sub: string): Promise<void> => {
    const { db } = scene.server
    const claims = db.json({ sub, repository_id: '4711' })
    await db`
      insert into federation_attempts (tenant_id, credential_id, attempt_id, fingerprint, is_admitted, step, reason, detail,
        claims, omitted, source_address, times, first_at, last_at)
      select tenant_id, credential_id, ${scene.access.world.newId()}, sha256(${sub}::bytea), true, '', '', '', ${claims},
        '{}', '192.0.2.1', 3, now(), now() from credentials where client_id = ${clientId}`
  }

  test('an administrator adds a provider and a trust, tests a token, and sees what a change would do', async () => {
    const { page } = scene.owner
    const dialog = page.getByRole('dialog')
    await scene.go('/federation-providers')
    await page.getByText('No providers').waitFor()
    await checkPage(scene.owner, 'federation-providers-empty')
    await page.getByRole('button', { name: 'Add provider' }).first().click()
    await dialog.getByLabel('Name').fill('GitHub')
    await dialog.getByRole('button', { name: 'Add provider' }).click()
    await page.getByText('https://token.actions.githubusercontent.com').waitFor()
    await checkPage(scene.owner, 'federation-providers')

    const key = await scene.access.makeCaller(['system:owner'])
    const token = await getToken(scene.server, key)
    const made = await ask(scene.server, '/api/v1/service_principals', { token, body: { displayName: 'Deploys' } })
    const { id } = made.json['servicePrincipal'] as { id: string }
    await scene.go(`/principals/${id}`)
    await page.getByText('No federation trusts').waitFor()
    await page.getByRole('button', { name: 'Create trust' }).click()
    await dialog.getByLabel('Name').fill('main')
    if (isLong) {
      await dialog.getByLabel('Condition').fill('claims.ref == "refs/heads/main"')
      await dialog.getByText('it accepts tokens of everyone who uses GitHub Actions').waitFor()
      await checkPage(scene.owner, 'federation-trust-warned')
      await dialog.getByLabel('Condition').fill('claims.sub ==')
      await dialog.getByText('line 1, column').first().waitFor()
    }
    await dialog.getByLabel('Condition').fill('claims.repository_id == "4711"')
    for (const claim of ['repository', 'actor']) {
      await dialog.getByLabel('Claims to pass on').fill(claim)
      await page.keyboard.press('Enter')
    }
    await dialog.getByRole('button', { name: 'Create trust' }).click()
    await page.getByText('repository, actor', { exact: true }).waitFor()
    await page.getByText('All of the service principal').waitFor()
    await page.getByRole('heading', { level: 1, name: 'main' }).waitFor()
    await page.getByText('No tokens yet').waitFor()

    await page.getByRole('button', { name: 'Test a token' }).click()
    await dialog.getByLabel('Token').fill('nonsense')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText('The token is refused').waitFor()
    await dialog.getByText('The token cannot be read').waitFor()
    await checkPage(scene.owner, 'federation-test')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const clientId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    expect(clientId).toMatch(/\/wfe$/)
    await attempt(clientId, 'repo:larkfield/deploy:ref:refs/heads/main')
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Condition').fill('claims.repository_id == "4712"')
    await dialog.getByText('1 workload would be refused from now on').waitFor()
    await dialog.getByText('repo:larkfield/deploy:ref:refs/heads/main').waitFor()
    await checkPage(scene.owner, 'federation-plan')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('claims.repository_id == "4712"').waitFor()

    await scene.go(`/principals/${id}`)
    await page.getByRole('link', { name: 'main' }).click()
    await page.getByRole('heading', { level: 1, name: 'main' }).waitFor()
    await page.getByText('repo:larkfield/deploy:ref:refs/heads/main').waitFor()
    await checkPage(scene.owner, 'federation-trust')
    await page.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No federation trusts').waitFor()
  })
})
