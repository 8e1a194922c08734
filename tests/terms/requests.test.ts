import { beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf, type Json, type Reply, reasonOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, byManager, byOwners, prepareTasks, target } from '../tasks/scene.ts'

const outcomeOf = (reply: Reply): string => `${reply.status} ${String(reasonOf(reply))}`
const scene = prepareTasks()
// Who may request whatever there is, and a basic user.
let asker: Caller
let basic: Caller
beforeAll(async () => {
  asker = await scene.caller(['system:user', 'system:request-admin'])
  basic = await scene.caller(['system:user'])
})

const ask = (of: Ref, more: object = {}, by = asker) => scene.post('/api/v1/task/grant', target(of, more), by)
const policyOf = (reply: Reply): string => {
  scene.task(reply)
  return (seen(reply)['policy'] as { policy: { id: string } | null }).policy?.id ?? ''
}
const seen = (reply: Reply) => (reply.json['taskView'] as { task: Json }).task
const rules = (app: string) => `/api/v1/apps/${app}/entitlement_configuration_rules`
const defaultsAt = (app: string) => `/api/v1/apps/${app}/access_request_defaults`
const ok = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const rule = async (app: string, body: object) =>
  (ok(await scene.post(rules(app), { displayName: 'A rule', enabled: true, ...body }))['routingRule'] as { id: string })
    .id
const terms = async ({ appId, id }: Ref, by = scene.admin) =>
  ok(await scene.get(`/api/v1/apps/${appId}/entitlements/${id}/request_terms`, by))
const sourceOf = (json: Json, name = 'grantPolicySource') =>
  (json[name] as { source: string }).source.replace('APPLIED_SETTINGS_SOURCE_', '')
const fresh = async (resource?: { typeId: string; id: string }): Promise<Ref> => {
  const appId = await scene.app('Ledger')
  return scene.entitlement(appId, 'Reader', resource ? { resource } : {})
}
const audits = async (id: string) => ok(await scene.post('/api/v1/task/audits', { taskId: id }))['list'] as Json[]

describe('the policy of a request', () => {
  test('is found in the published order: override, routing rule, entitlement, defaults of the app, the app', async () => {
    const of = await fresh()
    const { appId, id } = of
    const entitlementAt = `/api/v1/apps/${appId}/entitlements/${id}`
    expect(await terms(of)).toMatchObject({ grantPolicyId: '', emergencyAvailable: false, maxGrantDuration: null })
    expect(outcomeOf(await ask(of, {}, basic))).toBe('403 NOT_REQUESTABLE')
    ok(await scene.post(`/api/v1/apps/${appId}`, { app: { grantPolicyId: byOwners } }))
    expect([(await terms(of))['grantPolicyId'], sourceOf(await terms(of))]).toEqual([byOwners, 'APP_DEFAULT'])
    ok(
      await scene.post(defaultsAt(appId), {
        defaultsEnabled: true,
        requestPolicyId: byManager,
        durationGrant: '7200s',
      }),
    )
    expect(await terms(of)).toMatchObject({
      grantPolicyId: byManager,
      maxGrantDuration: '7200s',
      grantPolicySource: { why: 'The request defaults of the app Ledger set the policy.' },
    })
    ok(await scene.post(entitlementAt, { entitlement: { grantPolicyId: byOwners } }))
    expect([(await terms(of))['grantPolicyId'], sourceOf(await terms(of))]).toEqual([byOwners, 'ENTITLEMENT_DEFAULT'])
    await rule(appId, { condition: 'entitlement.displayName == "Other"', settings: { requestPolicyId: byOwners } })
    const ruleId = await rule(appId, {
      displayName: 'Readers',
      condition: 'entitlement.displayName == "Reader"',
      settings: { requestPolicyId: automatic, maxGrantDuration: '3600s' },
    })
    expect(await terms(of)).toMatchObject({
      grantPolicyId: automatic,
      maxGrantDuration: '3600s',
      grantPolicySource: {
        routingRuleId: ruleId,
        why: 'Routing rule 2 of the app Ledger (Readers) sets the policy.',
      },
    })
    const asked = scene.task(await ask(of))
    expect(asked.type.grant).toMatchObject({ outcome: 'GRANT_OUTCOME_GRANTED', grantDuration: '3600s' })
    const applied = (await audits(asked.id)).map((each) => each['requestDefaultsApplied']).filter(Boolean)
    expect(applied).toEqual([{ appId, routingRuleId: ruleId, source: 'APPLIED_SETTINGS_SOURCE_ROUTING_RULE' }])
    ok(await scene.post(entitlementAt, { entitlement: {}, overrideAccessRequestsDefaults: true }))
    expect([(await terms(of))['grantPolicyId'], sourceOf(await terms(of))]).toEqual([byOwners, 'ENTITLEMENT_OVERRIDE'])
    expect((await terms(of))['maxGrantDuration']).toBeNull()
  })

  test('does not come from a rule that is disabled, nor from one after the first that is true', async () => {
    const of = await fresh()
    await rule(of.appId, { enabled: false, settings: { requestPolicyId: automatic } })
    await rule(of.appId, { settings: { requestPolicyId: byManager } })
    await rule(of.appId, { condition: 'true', settings: { requestPolicyId: automatic, maxGrantDuration: '1s' } })
    expect(await terms(of)).toMatchObject({ grantPolicyId: byManager, maxGrantDuration: null })
  })

  test('is none where a condition fails: the request is refused and says why, and no later rule is tried', async () => {
    const of = await fresh()
    const id = await rule(of.appId, { displayName: 'Broken', condition: 'int(entitlement.displayName) > 1' })
    await rule(of.appId, { settings: { requestPolicyId: automatic } })
    const reply = await ask(of)
    expect(outcomeOf(reply)).toBe('400 ROUTING_CONDITION_FAILED')
    expect(reply.text).toContain('routing rule 1 (Broken)')
    expect(reply.text).toContain(id)
    expect(outcomeOf(await scene.get(`/api/v1/apps/${of.appId}/entitlements/${of.id}/request_terms`))).toBe(
      '400 ROUTING_CONDITION_FAILED',
    )
    expect(await scene.holds(of, asker.userId)).toEqual([])
    // Access can still be removed: rules have no say in that.
    const account = await scene.account(of.appId, { userId: asker.userId })
    await scene.grant(of, account, { source: 'manual', grantedBy: scene.admin.userId })
    scene.task(await scene.post('/api/v1/task/revoke', target(of), asker))
    expect(await scene.holds(of, asker.userId)).toEqual([])
    ok(await scene.post(`${rules(of.appId)}/${id}`, { displayName: 'Mended', enabled: false }))
    ok(await ask(of))
  })

  test('does not change after a task began; reset selects it again by the current rules', async () => {
    const of = await fresh()
    const id = await rule(of.appId, { settings: { requestPolicyId: byOwners } })
    const asked = scene.task(await ask(of))
    ok(
      await scene.post(`${rules(of.appId)}/${id}`, {
        displayName: 'Now',
        enabled: true,
        settings: { requestPolicyId: automatic },
      }),
    )
    expect((await scene.look(asked.id)).state).toBe('TASK_STATE_OPEN')
    const reset = scene.task(await scene.act(asked.id, 'reset', {}, scene.admin))
    expect(reset.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect((await audits(asked.id)).filter((each) => each['requestDefaultsApplied'])).toHaveLength(2)
  })
})

describe('a duration', () => {
  test('is limited by the rule, when asked for and when changed', async () => {
    const of = await fresh()
    await rule(of.appId, { settings: { requestPolicyId: byOwners, maxGrantDuration: '3600s' } })
    const reply = await ask(of, { grantDuration: '3601s' })
    expect(reply.json['message']).toBe('grant duration must be less than or equal to max provision time (1h0m0s)')
    const asked = scene.task(await ask(of, { grantDuration: '60s' }))
    const changed = await scene.act(asked.id, 'update-grant-duration', { duration: '3601s' }, scene.admin)
    expect(reasonOf(changed)).toBe('DURATION_TOO_LONG')
  })
})

describe('emergency access', () => {
  test('is what the rule says of it, and needs a policy', async () => {
    const of = await fresh()
    ok(
      await scene.post(`/api/v1/apps/${of.appId}/entitlements/${of.id}`, {
        entitlement: { grantPolicyId: byOwners, emergencyGrantEnabled: true, emergencyGrantPolicyId: automatic },
      }),
    )
    expect(await terms(of)).toMatchObject({ emergencyAvailable: true, emergencyGrantPolicyId: automatic })
    const id = await rule(of.appId, { settings: { requestPolicyId: byOwners } })
    expect(await terms(of)).toMatchObject({ emergencyAvailable: false, emergencyGrantPolicyId: '' })
    expect(reasonOf(await ask(of, { emergencyAccess: true }))).toBe('EMERGENCY_UNAVAILABLE')
    const asked = scene.task(await ask(of))
    expect(asked.actions).not.toContain('TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS')
    expect(outcomeOf(await scene.act(asked.id, 'escalate', {}, asker))).toBe('403 TASK_ACTION_NOT_ALLOWED')
    const settings = { requestPolicyId: byOwners, emergencyGrantEnabled: true, emergencyGrantPolicyId: automatic }
    ok(await scene.post(`${rules(of.appId)}/${id}`, { displayName: 'R', enabled: true, settings }))
    const escalated = scene.task(await scene.act(asked.id, 'escalate', {}, asker))
    expect(escalated.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    const withoutPolicy = { ...settings, emergencyGrantPolicyId: '' }
    ok(await scene.post(`${rules(of.appId)}/${id}`, { displayName: 'R', enabled: true, settings: withoutPolicy }))
    expect((await terms(of))['emergencyAvailable']).toBe(false)
  })
})

describe('defaults of an app', () => {
  test('are none at first, and come back as they were sent; cancelling changes nothing', async () => {
    const { appId } = await fresh()
    expect(outcomeOf(await scene.get(defaultsAt(appId)))).toBe('404 REQUEST_DEFAULTS_NOT_FOUND')
    expect(outcomeOf(await scene.post(`${defaultsAt(appId)}/cancel`, {}))).toBe('404 REQUEST_DEFAULTS_NOT_FOUND')
    const { typeId } = await scene.resource(appId)
    const wanted = {
      defaultsEnabled: true,
      requestPolicyId: byManager,
      requestSchemaId: '',
      emergencyGrantEnabled: false,
      emergencyGrantPolicyId: '',
      durationGrant: '60s',
      durationUnset: null,
      resourceTypeIds: [typeId],
      catalogIds: [],
    }
    const made = ok(await scene.post(defaultsAt(appId), wanted))
    expect(made).toEqual({ ...wanted, appId, state: 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS' })
    expect(ok(await scene.get(defaultsAt(appId)))).toEqual(made)
    expect(ok(await scene.post(`${defaultsAt(appId)}/cancel`, {}))).toEqual(made)
    const off = ok(await scene.post(defaultsAt(appId), { durationUnset: {} }))
    expect(off).toMatchObject({
      durationGrant: null,
      durationUnset: {},
      resourceTypeIds: [],
      state: 'APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_UNSPECIFIED',
    })
  })

  test('are for entitlements of their resource types, at once, and only while enabled', async () => {
    const appId = await scene.app('Ledger')
    const resource = await scene.resource(appId)
    const inside = await scene.entitlement(appId, 'Inside', { resource })
    const outside = await scene.entitlement(appId, 'Outside')
    const set = (more: object) =>
      scene.post(defaultsAt(appId), { requestPolicyId: automatic, resourceTypeIds: [resource.typeId], ...more })
    const applied = async ({ id }: Ref) => {
      const view = ok(await scene.get(`/api/v1/apps/${appId}/entitlements/${id}`))['appEntitlementView'] as Json
      return (view['appEntitlement'] as Json)['defaultValuesApplied']
    }
    ok(await set({ defaultsEnabled: false }))
    expect([(await terms(inside))['grantPolicyId'], await applied(inside)]).toEqual(['', false])
    ok(await set({ defaultsEnabled: true }))
    expect([(await terms(inside))['grantPolicyId'], await applied(inside)]).toEqual([automatic, true])
    expect([(await terms(outside))['grantPolicyId'], await applied(outside)]).toEqual(['', false])
    expect(scene.task(await ask(inside)).type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    ok(
      await scene.post(`/api/v1/apps/${appId}/entitlements/${inside.id}`, {
        entitlement: { overrideAccessRequestsDefaults: true },
      }),
    )
    expect([(await terms(inside))['grantPolicyId'], await applied(inside)]).toEqual(['', false])
  })

  test('are refused with what is wrong with them; access profiles are not set here', async () => {
    const { appId } = await fresh()
    const elsewhere = await scene.resource(await scene.app())
    const fields = async (body: object) => fieldsOf(await scene.post(defaultsAt(appId), body))
    expect(await fields({ resourceTypeIds: [elsewhere.typeId] })).toEqual(['resourceTypeIds[0]'])
    expect(await fields({ requestPolicyId: 'nosuch' })).toEqual(['requestPolicyId'])
    expect(await fields({ durationGrant: '60s', durationUnset: {} })).toEqual(['durationGrant'])
    expect(await fields({ catalogIds: ['x'] })).toEqual(['catalogIds'])
    expect(outcomeOf(await scene.post(defaultsAt('0'.repeat(27)), {}))).toBe('404 APP_NOT_FOUND')
    expect(outcomeOf(await scene.post(defaultsAt(appId), {}, scene.viewer))).toBe('403 PERMISSION_DENIED')
    expect(outcomeOf(await scene.get(defaultsAt(appId), basic))).toBe('403 PERMISSION_DENIED')
  })

  test('keep the policy that they name from being deleted', async () => {
    const { appId } = await fresh()
    const policyId = await scene.policy([{ accept: {} }])
    ok(await scene.post(defaultsAt(appId), { emergencyGrantPolicyId: policyId }))
    const reply = await scene.remove(`/api/v1/policies/${policyId}`, {})
    expect(outcomeOf(reply)).toBe('400 POLICY_IN_USE')
    expect(reply.text).toContain('the defaults of the app Ledger')
  })
})

describe('overriding', () => {
  test('takes owning the app: who owns the entitlement only does not free it from the rules of its app', async () => {
    const of = await scene.target(byOwners)
    const at = `/api/v1/apps/${of.appId}/entitlements/${of.id}`
    const [owner, appOwner] = [
      await scene.caller(['system:application-admin']),
      await scene.caller(['system:application-admin']),
    ]
    ok(await scene.post(`${at}/owners`, { userId: owner.userId }))
    ok(await scene.post(`/api/v1/apps/${of.appId}/owners/${appOwner.userId}`, {}))
    ok(await scene.post(at, { entitlement: { description: 'mine' } }, owner))
    for (const body of [
      { entitlement: { overrideAccessRequestsDefaults: true } },
      { entitlement: {}, overrideAccessRequestsDefaults: true },
    ])
      expect(outcomeOf(await scene.post(at, body, owner))).toBe('403 PERMISSION_DENIED')
    ok(await scene.post(rules(of.appId), { displayName: 'By the owner of the app' }, appOwner))
    // Who owns a part of an app only is not told of its rules.
    expect(outcomeOf(await scene.post(rules(of.appId), { displayName: 'By the other' }, owner))).toBe(
      '404 APP_NOT_FOUND',
    )
    ok(await scene.post(at, { entitlement: { overrideAccessRequestsDefaults: true } }, appOwner))
  })
})

describe('a justification', () => {
  const settings = '/api/v1/settings/request'
  const skip = (skipJustification: boolean) => scene.post(settings, { requestSettings: { skipJustification } })
  test('is needed once the settings say so, unless the form hides the question', async () => {
    expect(ok(await scene.get(settings))).toEqual({ requestSettings: { skipJustification: true } })
    const [of, other] = [await scene.target(byOwners), await scene.target(byOwners)]
    expect(ok(await skip(false))).toEqual({ requestSettings: { skipJustification: false } })
    try {
      for (const description of ['', ' \n']) expect(fieldsOf(await ask(of, { description }))).toEqual(['description'])
      expect(await terms(of, basic)).toMatchObject({ justificationRequired: true, grantPolicySource: null })
      expect(scene.task(await ask(of, { description: 'I need it' })).state).toBe('TASK_STATE_OPEN')
      const form = ok(
        await scene.post('/api/v1/request_schemas', {
          name: 'Hides',
          justificationVisibility: 'JUSTIFICATION_VISIBILITY_HIDE',
        }),
      )['requestSchema'] as { id: string }
      await rule(other.appId, { settings: { requestSchemaId: form.id } })
      expect(await terms(other, basic)).toMatchObject({ justificationRequired: false, requestSchema: { id: form.id } })
      ok(await ask(other))
    } finally {
      ok(await skip(true))
    }
    ok(await ask(await scene.target(byOwners)))
    expect(outcomeOf(await scene.post(settings, { requestSettings: { skipJustification: true } }, scene.viewer))).toBe(
      '403 PERMISSION_DENIED',
    )
    expect(outcomeOf(await scene.get(settings, basic))).toBe('403 PERMISSION_DENIED')
    expect(fieldsOf(await scene.post(settings, {}))).toEqual(['requestSettings'])
    expect(fieldsOf(await scene.post(settings, { requestSettings: {}, updateMask: 'other' }))).toEqual(['updateMask'])
  })
})

describe('the terms of a request', () => {
  test('are shown to who may request it, without the policies, and to nobody else', async () => {
    const [of, hidden] = [await scene.target(byOwners, { maxSeconds: 60 }), await fresh()]
    expect(await terms(of, basic)).toMatchObject({
      maxGrantDuration: '60s',
      grantPolicyId: '',
      grantPolicySource: null,
    })
    expect(await terms(of, of.owner)).toMatchObject({ maxGrantDuration: '60s' })
    const at = ({ appId, id }: Ref) => `/api/v1/apps/${appId}/entitlements/${id}/request_terms`
    const nothing = '2'.repeat(27)
    for (const ref of [hidden, { ...hidden, id: nothing }, { appId: nothing, id: nothing }])
      expect(outcomeOf(await scene.get(at(ref), basic))).toBe('404 ENTITLEMENT_NOT_FOUND')
    expect(policyOf(await ask(of))).toBe('')
  })
})
