import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { fake, programFolder, userFlag } from '../connectors/programs/folder.ts'
import { checkPage, inBrowser, openScene, type Scene } from '../fixture/browser.ts'
import { connectorFile } from '../imports/connector-file.ts'

inBrowser('connectors that the server runs', () => {
  let scene: Scene
  const folder = programFolder()
  const file = join(tmpdir(), 'console-connector.c1z')
  beforeAll(async () => {
    folder.write('baton-fake', fake)
    folder.write('baton-demo', 'exit 3')
    scene = await openScene({
      flags: { empty: true, 'connectors-folder': folder.path, 'connectors-user': userFlag },
    })
    const resources = [{ type: 'user', id: 'u1', name: 'Ada' }]
    writeFileSync(file, connectorFile({ types: [{ id: 'user', traits: [Trait.USER] }], resources }))
    chmodSync(file, 0o644)
  })
  afterAll(async () => {
    await scene.close()
    rmSync(folder.path, { recursive: true })
    rmSync(file)
  })

  test('one is added with what it needs, watched until its first sync is in, and changed', async () => {
    const { page } = scene.owner
    await scene.go('/connectors/new')
    await page.getByText('A new app').click()
    await page.getByLabel('Name of the app').fill('Team directory')
    // Without HTTPS, connectors that run elsewhere cannot connect: that is said before there is a secret to copy.
    await page.getByRole('combobox', { name: 'Connector' }).fill('LDAP')
    await page.getByRole('option', { name: 'LDAP' }).first().click()
    await page.getByText('Connectors that run elsewhere need HTTPS').waitFor()
    await page.getByRole('combobox', { name: 'Connector' }).fill('baton-fake')
    await page.getByRole('option', { name: 'baton-fake (runs on this server)' }).click()
    await page.getByLabel('What it uploads.').fill(file)
    await page.getByLabel('Of nothing.').fill('a-secret-token')
    await checkPage(scene.owner, 'connector-program-add')
    await page.getByRole('button', { name: 'Add connector' }).click()
    await page.getByText('The program runs on this server, and has connected.').waitFor()
    await page.getByText('Started baton-fake.').waitFor()
    await page.getByText('Imported records').first().waitFor()
    await checkPage(scene.owner, 'connector-program-first-sync')

    await page.getByRole('link', { name: 'Go to the connector' }).click()
    await page.getByRole('button', { name: 'Edit settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('enter the secrets again').waitFor()
    await dialog.getByLabel('Allow the connector to change the app').check()
    await checkPage(scene.owner, 'connector-program-edit')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('May change the app').waitFor()
    await checkPage(scene.owner, 'connector-program')
  })
})
