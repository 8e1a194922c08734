import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryToConnectors, endLapsedLeases } from '#rooms/records/connectors/index.ts'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { openApp } from '../connectors/app.ts'
import { type Baton, type Credential, callBaton, tokenOf, upload } from '../connectors/connector.ts'
import { checkPage, inBrowser, openScene, type Scene, settled, signIn } from '../fixture/browser.ts'
import { connectorFile } from '../imports/connector-file.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
const hostId = 'tooling-1'

/** So many people, of whom some are in a group. */
const company = (people: number, members: number): Buffer =>
  connectorFile({
    types: [
      { id: 'user', name: 'User', traits: [Trait.USER] },
      { id: 'group', name: 'Group', traits: [Trait.GROUP] },
    ],
    resources: [
      ...Array.from({ length: people }, (_, i) => ({ type: 'user', id: `u${i}`, name: `Person ${i}` })),
      { type: 'group', id: 'staff', name: 'Staff', isGroup: true },
    ],
    entitlements: [
      { id: 'group:staff:member', type: 'group', resource: 'staff', name: 'Staff Member', slug: 'member' },
    ],
    grants: Array.from({ length: members }, (_, i) => ({
      entitlement: 'group:staff:member',
      principal: ['user', `u${i}`] as const,
    })),
  })

inBrowser('connectors', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({ flags: { empty: true, 'tls-self-signed': true } })
  })
  afterAll(() => scene.close())

  const connect = async (credential: Credential): Promise<Baton> =>
    callBaton(scene.server, (await tokenOf(scene.server, credential)).token)
  const begin = async (baton: Baton): Promise<string> => {
    const { task } = await baton.getTask({ hostId })
    return task?.id as string
  }
  const finish = async (baton: Baton, taskId: string, file: Buffer): Promise<void> => {
    await upload(baton, { hostId, taskId }, file)
    await baton.finishTask({ hostId, taskId, finalState: { case: 'success', value: {} } })
  }

  test('one is added, run, watched until its first sync is in, held, confirmed, paused, rotated and deleted', async () => {
    const { page } = scene.owner
    const dialog = page.getByRole('dialog')
    await scene.go('/connectors')
    await page.getByText('No connectors').waitFor()
    await checkPage(scene.owner, 'connectors-empty')

    await page.getByRole('link', { name: 'Add connector' }).first().click()
    await page.getByText('A new app').click()
    await page.getByLabel('Name of the app').fill('Team directory')
    await page.getByRole('combobox', { name: 'Connector' }).fill('LDAP')
    await page.getByRole('option', { name: /LDAP/ }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Directory in Leeds')
    await checkPage(scene.owner, 'connector-add')
    await page.getByRole('button', { name: 'Add connector' }).click()
    await page.getByText('Waiting for the connector. Run the command.').waitFor()
    const [clientId, clientSecret] = await page.locator('code').allTextContents()
    const credential = { clientId: clientId as string, clientSecret: clientSecret as string }
    const command = page.getByRole('region', { name: 'command' })
    expect(await command.textContent()).toContain(`export BATON_CLIENT_SECRET='${clientSecret}'`)
    await expect.poll(() => command.textContent()).toContain('-----BEGIN CERTIFICATE-----')
    expect(await command.textContent()).toMatch(/\n\.\/baton-ldap$/)
    await checkPage(scene.owner, 'connector-run')
    await page.getByText('Windows', { exact: true }).click()
    await page.getByText('Docker', { exact: true }).click()
    await page.getByLabel('Allow the connector to change the app').check()
    await command.getByText(/\$env:BATON_PROVISIONING[^]*docker run .*`\n/).waitFor()
    await checkPage(scene.owner, 'connector-run-docker')

    const baton = await connect(credential)
    await baton.hello({
      hostId,
      buildInfo: { package: 'baton-ldap', packageVersion: 'v0.1.70' },
      osInfo: { hostname: hostId, os: 'linux' },
      connectorMetadata: {
        displayName: 'LDAP',
        capabilities: {
          connectorCapabilities: [2, 1, 5],
          resourceTypeCapabilities: [
            { resourceType: { id: 'group' }, capabilities: [2, 1] },
            { resourceType: { id: 'user' }, capabilities: [2, 5] },
          ],
        },
        accountCreationSchema: { fieldMap: { path: { required: true, field: { case: 'stringField', value: {} } } } },
      },
    })
    const first = await begin(baton)
    await page.getByText(`Connected from ${hostId}.`).waitFor()
    await page.getByText('The first sync is running.').waitFor()
    await finish(baton, first, company(30, 10))
    const came = page.getByRole('table', { name: 'Imported records' })
    await came.getByRole('row', { name: /^Accounts 30/ }).waitFor()
    await checkPage(scene.owner, 'connector-came')

    await page.getByRole('link', { name: 'Go to the connector' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    expect(await page.content()).not.toContain(credential.clientSecret)
    await page.getByText(/^Reads access, Grants and revokes access, Creates accounts$/).waitFor()

    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('Waiting for the connector').first().waitFor()
    await finish(baton, await begin(baton), company(3, 2))
    await page.getByText('A sync is held. Nothing was changed').waitFor()
    await page.getByText('30 added', { exact: true }).waitFor()
    await checkPage(scene.owner, 'connector')
    await page.getByRole('button', { name: 'Confirm the sync' }).click()
    await checkPage(scene.owner, 'connector-confirm')
    await dialog.getByRole('button', { name: 'Confirm and import' }).click()
    await page.getByText('A sync is held').waitFor({ state: 'detached' })
    await page.getByText('30 added, 27 removed').waitFor()
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('table', { name: 'Changes in the last syncs' }).getByText('27 removed').waitFor()
    await checkPage(scene.owner, 'connector-table')

    await page.getByRole('button', { name: 'Edit schedule' }).click()
    await dialog.getByLabel('Sync', { exact: true }).selectOption('Every day at 02:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('dd', { hasText: 'Every day at 02:00' }).waitFor()

    await page.getByText('path. Set them in the account profile').waitFor()
    await page.getByRole('button', { name: 'Edit provisioning' }).click()
    await dialog.getByLabel('Account profile').fill('{"path": ')
    await dialog.getByText('Not a JSON object.').waitFor()
    await dialog.getByLabel('Account profile').fill('{"path": "ou={team}"}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('contains {team}, which is not an attribute').waitFor()
    await checkPage(scene.owner, 'connector-provisioning')
    await dialog.getByLabel('Account profile').fill('{"path": "ou={department}"}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('path. Set them in the account profile').waitFor({ state: 'detached' })
    await page.locator('dd', { hasText: /^path$/ }).waitFor()

    await page.getByRole('button', { name: 'Rotate credential' }).click()
    await dialog.getByRole('button', { name: 'Create credential' }).click()
    await dialog.getByText('Copy the secret now').waitFor()
    await checkPage(scene.owner, 'connector-rotated')
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    expect((await tokenOf(scene.server, credential)).status).toBe(401)
    await page.getByRole('button', { name: /^Revoke / }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The connector has no credential').waitFor()

    await page.getByRole('button', { name: 'Pause Directory in Leeds' }).click()
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Sync now' }).waitFor()

    await page.getByRole('link', { name: 'Owners' }).click()
    await page.getByText('Directory in Leeds has no owners').waitFor()
    await checkPage(scene.owner, 'connector-owners')

    const address = new URL(page.url()).pathname.replace('/owners', '')
    await offersNothing(address)

    await scene.go(address)
    await page.getByRole('heading', { name: 'Credentials' }).waitFor()
    await page.getByRole('button', { name: 'Delete Directory in Leeds' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No connectors').waitFor()
  })

  /** To those who may only read, or less. */
  const offersNothing = async (address: string): Promise<void> => {
    const reader = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await reader.page.goto(address)
    await settled(reader.page)
    await reader.page.getByRole('heading', { name: 'Credentials' }).waitFor()
    const changing = /Sync now|Pause|Resume|Edit|Rotate|Delete|Revoke|Edit schedule|Edit provisioning|Confirm/
    expect(await reader.page.getByRole('button', { name: changing }).count()).toBe(0)
    const basic = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    await basic.page.goto(address)
    await basic.page.getByText('Your roles do not include this page').waitFor()
    expect(await basic.page.getByRole('link', { name: 'Connectors' }).count()).toBe(0)
    expect(await basic.page.content()).not.toContain('Directory in Leeds')
    // By the keyboard: Ctrl-K knows it by its name.
    const { page } = scene.owner
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Search' }).fill('leeds')
    await page.getByRole('option', { name: /Leeds/ }).filter({ hasText: 'Team directory' }).click()
    await page.getByRole('heading', { name: 'Credentials' }).waitFor()
  }

  test('its tasks are shown in each state, retried and cancelled', async () => {
    const { server, access, go } = scene
    const { page } = scene.owner
    const { token } = await tokenOf(server, await access.makeCaller(['system:owner']))
    const app = await openApp(server, access, token)
    const giveByHand = async (user: string, group: string): Promise<void> => {
      const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement(group)}/add-manual-user`
      expect((await app.post(path, { userIds: [app.userIds[user]] })).status).toBe(200)
      await carryToConnectors(access.world)
    }
    const base = `/apps/${app.appId}/connectors/${app.connectorId}/tasks`
    await go(base)
    await page.getByText('No tasks').waitFor()

    await app.request('grant', 'ada', 'admins')
    await app.workAll()
    await giveByHand('ada', 'staff')
    await app.finish((await app.next()) as never, 'LDAP: no such object')
    await giveByHand('bo', 'staff')
    const lost = await app.next()
    await app.request('revoke', 'ada', 'admins')
    await app.next()
    await app.request('grant', 'bo', 'admins')
    await server.db`update connector_tasks set lease_until = now() - interval '1 second' where task_id = ${lost?.id as string}`
    await endLapsedLeases(access.world)
    await go(base)
    const tasks = page.getByRole('table', { name: 'Tasks of the connector' })
    const row = (...words: (string | RegExp)[]) =>
      words.reduce((rows, hasText) => rows.filter({ hasText }), tasks.getByRole('row'))
    await row('Grant', 'Queued', 'A request is waiting for it.').waitFor()
    await row('Revoke', 'With the connector', 'A request is waiting for it.').waitFor()
    await row('Grant', 'Failed', 'LDAP: no such object').waitFor()
    await row('Grant', 'Unknown', 'The next sync shows whether it was done.').waitFor()
    await row('Grant', /Done/).waitFor()
    expect(await tasks.getByRole('button').count()).toBe(3)
    await checkPage(scene.owner, 'connector-tasks')

    const dialog = page.getByRole('dialog')
    await row('Failed')
      .getByRole('button', { name: /^Retry: Grant .*, ada$/ })
      .click()
    await dialog.getByText('A new task asks the connector to do the same again.').waitFor()
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await row('ada', 'Queued').waitFor()
    // It is the same access: only one at a time.
    await row('Failed')
      .getByRole('button', { name: /^Retry/ })
      .click()
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByText('Another task for the same access has not ended yet.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await row('ada', 'Queued')
      .getByRole('button', { name: /^Cancel: Grant .*, ada$/ })
      .click()
    await dialog.getByText('The connector will not do it.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel the task' }).click()
    await row('ada', 'Cancelled', 'Cancelled by an administrator.').waitFor()
    await row('Cancelled')
      .getByRole('button', { name: /^Retry/ })
      .click()
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await row('ada', 'Queued').waitFor()

    await row('Unknown')
      .getByRole('button', { name: /^Retry: Grant .*, bo$/ })
      .click()
    await dialog.getByText('it may be done twice').waitFor()
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await row('bo', 'Failed', 'Repeated although the outcome was unknown.').waitFor()

    await page.getByLabel('State').selectOption('With the connector')
    await row('Queued').first().waitFor({ state: 'detached' })
    await expect.poll(() => tasks.getByRole('row').count()).toBe(2)
    await page.getByLabel('State').selectOption('Unknown')
    await page.getByText('No results').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row('Done').waitFor()

    const reader = await signIn(scene.browser, server, access, ['system:viewer'])
    await reader.go(base)
    await reader.page
      .getByRole('cell', { name: /^Failed/ })
      .first()
      .waitFor()
    expect(await reader.page.getByRole('button', { name: /^(Retry|Cancel)/ }).count()).toBe(0)
  })
})
