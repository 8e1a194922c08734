import { beforeAll, describe, expect, test } from 'vitest'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { routes } from '#server/registry/routes.ts'
import { type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { automatic, byManager, byOwners, prepareTasks, target } from '../tasks/scene.ts'
import { type Caller, prepare, type Ref } from './support.ts'

/**
 * What someone may not grant they may not give in any other way either (decision 0125). Every operation that changes something
 * and that others than Super Administrators may call is in one of the two tables below: with an attack, which is refused, or
 * with the reason why it gives nobody anything.
 */
const scene = prepareTasks(prepare())
const refused = '403/7 GRANT_BEYOND_REACH'
const denied = '403/7 TASK_ACTION_NOT_ALLOWED'

let owner: Caller
let requests: Caller
let friend: Caller
beforeAll(async () => {
  owner = await scene.caller(['system:application-admin', 'system:user'])
  requests = await scene.caller(['system:request-admin', 'system:user'])
  friend = await scene.caller(['system:user'], owner.userId)
})

const at = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`
const owned = ({ appId, id }: Ref): string => `apps/${appId}/entitlements/${id}`
const rules = ({ appId }: Ref): string => `/api/v1/apps/${appId}/entitlement_configuration_rules`
const defaults = ({ appId }: Ref): string => `/api/v1/apps/${appId}/access_request_defaults`
const idIn = (reply: Reply, ...path: string[]): string => {
  expect(reply.status, reply.text).toBe(200)
  return path.reduce<unknown>((json, name) => (json as Json)[name], reply.json) as string
}
const by = async (caller: Caller, method: string, path: string, body: object = {}): Promise<string> =>
  outcomeOf(await scene.send(method, path, body, caller))

/** An entitlement of an app of the owner, whose holders own another app, which is not the owner's. */
async function powerful(policyId = byOwners): Promise<Ref> {
  const entitlement = await scene.entitlement(await scene.app('Theirs'))
  await scene.set(`apps/${entitlement.appId}`, 'primary', { users: [owner.userId] })
  await scene.set(owned(entitlement), 'primary', { users: [owner.userId] })
  await scene.set(`apps/${await scene.app('Beyond')}`, 'primary', { entitlements: [entitlement] })
  const change = { entitlement: { grantPolicyId: policyId }, updateMask: 'grantPolicyId' }
  expect((await scene.post(at(entitlement), change)).status).toBe(200)
  return entitlement
}

const route = async (ref: Ref, settings: object = { requestPolicyId: automatic }): Promise<string> =>
  idIn(await scene.post(rules(ref), { displayName: 'A rule', enabled: true, settings }), 'routingRule', 'id')
const asked = async (ref: Ref, caller = friend): Promise<{ id: string; policyStepId: string }> => {
  await scene.offer(ref)
  const task = scene.task(await scene.post('/api/v1/task/grant', target(ref, { description: 'x' }), caller))
  return { id: task.id, policyStepId: task.policy.current?.id ?? '' }
}
const profile = async (refs: readonly Ref[], more: object = {}): Promise<string> => {
  const made = await scene.post('/api/v1/catalogs', { displayName: 'A profile', published: true, ...more })
  const id = idIn(made, 'requestCatalogView', 'requestCatalog', 'id')
  await scene.post(`/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: refs })
  return id
}
const form = async (): Promise<string> =>
  idIn(await scene.post('/api/v1/request_schemas', { name: 'Why', fields: [] }), 'requestSchema', 'id')
const bindForm = async (ref: Ref, requestSchemaId: string, caller?: Caller) =>
  scene.send('POST', '/api/v1/request_schema_entitlement_binding', { entitlementRef: ref, requestSchemaId }, caller)
const byRule = { automation: { cel: { expression: 'subject.department == "Nowhere"' } } }
const ruled = async (ref: Ref): Promise<void> => {
  expect((await scene.post(`${at(ref)}/automation/create`, byRule)).status).toBe(200)
}
const limitedGrant = async (ref: Ref): Promise<string> => {
  const account = await scene.account(ref.appId, { userId: friend.userId })
  await scene.grant(ref, account, { expiresAt: new Date(Date.now() + 3_600_000) })
  return `${at(ref)}/users/${account.id}`
}
const connector = async ({ appId }: Ref): Promise<string> => {
  const made = await scene.post(`/api/v1/apps/${appId}/connectors`, { displayName: 'C', catalogId: 'baton-ldap' })
  return `/api/v1/apps/${appId}/connectors/${idIn(made, 'connectorView', 'connector', 'id')}`
}
const elsewhere = {
  '@type': 'type.googleapis.com/c1.api.app.v1.EnvConfig',
  configuration: { url: 'ldaps://mine.example.com' },
}
const changed = (entitlement: object) => async (ref: Ref) => [
  await by(owner, 'POST', at(ref), { entitlement, updateMask: Object.keys(entitlement).join(',') }),
]
const profiles = 'requestcatalog.v1.RequestCatalogManagementService'
const routing = 'app.v1.AppEntitlementRoutingRuleService'
const bundleRule = { ...byRule.automation, enabled: true }
const bypass = {
  requestBundle: true,
  enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
}

/** How each operation would give it. All that an attack answers is a refusal. */
const attacks: Record<string, (ref: Ref) => Promise<string[]>> = {
  'app.v1.Apps.Update': async () => {
    const ref = await powerful('')
    const to = (app: object) =>
      by(owner, 'POST', `/api/v1/apps/${ref.appId}`, { app, updateMask: Object.keys(app).join(',') })
    return [
      await to({ grantPolicyId: automatic }),
      await to({ identityMatching: 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME' }),
    ]
  },
  'app.v1.AppEntitlements.Update': async (ref) => [
    ...(await changed({ grantPolicyId: automatic })(ref)),
    ...(await changed({ emergencyGrantEnabled: true, emergencyGrantPolicyId: automatic })(ref)),
    ...(await changed({ durationGrant: '86400s' })(ref)),
    ...(await changed({ durationUnset: {} })(ref)),
    ...(await changed({ overrideAccessRequestsDefaults: true })(ref)),
    ...(await changed({ provisionerPolicy: { manual: { instructions: 'x', userIds: [owner.userId] } } })(ref)),
  ],
  'app.v1.AppAccessRequestsDefaultsService.CreateAppAccessRequestsDefaults': async () => {
    const ref = await powerful('')
    const emergency = { emergencyGrantEnabled: true, emergencyGrantPolicyId: automatic }
    const wanted = [{ requestPolicyId: automatic }, emergency, { durationGrant: '3600s' }]
    const outcomes: string[] = []
    for (const caller of [owner, requests])
      for (const each of wanted)
        outcomes.push(await by(caller, 'POST', defaults(ref), { defaultsEnabled: true, ...each }))
    return outcomes
  },
  [`${routing}.CreateAppEntitlementRoutingRule`]: async (ref) => {
    const rule = { displayName: 'Mine', enabled: true, settings: { requestPolicyId: automatic } }
    return [await by(owner, 'POST', rules(ref), rule), await by(requests, 'POST', rules(ref), rule)]
  },
  [`${routing}.UpdateAppEntitlementRoutingRule`]: async (ref) => {
    const id = await route(ref, { requestPolicyId: byManager })
    const rule = { displayName: 'Mine', enabled: true, settings: { requestPolicyId: automatic } }
    return [await by(owner, 'POST', `${rules(ref)}/${id}`, rule)]
  },
  [`${routing}.DeleteAppEntitlementRoutingRule`]: async () => {
    const ref = await powerful(automatic)
    return [await by(owner, 'DELETE', `${rules(ref)}/${await route(ref, { requestPolicyId: byManager })}`)]
  },
  [`${routing}.ReorderAppEntitlementRoutingRules`]: async (ref) => {
    const [second, first] = [await route(ref, { requestPolicyId: byManager }), await route(ref)]
    return [await by(owner, 'POST', `${rules(ref)}/reorder`, { ruleIds: [first, second] })]
  },
  'app.v1.ConnectorService.Update': async (ref) => [
    await by(owner, 'POST', await connector(ref), { connector: { config: elsewhere }, updateMask: 'config' }),
  ],
  'app.v1.ConnectorService.UpdateDelegated': async (ref) => [
    await by(owner, 'POST', `${await connector(ref)}/delegated`, {
      connector: { config: elsewhere },
      updateMask: 'config',
    }),
  ],
  'app.v1.AppEntitlements.AddManuallyManagedMembers': async (ref) => [
    await by(owner, 'POST', `${at(ref)}/add-manual-user`, { userIds: [friend.userId] }),
  ],
  'app.v1.AppEntitlementUserBindingService.RemoveGrantDuration': async (ref) => [
    await by(owner, 'POST', `${await limitedGrant(ref)}/remove-grant-duration`),
  ],
  'app.v1.AppEntitlementUserBindingService.UpdateGrantDuration': async (ref) => [
    await by(owner, 'POST', `${await limitedGrant(ref)}/update-grant-duration`, {
      newDeprovisionAt: new Date(Date.now() + 864_000_000).toISOString(),
    }),
  ],
  'app.v1.AppEntitlementsProxy.Create': async (ref) => {
    const source = await scene.entitlement(ref.appId)
    return [await by(owner, 'POST', `/api/v1/apps/${ref.appId}/${source.id}/bindings/${ref.appId}/${ref.id}`)]
  },
  'app.v1.AppEntitlements.CreateAutomation': async (ref) => [
    await by(owner, 'POST', `${at(ref)}/automation/create`, byRule),
  ],
  'app.v1.AppEntitlements.UpdateAutomation': async (ref) => {
    await ruled(ref)
    return [await by(owner, 'POST', `${at(ref)}/automation/update`, { cel: { expression: 'true' }, updateMask: 'cel' })]
  },
  'app.v1.AppEntitlements.RemoveAutomationExclusion': async (ref) => [
    await by(owner, 'DELETE', `${at(ref)}/automation/exclusions`, { userIds: [friend.userId] }),
  ],
  'app.v1.AppEntitlements.ApplyAutomationPlan': async (ref) => {
    const { json } = await scene.post(`${at(ref)}/automation/plan`, byRule, owner)
    return [await by(owner, 'POST', `${at(ref)}/automation/apply`, { fingerprint: json['fingerprint'], ...byRule })]
  },
  'app.v1.AppEntitlements.RunAutomation': async (ref) => {
    await ruled(ref)
    return [await by(owner, 'POST', `${at(ref)}/automation/runs`)]
  },
  'app.v1.AppEntitlements.RestoreAutomationVersion': async (ref) => {
    await ruled(ref)
    return [await by(owner, 'POST', `${at(ref)}/automation/versions/1/restore`)]
  },
  'policy.v1.Policies.Update': async () => {
    const approval = { approval: { manager: {} } }
    const [direct, inner] = [await scene.policy([approval]), await scene.policy([approval])]
    const outer = idIn(
      await scene.post('/api/v1/policies', {
        displayName: 'Outer',
        policyType: 'POLICY_TYPE_GRANT',
        baselinePolicyId: inner,
      }),
      'policy',
      'id',
    )
    await powerful(direct)
    await route(await powerful(), { requestPolicyId: outer })
    const policy = { policySteps: { grant: { steps: [{ accept: {} }] } } }
    const to = (id: string) => by(requests, 'POST', `/api/v1/policies/${id}`, { policy, updateMask: 'policySteps' })
    return [await to(direct), await to(inner)]
  },
  'request_schema.v1.RequestSchemaService.CreateEntitlementBinding': async (ref) => [
    outcomeOf(await bindForm(ref, await form(), requests)),
  ],
  'request_schema.v1.RequestSchemaService.RemoveEntitlementBinding': async (ref) => {
    const requestSchemaId = await form()
    expect((await bindForm(ref, requestSchemaId)).status).toBe(200)
    const path = '/api/v1/request_schema_entitlement_binding'
    return [await by(requests, 'DELETE', path, { entitlementRef: ref, requestSchemaId })]
  },
  'request_schema.v1.RequestSchemaService.Update': async (ref) => {
    const id = await form()
    await bindForm(ref, id)
    const requestSchema = { justificationVisibility: 'JUSTIFICATION_VISIBILITY_HIDE' }
    const body = { requestSchema, updateMask: 'justificationVisibility' }
    return [await by(requests, 'POST', `/api/v1/request_schemas/${id}`, body)]
  },
  [`${profiles}.Update`]: async (ref) => {
    const path = `/api/v1/catalogs/${await profile([ref])}`
    const to = (catalog: object) => by(requests, 'POST', path, { catalog, updateMask: Object.keys(catalog).join(',') })
    const seenBy = await scene.entitlement(ref.appId)
    return [
      await to({ visibleToEveryone: true }),
      await to({ requestBundle: true }),
      await to({ accessEntitlements: [seenBy] }),
    ]
  },
  [`${profiles}.AddAccessEntitlements`]: async (ref) => [
    await by(requests, 'POST', `/api/v1/catalogs/${await profile([ref])}/visibility_bindings`, {
      accessEntitlements: [await scene.entitlement(ref.appId)],
    }),
  ],
  [`${profiles}.AddAppEntitlements`]: async (ref) => [
    await by(requests, 'POST', `/api/v1/catalogs/${await profile([])}/requestable_entries`, { appEntitlements: [ref] }),
  ],
  [`${profiles}.UpdateAppEntitlements`]: async (ref) => [
    await by(requests, 'POST', `/api/v1/catalogs/${await profile([])}/requestable_entitlements/update`, {
      appEntitlements: [ref],
    }),
  ],
  [`${profiles}.CreateRequestableEntry`]: async (ref) => [
    await by(requests, 'PUT', `/api/v1/catalogs/${await profile([])}/requestable_entries/${ref.appId}/${ref.id}`),
  ],
  [`${profiles}.SetBundleAutomation`]: async (ref) => {
    const to = async (id: Promise<string>) =>
      by(requests, 'POST', `/api/v1/catalogs/${await id}/bundle_automation`, bundleRule)
    return [await to(profile([ref], bypass)), await to(profile([await powerful(automatic)]))]
  },
  [`${profiles}.CreateBundleAutomation`]: async (ref) => [
    await by(requests, 'POST', `/api/v1/catalogs/${await profile([ref], bypass)}/bundle_automation/create`, bundleRule),
  ],
  [`${profiles}.ForceRunBundleAutomation`]: async (ref) => {
    const path = `/api/v1/catalogs/${await profile([ref], bypass)}/bundle_automation`
    expect((await scene.post(path, bundleRule)).status).toBe(200)
    return [await by(requests, 'POST', `${path}/run`)]
  },
  'task.v1.TaskService.CreateGrantTask': async () => {
    const ref = await powerful(automatic)
    const wanted = target(ref, { description: 'x', identityUserId: friend.userId })
    const outcome = await by(requests, 'POST', '/api/v1/task/grant', wanted)
    expect(outcome).toBe('403/7 NOT_REQUESTABLE')
    expect(await scene.holds(ref, friend.userId)).toEqual([])
    return [refused]
  },
  'task.v1.TaskActionsService.Approve': async (ref) => {
    const { id, policyStepId } = await asked(ref)
    const { stepApproverIds } = await scene.look(id)
    expect(stepApproverIds).not.toContain(owner.userId)
    expect(stepApproverIds).toContain(scene.admin.userId)
    expect(await by(owner, 'POST', `/api/v1/tasks/${id}/action/approve`, { policyStepId })).toBe(denied)
    return [refused]
  },
  'task.v1.TaskActionsService.Reassign': async (ref) => {
    const { id, policyStepId } = await asked(ref)
    const body = { policyStepId, newStepUserIds: [requests.userId], comment: 'x' }
    expect(await by(owner, 'POST', `/api/v1/tasks/${id}/action/reassign`, body)).toBe(denied)
    return [await by(requests, 'POST', `/api/v1/tasks/${id}/action/reassign`, body)]
  },
  'task.v1.TaskActionsService.SkipStep': async (ref) => {
    const { id, policyStepId } = await asked(ref)
    return [await by(requests, 'POST', `/api/v1/tasks/${id}/action/skip-step`, { policyStepId, comment: 'x' })]
  },
  'bailiwick.v1.TaskActions.Undo': async (ref) => {
    const { account, userId } = await scene.holder(ref)
    expect(account.appId).toBe(ref.appId)
    const revoke = { entitlement: { revokePolicyId: '0builtinRevokeByOwners00001' }, updateMask: 'revokePolicyId' }
    const set = await scene.post(at(ref), revoke)
    expect(set.status, set.text).toBe(200)
    const body = target(ref, { identityUserId: userId, description: 'x' })
    const task = scene.task(await scene.post('/api/v1/task/revoke', body, scene.admin))
    const policyStepId = task.policy.current?.id ?? ''
    expect(await by(owner, 'POST', `/api/v1/tasks/${task.id}/action/approve`, { policyStepId })).toBe('200')
    return [await by(owner, 'POST', `/api/v1/tasks/${task.id}/action/undo`, { policyStepId, comment: 'x' })]
  },
}

const takes = 'takes access away, or keeps it from being given'
const asks = 'asks for a decision, which others make by the policy that there is'
const says = 'reports or repeats what was approved'
const whole = 'is not used by anything yet, or must not be'
const syncs = 'changes when records are read, not what they say'
const describes = 'describes an app; no policy and no request depends on it'

/** Why each of the others gives nothing that the caller could not grant. */
const harmless: Record<string, string> = {
  'app.v1.AppUsageControlsService.Update': takes,
  'app.v1.AppResourceTypeService.CreateManuallyManagedResourceType': describes,
  'app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType': describes,
  'app.v1.AppResourceTypeService.DeleteManuallyManagedResourceType': describes,
  'app.v1.AppResourceService.CreateManuallyManagedAppResource': describes,
  'app.v1.AppResourceService.Update': describes,
  'app.v1.AppResourceService.DeleteManuallyManagedAppResource': describes,
  'app.v1.AppEntitlements.Create': 'is refused where a new entitlement leads to more: see below',
  'app.v1.AppEntitlements.Delete': takes,
  'app.v1.AppEntitlementsProxy.Delete': takes,
  'app.v1.AppUserService.Update': 'an account holds the same whatever its type and status',
  'app.v1.AppEntitlements.RemoveEntitlementMembership': takes,
  'request_schema.v1.RequestSchemaService.Create': whole,
  'request_schema.v1.RequestSchemaService.Delete': whole,
  'policy.v1.Policies.Create': whole,
  'policy.v1.Policies.Delete':
    'of one that entitlements use, as each of them is changed, and only by who may change all',
  'bailiwick.v1.PolicyPlans.Plan': 'changes nothing',
  'bailiwick.v1.RequestPlans.Plan': 'changes nothing',
  'app.v1.AppAccessRequestsDefaultsService.CancelAppAccessRequestsDefaults': 'changes nothing',
  'settings.v1.RequestSettingsService.Update': 'says whether requests need a reason; who decides them is the same',
  [`${profiles}.Create`]: whole,
  [`${profiles}.Delete`]: takes,
  [`${profiles}.RemoveAccessEntitlements`]: takes,
  [`${profiles}.RemoveAppEntitlements`]: takes,
  [`${profiles}.DeleteRequestableEntry`]: takes,
  [`${profiles}.DeleteBundleAutomation`]: takes,
  [`${profiles}.ResumePausedBundleAutomation`]:
    'runs as ForceRunBundleAutomation does, and is refused by the same action',
  'task.v1.TaskService.CreateRevokeTask': takes,
  'task.v1.TaskService.CreateOffboardingTask': takes,
  'task.v1.TaskActionsService.Deny': takes,
  'task.v1.TaskActionsService.Comment': asks,
  'task.v1.TaskActionsService.Close': takes,
  'task.v1.TaskActionsService.Restart': asks,
  'task.v1.TaskActionsService.HardReset': asks,
  'task.v1.TaskActionsService.EscalateToEmergencyAccess': asks,
  'task.v1.TaskActionsService.ProcessNow': asks,
  'task.v1.TaskActionsService.UpdateGrantDuration': asks,
  'task.v1.TaskActionsService.UpdateRequestData': asks,
  'task.v1.TaskActionsService.RetryProvisioning': says,
  'bailiwick.v1.TaskActions.ProvisionComplete': says,
  'bailiwick.v1.TaskActions.ProvisionErrored': takes,
  'bailiwick.v1.TaskActions.ProvisionCancelled': takes,
  'app.v1.ConnectorService.ForceSync': syncs,
  'app.v1.ConnectorService.PauseSync': syncs,
  'app.v1.ConnectorService.ResumeSync': syncs,
  'app.v1.ConnectorService.UpdateConnectorSchedule': syncs,
  'app.v1.ConnectorService.ConfirmSyncValid': takes,
  'connector.v1.ScimConnectorService.TestConnection': 'changes nothing',
  'bailiwick.v1.Enforcement.SetApp':
    'says who is asked to change the app once a request is approved; who decides it is the same',
  'bailiwick.v1.ProvisioningTasks.Retry': says,
  'bailiwick.v1.ProvisioningTasks.Cancel': takes,
  'app.v1.AppEntitlements.DeleteAutomation': takes,
  'app.v1.AppEntitlements.AddAutomationExclusion': takes,
  'app.v1.AppEntitlements.SetAutomationBreaker': 'needs automations.write everywhere to be switched off',
  'app.v1.AppEntitlements.UndoAutomationRun': 'is refused where it gives back: tests/automation',
  'app.v1.AppEntitlements.ReleaseAutomationRun':
    'needs automations.write everywhere for gains, and is refused as a run is',
  'app.v1.AppEntitlements.CancelAutomationRun': takes,
}
/** Of these permissions, all operations. */
const harmlessPermissions: Record<string, string> = {
  'credentials.own.write': 'credentials have no more permissions than who makes them',
  'principals.write': 'credentials have no more permissions than who makes them',
  'owners.write': 'owners are chosen only by those who own what the thing lies in',
  'users.own.delegate': 'a delegate decides only what both can decide',
  'notifications.own': 'tells, and gives nothing',
  'views.own': 'shows, and gives nothing',
}

describe('every operation that changes something for others than Super Administrators', () => {
  const limited = Object.entries(builtInRoles).flatMap(([name, role]) => (name === 'system:owner' ? [] : [role]))
  const mayCall = ({ allow, allowOwners, about }: (typeof routes)[number]): boolean =>
    limited.some(
      (role) =>
        (role.permissions as readonly string[]).includes(allow) ||
        (about.length > 0 &&
          'permissionsOnOwned' in role &&
          (role.permissionsOnOwned as readonly string[]).includes(allowOwners)),
    )
  const writes = routes.filter(
    (each) => each.method !== 'GET' && !each.onlyReads && !each.allow.endsWith('.read') && mayCall(each),
  )

  test('is attacked here, or has a reason why it gives nothing', () => {
    const left = writes.filter(
      ({ id, allow }) => !(id in attacks) && !(id in harmless) && !(allow in harmlessPermissions),
    )
    expect(left.map(({ id }) => id)).toEqual([])
    const known = new Set(routes.map(({ id }) => id))
    expect([...Object.keys(attacks), ...Object.keys(harmless)].filter((id) => !known.has(id))).toEqual([])
    expect(Object.keys(attacks).filter((id) => id in harmless)).toEqual([])
  })

  test.each(Object.keys(attacks))('%s does not give what its caller may not grant', async (id) => {
    const outcomes = await attacks[id]?.(await powerful())
    expect(outcomes?.length).toBeGreaterThan(0)
    expect(outcomes).toEqual(outcomes?.map(() => refused))
  })
})

describe('by other ways to the same end', () => {
  const accept = { accept: {} }
  const give = (ref: Ref) => by(owner, 'POST', `${at(ref)}/add-manual-user`, { userIds: [friend.userId] })
  /** An entitlement that the owner may give, until it leads to one whose holders own an app that is not theirs. */
  const leading = async (how: (source: Ref, ref: Ref) => Promise<unknown>, policyId?: string): Promise<string[]> => {
    const ref = await powerful(policyId)
    await scene.set(`apps/${ref.appId}`, 'primary', { users: [] })
    const source = await scene.entitlement(await scene.app())
    await scene.set(owned(source), 'primary', { users: [owner.userId] })
    const before = await give(source)
    await how(source, ref)
    return [before, await give(source)]
  }
  const bySteps = (...steps: Json[]): Promise<string> => scene.policy(steps)

  test('an owner sets the automatic policy, requests it, and owns the other app', async () => {
    const ref = await powerful()
    await scene.offer(ref)
    await changed({ grantPolicyId: automatic })(ref)
    await scene.post('/api/v1/task/grant', target(ref, { description: 'x' }), owner)
    expect(await scene.holds(ref, owner.userId)).toEqual([])
  })

  test('an expression names the owners', async () => {
    const ref = await powerful(await bySteps({ approval: { expression: { expressions: ['appOwners'] } } }))
    const { id } = await asked(ref)
    expect((await scene.look(id)).stepApproverIds).not.toContain(owner.userId)
  })

  test('an owner names a delegate', async () => {
    const ref = await powerful()
    const stand = await scene.caller(['system:user'])
    const someone = await scene.caller(['system:user', 'system:application-admin'], stand.userId)
    await scene.set(`apps/${ref.appId}`, 'primary', { users: [someone.userId] })
    const delegated = { delegatedUserId: stand.userId, expirationAt: new Date(Date.now() + 3_600_000).toISOString() }
    const set = await scene.post('/api/v1/users/introspect/delegation', delegated, someone)
    expect(set.status, set.text).toBe(200)
    const { id } = await asked(ref)
    const { stepApproverIds } = await scene.look(id)
    expect(stepApproverIds).not.toContain(stand.userId)
    expect(stepApproverIds).toContain(scene.admin.userId)
  })

  test('an owner was assigned before it led anywhere', async () => {
    const ref = await scene.target()
    const { id, policyStepId } = await asked(ref)
    await scene.set(`apps/${await scene.app()}`, 'primary', { entitlements: [{ appId: ref.appId, id: ref.id }] })
    expect(await by(ref.owner, 'POST', `/api/v1/tasks/${id}/action/approve`, { policyStepId })).toBe(denied)
    expect(await scene.holds(ref, friend.userId)).toEqual([])
  })

  test('holders of their entitlement decide requests of it', async () => {
    const ask = async (source: Ref, ref: Ref) => {
      const steps = { approval: { group: { appId: source.appId, appGroupId: source.id } } }
      const grantPolicyId = await bySteps(steps)
      await scene.post(at(ref), { entitlement: { grantPolicyId }, updateMask: 'grantPolicyId' })
    }
    expect(await leading(ask)).toEqual(['200', refused])
  })

  test('a policy decides by who holds their entitlement, or has an account in its app', async () => {
    const reads = (condition: (source: Ref) => string) => async (source: Ref, ref: Ref) => {
      const made = await scene.post('/api/v1/policies', {
        displayName: 'By who holds what',
        policyType: 'POLICY_TYPE_GRANT',
        policySteps: { grant: { steps: [{ approval: { manager: {} } }] }, free: { steps: [accept] } },
        rules: [{ condition: condition(source), policyKey: 'free' }],
      })
      const grantPolicyId = idIn(made, 'policy', 'id')
      await scene.post(at(ref), { entitlement: { grantPolicyId }, updateMask: 'grantPolicyId' })
    }
    const holds = ({ appId, id }: Ref): string => `c1.user.v1.HasEntitlement(subject, "${appId}", "${id}")`
    expect(await leading(reads(holds))).toEqual(['200', refused])
    expect(await leading(reads(({ appId }) => `c1.user.v1.HasApp(subject, "${appId}")`))).toEqual(['200', refused])
  })

  test('someone decides in the place of one who may, or is handed the step', async () => {
    const named = await scene.caller(['system:user'], owner.userId)
    const other = await scene.caller(['system:user'])
    const delegation = {
      delegatedUserId: owner.userId,
      expirationAt: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const step = { userIds: [named.userId] }
    const policyId = await bySteps({ approval: { users: step, allowDelegation: true, allowReassignment: true } })
    const set = await scene.post('/api/v1/users/introspect/delegation', delegation, named)
    expect(set.status, set.text).toBe(200)
    const ordinary = await asked(await scene.target(policyId))
    expect((await scene.look(ordinary.id)).stepApproverIds).toEqual([owner.userId])
    const { id, policyStepId } = await asked(await powerful(policyId))
    expect((await scene.look(id)).stepApproverIds).toEqual([named.userId])
    const handOn = (to: Caller) =>
      by(named, 'POST', `/api/v1/tasks/${id}/action/reassign`, {
        policyStepId,
        newStepUserIds: [to.userId],
        comment: 'x',
      })
    expect(await handOn(other)).toBe(refused)
    expect(await handOn(owner)).toBe(refused)
    expect(await handOn(scene.admin)).toBe('200')
  })

  test('holders of their entitlement may request it, and nobody decides that', async () => {
    const show = async (source: Ref, ref: Ref) => {
      const path = `/api/v1/catalogs/${await profile([ref])}/visibility_bindings`
      expect((await scene.post(path, { accessEntitlements: [source] })).status).toBe(200)
    }
    expect(await leading(show, automatic)).toEqual(['200', refused])
    expect(await leading(show, await bySteps(accept))).toEqual(['200', refused])
    expect(await leading(show, byManager)).toEqual(['200', '200'])
  })

  test('their entitlement is given along with it', async () => {
    const along = async (source: Ref, ref: Ref) => {
      const provisionerPolicy = { delegated: { appId: ref.appId, entitlementId: ref.id } }
      const set = await scene.post(at(source), { entitlement: { provisionerPolicy }, updateMask: 'provisionerPolicy' })
      expect(set.status, set.text).toBe(200)
    }
    expect(await leading(along)).toEqual(['200', refused])
  })

  describe('something of theirs comes to bring it along', () => {
    // Only who administers entitlements everywhere has one provisioned by another.
    const notTheirs = '403/7 PERMISSION_DENIED'
    const policyBringing = (ref: Ref) =>
      bySteps(accept, {
        provision: { provisionPolicy: { delegated: { appId: ref.appId, entitlementId: ref.id } } },
      })
    const own = async (): Promise<Ref> => {
      const source = await scene.entitlement(await scene.app())
      await scene.set(`apps/${source.appId}`, 'primary', { users: [owner.userId] })
      return source
    }

    test('by its provisioner, in several steps too, or as it is created', async () => {
      const ref = await powerful()
      const delegated = { delegated: { appId: ref.appId, entitlementId: ref.id } }
      const several = { multiStep: { provisionSteps: [delegated] } }
      for (const provisionerPolicy of [delegated, several]) {
        const source = await own()
        expect(await changed({ provisionerPolicy })(source)).toEqual([notTheirs])
        const made = { displayName: 'New', grantPolicyId: automatic, provisionPolicy: provisionerPolicy }
        expect(await by(owner, 'POST', `/api/v1/apps/${source.appId}/entitlements`, made)).toBe(notTheirs)
      }
    })

    test('by a policy that there is, for it or for all of its app', async () => {
      const ref = await powerful()
      const grantPolicyId = await policyBringing(ref)
      const outer = await scene.post('/api/v1/policies', {
        displayName: 'Outer',
        policyType: 'POLICY_TYPE_GRANT',
        baselinePolicyId: grantPolicyId,
      })
      for (const id of [grantPolicyId, idIn(outer, 'policy', 'id')]) {
        const source = await own()
        expect(await changed({ grantPolicyId: id })(source)).toEqual([refused])
        const rule = { displayName: 'Mine', enabled: true, settings: { requestPolicyId: id } }
        expect(await by(owner, 'POST', rules(source), rule)).toBe(refused)
        expect(await by(requests, 'POST', rules(source), rule)).toBe(refused)
        expect(await by(owner, 'POST', `/api/v1/apps/${source.appId}`, { app: { grantPolicyId: id } })).toBe(refused)
        const wanted = { defaultsEnabled: true, requestPolicyId: id }
        expect(await by(requests, 'POST', defaults(source), wanted)).toBe(refused)
      }
    })

    test('by a policy that is changed to', async () => {
      const ref = await powerful()
      const source = await own()
      const policyId = await bySteps(accept)
      await scene.post(at(source), { entitlement: { grantPolicyId: policyId }, updateMask: 'grantPolicyId' })
      const provision = { provisionPolicy: { delegated: { appId: ref.appId, entitlementId: ref.id } } }
      const policy = { policySteps: { grant: { steps: [accept, { provision }] } } }
      const change = { policy, updateMask: 'policySteps' }
      expect(await by(requests, 'POST', `/api/v1/policies/${policyId}`, change)).toBe(notTheirs)
    })

    test('by a request that they decide', async () => {
      const ref = await powerful()
      await scene.set(`apps/${ref.appId}`, 'primary', { users: [] })
      const source = await own()
      const provision = { provisionPolicy: { delegated: { appId: ref.appId, entitlementId: ref.id } } }
      const policyId = await bySteps({ approval: { appOwners: {} } }, { provision })
      await scene.post(at(source), { entitlement: { grantPolicyId: policyId }, updateMask: 'grantPolicyId' })
      const { id, policyStepId } = await asked(source)
      expect(await by(owner, 'POST', `/api/v1/tasks/${id}/action/approve`, { policyStepId })).toBe(denied)
    })

    test('by having an account in its app', async () => {
      const ref = await powerful()
      await scene.set(`apps/${ref.appId}`, 'primary', { users: [] })
      const appId = await scene.app()
      await scene.set(`apps/${appId}`, 'primary', { users: [owner.userId] })
      const cel = { expression: `c1.user.v1.HasApp(subject, "${appId}")` }
      expect((await scene.post(`${at(ref)}/automation/create`, { automation: { cel } })).status).toBe(200)
      const made = { displayName: 'New', grantPolicyId: automatic }
      expect(await by(owner, 'POST', `/api/v1/apps/${appId}/entitlements`, made)).toBe(refused)
    })
  })

  test('several steps lead there: what holders may request, or are asked about, leads on', async () => {
    const onward = async (ref: Ref, policyId: string): Promise<Ref> => {
      const between = await scene.entitlement(await scene.app())
      await scene.post(at(between), { entitlement: { grantPolicyId: policyId }, updateMask: 'grantPolicyId' })
      const cel = { expression: `c1.user.v1.HasEntitlement(subject, "${between.appId}", "${between.id}")` }
      expect((await scene.post(`${at(ref)}/automation/create`, { automation: { cel } })).status).toBe(200)
      return between
    }
    const show = async (source: Ref, ref: Ref) => {
      const path = `/api/v1/catalogs/${await profile([await onward(ref, automatic)])}/visibility_bindings`
      expect((await scene.post(path, { accessEntitlements: [source] })).status).toBe(200)
    }
    expect(await leading(show)).toEqual(['200', refused])
    const ask = async (source: Ref, ref: Ref) => {
      await onward(ref, await bySteps({ approval: { group: { appId: source.appId, appGroupId: source.id } } }))
    }
    expect(await leading(ask)).toEqual(['200', refused])
    // Policies two deep, of which nobody decides the innermost.
    const deep = async (source: Ref, ref: Ref) => {
      const policyOf = async (baselinePolicyId: string): Promise<string> => {
        const body = { displayName: 'Outer', policyType: 'POLICY_TYPE_GRANT', baselinePolicyId }
        return idIn(await scene.post('/api/v1/policies', body), 'policy', 'id')
      }
      const outer = await policyOf(await policyOf(await bySteps(accept)))
      await scene.post(at(ref), { entitlement: { grantPolicyId: outer }, updateMask: 'grantPolicyId' })
      const path = `/api/v1/catalogs/${await profile([ref])}/visibility_bindings`
      expect((await scene.post(path, { accessEntitlements: [source] })).status).toBe(200)
    }
    expect(await leading(deep)).toEqual(['200', refused])
  })

  test('a policy decides by what the entitlement is called', async () => {
    const ref = await powerful()
    expect(await changed({ displayName: 'Another' })(ref)).toEqual(['200'])
    const condition = 'entitlement.displayName == "Harmless"'
    const rule = { displayName: 'By name', enabled: true, condition, settings: { requestPolicyId: automatic } }
    expect((await scene.post(rules(ref), rule)).status).toBe(200)
    expect(await changed({ displayName: 'Harmless' })(ref)).toEqual([refused])
  })
})

describe('what is within reach is as before', () => {
  test('an owner decides, and says how, for whatever else is in the same app', async () => {
    const ref = await powerful()
    const own = await scene.entitlement(ref.appId)
    expect(await changed({ grantPolicyId: automatic, durationGrant: '3600s' })(own)).toEqual(['200'])
    expect(await changed({ grantPolicyId: '' })(own)).toEqual(['200'])
    expect(await by(owner, 'POST', `/api/v1/apps/${ref.appId}`, { app: { grantPolicyId: byOwners } })).toBe('200')
    const { id, policyStepId } = await asked(own)
    expect(await by(owner, 'POST', `/api/v1/tasks/${id}/action/approve`, { policyStepId })).toBe('200')
    expect(await scene.holds(own, friend.userId)).toHaveLength(1)
  })

  test('an app is changed where what is beyond reach has settings of its own', async () => {
    const ref = await powerful()
    const override = { entitlement: { overrideAccessRequestsDefaults: true } }
    await scene.post(at(ref), { ...override, updateMask: 'overrideAccessRequestsDefaults' })
    const rule = { displayName: 'Mine', enabled: true, settings: { requestPolicyId: automatic } }
    expect(await by(owner, 'POST', rules(ref), rule)).toBe('200')
    expect(await by(owner, 'POST', defaults(ref), { defaultsEnabled: true, requestPolicyId: automatic })).toBe('200')
  })

  test('what is not about giving it is changed: its name, how it is revoked', async () => {
    const ref = await powerful()
    expect(await changed({ displayName: 'New', description: 'New' })(ref)).toEqual(['200'])
    expect(await changed({ revokePolicyId: '0builtinRevokeByOwners00001' })(ref)).toEqual(['200'])
  })

  test('an administrator of requests administers those of all else, also where one thing leads to another', async () => {
    const appId = await scene.app()
    const [first, second] = [await scene.entitlement(appId), await scene.entitlement(appId)]
    await scene.post(`/api/v1/apps/${appId}/${first.id}/bindings/${appId}/${second.id}`, {})
    const rule = { displayName: 'Any', enabled: true, settings: { requestPolicyId: byManager } }
    expect(await by(requests, 'POST', rules(first), rule)).toBe('200')
    const entries = `/api/v1/catalogs/${await profile([])}/requestable_entries`
    expect(await by(requests, 'POST', entries, { appEntitlements: [first] })).toBe('200')
    const policyId = await scene.policy([{ approval: { manager: {} } }])
    await scene.post(at(first), { entitlement: { grantPolicyId: policyId }, updateMask: 'grantPolicyId' })
    const policy = { policySteps: { grant: { steps: [{ accept: {} }] } } }
    expect(await by(requests, 'POST', `/api/v1/policies/${policyId}`, { policy, updateMask: 'policySteps' })).toBe(
      '200',
    )
  })

  test('whom a policy names decides, and a Super Administrator who owns the app', async () => {
    const named = await scene.caller(['system:user'])
    const users = { approval: { users: { userIds: [named.userId] } } }
    const first = await asked(await powerful(await scene.policy([users])))
    const approve = (caller: Caller, { id, policyStepId }: typeof first) =>
      by(caller, 'POST', `/api/v1/tasks/${id}/action/approve`, { policyStepId })
    expect(await approve(named, first)).toBe('200')
    const ref = await powerful()
    await scene.set(`apps/${ref.appId}`, 'primary', { users: [owner.userId, scene.admin.userId] })
    const second = await asked(ref)
    expect((await scene.look(second.id)).stepApproverIds).toEqual([scene.admin.userId])
    expect(await approve(scene.admin, second)).toBe('200')
  })
})
