import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { checkPage, inBrowser, type Opened, settled } from '../fixture/browser.ts'
import { byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

/** Ids as they are made here; nobody should have to read one. */
const idForm = /\b[0-9A-Za-z]{27}\b/

inBrowser('home', () => {
  const scene = prepareRequests()

  test('an administrator of a new organisation finds the setup checklist, and dismisses it permanently in this browser', async () => {
    const { page } = scene.owner
    await scene.go('/')
    const steps = page.getByRole('region', { name: 'Set up Bailiwick' })
    await steps.getByText('1 of 8 steps done.').waitFor()
    expect(await steps.getByRole('link', { name: 'Connect a directory' }).getAttribute('href')).toBe('/directories/new')
    await page.getByRole('region', { name: 'Needs attention' }).getByText('No email is sent').waitFor()
    await checkPage(scene.owner, 'home-first')
    const appId = await scene.app('Wiki')
    await scene.entitlement(appId, 'Editor')
    await scene.go('/')
    await steps.getByText('2 of 8 steps done.').waitFor()
    await steps.getByRole('button', { name: 'Dismiss: set up Bailiwick' }).click()
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await settled(page)
    expect(await steps.count()).toBe(0)
  })

  test('who came by a one-time link is led to the passkeys, until they have one or close it', async () => {
    const { page } = scene.owner
    await scene.go('/')
    await page.getByText('Add a passkey to sign in next time').waitFor()
    await page.getByRole('link', { name: 'Set up a passkey' }).click()
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
    await scene.go('/')
    await page.getByRole('button', { name: 'Dismiss: add a passkey' }).click()
    await scene.go('/')
    await page.getByRole('region', { name: 'Needs attention' }).waitFor()
    expect(await page.getByText('Add a passkey to sign in next time').count()).toBe(0)
  })

  test('what needs attention is listed with its remedy, and counted beside the pages by the same request', async () => {
    const { page } = scene.owner
    const { world, tenant } = scene.access
    const appId = await scene.app('Payroll')
    const target = await scene.entitlement(appId, 'Clerk')
    const leaver = await scene.user({ displayName: 'Gone Girl' })
    await scene.grant(target, await scene.account(appId, { userId: leaver }))
    await world.db`update users set status = 'DISABLED' where tenant_id = ${tenant.id} and user_id = ${leaver}`
    await scene.account(appId, { displayName: 'Forgotten' })
    await world.db`
      insert into jobs (tenant_id, job_id, kind, payload, state, cause, created_at)
      values (${tenant.id}, ${world.newId()}, 'newer.kind', '{}', 'stuck', '{}', now())`
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await settled(page)
    const list = page.getByRole('region', { name: 'Needs attention' })
    const left = list.getByRole('listitem').filter({ hasText: '1 person left and still has access' })
    // What there is one of is opened itself; where there are more, their list.
    expect(await left.getByRole('link', { name: 'Review access' }).getAttribute('href')).toBe(`/users/${leaver}`)
    const apps = list.getByRole('listitem').filter({ hasText: '2 apps have no owner' })
    expect(await apps.getByRole('link', { name: 'Review apps' }).getAttribute('href')).toBe('/apps?owner=none')
    expect(await apps.getByRole('link', { name: 'Payroll' }).getAttribute('href')).toBe(`/apps/${appId}/owners`)
    await list.getByText('1 account has no user or owner').waitFor()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Jobs 1 job is stuck' }).waitFor()
    await navigation.getByRole('link', { name: 'Users 1 person left and still has access' }).waitFor()
    expect(asked.filter((path) => path === '/api/v1/home/attention').length).toBe(1)
    expect(asked.filter((path) => /drift\/counts|unanswerable/.test(path))).toEqual([])
    const numbers = page.getByRole('region', { name: 'In numbers' })
    await numbers.getByRole('img', { name: /^Grants at the end of each day: 0 on .*, 1 now/ }).waitFor()
    await numbers.getByRole('img', { name: /1 added and 0 removed/ }).waitFor()
    await numbers.getByText('90 days').click()
    await numbers.getByText('in 90 days').first().waitFor()
    await checkPage(scene.owner, 'home-admin')
    await left.getByRole('link', { name: 'Review access' }).click()
    await page.getByRole('heading', { name: 'Gone Girl' }).waitFor()
  })

  test('a read-only administrator and an owner of an app get a page of their own', async () => {
    const { world, tenant } = scene.access
    const viewer = await scene.asA('system:viewer')
    await viewer.go('/')
    await viewer.page.getByRole('region', { name: 'In numbers' }).getByText('People').waitFor()
    await viewer.page.getByRole('region', { name: 'Needs attention' }).getByText('1 job is stuck').waitFor()
    expect(await viewer.page.getByText('Set up Bailiwick').count()).toBe(0)
    await viewer.close()
    const admin = await scene.asA('system:application-admin')
    const appId = await scene.app('Bakery')
    await scene.account(appId, { displayName: 'Nobody’s oven' })
    const object = { kind: 'app', appId, typeId: '', id: appId } as const
    const owner = { object, roleSlug: 'primary', id: world.newId(), userId: admin.userId }
    await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
    await admin.go('/')
    const list = admin.page.getByRole('region', { name: 'Needs attention' })
    await list.getByText('1 account has no user or owner').waitFor()
    expect(await list.getByText(/left and still|stuck|No email/).count()).toBe(0)
    await admin.page.getByRole('region', { name: 'What you own, in numbers' }).getByText('Accounts').waitFor()
    await admin.close()
  })

  test('a basic user reads names on every page that is for them, and hears of every other that it is not', async () => {
    const { world, tenant } = scene.access
    const boss = await scene.user({ displayName: 'Zoe Quist' })
    const [editor, reader] = await scene.appOf(boss, 'Handbook', byOwners, 'Writer', 'Reader')
    if (!editor || !reader) throw new Error('no entitlement')
    const ann: Opened & { userId: string } = await scene.asA('system:user')
    await world.db`
      update users set display_name = 'Ann Lee', email = 'ann@example.com', manager_ids = ${[boss]} where tenant_id = ${tenant.id} and user_id = ${ann.userId}`
    const account = await scene.account(editor.appId, { userId: ann.userId, displayName: 'ann' })
    await scene.grant(editor, account, { source: 'manual', grantedBy: scene.owner.userId })
    const number = await scene.asks(reader, ann.userId)
    const { page } = ann
    await ann.go('/')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const links = await navigation
      .getByRole('link')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    expect(links).toEqual(['/', '/request', '/decide', '/requests', '/me', '/owned', '/settings'])
    const settings = ['devices', 'notifications', 'delegate', 'sessions']
    const open = [
      ...links,
      ...settings.map((each) => `/settings/${each}`),
      '/principals',
      `/apps/${editor.appId}`,
      `/apps/${editor.appId}/entitlements/${editor.id}`,
      `/apps/${editor.appId}/owners`,
      `/apps/${editor.appId}/entitlements/${editor.id}/owners`,
      `/apps/${editor.appId}/accounts/${account.id}`,
      `/tasks/${number}`,
    ]
    for (const path of open) {
      await ann.go(path)
      const text = await page.locator('main').innerText()
      expect(text.length, path).toBeGreaterThan(20)
      expect(text, path).not.toMatch(idForm)
      expect(text, path).not.toMatch(/(?:needs|requires) the permission|could not be/i)
      expect(await page.locator('main h1').count(), path).toBe(1)
    }
    const denied: string[] = []
    page.on('response', (reply) => void (reply.status() === 403 && denied.push(reply.url())))
    for (const path of ['/users', '/log', '/settings/four-eyes', `/users/${boss}`, `/apps/${editor.appId}/accounts`]) {
      await ann.go(path)
      await page.getByRole('heading', { name: 'You cannot see this page' }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Request access' }).waitFor()
    }
    // Nothing was even asked for: each refusal would be an event.
    expect(denied).toEqual([])
    await checkPage(ann, 'not-for-you')
    expect(ann.problems).toEqual([])
    await ann.close()
  })
})
