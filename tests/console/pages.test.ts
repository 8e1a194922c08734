import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

/** Pages that no other test of `npm test` opens: what is done on them is tested in `npm run test:long`, and by the API's own tests. */
inBrowser('pages', () => {
  const scene = prepareConsole()
  const at: Record<string, string> = {}
  beforeAll(async () => {
    const appId = await scene.app('Wiki')
    const { id: entitlementId } = await scene.entitlement(appId, 'Editor')
    const { typeId, id: resourceId } = await scene.resource(appId, 'Shelf')
    const account = await scene.account(appId, { displayName: 'svc-wiki' })
    const userId = await scene.user({ displayName: 'Pia Person' })
    const form = await scene.post('/api/v1/request_schemas', { name: 'Ticket', fields: [] })
    expect(form.status, form.text).toBe(200)
    Object.assign(at, {
      app: `/apps/${appId}`,
      entitlement: `/apps/${appId}/entitlements/${entitlementId}`,
      resource: `/apps/${appId}/resources/${typeId}/${resourceId}`,
      account: `/apps/${appId}/accounts/${account.id}`,
      user: `/users/${userId}`,
      form: `/forms/${(form.json['requestSchema'] as { id: string }).id}`,
    })
  })

  test('each shows its heading and its main part', async () => {
    const pages = [
      ['/forms', 'Forms', 'Ticket'],
      ['/forms/new', 'Create form', 'Add question'],
      [at['form'], 'Ticket', 'Preview'],
      ['/settings/requests', 'Requests', 'Require a reason for every request'],
      ['/directories/precedence', 'Precedence of directories', 'General order'],
      [`${at['app']}/requests`, 'Wiki', 'Defaults of this app'],
      [`${at['app']}/connectors`, 'Wiki', 'No connectors'],
      [`${at['app']}/changes`, 'Wiki', 'No changes'],
      [`${at['entitlement']}/requests`, 'Editor', 'What applies now'],
      [`${at['entitlement']}/changes`, 'Editor', 'No changes'],
      [`${at['entitlement']}/paths`, 'Editor', 'How does someone reach Editor?'],
      [`${at['entitlement']}/owners`, 'Editor', 'Nobody owns Editor'],
      [`${at['resource']}/paths`, 'Shelf', 'How does someone reach Shelf?'],
      [`${at['resource']}/owners`, 'Shelf', 'Nobody owns Shelf'],
      [`${at['account']}/owners`, 'svc-wiki', 'Nobody owns svc-wiki'],
      [`${at['user']}/owners`, 'Pia Person', 'Nobody owns Pia Person'],
      ['/owned', 'What you own', 'You own nothing'],
    ] as const
    const { page } = scene.owner
    for (const [path, heading, words] of pages) {
      await scene.go(path as string)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await page.getByRole('main').getByText(words).first().waitFor()
      await checkPage(scene.owner, `page${(path as string).replaceAll(/\/|\w{27}/g, '-')}`)
    }
  })
})
