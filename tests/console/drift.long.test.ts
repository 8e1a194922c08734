import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements } from '#rooms/records/apps/index.ts'
import { openGrants } from '#rooms/records/grants/index.ts'
import { checkPage, inBrowser, openScene, type Scene, settled } from '../fixture/browser.ts'
import { until } from '../fixture/later.ts'

inBrowser('drift', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  /** Two accounts, one of which holds something without a reason, and one of which should hold it. */
  async function differ(): Promise<void> {
    const { world, tenant } = scene.access
    const [appId, entitlementId, found, missing] = [world.newId(), world.newId(), world.newId(), world.newId()]
    const at = world.now()
    await transact(world.db, async (tx) => {
      await insertApps(tx, tenant.id, [{ id: appId, displayName: 'Payroll' }], at)
      await insertEntitlements(tx, tenant.id, [{ id: entitlementId, appId, displayName: 'Admin' }], at)
      const accounts = [
        { id: found, appId, displayName: 'ann' },
        { id: missing, appId, displayName: 'bob' },
      ]
      await insertAccounts(tx, tenant.id, accounts, at)
      const give = (accountId: string, source: 'import' | 'manual') =>
        openGrants(tx, operatorCause(tenant, 'test'), [{ id: world.newId(), appId, entitlementId, accountId }], {
          source,
          by: '',
          at,
        })
      await give(found, 'import')
      await give(missing, 'manual')
      await tx`
        insert into drift_checks (tenant_id, app_id, baseline_at, checked_at) values (${tenant.id}, ${appId}, ${at}, ${at})`
      await tx`
        insert into drift (tenant_id, app_id, entitlement_id, account_id, kind, found_at)
        values (${tenant.id}, ${appId}, ${entitlementId}, ${found}, 'unexplained', ${at}),
          (${tenant.id}, ${appId}, ${entitlementId}, ${missing}, 'missing', ${at})`
    })
  }

  test('what differs is listed and counted, and each difference is settled by one click', async () => {
    const { page } = scene.owner
    await scene.go('/drift')
    await page.getByText('No differences found').waitFor()
    await differ()
    await scene.go('/drift')
    await page.getByRole('link', { name: 'Drift 2 differences' }).waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(2)
    await checkPage(scene.owner, 'drift')
    await page.getByLabel('Difference').selectOption('Missing')
    await page.waitForURL(/kind=missing/)
    await settled(page)
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await page.getByRole('button', { name: 'Remove grant: Admin of bob' }).click()
    await page.getByText('Removed the grant: Admin').waitFor()
    await scene.go('/drift')
    await page.getByRole('button', { name: 'Keep: Admin of ann' }).click()
    await page.getByText('No differences found').waitFor()
    // Nothing was compared: the app has no connector.
    await page.getByText('1 app has no connector.').waitFor()
    // One click undoes it.
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Undoing the change').waitFor()
    await until(async () => {
      const [row] = await scene.access.world.db<{ count: number }[]>`
        select count(*)::int as count from drift_runs where state = 'undone'`
      return row?.count === 1
    })
  })

  test('several are planned, kept at once, and undone; home tells how many there are', async () => {
    const { page } = scene.owner
    await scene.go('/')
    await page.getByRole('region', { name: 'Needs attention' }).getByText('1 difference', { exact: true }).waitFor()
    await scene.go('/drift')
    await page.getByRole('checkbox', { name: 'Select Admin of ann' }).check()
    await page.getByText('1 selected:').waitFor()
    await page.getByRole('group', { name: 'Bulk actions' }).getByRole('button', { name: 'Keep' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 difference: recorded as a manual grant').waitFor()
    await checkPage(scene.owner, 'drift-plan')
    await dialog.getByRole('button', { name: 'Keep: 1 difference' }).click()
    await dialog.getByText('Done for 1 difference.').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('Undone for 1 difference.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Keep: Admin of ann' }).waitFor()
  })
})
