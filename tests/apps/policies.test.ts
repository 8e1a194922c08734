import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { ask, fieldsOf, getToken, type Json, outcomeOf, reasonOf } from '../fixture/access.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()
const nobody = '0'.repeat(27)
const policies = {
  grantPolicyId: '0builtinGrantByManager00001',
  revokePolicyId: '0builtinRevokeAutomatic0001',
  certifyPolicyId: '0builtinCertifyByManager001',
}
const entitlementIn = (json: Json): Json => (json['appEntitlementView'] as { appEntitlement: Json })['appEntitlement']
const change = (ref: { appId: string; id: string }, body: object) =>
  scene.post(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`, body)

describe('an app or entitlement', () => {
  test('names its policies, and comes back with them', async () => {
    const app = (await scene.post('/api/v1/apps', { displayName: 'With policies', ...policies })).json['app'] as Json
    expect(app).toMatchObject(policies)
    const made = await scene.post(`/api/v1/apps/${String(app['id'])}/entitlements`, {
      displayName: 'With policies',
      ...policies,
      emergencyGrantEnabled: true,
      emergencyGrantPolicyId: policies.grantPolicyId,
      provisionPolicy: { manual: { instructions: 'By hand', assignee: { users: { userIds: [scene.admin.userId] } } } },
    })
    const entitlement = entitlementIn(made.json)
    expect(entitlement).toMatchObject({
      ...policies,
      emergencyGrantEnabled: true,
      provisionerPolicy: { manual: { instructions: 'By hand' }, delegated: null, connector: null, unconfigured: null },
      deprovisionerPolicy: null,
    })
    const read = await scene.get(`/api/v1/apps/${String(app['id'])}/entitlements/${String(entitlement['id'])}`)
    expect(entitlementIn(read.json)).toEqual(entitlement)
    const emptied = await change(
      { appId: app['id'] as string, id: entitlement['id'] as string },
      {
        entitlement: { grantPolicyId: '' },
        updateMask: 'grantPolicyId,provisionerPolicy,emergencyGrantEnabled',
      },
    )
    expect(entitlementIn(emptied.json)).toMatchObject({
      grantPolicyId: '',
      revokePolicyId: policies.revokePolicyId,
      provisionerPolicy: null,
      emergencyGrantEnabled: false,
    })
  })

  test('does not name a policy that does not exist, or is of another type', async () => {
    const app = await scene.app()
    const ref = await scene.entitlement(app)
    for (const [name, wrong] of [
      ['grantPolicyId', policies.revokePolicyId],
      ['revokePolicyId', policies.grantPolicyId],
      ['certifyPolicyId', policies.grantPolicyId],
      ['grantPolicyId', nobody],
      ['emergencyGrantPolicyId', policies.revokePolicyId],
    ] as const) {
      expect(fieldsOf(await change(ref, { entitlement: { [name]: wrong } }))).toEqual([`entitlement.${name}`])
      if (name === 'emergencyGrantPolicyId') continue
      expect(fieldsOf(await scene.post(`/api/v1/apps/${app}`, { app: { [name]: wrong } }))).toEqual([`app.${name}`])
      const body = { displayName: 'x', [name]: wrong }
      expect(fieldsOf(await scene.post('/api/v1/apps', body))).toEqual([name])
      expect(fieldsOf(await scene.post(`/api/v1/apps/${app}/entitlements`, body))).toEqual([name])
    }
  })

  test('names a policy with a scope for its own emergencies only', async () => {
    const app = await scene.app()
    const [ref, other] = [await scene.entitlement(app), await scene.entitlement(await scene.app())]
    const made = await scene.post('/api/v1/policies', {
      displayName: 'In an emergency',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { grant: { steps: [{ accept: {} }] } },
      scope: { appId: app, appEntitlementId: ref.id, slot: 'POLICY_SCOPE_SLOT_EMERGENCY' },
    })
    const { id } = made.json['policy'] as { id: string }
    expect((await change(ref, { entitlement: { emergencyGrantPolicyId: id } })).status).toBe(200)
    expect(fieldsOf(await change(ref, { entitlement: { grantPolicyId: id } }))).toEqual(['entitlement.grantPolicyId'])
    expect(fieldsOf(await change(other, { entitlement: { emergencyGrantPolicyId: id } }))).toEqual([
      'entitlement.emergencyGrantPolicyId',
    ])
  })

  test('is found by the policies that it names', async () => {
    const ref = await scene.entitlement(await scene.app())
    await change(ref, { entitlement: { certifyPolicyId: '0builtinCertifyByOwners0001' } })
    const found = await scene.post('/api/v1/search/entitlements', {
      policyRefs: [{ id: '0builtinCertifyByOwners0001' }],
    })
    expect((found.json['list'] as Json[]).map((view) => (view['appEntitlement'] as Json)['id'])).toEqual([ref.id])
    const none = await scene.post('/api/v1/search/entitlements', { policyRefs: [{ id: '' }] })
    expect(none.json['list']).toEqual([])
  })
})

describe('a provisioner', () => {
  test('comes back as it was sent, for giving and for removing', async () => {
    const app = await scene.app()
    const [ref, source] = [await scene.entitlement(app), await scene.entitlement(app)]
    for (const wanted of [
      {
        manual: { instructions: 'By hand', assignee: { appOwners: { allowReassignment: true, fallbackUserIds: [] } } },
      },
      { delegated: { appId: app, entitlementId: source.id, implicit: true } },
      { unconfigured: {} },
    ]) {
      const reply = await change(ref, { entitlement: { provisionerPolicy: wanted, deprovisionerPolicy: wanted } })
      expect(reply.status, reply.text).toBe(200)
      expect(entitlementIn(reply.json)).toMatchObject({ provisionerPolicy: wanted, deprovisionerPolicy: wanted })
    }
    const emptied = await change(ref, { entitlement: { provisionerPolicy: {} } })
    expect(entitlementIn(emptied.json)['provisionerPolicy']).toBeNull()
  })

  test.each([
    ['two kinds', { manual: {}, unconfigured: {} }, ''],
    [
      'an unknown connector',
      { connector: { defaultBehavior: { connectorId: 'x' } } },
      '.connector.defaultBehavior.connectorId',
    ],
    ['a connector that creates accounts', { connector: { account: { connectorId: 'x' } } }, '.connector.account'],
    ['a connector for nothing', { connector: {} }, '.connector.defaultBehavior'],
    ['a webhook without an id', { webhook: {} }, '.webhook.webhookId'],
    ['an unknown webhook', { webhook: { webhookId: nobody } }, '.webhook.webhookId'],
    ['no steps', { multiStep: { provisionSteps: [] } }, '.multiStep.provisionSteps'],
    [
      'an unknown entitlement in a step',
      { multiStep: { provisionSteps: [{ manual: {} }, { delegated: { appId: nobody, entitlementId: nobody } }] } },
      '.multiStep.provisionSteps[1].delegated',
    ],
    ['no people', { manual: { assignee: { users: {} } } }, '.manual.assignee.users.userIds'],
    ['unknown people', { manual: { assignee: { users: { userIds: [nobody] } } } }, '.manual.assignee.users.userIds'],
    ['an unknown entitlement', { delegated: { appId: nobody, entitlementId: nobody } }, '.delegated'],
    ['half an entitlement', { delegated: { appId: nobody } }, '.delegated'],
    [
      'an unknown group',
      { manual: { assignee: { group: { appId: nobody, appGroupId: nobody } } } },
      '.manual.assignee.group',
    ],
  ])('with %s is refused, by its field', async (_, wanted, field) => {
    const ref = await scene.entitlement(await scene.app())
    for (const name of ['provisionerPolicy', 'deprovisionerPolicy']) {
      const reply = await change(ref, { entitlement: { [name]: wanted } })
      expect([reply.status, fieldsOf(reply)], reply.text).toEqual([400, [`entitlement.${name}${field}`]])
    }
  })

  test('does not delegate to itself', async () => {
    const ref = await scene.entitlement(await scene.app())
    const delegated = { appId: ref.appId, entitlementId: ref.id }
    expect(fieldsOf(await change(ref, { entitlement: { provisionerPolicy: { delegated } } }))).toEqual([
      'entitlement.provisionerPolicy.delegated',
    ])
  })

  test('that an owner of an app sets does not delegate to what is not theirs', async () => {
    const app = await scene.app()
    const [mine, theirs] = [await scene.entitlement(app), await scene.entitlement(await scene.app())]
    const key = await scene.access.makeCaller(['system:application-admin'])
    await scene.post(`/api/v1/apps/${app}/owners`, { userIds: [key.userId] })
    await ask(scene.server, `/api/v1/apps/${app}/owners/${key.userId}`, {
      method: 'POST',
      token: scene.admin.token,
      body: {},
    })
    const token = await getToken(scene.server, key)
    const asOwner = (entitlement: object) =>
      ask(scene.server, `/api/v1/apps/${app}/entitlements/${mine.id}`, { token, body: { entitlement } })
    expect((await asOwner({ provisionerPolicy: { manual: { instructions: 'x' } } })).status).toBe(200)
    const delegated = { appId: theirs.appId, entitlementId: theirs.id }
    expect(reasonOf(await asOwner({ provisionerPolicy: { delegated } }))).toBe('PERMISSION_DENIED')
    expect(reasonOf(await asOwner({ deprovisionerPolicy: { delegated } }))).toBe('PERMISSION_DENIED')
    const created = await ask(scene.server, `/api/v1/apps/${app}/entitlements`, {
      token,
      body: { displayName: 'x', provisionPolicy: { delegated } },
    })
    expect(reasonOf(created)).toBe('PERMISSION_DENIED')
  })
})

test('a policy that is named while it is deleted stays, or is not named: never both', async () => {
  const ref = await scene.entitlement(await scene.app())
  for (let round = 0; round < 5; round++) {
    const id = await contended(`Contended ${round}`)
    // Of an entitlement it is taken when it is deleted; an app keeps it.
    const [named, deleted] = await Promise.all([
      change(ref, { entitlement: { grantPolicyId: id } }),
      scene.remove(`/api/v1/policies/${id}`, {}),
    ])
    expect([[200, 400].includes(named.status), deleted.status]).toEqual([true, 200])
    const read = await scene.get(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`)
    expect(read.json['appEntitlementView']).toMatchObject({ appEntitlement: { grantPolicyId: '' } })
    const another = await contended(`Contended by the app ${round}`)
    const [byApp, gone] = await Promise.all([
      scene.post(`/api/v1/apps/${ref.appId}`, { app: { grantPolicyId: another } }),
      scene.remove(`/api/v1/policies/${another}`, {}),
    ])
    expect([byApp.status, gone.status].toSorted((a, b) => a - b)).toEqual([200, 400])
    await scene.post(`/api/v1/apps/${ref.appId}`, { app: { grantPolicyId: '' } })
  }

  async function contended(displayName: string): Promise<string> {
    const policySteps = { grant: { steps: [{ accept: {} }] } }
    const made = await scene.post('/api/v1/policies', { displayName, policyType: 'POLICY_TYPE_GRANT', policySteps })
    return (made.json['policy'] as { id: string }).id
  }
})

test('a tenant that is older than built-in policies gets them when a server starts, once', async () => {
  const { world, tenant } = scene.access
  const { seedBuiltInPolicies } = await import('#rooms/governance/policies/index.ts')
  await transact(world.db, (tx) => tx`delete from policies where tenant_id = ${tenant.id} and built_in is not null`)
  expect(outcomeOf(await scene.get(`/api/v1/policies/${policies.grantPolicyId}`))).toBe('404/5 POLICY_NOT_FOUND')
  await Promise.all([seedBuiltInPolicies(world), seedBuiltInPolicies(world)])
  await seedBuiltInPolicies(world)
  const list = await scene.all('/api/v1/policies')
  expect(list.filter(({ systemBuiltin }) => systemBuiltin)).toHaveLength(9)
})
