import { beforeAll, describe, expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, outcomeOf, reasonOf } from '../fixture/access.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()
const nobody = '0'.repeat(27)
const builtIn = { grant: '0builtinGrantByAppOwners001', revoke: '0builtinRevokeAutomatic0001' }
const policyIn = (json: Json): Json & { id: string } => json['policy'] as Json & { id: string }
const create = async (body: object): Promise<Json & { id: string }> => {
  const reply = await scene.post('/api/v1/policies', { ...base, ...body })
  expect(reply.status, reply.text).toBe(200)
  return policyIn(reply.json)
}
const base = {
  displayName: 'A policy',
  policyType: 'POLICY_TYPE_GRANT',
  policySteps: { grant: { steps: [{ approval: { manager: {} } }, { provision: {} }] } },
}
const steps = (...list: object[]): object => ({ policySteps: { grant: { steps: list } } })
const named = (list: unknown): unknown[] => (list as Json[]).map(({ displayName }) => displayName)

let app: string
let group: { appId: string; id: string }
beforeAll(async () => {
  app = await scene.app('Of policies')
  group = await scene.entitlement(app, 'Approvers')
})

describe('built-in policies', () => {
  test('are there from the start, for each type one, and cannot be changed or deleted', async () => {
    const list = await scene.all('/api/v1/policies')
    const builtIns = list.filter(({ systemBuiltin }) => systemBuiltin)
    expect(builtIns).toHaveLength(9)
    expect(new Set(builtIns.map(({ policyType }) => policyType))).toEqual(
      new Set(['POLICY_TYPE_GRANT', 'POLICY_TYPE_REVOKE', 'POLICY_TYPE_CERTIFY']),
    )
    const change = { policy: { ...base, displayName: 'Mine' } }
    expect(outcomeOf(await scene.post(`/api/v1/policies/${builtIn.grant}`, change))).toBe('400/9 POLICY_BUILT_IN')
    expect(outcomeOf(await scene.remove(`/api/v1/policies/${builtIn.grant}`, {}))).toBe('400/9 POLICY_BUILT_IN')
  })

  test('are in every tenant, each with its own', async () => {
    const other = await scene.access.makeTenant('policies.example.com')
    const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, other))
    const reply = await ask(scene.server, '/api/v1/policies?page_size=100', { token, host: other.domain })
    expect((reply.json['list'] as []).length).toBe(9)
  })
})

describe('a policy', () => {
  test('comes back exactly as it was sent: false is said, what was not chosen is null', async () => {
    const wanted = {
      displayName: 'All that there is',
      description: 'Every kind of step',
      policyType: 'POLICY_TYPE_GRANT',
      annotations: { team: 'security' },
      policySteps: {
        grant: {
          steps: [
            {
              approval: {
                group: {
                  appId: group.appId,
                  appGroupId: group.id,
                  allowSelfApproval: false,
                  requireDistinctApprovers: true,
                  fallback: true,
                  fallbackUserIds: [scene.admin.userId],
                  isGroupFallbackEnabled: false,
                  fallbackGroupIds: [],
                },
                allowReassignment: true,
                requireApprovalReason: false,
                escalationEnabled: true,
                escalation: { expiration: '3600', escalationComment: 'late', skipStep: {} },
              },
            },
            { wait: { name: 'A day', duration: { duration: '86400s' } } },
            { provision: { provisionPolicy: { manual: { instructions: 'By hand', assignee: { appOwners: {} } } } } },
          ],
        },
        other: { steps: [{ reject: { rejectMessage: 'no' } }] },
      },
    }
    const made = await create(wanted)
    const read = policyIn((await scene.get(`/api/v1/policies/${made.id}`)).json)
    expect(read).toEqual(made)
    expect(read).toMatchObject(wanted)
    const [approval, wait] = (read['policySteps'] as { grant: { steps: Json[] } }).grant.steps
    expect(approval).toMatchObject({
      provision: null,
      accept: null,
      reject: null,
      wait: null,
      form: null,
      action: null,
    })
    expect(approval?.['approval']).toMatchObject({
      users: null,
      manager: null,
      agent: null,
      allowDelegation: false,
      requireDenialReason: false,
    })
    expect(wait).toMatchObject({ approval: null, wait: { condition: null, untilTime: null, timeoutDuration: null } })
    expect(read).toMatchObject({ scope: null, rules: [], postActions: [], baselinePolicyId: '', deletedAt: null })
    expect(await scene.logged('policy.v1.Policies.Create')).toContainEqual(
      expect.objectContaining({ message: 'Created the policy All that there is' }),
    )
  })

  test('is replaced by an update without a mask, as Terraform sends it; with a mask, only what it names', async () => {
    const made = await create({ description: 'before', annotations: { a: '1', b: '2' } })
    const masked = await scene.post(`/api/v1/policies/${made.id}`, {
      policy: { displayName: 'Renamed', description: 'ignored' },
      updateMask: 'displayName',
    })
    expect(policyIn(masked.json)).toMatchObject({ displayName: 'Renamed', description: 'before' })
    const replaced = await scene.post(`/api/v1/policies/${made.id}`, {
      policy: { displayName: 'Anew', ...steps({ accept: { acceptMessage: 'yes' } }), annotations: { a: '' } },
    })
    expect(policyIn(replaced.json)).toMatchObject({ displayName: 'Anew', description: '', annotations: { b: '2' } })
    // What was read can be sent back whole, and changes nothing.
    const { updatedAt: _, ...before } = policyIn((await scene.get(`/api/v1/policies/${made.id}`)).json)
    const again = await scene.post(`/api/v1/policies/${made.id}`, { policy: before })
    expect(again.status, again.text).toBe(200)
    expect(policyIn(again.json)).toMatchObject(before)
  })

  test('gives back post actions as they were sent, also one that is off, so that Terraform plans nothing', async () => {
    const certify = { policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps: [{ accept: {} }] } } }
    const { id } = await create({ ...certify, postActions: [{ certifyRemediateImmediately: true }] })
    for (const postActions of [[{ certifyRemediateImmediately: false }], [], [{ certifyRemediateImmediately: true }]]) {
      await scene.post(`/api/v1/policies/${id}`, { policy: { displayName: 'Certified', ...certify, postActions } })
      expect(policyIn((await scene.get(`/api/v1/policies/${id}`)).json)).toMatchObject({ postActions })
    }
  })

  test('has at most 16 annotations, and none that is empty', async () => {
    const many = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'v']))
    const made = await create({ annotations: { ...many(16), gone: '' } })
    expect(Object.keys(made['annotations'] as Json)).toHaveLength(16)
    const more = await scene.post(`/api/v1/policies/${made.id}`, {
      policy: { annotations: many(1, 16) },
      updateMask: 'annotations',
    })
    expect(fieldsOf(more)).toEqual(['policy.annotations'])
  })

  test('drops an escalation that is switched off', async () => {
    const escalation = { expiration: '60', cancelTicket: {} }
    const made = await create(steps({ approval: { manager: {}, escalationEnabled: false, escalation } }))
    expect(made['policySteps']).toMatchObject({ grant: { steps: [{ approval: { escalation: null } }] } })
  })

  test('keeps its type and its scope', async () => {
    const scope = { appId: app, appEntitlementId: '', slot: 'POLICY_SCOPE_SLOT_EMERGENCY' }
    const made = await create({ scope })
    expect(made['scope']).toEqual(scope)
    const update = async (policy: object) =>
      fieldsOf(
        await scene.post(`/api/v1/policies/${made.id}`, { policy: { ...base, policyType: undefined, ...policy } }),
      )
    expect(await update({ policyType: 'POLICY_TYPE_REVOKE' })).toEqual(['policy.policyType'])
    expect(await update({ scope: { ...scope, appEntitlementId: group.id } })).toEqual(['policy.scope'])
    expect(await update({ scope })).toEqual([])
  })

  test.each([
    ['no name', { displayName: ' ' }, 'displayName'],
    ['no type', { policyType: undefined }, 'policyType'],
    ['a type that is not supported', { policyType: 'POLICY_TYPE_PROVISION' }, 'policyType'],
    ['no steps', { policySteps: {} }, 'policySteps'],
    ['an empty list of steps', steps(), 'policySteps.grant.steps'],
    ['a step of no kind', steps({}), 'policySteps.grant.steps[0]'],
    ['a step of two kinds', steps({ accept: {}, reject: {} }), 'policySteps.grant.steps[0]'],
    ['an action', steps({ action: { automation: {} } }), 'policySteps.grant.steps[0].action'],
    ['an agent', steps({ approval: { agent: { instructions: 'x' } } }), 'policySteps.grant.steps[0].approval.agent'],
    [
      'a webhook without an id',
      steps({ approval: { webhook: {} } }),
      'policySteps.grant.steps[0].approval.webhook.webhookId',
    ],
    [
      'an unknown webhook',
      steps({ approval: { webhook: { webhookId: nobody } } }),
      'policySteps.grant.steps[0].approval.webhook.webhookId',
    ],
    [
      'a step-up',
      steps({ approval: { manager: {}, requiresStepUpProviderId: 'x' } }),
      'policySteps.grant.steps[0].approval.requiresStepUpProviderId',
    ],
    ['approval by nobody', steps({ approval: {} }), 'policySteps.grant.steps[0].approval'],
    ['users without ids', steps({ approval: { users: {} } }), 'policySteps.grant.steps[0].approval.users.userIds'],
    ['unknown users', steps({ approval: { users: { userIds: [nobody] } } }), 'policySteps'],
    [
      'an unknown group',
      steps({ approval: { group: { appId: nobody, appGroupId: nobody } } }),
      'policySteps.grant.steps[0].approval.group',
    ],
    ['steps after a rejection', steps({ reject: {} }, { accept: {} }), 'policySteps.grant.steps[0].reject'],
    [
      'access before its approval',
      steps({ provision: {} }, { approval: { manager: {} } }),
      'policySteps.grant.steps[0].provision',
    ],
    [
      'provisioning in no steps',
      steps({ provision: { provisionPolicy: { multiStep: { provisionSteps: [] } } } }),
      'policySteps.grant.steps[0].provision.provisionPolicy.multiStep.provisionSteps',
    ],
    [
      'provisioning by an unknown connector',
      steps({ provision: { provisionPolicy: { connector: { defaultBehavior: { connectorId: nobody } } } } }),
      'policySteps.grant.steps[0].provision.provisionPolicy.connector.defaultBehavior.connectorId',
    ],
    [
      'accounts that a connector creates',
      steps({ provision: { provisionPolicy: { connector: { account: { connectorId: nobody } } } } }),
      'policySteps.grant.steps[0].provision.provisionPolicy.connector.account',
    ],
    [
      'provisioning by unknown people',
      steps({ provision: { provisionPolicy: { manual: { userIds: [nobody] } } } }),
      'policySteps.grant.steps[0].provision.provisionPolicy.manual.userIds',
    ],
    [
      'a short wait',
      steps({ wait: { duration: { duration: '1s' } } }),
      'policySteps.grant.steps[0].wait.duration.duration',
    ],
    [
      'a wait until no time',
      steps({ wait: { untilTime: { hours: 25, timezone: 'Europe/Berlin' } } }),
      'policySteps.grant.steps[0].wait.untilTime.hours',
    ],
    [
      'an escalation to nothing',
      steps({ approval: { manager: {}, escalationEnabled: true } }),
      'policySteps.grant.steps[0].approval.escalation',
    ],
    ['post actions of a grant', { postActions: [{ certifyRemediateImmediately: true }] }, 'postActions'],
    ['two baselines', { baselinePolicyId: builtIn.grant }, 'baselinePolicyId'],
    ['a rule that leads nowhere', { rules: [{ condition: 'true' }] }, 'rules[0]'],
    ['a rule to no list', { rules: [{ condition: 'true', stepKey: 'none' }] }, 'rules[0].stepKey'],
    ['a scope of nothing', { scope: { appId: nobody, slot: 'POLICY_SCOPE_SLOT_EMERGENCY' } }, 'scope'],
    ['a scope without a slot', { scope: { appId: nobody } }, 'scope.slot'],
  ])('with %s is refused, by its field', async (_, body, field) => {
    const reply = await scene.post('/api/v1/policies', { ...base, ...body })
    expect([reply.status, fieldsOf(reply)], reply.text).toEqual([400, expect.arrayContaining([field])])
  })

  test('refers to others of its type only, never to itself over others, and not more than five deep', async () => {
    const byBaseline = (id: string) => ({ policySteps: {}, baselinePolicyId: id })
    const refused = async (body: object) => reasonOf(await scene.post('/api/v1/policies', { ...base, ...body }))
    expect(await refused(byBaseline(nobody))).toBe('INPUT_INVALID')
    expect(await refused(byBaseline(builtIn.revoke))).toBe('INPUT_INVALID')
    const first = await create({})
    let last = first
    for (let depth = 1; depth <= 5; depth++) last = await create(byBaseline(last.id))
    expect(await refused(byBaseline(last.id))).toBe('INPUT_INVALID')
    const policy = { displayName: 'Round', policySteps: {}, baselinePolicyId: last.id }
    expect(reasonOf(await scene.post(`/api/v1/policies/${first.id}`, { policy }))).toBe('INPUT_INVALID')
  })

  test('that entitlements use is deleted by who may change them all, and their requests go by the policy of the app', async () => {
    const used = await create({})
    const other = await create({})
    const target = await scene.entitlement(app, 'Decided')
    const at = `/api/v1/apps/${app}/entitlements/${target.id}`
    const names = { grantPolicyId: used.id, emergencyGrantPolicyId: other.id, emergencyGrantEnabled: true }
    expect((await scene.post(at, { entitlement: names })).status).toBe(200)
    const requests = await scene.access.makeCaller(['system:request-admin'])
    const token = await getToken(scene.server, requests)
    const gone = { method: 'DELETE', body: {}, token }
    const refused = await ask(scene.server, `/api/v1/policies/${used.id}`, gone)
    expect(outcomeOf(refused)).toBe('400/9 POLICY_IN_USE')
    expect(refused.json['message']).toContain(`the entitlement Decided (${target.id})`)
    expect((await scene.remove(`/api/v1/policies/${used.id}`, {})).status).toBe(200)
    const view = (await scene.get(at)).json['appEntitlementView'] as { appEntitlement: Json }
    expect(view.appEntitlement).toMatchObject({ ...names, grantPolicyId: '' })
    const events = await scene.logged('policy.v1.Policies.Delete')
    expect(events.flatMap(({ resources }) => resources).map(({ uid }) => uid)).toEqual(
      expect.arrayContaining([target.id, used.id]),
    )
    for (let n = 0; n < 100; n++) await scene.entitlement(app, `One of many ${n}`)
    await scene.access.world.db`
      update entitlements set grant_policy_id = ${other.id}
      where tenant_id = ${scene.access.tenant.id} and app_id = ${app} and display_name like 'One of many %'`
    expect(reasonOf(await scene.remove(`/api/v1/policies/${other.id}`, {}))).toBe('POLICY_IN_USE')
    await scene.access.world.db`
      update entitlements set deleted_at = now()
      where tenant_id = ${scene.access.tenant.id} and app_id = ${app} and display_name like 'One of many %'`
  })

  test('says of a provision step whether it is assigned as it was told', async () => {
    const list = [{ provision: { assigned: true } }, { provision: {} }]
    const made = (await create(steps(...list)))['policySteps'] as { grant: { steps: Json[] } }
    expect(made.grant.steps).toMatchObject([{ provision: { assigned: true } }, { provision: { assigned: false } }])
  })

  test('that is used stays, and the refusal names what uses it; then it can be deleted, and is gone', async () => {
    const used = await create({ displayName: 'Used' })
    const user = await create({ displayName: 'User', policySteps: {}, baselinePolicyId: used.id })
    const reply = await scene.remove(`/api/v1/policies/${used.id}`, {})
    expect(outcomeOf(reply)).toBe('400/9 POLICY_IN_USE')
    expect(reply.json['message']).toContain(`the policy User (${user.id})`)
    await scene.remove(`/api/v1/policies/${user.id}`, {})
    const naming = await scene.app('Names a policy')
    await scene.post(`/api/v1/apps/${naming}`, { app: { grantPolicyId: used.id } })
    expect(reasonOf(await scene.remove(`/api/v1/policies/${used.id}`, {}))).toBe('POLICY_IN_USE')
    await scene.post(`/api/v1/apps/${naming}`, { app: { grantPolicyId: '' } })
    expect((await scene.remove(`/api/v1/policies/${used.id}`, {})).status).toBe(200)
    expect(outcomeOf(await scene.get(`/api/v1/policies/${used.id}`))).toBe('404/5 POLICY_NOT_FOUND')
    expect(outcomeOf(await scene.remove(`/api/v1/policies/${used.id}`, {}))).toBe('404/5 POLICY_NOT_FOUND')
    const search = { refs: [{ id: used.id }] }
    expect((await scene.post('/api/v1/search/policies', search)).json['list']).toEqual([])
    const deleted = await scene.post('/api/v1/search/policies', { ...search, includeDeleted: true })
    expect((deleted.json['list'] as Json[])[0]?.['deletedAt']).not.toBeNull()
  })

  test('goes at the same moment as the entitlement that uses it', async () => {
    const app = `/api/v1/apps/${await scene.app('Destroyed')}/entitlements`
    for (let round = 0; round < 10; round++) {
      const { id } = await create({})
      const made = await scene.post(app, { displayName: `Entitlement ${round}`, grantPolicyId: id })
      const { appEntitlement } = made.json['appEntitlementView'] as { appEntitlement: { id: string } }
      const gone = await Promise.all([
        scene.remove(`${app}/${appEntitlement.id}`, {}),
        scene.remove(`/api/v1/policies/${id}`, {}),
      ])
      expect(gone.map(outcomeOf)).toEqual(['200', '200'])
    }
  })
})

test('a search finds those of exactly the name first, page by page, and by type', async () => {
  const others = Array.from({ length: 10 }, (_, n) => `Zebra crossing ${n}`)
  for (const displayName of [...others, 'Zebra']) await create({ displayName })
  const body = { displayName: 'Zebra', pageSize: 10 }
  const first = (await scene.post('/api/v1/search/policies', body)).json
  expect(named(first['list'])).toEqual(['Zebra', ...others.slice(0, 9)])
  const second = (await scene.post('/api/v1/search/policies', { ...body, pageToken: first['nextPageToken'] })).json
  expect(named(second['list'])).toEqual(others.slice(9))
  const found = await scene.post('/api/v1/search/policies', { policyTypes: ['POLICY_TYPE_CERTIFY'] })
  expect(new Set((found.json['list'] as Json[]).map(({ policyType }) => policyType))).toEqual(
    new Set(['POLICY_TYPE_CERTIFY']),
  )
})

test('a read-only administrator sees policies, a basic user does not, and neither changes them', async () => {
  const made = await create({})
  expect((await scene.get(`/api/v1/policies/${made.id}`, scene.viewer)).status).toBe(200)
  expect((await scene.post('/api/v1/search/policies', {}, scene.viewer)).status).toBe(200)
  for (const by of [scene.viewer, scene.basic]) {
    expect((await scene.post('/api/v1/policies', base, by)).status).toBe(403)
    expect((await scene.post(`/api/v1/policies/${made.id}`, { policy: base }, by)).status).toBe(403)
    expect((await scene.remove(`/api/v1/policies/${made.id}`, {}, by)).status).toBe(403)
  }
  for (const path of ['/api/v1/policies', `/api/v1/policies/${made.id}`])
    expect((await scene.get(path, scene.basic)).status).toBe(403)
})

test("another tenant's policies cannot be seen, named, changed or deleted", async () => {
  const made = await create({})
  const other = await scene.access.makeTenant('elsewhere.example.com')
  const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, other))
  const there = { token, host: other.domain }
  const path = `/api/v1/policies/${made.id}`
  for (const asking of [{ method: 'GET' }, { method: 'POST', body: { policy: base } }, { method: 'DELETE', body: {} }])
    expect(outcomeOf(await ask(scene.server, path, { ...asking, ...there }))).toBe('404/5 POLICY_NOT_FOUND')
  const body = { displayName: 'Theirs', grantPolicyId: made.id }
  expect(fieldsOf(await ask(scene.server, '/api/v1/apps', { body, ...there }))).toEqual(['grantPolicyId'])
})
