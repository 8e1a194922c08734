import { describe, expect, test } from 'vitest'
import { kindsOfOperation } from '#rooms/governance/four-eyes/index.ts'
import { heldRoutes } from '#server/registry/jobs.ts'
import { routes } from '#server/registry/routes.ts'
import { run } from '../cli/command.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { automatic, byManager, byOwners } from '../tasks/scene.ts'
import { company, prepare, roleOf, scene } from './company.ts'

prepare()

/** Operations that need a permission of what can be covered, and change none of it. */
const exempt: Record<string, string> = {
  'app.v1.AppEntitlements.RunAutomation': 'runs a rule as it is',
  'app.v1.AppEntitlements.ReleaseAutomationRun': 'lets a run of the rule as it is go on',
  'app.v1.AppEntitlements.CancelAutomationRun': 'ends a run of the rule as it is',
  'bailiwick.v1.PolicyPlans.Plan': 'plans a change, and makes none',
  'user.v1.UserMerges.Plan': 'plans a merge, and makes none',
  'bailiwick.v1.BulkOwners.Plan': 'plans a change, and makes none',
  'bailiwick.v1.BulkUsers.Plan': 'plans a change, and makes none',
  'bailiwick.v1.BulkOwners.PlanUndo': 'plans a change, and makes none',
  'bailiwick.v1.BulkUsers.PlanUndo': 'plans a change, and makes none',
  'bailiwick.v1.BulkUsers.Disable': 'removes rights at once, which must not wait',
  'user.v1.UserStatus.Disable': 'removes rights at once, which must not wait',
}

const principals = 'service_principal.v1.ServicePrincipalService'
const federation = 'workload_federation.v1.WorkloadFederationService'
const exemptOfPrincipals: Record<string, string> = {
  [`${principals}.Create`]: 'it has no role',
  [`${principals}.Update`]: 'gives it a name',
  [`${principals}.Delete`]: 'removes rights at once, which must not wait',
  // Those who may do so could do all of it themselves, or were made owners, which is covered.
  [`${principals}.CreateCredential`]: 'gives nobody more than they have; and its secret is in the reply only',
  [`${principals}.UpdateCredential`]: 'gives it a name',
  [`${principals}.RevokeCredential`]: 'removes rights at once, which must not wait',
  [`${principals}.AddBinding`]: 'changes nothing',
  [`${principals}.DeleteBinding`]: 'changes nothing',
  [`${federation}.CreateProvider`]: 'nobody trusts it yet',
  [`${federation}.UpdateProvider`]: 'gives nobody more than they have',
  [`${federation}.DeleteProvider`]: 'nobody trusts it any more',
  [`${federation}.CreateTrust`]: 'gives nobody more than they have',
  [`${federation}.UpdateTrust`]: 'gives nobody more than they have',
  [`${federation}.DeleteTrust`]: 'removes rights at once, which must not wait',
}

const catalogs = 'requestcatalog.v1.RequestCatalogManagementService'
const forms = 'request_schema.v1.RequestSchemaService'
const exemptOfRequests: Record<string, string> = {
  [`${catalogs}.Create`]: 'an access profile with nothing in it gives nothing',
  [`${catalogs}.AddAccessEntitlements`]: 'says who may request, not who decides',
  [`${catalogs}.RemoveAccessEntitlements`]: 'says who may request, not who decides',
  [`${catalogs}.ForceRunBundleAutomation`]: 'runs an automation as it is',
  [`${catalogs}.ResumePausedBundleAutomation`]: 'lets a run of the automation as it is go on',
  'app.v1.AppAccessRequestsDefaultsService.CancelAppAccessRequestsDefaults': 'changes nothing',
  // Conditions and approver expressions do not see answers: a form adds a step of the requester, and removes none.
  [`${forms}.Create`]: 'a form decides nothing',
  [`${forms}.Update`]: 'a form decides nothing',
  [`${forms}.Delete`]: 'a form decides nothing',
  [`${forms}.CreateEntitlementBinding`]: 'a form decides nothing',
  [`${forms}.RemoveEntitlementBinding`]: 'a form decides nothing',
}
const exemptOfNaming: Record<string, string> = {
  'bailiwick.v1.PolicyPlans.Plan': 'plans a change, and makes none',
  'settings.v1.SessionSettingsService.Update': 'its policy id is never set',
  'app.v1.Apps.Create': 'nothing was decided about it before',
  'app.v1.AppEntitlements.Create': 'nothing was decided about it before',
}

const exemptOfWebhooks: Record<string, string> = {
  'webhooks.v1.WebhooksService.Create': 'a webhook that no policy names decides nothing',
  'webhooks.v1.WebhooksService.Delete': 'what it would have decided is decided by people',
  'webhooks.v1.WebhooksService.Test': 'decides nothing',
}

const openAmong = (changing: typeof routes): string[] =>
  changing.filter(({ id }) => kindsOfOperation(id).length === 0).map(({ id }) => id)

test('every operation that changes rules, policies, owners or role assignments is covered, or exempt for a reason', () => {
  const permissions = ['automations.write', 'policies.write', 'owners.write', 'roles.assign', 'users.write']
  const ofRequests = ['terms.write', 'profiles.write', 'forms.write']
  const withOneOf = (names: string[]) =>
    routes.filter(({ allow, method, id }) => names.includes(allow) && method !== 'GET' && id)
  expect(openAmong(withOneOf(permissions)).toSorted()).toEqual(Object.keys(exempt).toSorted())
  expect(openAmong(withOneOf(['principals.write'])).toSorted()).toEqual(Object.keys(exemptOfPrincipals).toSorted())
  expect(openAmong(withOneOf(ofRequests)).toSorted()).toEqual(Object.keys(exemptOfRequests).toSorted())
  expect(openAmong(withOneOf(['webhooks.write'])).toSorted()).toEqual(Object.keys(exemptOfWebhooks).toSorted())
  expect(withOneOf(permissions).length - Object.keys(exempt).length).toBeGreaterThan(40)
  expect(withOneOf(ofRequests).length - Object.keys(exemptOfRequests).length).toBe(16)
  const able = new Set(heldRoutes.map(({ id }) => id))
  const covered = routes.filter(({ id }) => kindsOfOperation(id).length > 0)
  expect(covered.filter(({ id }) => !able.has(id))).toEqual([])
  // What waits is kept as path and body: a query would be lost.
  expect(covered.filter(({ query }) => Object.keys(query.fields).length > 0)).toEqual([])
})

test('so is every operation whose body can name a policy, or say how access is provisioned', () => {
  const naming = routes.filter(
    ({ id, method, body }) => id && method !== 'GET' && body && namesIn(body).some((name) => choosingNames.test(name)),
  )
  expect(naming.length).toBeGreaterThan(8)
  const open = openAmong(naming).filter((id) => !/\.Search|four_eyes|task\.v1/.test(id))
  expect(open.toSorted()).toEqual(Object.keys(exemptOfNaming).toSorted())
})

const choosingNames = /[pP]olicyId$|rovisionerPolicy$/

/** The names of all fields that a body can have, however deep. */
function namesIn(shape: unknown, seen = new Set<unknown>()): string[] {
  if (typeof shape !== 'object' || shape === null || seen.has(shape)) return []
  seen.add(shape)
  return Object.entries(shape).flatMap(([name, of]) => [
    ...(typeof of === 'object' && of !== null ? [name] : []),
    ...namesIn(of, seen),
  ])
}

describe('each kind', () => {
  test('policies: one is created, changed and deleted when that is approved', async () => {
    const at = await company()
    await at.require('policies')
    const body = {
      displayName: 'Two of us',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ approval: { manager: {} } }] } },
    }
    const created = await at.held(await at.post(at.author, '/api/v1/policies', body))
    const named = async (): Promise<Json[]> => {
      const { json } = await at.post(at.author, '/api/v1/search/policies', { displayName: 'Two of us' })
      return json['list'] as Json[]
    }
    expect(await named()).toEqual([])
    expect(await at.approve(created.id)).toBe('done')
    const [policy] = await named()
    const path = `/api/v1/policies/${policy?.['id'] as string}`
    const change = { policy: { ...policy, description: 'Changed' }, updateMask: 'description' }
    const first = await at.held(await at.post(at.author, path, change))
    const shown = await at.ask(at.approver, `/api/v1/four_eyes/changes/${first.id}`)
    expect((shown.json['change'] as { plan: Json[] }).plan).toMatchObject([
      { resources: [{ data: { description: 'Changed', before: { description: '', policySteps: { grant: {} } } } }] },
    ])
    const second = await at.held(await at.ask(at.author, path, { method: 'DELETE', body: {} }))
    expect(await at.approve(first.id)).toBe('done')
    expect((await named())[0]?.['description']).toBe('Changed')
    expect(await at.approve(second.id)).toBe('failed')
    const third = await at.held(await at.ask(at.author, path, { method: 'DELETE', body: {} }))
    expect(await at.approve(third.id)).toBe('done')
    expect(await named()).toEqual([])
  })

  test('policies: the address of a webhook is changed when that is approved, and no webhook approves it', async () => {
    const at = await company()
    const created = await at.post(at.author, '/api/v1/webhooks', { displayName: 'Hook', url: 'https://example.com' })
    const { id } = created.json['webhook'] as { id: string }
    const policy = await at.post(at.author, '/api/v1/policies', {
      displayName: 'By the hook of the author',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ approval: { webhook: { webhookId: id } } }] } },
    })
    expect(policy.status, policy.text).toBe(200)
    await at.require('policies', (policy.json['policy'] as { id: string }).id)
    const change = { webhook: { url: 'https://other.example' } }
    const task = await at.held(await at.post(at.author, `/api/v1/webhooks/${id}`, change))
    // Whoever controls the receiver may be the author: people decide.
    expect(task.stepApproverIds).toContain(at.approver.userId)
    expect(task.stepApproverIds).not.toContain(at.author.userId)
    expect(await at.approve(task.id)).toBe('done')
    const { json } = await at.ask(at.author, `/api/v1/webhooks/${id}`)
    expect((json['webhook'] as Json)['url']).toBe('https://other.example')
    const [{ count }] = (await scene.server.db`
      select count(*)::int as count from webhook_deliveries where webhook_id = ${id}`) as unknown as [{ count: number }]
    expect(count).toBe(0)
  })

  test('policies: which one decides about an app or an entitlement waits too, and other fields of them do not', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
    const { appEntitlement } = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
    await at.require('policies')
    const path = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}`
    const to = (grantPolicyId: string) => ({ entitlement: { grantPolicyId }, updateMask: 'grantPolicyId' })
    const renamed = {
      entitlement: { displayName: 'Other', grantPolicyId: '' },
      updateMask: 'displayName,grantPolicyId',
    }
    expect(outcomeOf(await at.post(at.author, path, renamed))).toBe('200')
    const first = await at.held(await at.post(at.author, path, to(automatic)))
    const second = await at.held(await at.post(at.author, path, to(byManager)))
    const chosen = async () => {
      const { json } = await at.ask(at.author, path)
      return (json['appEntitlementView'] as { appEntitlement: Json }).appEntitlement['grantPolicyId']
    }
    expect(await chosen()).toBe('')
    expect(await at.approve(first.id)).toBe('done')
    expect(await chosen()).toBe(automatic)
    expect(await at.approve(second.id)).toBe('failed')
    await at.held(
      await at.post(at.author, `/api/v1/apps/${app.id}`, {
        app: { grantPolicyId: automatic },
        updateMask: 'grantPolicyId',
      }),
    )
    expect(await chosen()).toBe(automatic)
  })

  test('policies: routing rules, defaults of apps and settings of requests wait, and act when approved', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    await at.require('policies')
    const rules = `/api/v1/apps/${app.id}/entitlement_configuration_rules`
    const rule = { displayName: 'All', enabled: true, settings: { requestPolicyId: automatic } }
    const made = await at.held(await at.post(at.author, rules, rule))
    const listed = async () => (await at.ask(at.author, rules)).json['list'] as { id: string }[]
    expect(await listed()).toEqual([])
    expect(await at.approve(made.id)).toBe('done')
    const [first] = await listed()
    const of = `${rules}/${first?.id}`
    const changed = await at.held(await at.post(at.author, of, { ...rule, settings: { requestPolicyId: byManager } }))
    expect(await at.approve(changed.id)).toBe('done')
    expect(await listed()).toMatchObject([{ settings: { requestPolicyId: byManager } }])
    await at.held(await at.ask(at.author, of, { method: 'DELETE', body: {} }))
    const defaults = `/api/v1/apps/${app.id}/access_request_defaults`
    const wanted = { defaultsEnabled: true, requestPolicyId: automatic, durationUnset: {} }
    const put = await at.held(await at.post(at.author, defaults, wanted))
    expect(outcomeOf(await at.ask(at.author, defaults))).toMatch(/^404/)
    expect(await at.approve(put.id)).toBe('done')
    expect((await at.ask(at.author, defaults)).json).toMatchObject({ requestPolicyId: automatic })
    const settings = '/api/v1/settings/request'
    await at.held(await at.post(at.author, settings, { requestSettings: { skipJustification: true } }))
  })

  test('policies: so does whether an entitlement overrides them, and how it is provisioned', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
    const { appEntitlement } = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
    await at.require('policies')
    const path = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}`
    const set = (entitlement: object) =>
      at.post(at.author, path, { entitlement, updateMask: Object.keys(entitlement).join() })
    await at.held(await set({ overrideAccessRequestsDefaults: true }))
    await at.held(
      await set({ provisionerPolicy: { manual: { instructions: 'By hand', assignee: { appOwners: {} } } } }),
    )
  })

  test.each(['policies', 'automations'])(
    '%s: what is in an access profile waits, and what it is called does not',
    async (kind) => {
      const at = await company()
      const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
      const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
      const { appEntitlement } = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
      const ref = { appId: app.id, id: appEntitlement.id }
      await at.require(kind)
      const created = await at.post(at.author, '/api/v1/catalogs', { displayName: 'Starters' })
      const { requestCatalog } = created.json['requestCatalogView'] as { requestCatalog: { id: string } }
      const path = `/api/v1/catalogs/${requestCatalog.id}`
      const change = (catalog: object) => at.post(at.author, path, { catalog, updateMask: Object.keys(catalog).join() })
      expect(outcomeOf(await change({ displayName: 'Newcomers', published: true }))).toBe('200')
      await at.held(
        await change({
          enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
        }),
      )
      const added = await at.held(await at.post(at.author, `${path}/requestable_entries`, { appEntitlements: [ref] }))
      const one = { method: 'PUT', body: {} }
      const entry = `${path}/requestable_entries/${ref.appId}/${ref.id}`
      await at.held(await at.ask(at.author, entry, one))
      const refs = async () => (await at.ask(at.author, `${path}/requestable_entitlementIDs`)).json['refs']
      expect(await refs()).toEqual([])
      expect(await at.approve(added.id)).toBe('done')
      expect(await refs()).toEqual([ref])
      await at.held(await at.ask(at.author, entry, { method: 'DELETE', body: {} }))
      await at.held(await at.ask(at.author, path, { method: 'DELETE', body: {} }))
    },
  )

  test('automations: so does what enrolls people in an access profile by itself', async () => {
    const at = await company()
    await at.require('automations')
    const created = await at.post(at.author, '/api/v1/catalogs', { displayName: 'Starters', requestBundle: true })
    const { requestCatalog } = created.json['requestCatalogView'] as { requestCatalog: { id: string } }
    const path = `/api/v1/catalogs/${requestCatalog.id}/bundle_automation`
    const body = { cel: { expression: 'subject.department == "Sales"' }, enabled: true }
    const made = await at.held(await at.post(at.author, `${path}/create`, body))
    await at.held(await at.post(at.author, path, { ...body, createTasks: true }))
    expect(outcomeOf(await at.ask(at.author, path))).toMatch(/^404/)
    expect(await at.approve(made.id)).toBe('done')
    expect((await at.ask(at.author, path)).json).toMatchObject({ cel: body.cel })
    await at.held(await at.ask(at.author, path, { method: 'DELETE', body: {} }))
  })

  test('owners: of a connector they wait by whichever operation, and its name does not', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    await at.require('owners')
    const owner = await at.person(['system:user'])
    const path = `/api/v1/apps/${app.id}/connectors`
    type Shown = { connectorView: { connector: { id: string; displayName: string; userIds: string[] } } }
    const shown = ({ json }: { json: Json }) => (json as Shown).connectorView.connector
    const { id } = shown(await at.post(at.author, path, { displayName: 'LDAP' }))
    const change = (connector: object, rest = '') => at.post(at.author, `${path}/${id}${rest}`, { connector })
    expect(outcomeOf(await change({ displayName: 'Directory', userIds: [] }))).toBe('200')
    const first = await at.held(await change({ userIds: [owner.userId] }))
    const second = await at.held(await change({ userIds: [at.author.userId] }, '/delegated'))
    await at.held(
      await at.post(at.author, `/api/v2/apps/${app.id}/connectors/${id}/owners/users/primary/${owner.userId}`),
    )
    const now = async () => shown(await at.ask(at.author, `${path}/${id}`))
    expect(await now()).toMatchObject({ displayName: 'Directory', userIds: [] })
    expect(await at.approve(first.id)).toBe('done')
    expect((await now()).userIds).toEqual([owner.userId])
    expect(await at.approve(second.id)).toBe('failed')
  })

  test('automations: restoring a version waits; so does an undo that restores the rule, and no other', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
    const { appEntitlement } = made.json['appEntitlementView'] as Json as { appEntitlement: { id: string } }
    const rule = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}/automation`
    const { userId } = at.author
    const runs = async () => (await at.ask(at.author, `${rule}/runs`)).json['list'] as (Json & { id: string })[]
    const version = async () =>
      ((await at.ask(at.author, `${rule}/state`)).json['state'] as { ruleVersion: number }).ruleVersion
    const apply = async (automation: Json): Promise<void> => {
      const plan = await at.post(at.author, `${rule}/plan`, { automation })
      const { fingerprint } = plan.json
      expect(outcomeOf(await at.post(at.author, `${rule}/apply`, { fingerprint, automation }))).toBe('200')
    }
    await apply({ none: {} })
    await apply({ cel: { expression: `subject.id == "${userId}"` }, examples: { mustMatchUserIds: [userId] } })
    await at.require('automations')

    const restored = await at.held(await at.post(at.author, `${rule}/versions/1/restore`, { reason: 'OPS-1' }))
    expect(await version()).toBe(2)
    const shown = await at.ask(at.approver, `/api/v1/four_eyes/changes/${restored.id}`)
    expect(JSON.stringify(shown.json)).toContain('OPS-1')
    // A save that fails an example is refused before anyone is asked.
    const wrong = { none: {}, examples: { mustMatchUserIds: [userId] } }
    expect(outcomeOf(await at.post(at.author, `${rule}/update`, wrong))).toBe('400/9 EXAMPLE_FAILED')

    const [first] = await runs()
    const undoing = await at.held(await at.post(at.author, `${rule}/runs/${first?.id}/undo`, { restoreRule: true }))
    expect(await version()).toBe(2)
    expect((await runs())[0]).toMatchObject({ id: first?.id, undoneByRunId: '' })
    expect(await at.approve(undoing.id)).toBe('done')
    expect(await version()).toBe(3)
    expect((await runs()).find(({ id }) => id === first?.id)?.['undoneByRunId']).not.toBe('')
    // The rule was changed since.
    expect(await at.approve(restored.id)).toBe('failed')

    const next = await at.held(await at.post(at.author, `${rule}/versions/2/restore`, {}))
    expect(await at.approve(next.id)).toBe('done')
    expect(await version()).toBe(4)
    await expect.poll(async () => (await runs())[0]).toMatchObject({ gainedCount: 1 })
    const [last] = await runs()
    expect(outcomeOf(await at.post(at.author, `${rule}/runs/${last?.id}/undo`, {}))).toBe('200')
    expect(await version()).toBe(4)
  })

  test('automations: what fails an example when it is approved is not done', async () => {
    const at = await company()
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
    const { appEntitlement } = made.json['appEntitlementView'] as Json as { appEntitlement: { id: string } }
    const rule = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}/automation`
    const person = await at.person(['system:user'])
    await scene.server.db`update users set department = 'Here' where user_id = ${person.userId}`
    await at.require('automations')
    const automation = {
      cel: { expression: 'subject.department == "Here"' },
      examples: { mustMatchUserIds: [person.userId] },
    }
    const waiting = await at.held(await at.post(at.author, `${rule}/create`, { automation }))
    await scene.server.db`update users set department = 'Elsewhere' where user_id = ${person.userId}`
    expect(await at.approve(waiting.id)).toBe('failed')
    expect(outcomeOf(await at.ask(at.author, rule))).toBe('404/5 AUTOMATION_NOT_FOUND')
  })

  test('automations and owners: a rule is made and an owner named when that is approved', async () => {
    const at = await company()
    await at.require('automations')
    await at.require('owners')
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, { displayName: 'Right' })
    const { appEntitlement } = made.json['appEntitlementView'] as Json as { appEntitlement: { id: string } }
    const rule = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}/automation`
    const body = { automation: { displayName: 'R', basic: { expression: 'subject.department == "Sales"' } } }
    const ruled = await at.held(await at.post(at.author, `${rule}/create`, body))
    expect(outcomeOf(await at.ask(at.author, rule))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect(await at.approve(ruled.id)).toBe('done')
    expect(outcomeOf(await at.ask(at.author, rule))).toBe('200')

    const owner = await at.person(['system:user'])
    const owners = `/api/v1/apps/${app.id}/ownerids`
    const set = { method: 'PUT', body: { userIds: [owner.userId] } }
    const v1 = await at.held(await at.ask(at.author, `/api/v1/apps/${app.id}/owners`, set))
    const at2 = `/api/v2/apps/${app.id}/owners/users/primary/${owner.userId}`
    const v2 = await at.held(await at.post(at.approver, at2, { userRef: { id: owner.userId } }))
    const before = (await at.ask(at.author, owners)).json['userIds']
    expect(before).not.toContain(owner.userId)
    expect(await at.approve(v1.id)).toBe('done')
    expect((await at.ask(at.author, owners)).json['userIds']).toEqual([owner.userId])
    const again = await at.ask(at.author, `/api/v1/apps/${app.id}/owners`, set)
    expect(outcomeOf(again)).toBe('200')
    expect(await at.approve(v2.id, at.author)).toBe('failed')
  })

  test('roles: to enable someone with rights waits, to disable anyone and to enable others does not', async () => {
    const at = await company()
    await at.require('roles')
    const [admin, plain] = [await at.person(['system:viewer']), await at.person(['system:user'])]
    for (const { userId } of [admin, plain])
      expect(outcomeOf(await at.post(at.author, `/api/v1/users/${userId}/disable`))).toBe('200')
    expect(outcomeOf(await at.post(at.author, `/api/v1/users/${plain.userId}/enable`))).toBe('200')
    const task = await at.held(await at.post(at.author, `/api/v1/users/${admin.userId}/enable`))
    expect(await at.approve(task.id)).toBe('done')
  })
})

describe('which changes need approval', () => {
  test('is listed, needs a policy in which somebody approves, and is for those who may choose it', async () => {
    const at = await company()
    const listed = async () => (await at.ask(at.author, '/api/v1/four_eyes')).json['list'] as Json[]
    expect((await listed()).map(({ kind, required }) => [kind, required])).toEqual([
      ['automations', false],
      ['policies', false],
      ['owners', false],
      ['roles', false],
    ])
    const set = async (kind: string, body: object, by = at.author) =>
      outcomeOf(await at.post(by, `/api/v1/four_eyes/${kind}`, body))
    expect(await set('roles', { required: true })).toBe('400/3 INPUT_INVALID')
    const refused = await at.post(at.author, '/api/v1/four_eyes/roles', { required: true, policyId: automatic })
    expect(outcomeOf(refused)).toBe('400/3 INPUT_INVALID')
    expect(refused.text).toContain('Choose a policy in which a person approves.')
    // Nor one that takes its steps from such a policy.
    const wanted = {
      displayName: 'Like it',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {},
      baselinePolicyId: automatic,
    }
    const like = await at.post(at.author, '/api/v1/policies', wanted)
    expect(like.status, like.text).toBe(200)
    const { id: likeId } = like.json['policy'] as { id: string }
    expect(await set('roles', { required: true, policyId: likeId })).toBe('400/3 INPUT_INVALID')
    expect(await set('roles', { required: true, policyId: '0builtinRevokeByOwners00001' })).toBe('400/3 INPUT_INVALID')
    expect(await set('nothing', { required: true, policyId: byOwners })).toBe('404/5 CHANGE_KIND_NOT_FOUND')
    const administrator = await at.person(['system:request-admin'])
    expect(await set('roles', { required: true, policyId: byOwners }, administrator)).toBe('403/7 PERMISSION_DENIED')
    expect(await set('roles', { required: true, policyId: byOwners })).toBe('200')
    expect((await listed()).find(({ kind }) => kind === 'roles')).toMatchObject({ required: true, policyId: byOwners })
  })

  test('is itself under four eyes, once it is: switched off, and by another policy, only when approved', async () => {
    const at = await company()
    await at.require('roles')
    const path = '/api/v1/four_eyes/roles'
    const softer = await at.held(await at.post(at.author, path, { required: true, policyId: byManager }))
    const off = await at.held(await at.post(at.author, path, { required: false }))
    const target = await at.person(['system:user'])
    await at.held(await at.post(at.author, roleOf(target.userId, 'system:viewer')))
    expect(await at.approve(off.id, at.author)).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await at.approve(off.id)).toBe('done')
    expect(outcomeOf(await at.post(at.author, roleOf(target.userId, 'system:viewer')))).toBe('200')
    expect(await at.approve(softer.id)).toBe('failed')
  })

  test('is not got around by the policy that decides: to change it waits too, and it cannot be deleted', async () => {
    const at = await company()
    const steps = (by: object) => ({ grant: { steps: [{ approval: by }] } })
    const create = async (more: object) => {
      const body = { displayName: 'Deciding', policyType: 'POLICY_TYPE_GRANT', ...more }
      const reply = await at.post(at.author, '/api/v1/policies', body)
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['policy'] as { id: string }).id
    }
    const inner = await create({ policySteps: steps({ users: { userIds: [at.approver.userId] } }) })
    const free = await create({ policySteps: steps({ manager: {} }) })
    const outer = await create({ policySteps: {}, baselinePolicyId: inner })
    await at.require('roles', outer)
    const change = { policy: { policySteps: steps({ manager: {} }) }, updateMask: 'policySteps' }
    expect(outcomeOf(await at.post(at.author, `/api/v1/policies/${free}`, change))).toBe('200')
    await at.held(await at.post(at.author, `/api/v1/policies/${inner}`, change))
    await at.held(
      await at.post(at.author, `/api/v1/policies/${outer}`, {
        policy: { description: 'x' },
        updateMask: 'description',
      }),
    )
    const gone = { method: 'DELETE', body: {} }
    expect(outcomeOf(await at.ask(at.author, `/api/v1/policies/${outer}`, gone))).toBe('400/9 POLICY_IN_USE')
    expect(outcomeOf(await at.ask(at.author, `/api/v1/policies/${free}`, gone))).toBe('200')
  })

  test('is switched off by a command on the machine, which is an event, and so are roles given', async () => {
    const at = await company()
    await at.require('roles')
    const { server } = scene
    const flags = [
      '--data-dir',
      server.config.dataDir,
      '--database-url',
      server.databaseUrl,
      '--tenant',
      at.tenant.domain,
    ]
    expect((await run(['four-eyes', 'list', ...flags])).stdout).toContain('roles')
    expect(await run(['four-eyes', 'off', 'owners', ...flags])).toMatchObject({ code: 2 })
    expect(await run(['four-eyes', 'off', 'roles', ...flags])).toMatchObject({ code: 0 })
    const target = await at.person(['system:user'])
    expect(outcomeOf(await at.post(at.author, roleOf(target.userId, 'system:viewer')))).toBe('200')
    const events = await server.db`
      select 1 from systemlog_events where tenant_id = ${at.tenant.id}
        and event::jsonb #>> '{api,operation}' = 'bailiwick four-eyes off'`
    expect(events).toHaveLength(1)
  })
})
