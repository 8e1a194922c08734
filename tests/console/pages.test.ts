import { beforeAll, expect, test } from 'vitest'
import { inBrowser, type RouterWindow, settled } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

/** Every page of the console, once. What is done on them is tested in `npm run test:long`, and by the API's own tests. */
inBrowser('pages', () => {
  const scene = prepareConsole()
  const ids: Record<string, string> = {}

  /** Creates something, and remembers its id under the name that it has in the addresses of pages. */
  async function create(name: string, path: string, body: object, id = /"id":"(\w{27})"/): Promise<void> {
    const { status, text } = await scene.post(path, body)
    expect(status, text).toBe(200)
    ids[name] = id.exec(text)?.[1] ?? ''
  }

  beforeAll(async () => {
    const appId = await scene.app('Wiki')
    const { id: entitlementId } = await scene.entitlement(appId, 'Editor')
    const { typeId, id: resourceId } = await scene.resource(appId, 'Shelf')
    const { id: accountId } = await scene.account(appId, { displayName: 'svc-wiki' })
    const userId = await scene.user({ displayName: 'Pia Person' })
    const [importId, exportId] = [scene.access.world.newId(), scene.access.world.newId()]
    Object.assign(ids, {
      appId,
      entitlementId,
      resourceTypeId: typeId,
      resourceId,
      accountId,
      userId,
      importId,
      exportId,
    })
    const { db } = scene.server
    await db`
      insert into imports (tenant_id, import_id, format, is_full, is_forced, line_count, byte_count, counts, started_at,
        finished_at)
      values (${scene.access.tenant.id}, ${importId}, 'jsonl', false, false, 1, 1, '[]', now(), now())`
    await db`
      insert into systemlog_exports (tenant_id, export_id, display_name, datasource_id, prefix, format, state, seal_number,
        seal_position, next_run_at, created_at, updated_at)
      values (${scene.access.tenant.id}, ${exportId}, 'Archive', 'archive', '', 'zstd', 'exporting', 0, 0,
        now() + interval '1 day', now(), now())`
    await create('formId', '/api/v1/request_schemas', { name: 'Ticket', fields: [] })
    await create('policyId', '/api/v1/policies', {
      displayName: 'Quick',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ accept: {} }] } },
    })
    await create('connectorId', `/api/v1/apps/${appId}/connectors`, { displayName: 'Reader' })
    await create('directory', '/api/v1/scim-directories', { displayName: 'Larkfield HR' }, /"appId":"(\w{27})"/)
    await create('profileId', '/api/v1/catalogs', { displayName: 'Starters' })
    await create('principalId', '/api/v1/service_principals', { displayName: 'Deploys' })
    await create('providerId', '/api/v1/workload_federation/providers', {
      displayName: 'CI',
      wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS',
    })
    await create(
      'clientId',
      `/api/v1/service_principals/${ids['principalId']}/trusts`,
      { displayName: 'Main branch', providerId: ids['providerId'], conditionExpression: 'claims.ref == "main"' },
      /"clientId":"([^"]+)"/,
    )
    await create('subscriptionId', '/api/v1/subscriptions', { displayName: 'Feed', url: 'https://feed.test/in' })
    await create('webhookId', '/api/v1/webhooks', { displayName: 'Ask', url: 'https://ask.test/in' })
    await create('taskId', '/api/v1/task/grant', { appId, appEntitlementId: entitlementId, identityUserId: userId })
    await create('eventId', '/api/v1/systemlog/events', {}, /"uid":"(\w{27})"/)
  })

  test('each shows its heading, and nothing that could not be loaded', async () => {
    const { page } = scene.owner
    await scene.go('/')
    const routes = await page.evaluate(() => Object.keys((window as RouterWindow).__TSR_ROUTER__?.routesByPath ?? {}))
    const seen: Record<string, string> = {}
    for (const route of routes.filter((each) => each !== '/sign-in' && each !== '/$')) {
      const at: Record<string, string | undefined> = {
        ...ids,
        ...(route.startsWith('/dir') && { appId: ids['directory'] }),
      }
      const href = route.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(at[name] ?? name))
      await page.evaluate(
        (to) => (window as RouterWindow).__TSR_ROUTER__?.navigate({ href: to, ignoreBlocker: true }),
        href,
      )
      await settled(page)
      seen[route] = (await page.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
      if (await page.getByRole('button', { name: 'Try again' }).count()) seen[route] += ', but something failed'
    }
    const isOf = (route: string) =>
      isAbout.find(([begin]) => route.startsWith(begin))?.[1] ?? headings[route] ?? 'not here'
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((route) => [route, isOf(route)])))
    expect(Object.keys(seen)).toEqual(expect.arrayContaining(Object.keys(headings)))
  })
})

/** What the pages below an address are about. The first that fits. */
const isAbout: readonly (readonly [string, unknown])[] = [
  ['/apps/$appId/accounts/$accountId', 'svc-wiki'],
  ['/apps/$appId/connectors/$connectorId', 'Reader'],
  ['/apps/$appId/entitlements/', 'Editor'],
  ['/apps/$appId/resources/', 'Shelf'],
  ['/apps/$appId', 'Wiki'],
  ['/applications/$appId', 'Wiki'],
  ['/log/events/', expect.stringMatching(/^Created the tenant/)],
  ['/me', expect.stringMatching(/^User/)],
  ['/profiles/$profileId', 'Starters'],
  ['/task/', 'Editor for Pia Person'],
  ['/tasks/', 'Editor for Pia Person'],
  ['/users/$userId', 'Pia Person'],
]

const headings: Readonly<Record<string, string>> = {
  '/': 'Hello, User',
  '/accounts': 'Accounts',
  '/apps': 'Apps',
  '/bulk-changes': 'Bulk changes',
  '/changes': 'Changes',
  '/connectors': 'Connectors',
  '/connectors/new': 'Add a connector',
  '/coverage': 'Coverage',
  '/decide': 'Inbox',
  '/device': 'Authorize a device',
  '/directories': 'Directories',
  '/directories/$appId': 'Larkfield HR',
  '/directories/$appId/edit': 'Edit Larkfield HR',
  '/directories/new': 'Use an app as a directory',
  '/directories/precedence': 'Precedence of directories',
  '/drift': 'Drift',
  '/entitlements': 'Entitlements',
  '/federation-providers': 'Federation providers',
  '/forms': 'Forms',
  '/forms/$formId': 'Ticket',
  '/forms/new': 'Create form',
  '/grants': 'Grants',
  '/imports': 'Imports',
  '/imports/$importId': 'Import',
  '/jobs': 'Jobs',
  '/log': 'System log',
  '/log/exports': 'Exports',
  '/log/exports/$exportId': 'Archive',
  '/owned': 'What you own',
  '/policies': 'Policies',
  '/policies/$policyId': 'Quick',
  '/policies/new': 'Create policy',
  '/policies/unanswerable': 'Policies',
  '/principals': 'Service principals',
  '/principals/$principalId': 'Deploys',
  '/principals/$principalId/trusts/$clientId': 'Main branch',
  '/profiles': 'Access profiles',
  '/request': 'Request access',
  '/requests': 'My requests',
  '/rules': 'Rules',
  '/settings': 'Your notifications',
  '/settings/credentials': 'API credentials',
  '/settings/delegate': 'Delegate',
  '/settings/devices': 'Authorized devices',
  '/settings/everyone': "Everyone's credentials",
  '/settings/four-eyes': 'Four eyes',
  '/settings/notification-previews': 'Email previews',
  '/settings/notifications': 'Your notifications',
  '/settings/organisation-notifications': 'Email and chat',
  '/settings/passkeys': 'Passkeys',
  '/settings/requests': 'Requests',
  '/settings/sessions': 'Sessions',
  '/settings/sign-in': 'Sign-in',
  '/settings/single-sign-on': 'Single sign-on',
  '/subscriptions': 'Subscriptions',
  '/subscriptions/$subscriptionId': 'Feed',
  '/tasks': 'All tasks',
  '/users': 'Users',
  '/webhooks': 'Webhooks',
  '/webhooks/$webhookId': 'Ask',
}
