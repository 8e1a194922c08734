import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask } from '../fixture/access.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { bodyOf, type Owners } from '../owners/support.ts'
import { focusedName } from './paging.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('owners', () => {
  const scene = prepareConsole()
  const button = (name: string | RegExp) => scene.owner.page.getByRole('button', { name })
  const said = (words: string | RegExp) => scene.owner.page.getByText(words).first().waitFor()
  const dialog = () => scene.owner.page.getByRole('dialog')
  const role = (slug: string) => scene.owner.page.getByRole('region', { name: slug, exact: true })
  const namedIn = (slug: string) => role(slug).getByRole('rowheader').getByRole('link').allTextContents()
  const pick = async (field: Locator, name: string): Promise<void> => {
    await field.fill(name)
    await scene.owner.page.getByRole('option', { name }).first().click()
  }
  const set = async (path: string, slug: string, owners: Owners): Promise<void> => {
    const asking = { method: 'PUT', token: scene.admin.token, body: bodyOf(slug, owners) }
    const reply = await ask(scene.server, `/api/v2/${path}/owners`, asking)
    expect(reply.status, reply.text).toBe(200)
  }

  test('an app without owners gets a role; owners are added, removed and replaced; the past can be asked for', async () => {
    const appId = await scene.app('Payroll')
    const lead = await scene.entitlement(appId, 'Payroll lead')
    for (const displayName of ['Olga Owner', 'Pete Payer', 'Rita Rest']) await scene.user({ displayName })
    await scene.go(`/apps/${appId}/owners`)
    await said('Payroll has no owners')
    await checkPage(scene.owner, 'owners-none')

    await button('Add owner').click()
    const users = dialog().getByRole('combobox', { name: 'Users' })
    expect(await dialog().getByRole('textbox', { name: 'Role' }).inputValue()).toBe('primary')
    await dialog().getByRole('textbox', { name: 'Role' }).fill('Not A Slug')
    await said(/^Use a-z, 0-9/)
    await checkPage(scene.owner, 'owners-form')
    await dialog().getByRole('textbox', { name: 'Role' }).fill('primary')
    await pick(users, 'Olga Owner')
    await pick(users, 'Pete Payer')
    await dialog().getByRole('button', { name: 'Add owner' }).click()
    await expect.poll(() => namedIn('primary')).toEqual(['Olga Owner', 'Pete Payer'])
    const before = new Date()

    await role('primary').getByRole('button', { name: 'Add owner' }).click()
    await dialog().getByText('Everyone with an entitlement').click()
    await pick(dialog().getByRole('combobox', { name: 'Entitlement' }), 'Payroll lead')
    await dialog().getByRole('button', { name: 'Add owner' }).click()
    await expect.poll(() => namedIn('primary')).toEqual(['Payroll lead (Payroll)', 'Olga Owner', 'Pete Payer'])

    await button('Remove Pete Payer').click()
    await said('Remove Pete Payer from primary?')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => namedIn('primary')).toEqual(['Payroll lead (Payroll)', 'Olga Owner'])
    // Where the row was that is gone, and not at the top of the window.
    await expect.poll(() => focusedName(scene.owner.page)).toBe('Olga Owner')

    await set(`apps/${appId}`, 'technical', { entitlements: [lead] })
    await scene.go(`/apps/${appId}/owners`)
    await checkPage(scene.owner, 'owners')
    await role('primary').getByRole('button', { name: 'Replace' }).click()
    await dialog().getByRole('button', { name: 'Remove Olga Owner' }).click()
    await pick(dialog().getByRole('combobox', { name: 'Users' }), 'Rita Rest')
    await checkPage(scene.owner, 'owners-replace')
    await dialog().getByRole('button', { name: 'Replace owners' }).click()
    await expect.poll(() => namedIn('primary')).toEqual(['Payroll lead (Payroll)', 'Rita Rest'])
    expect(await namedIn('technical')).toEqual(['Payroll lead (Payroll)'])

    await scene.go(`/apps/${appId}/owners?as_of=${before.toISOString()}`)
    expect(await namedIn('primary')).toEqual(['Olga Owner', 'Pete Payer'])
    expect(await button('Add owner').count()).toBe(0)
    await checkPage(scene.owner, 'owners-earlier')
    await button('Return to now').click()
    await expect.poll(() => namedIn('primary')).toEqual(['Payroll lead (Payroll)', 'Rita Rest'])
  })

  test('entitlements, resources, accounts and users have owners too', async () => {
    const appId = await scene.app('Laboratory')
    const userId = await scene.user({ displayName: 'Marie Curie' })
    const robot = await scene.user({ displayName: 'Pipette robot' })
    const entitlement = await scene.entitlement(appId, 'Radium')
    const { typeId, id: resourceId } = await scene.resource(appId, 'Shelf')
    const account = await scene.account(appId, { displayName: 'svc-lab' })
    const things = [
      [`apps/${appId}/entitlements/${entitlement.id}`, `/apps/${appId}/entitlements/${entitlement.id}`, 'Radium'],
      [
        `apps/${appId}/resource_types/${typeId}/resources/${resourceId}`,
        `/apps/${appId}/resources/${typeId}/${resourceId}`,
        'Shelf',
      ],
      [`apps/${appId}/users/${account.id}`, `/apps/${appId}/accounts/${account.id}`, 'svc-lab'],
      [`users/${robot}`, `/users/${robot}`, 'Pipette robot'],
    ] as const
    for (const [path, address, name] of things) {
      await scene.go(address)
      await scene.owner.page.getByRole('main').getByRole('link', { name: 'Owners', exact: true }).click()
      await said(`${name} has no owners`)
      await set(path, 'steward', { users: [userId] })
      await scene.go(`${address}/owners`)
      expect(await namedIn('steward')).toEqual(['Marie Curie'])
      await button('Remove Marie Curie').click()
      await dialog().getByRole('button', { name: 'Remove' }).click()
      await said(`${name} has no owners`)
    }
    await checkPage(scene.owner, 'owners-of-user', [1440])
  })

  test('many owners: every role is there, and each shows all of its own when asked', async () => {
    const appId = await scene.app('Crowd')
    const crowd: string[] = []
    for (let index = 0; index < 30; index++) crowd.push(await scene.user({ displayName: `Crowd ${index}` }))
    await set(`apps/${appId}`, 'audience', { users: crowd })
    await set(`apps/${appId}`, 'zeta', { users: crowd.slice(0, 3) })
    await scene.go(`/apps/${appId}/owners`)
    await role('zeta').waitFor()
    expect(await namedIn('zeta')).toEqual(['Crowd 0', 'Crowd 1', 'Crowd 2'])
    expect(await namedIn('audience')).toHaveLength(25)
    await button('Show all 30').click()
    await expect.poll(() => namedIn('audience')).toHaveLength(30)
  })

  test('what a user owns is on their page: nothing, a few things, or pages of them, now or earlier', async () => {
    const userId = await scene.user({ displayName: 'Otto Owns' })
    await scene.go(`/users/${userId}/owned`)
    await said('Otto Owns owns nothing')
    await checkPage(scene.owner, 'owned-none')

    const appId = await scene.app('Depot')
    const entitlement = await scene.entitlement(appId, 'Depot keys')
    const { typeId, id } = await scene.resource(appId, 'Gate')
    await set(`apps/${appId}`, 'primary', { users: [userId] })
    await set(`apps/${appId}/entitlements/${entitlement.id}`, 'primary', { users: [userId] })
    await set(`apps/${appId}/resource_types/${typeId}/resources/${id}`, 'primary', { users: [userId] })
    await scene.go(`/users/${userId}/owned`)
    expect((await scene.named()).toSorted()).toEqual(['Depot', 'Depot keys', 'Gate'])
    await checkPage(scene.owner, 'owned')
    await scene.owner.page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Resources' })
    await scene.owner.page.waitForURL(/type=/)
    await settled(scene.owner.page)
    expect(await scene.named()).toEqual(['Gate'])

    // Lists are all the same part of the console.
    for (let index = 0; index < 27; index++) {
      const another = await scene.app(`Another ${String(index).padStart(2, '0')}`)
      await set(`apps/${another}`, 'primary', { users: [userId] })
    }
    await scene.go(`/users/${userId}/owned`)
    const first = await scene.named()
    expect(first).toHaveLength(25)
    await button('Next').click()
    await scene.owner.page.waitForURL(/page=/)
    await settled(scene.owner.page)
    const second = await scene.named()
    expect(new Set([...first, ...second])).toHaveLength(30)
    await scene.owner.page.reload()
    await settled(scene.owner.page)
    expect(await scene.named()).toEqual(second)
  })
})
