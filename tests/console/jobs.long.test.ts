import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, settled, signIn } from '../fixture/browser.ts'
import { patiently } from '../fixture/later.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('jobs', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  /** Of a kind that this server does not know: it stays as it is. */
  const insert = async (state: string, error: string): Promise<string> => {
    const id = scene.access.world.newId()
    const cause = { operation: 'user.v1.UserService.SetStatus', requestId: 'r1', userId: scene.owner.userId }
    await scene.server.db`
      insert into jobs (tenant_id, job_id, kind, payload, state, due_at, attempts, last_error, subject_type, subject_id, cause, created_at)
      values (${scene.access.tenant.id}, ${id}, 'newer.kind', '{"secret": "hunter2"}', ${state},
        ${state === 'stuck' ? null : new Date(Date.now() + 86_400_000)}, 3, ${error}, 'app', 'a1',
        ${scene.server.db.json(cause)}, now())`
    return id
  }

  test('nothing waits; then one that is stuck and one that waits, with what is known of them', async () => {
    const { page } = scene.owner
    await scene.go('/jobs')
    await page.getByText('No jobs').waitFor()
    await checkPage(scene.owner, 'jobs-empty')
    await insert('stuck', 'The receiver answered 500.')
    await insert('waiting', '')
    await scene.go('/jobs?state=stuck')
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await page.getByLabel('State').selectOption('All')
    await page.waitForURL(/\/jobs$/)
    await settled(page)
    expect(await page.getByRole('rowheader').count()).toBe(2)
    await checkPage(scene.owner, 'jobs')
    await page.getByRole('rowheader').last().getByRole('button').click()
    await page.getByRole('dialog').getByText('The receiver answered 500.').waitFor()
    await page.getByRole('dialog').getByText('app a1').waitFor()
    await checkPage(scene.owner, 'job')
    expect(await page.content()).not.toContain('hunter2')
    await page.keyboard.press('Escape')
  })

  test('a stuck job is retried, and one is dropped, each after a question', async () => {
    const { page } = scene.owner
    await scene.go('/jobs?state=stuck')
    await page.getByRole('button', { name: 'Retry newer.kind' }).click()
    await page.getByRole('dialog').getByText('runs again immediately').waitFor()
    await checkPage(scene.owner, 'job-retry')
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No results').waitFor()
    await scene.go('/jobs')
    expect(await page.getByText('Waiting', { exact: true }).count()).toBeGreaterThanOrEqual(2)
    await page.getByRole('button', { name: 'Delete newer.kind' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await patiently(async () => expect(await page.getByRole('rowheader').count()).toBe(1))
  })

  test('who may only read them is offered no change, and who may not is not led there', async () => {
    const reader = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await reader.go('/jobs')
    expect(await reader.page.getByRole('rowheader').count()).toBe(1)
    expect(await reader.page.getByRole('button', { name: /^(Retry|Delete) / }).count()).toBe(0)
    const basic = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    await basic.go('/')
    expect(await basic.page.getByRole('link', { name: 'Jobs' }).count()).toBe(0)
  })
})
