import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertApps } from '#rooms/records/apps/index.ts'
import { checkPage, inBrowser, openScene, type Scene, settled, signIn } from '../fixture/browser.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('people', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  const rolesOf = async (userId: string): Promise<string[]> => {
    const rows = await scene.server.db<{ name: string }[]>`
      select r.name from user_roles a join roles r using (tenant_id, role_id) where a.user_id = ${userId} order by 1`
    return rows.map(({ name }) => name)
  }

  /** Someone whose manager they are, an app that they own, and a delegate of theirs. */
  const dependOn = async (userId: string): Promise<void> => {
    const { world, tenant } = scene.access
    const report = await scene.access.makeUser({ roles: ['system:user'], email: 'report@example.com' })
    await world.db`update users set manager_ids = ${[userId]} where user_id = ${report}`
    await world.db`
      insert into user_delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at)
      values (${tenant.id}, ${userId}, ${report}, ${world.now()}, ${world.now()})`
    const appId = world.newId()
    const object = { kind: 'app', appId, typeId: '', id: appId } as const
    const owner = { object, roleSlug: 'primary', id: world.newId(), userId }
    await transact(world.db, async (tx) => {
      await insertApps(tx, tenant.id, [{ id: appId, displayName: 'Wiki' }], world.now())
      await insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now())
    })
  }

  test("an administrator gives and removes roles, and disables and enables someone, on the person's page", async () => {
    const userId = await scene.access.makeUser({ roles: ['system:user'], email: 'kim@example.com' })
    await dependOn(userId)
    const { page } = scene.owner
    await scene.go(`/users/${userId}/roles`)
    const roles = page.getByRole('region', { name: 'Roles' })
    await roles.getByRole('combobox', { name: 'Grant a role' }).click()
    await page.getByRole('option', { name: 'Help Desk' }).click()
    await roles.getByRole('button', { name: 'Grant' }).click()
    await roles.getByRole('button', { name: 'Remove the role Help Desk' }).waitFor()
    expect(await rolesOf(userId)).toEqual(['system:helpdesk', 'system:user'])
    await checkPage(scene.owner, 'user-roles')
    await roles.getByRole('button', { name: 'Remove the role Help Desk' }).click()
    await roles.getByRole('button', { name: 'Remove the role Help Desk' }).waitFor({ state: 'detached' })
    expect(await rolesOf(userId)).toEqual(['system:user'])

    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    const dialog = page.getByRole('dialog')
    // What depends on them is said before it is done: here, someone who has no other manager.
    await dialog.getByText('1 person with no other manager').waitFor()
    await checkPage(scene.owner, 'user-disable')
    await dialog.getByRole('link', { name: 'Show everything that depends on them' }).click()
    await page.getByRole('table', { name: 'Delegations' }).getByText('The delegate no longer decides').waitFor()
    await page
      .getByRole('table', { name: 'Objects that nobody else owns' })
      .getByRole('link', { name: 'Wiki' })
      .waitFor()
    await checkPage(scene.owner, 'user-leaving')
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await dialog.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable', exact: true }).waitFor()
    await scene.go(`/users/${scene.owner.userId}/profile`)
    expect(await page.getByRole('button', { name: 'Disable', exact: true }).count()).toBe(0)
  })

  test('everyone names a delegate for a time in their settings, and ends it', async () => {
    await scene.access.makeUser({ roles: ['system:user'], email: 'deputy@example.com' })
    const basic = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const { page } = basic
    await basic.go('/settings/delegate')
    await page.getByLabel('Email address').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Nobody has this email address.').waitFor()
    await checkPage(basic, 'delegate-form')
    await page.getByLabel('Email address').fill('deputy@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Decides for you.').waitFor()
    await checkPage(basic, 'delegate')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
  })

  test('a kind of change is put under four eyes, and what needs approval says so instead of failing', async () => {
    const { page } = scene.owner
    await scene.go('/settings/four-eyes')
    const kind = page.getByRole('region', { name: 'Roles of users' })
    await kind.getByRole('combobox', { name: 'Approved by' }).click()
    await page.getByRole('option', { name: 'App owners approve', exact: true }).click()
    await kind.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await checkPage(scene.owner, 'four-eyes')
    // Before there is something to decide: it is assigned to those who are there.
    const other = await signIn(scene.browser, scene.server, scene.access)
    const userId = await scene.access.makeUser({ roles: ['system:user'] })
    await scene.go(`/users/${userId}/roles`)
    const roles = page.getByRole('region', { name: 'Roles' })
    await roles.getByRole('combobox', { name: 'Grant a role' }).click()
    await page.getByRole('option', { name: 'Help Desk' }).click()
    await roles.getByRole('button', { name: 'Grant' }).click()
    await roles.getByText('Sent for approval').waitFor()
    expect(await rolesOf(userId)).toEqual(['system:user'])
    // It leads to the task in which the change waits, with what it does in words.
    await roles.getByRole('link', { name: /^Open task #/ }).click()
    const change = page.getByRole('region', { name: 'Changes' })
    await change.getByText(/^Granted .* the role Help Desk$/).waitFor()
    await change.getByRole('row', { name: 'Role Help Desk' }).waitFor()
    await change.getByRole('row', { name: 'Roles before Basic User' }).waitFor()
    await page
      .getByText('You are excluded: you requested the change, and someone else must approve it.')
      .first()
      .waitFor()
    await settled(page)
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await checkPage(scene.owner, 'task-change')
    const number = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await other.page.goto('/decide')
    await other.page.getByRole('button', { name: /^Approve Change: Granted/ }).click()
    const dialog = other.page.getByRole('dialog')
    await dialog.getByRole('row', { name: 'Role Help Desk' }).waitFor()
    await checkPage(other, 'inbox-change')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => rolesOf(userId)).toEqual(['system:helpdesk', 'system:user'])
    await scene.go(`/tasks/${number}`)
    await page.getByText('The change was applied:').waitFor()
    await page.getByText('Done', { exact: true }).first().waitFor()
  })
})
