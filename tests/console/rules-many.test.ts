import { expect, test, vi } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareRules } from './rules-scene.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const many = 100_000

inBrowser('a rule of a hundred thousand people', () => {
  const scene = prepareRules()
  const button = (name: string) => scene.owner.page.getByRole('button', { name })

  test('the plan counts them all at once and shows them a page at a time; so does the exclusion list', async () => {
    const { page } = scene.owner
    const { db } = scene.server
    const tenant = scene.access.tenant.id
    const target = await scene.entitlement(await scene.app('Town'), 'Citizen')
    await transact(db, async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into users (tenant_id, user_id, display_name, email, emails, department, status, created_at, updated_at)
        select ${tenant}::int, '0user' || lpad(n::text, 22, '0'), 'Citizen ' || n, 'c' || n || '@example.com',
          array['c' || n || '@example.com'], 'Town', 'ENABLED', now(), now()
        from generate_series(1, ${many}::int) n`
      await tx`
        insert into automation_exclusions (tenant_id, app_id, entitlement_id, user_id, added_at)
        select ${tenant}::int, ${target.appId}, ${target.id}, '0user' || lpad(n::text, 22, '0'), now()
        from generate_series(1, ${many}::int, 2) n`
    })
    await db`analyze users, automation_exclusions`
    await scene.open(target, 'automation')
    await button('Make a rule').click()
    await page.getByRole('textbox', { name: 'Expression' }).fill('subject.department == "Town"')
    await expect
      .poll(scene.counts, { timeout: 20_000 })
      .toEqual(['50,000 gain it', '0 lose it', '0 keep it', '50,000 left alone'])
    const pages = page.getByRole('navigation', { name: 'Pages of the plan' })
    await expect.poll(scene.named).toContain('Citizen 2')
    const first = await scene.named()
    expect(first).toHaveLength(10)
    await checkPage(scene.owner, 'rules-plan-many')
    await pages.getByRole('button', { name: 'Next' }).click()
    await expect.poll(scene.named, { timeout: 10_000 }).toContain('Citizen 22')
    await pages.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(scene.named).toEqual(first)
    await page.getByRole('radio', { name: /left alone/ }).check({ force: true })
    await expect.poll(scene.named, { timeout: 10_000 }).toContain('Citizen 1')

    await scene.open(target, 'exclusions')
    expect(await scene.named()).toHaveLength(25)
    await button('Next').click()
    await page.waitForURL(/page=/)
    await settled(page)
    expect((await scene.named())[0]).toBe('Citizen 51')
    await page.reload()
    await settled(page)
    expect((await scene.named())[0]).toBe('Citizen 51')
  })

  test('of many runs the chart shows the last fifty, those that failed or were held marked', async () => {
    const { page } = scene.owner
    const target = await scene.entitlement(await scene.app('Mill'), 'Miller')
    await scene.rule(target, 'subject.department == "Mill"')
    await scene.server.db`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, matched,
        gained, lost, failed, error, started_at, stepped_at, finished_at)
      select ${scene.access.tenant.id}::int, '0run' || lpad(n::text, 23, '0'), ${target.appId}, ${target.id}, 1,
        case when n % 5 = 0 then 'schedule' else 'change' end, 'over', case when n % 23 = 0 then 'failed' else 'done' end,
        1000 + n, case when n = 71 then 4000 when n % 23 = 0 then 0 else n * 7 % 40 end,
        case when n % 23 = 0 then 0 else n * 5 % 13 end, 0,
        case when n % 23 = 0 then 'The database went away.' else '' end,
        now() - (121 - n) * interval '1 hour', now(), now() - (121 - n) * interval '1 hour'
      from generate_series(1, 120) n`
    await scene.open(target, 'runs')
    await page
      .getByRole('img', { name: /^The last 50 runs: [\d,]+ gained it, \d+ lost it, 2 failed or were held/ })
      .waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(25)
    await checkPage(scene.owner, 'rules-runs-many')
  })
})
