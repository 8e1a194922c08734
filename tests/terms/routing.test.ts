import { beforeAll, describe, expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, type Reply, reasonOf } from '../fixture/access.ts'
import { type Caller, prepare } from '../grants/scene.ts'

const outcomeOf = (reply: Reply): string => `${reply.status} ${String(reasonOf(reply))}`
const scene = prepare()
const nobody = '0'.repeat(27)
const byManager = '0builtinGrantByManager00001'
const revoking = '0builtinRevokeAutomatic0001'
const at = (app: string, tail = '') => `/api/v1/apps/${app}/entitlement_configuration_rules${tail}`
type Rule = Json & { id: string; priority: number; displayName: string }
const ruleIn = (reply: Reply): Rule => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['routingRule'] as Rule
}
const create = async (app: string, displayName: string, more: object = {}) =>
  ruleIn(await scene.post(at(app), { displayName, enabled: true, ...more }))
/** More of them, without the API. */
const fillUp = (app: string, count: number) => scene.server.db`
  insert into routing_rules (tenant_id, app_id, rule_id, place, display_name, is_enabled, created_at, updated_at)
  select ${scene.access.tenant.id}, ${app}, lpad(n::text, 27, '0'), n + 1, 'R' || n, true, now(), now()
  from generate_series(1, ${count}::int) n`
const listed = async (app: string): Promise<Rule[]> => {
  const reply = await scene.get(at(app))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json['nextPageToken']).toBe('')
  return reply.json['list'] as Rule[]
}
const order = async (app: string) =>
  (await listed(app)).map(({ displayName, priority }) => `${priority} ${displayName}`)

let other: Caller
beforeAll(async () => {
  const tenant = await scene.access.makeTenant('routing.example.com')
  const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
  other = { userId: key.userId, token: await getToken(scene.server, key) }
})

describe('a routing rule', () => {
  test('comes back as it was sent', async () => {
    const app = await scene.app()
    const settings = {
      requestPolicyId: byManager,
      requestSchemaId: '',
      maxGrantDuration: '3600s',
      emergencyGrantEnabled: true,
      emergencyGrantPolicyId: byManager,
    }
    const wanted = {
      displayName: 'Admins',
      description: 'd',
      condition: 'entitlement.displayName == "Admin"',
      settings,
    }
    const made = await create(app, 'Admins', wanted)
    expect(made).toMatchObject({ ...wanted, appId: app, enabled: true, priority: 1, deletedAt: null })
    expect(ruleIn(await scene.get(at(app, `/${made.id}`)))).toEqual(made)
    expect(await listed(app)).toEqual([made])
    const [event] = (
      await scene.logged('app.v1.AppEntitlementRoutingRuleService.CreateAppEntitlementRoutingRule')
    ).slice(-1)
    expect(event).toMatchObject({ message: 'Created the routing rule Admins', resources: [{ type: 'routing_rule' }] })
  })

  test('goes to its slot, and the others make room; one that is deleted leaves no gap', async () => {
    const app = await scene.app()
    const [first] = [await create(app, 'A'), await create(app, 'B'), await create(app, 'C', { priority: 1 })]
    await create(app, 'D', { priority: 2 })
    expect(await order(app)).toEqual(['1 C', '2 D', '3 A', '4 B'])
    expect((await scene.remove(at(app, `/${first.id}`), {})).status).toBe(200)
    expect(await order(app)).toEqual(['1 C', '2 D', '3 B'])
    for (const priority of [5, -1])
      expect(fieldsOf(await scene.post(at(app), { displayName: 'E', priority }))).toEqual(['priority'])
  })

  test('is replaced by an update, and keeps its place', async () => {
    const app = await scene.app()
    await create(app, 'A')
    const rule = await create(app, 'B', { condition: 'true', settings: { requestPolicyId: byManager } })
    const changed = ruleIn(await scene.post(at(app, `/${rule.id}`), { displayName: 'B2', condition: 'false' }))
    expect(changed).toMatchObject({
      displayName: 'B2',
      priority: 2,
      enabled: false,
      condition: 'false',
      settings: { requestPolicyId: '', maxGrantDuration: null },
    })
    // A name is needed, so that a body with one field does not empty the rest, whose condition would then be true of all.
    expect(fieldsOf(await scene.post(at(app, `/${rule.id}`), { enabled: true }))).toEqual(['displayName'])
  })

  test('is refused with all that is wrong with it', async () => {
    const app = await scene.app()
    const fields = async (body: object) => fieldsOf(await scene.post(at(app), { displayName: 'R', ...body }))
    const settings = (more: object) => fields({ settings: more })
    expect(await fields({ displayName: ' ' })).toEqual(['displayName'])
    expect(await fields({ condition: 'entitlement.' })).toEqual(['condition'])
    expect(await fields({ condition: 'subject.displayName == "x"' })).toEqual(['condition'])
    expect(await fields({ condition: '1' })).toEqual(['condition'])
    expect(await settings({ requestPolicyId: nobody })).toEqual(['settings.requestPolicyId'])
    expect(await settings({ requestPolicyId: revoking })).toEqual(['settings.requestPolicyId'])
    expect(await settings({ emergencyGrantPolicyId: 'x\u0000' })).toEqual(['settings.emergencyGrantPolicyId'])
    expect(await settings({ requestSchemaId: nobody })).toEqual(['settings.requestSchemaId'])
    expect(await settings({ maxGrantDuration: '0s' })).toEqual(['settings.maxGrantDuration'])
    expect(await settings({ maxGrantDuration: '1.5s' })).toEqual(['settings.maxGrantDuration'])
    expect(await settings({ maxGrantDuration: '-60s' })).toEqual(['settings.maxGrantDuration'])
    expect(await listed(app)).toEqual([])
  })

  test('keeps the policy and the form that it names from being deleted, until it or its app is gone', async () => {
    const app = await scene.app('Holding')
    const steps = { grant: { steps: [{ accept: {} }] } }
    const made = await scene.post('/api/v1/policies', {
      displayName: 'Held',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: steps,
    })
    const { id: policyId } = made.json['policy'] as { id: string }
    const schema = (await scene.post('/api/v1/request_schemas', { name: 'Held form' })).json['requestSchema'] as Rule
    await create(app, 'Holder', { settings: { requestPolicyId: policyId, requestSchemaId: schema.id } })
    const refusal = await scene.remove(`/api/v1/policies/${policyId}`, {})
    expect(outcomeOf(refusal)).toBe('400 POLICY_IN_USE')
    expect(refusal.text).toContain('the routing rule Holder')
    const ofForm = await scene.remove(`/api/v1/request_schemas/${schema.id}`, {})
    expect(outcomeOf(ofForm)).toBe('400 REQUEST_SCHEMA_IN_USE')
    expect(ofForm.text).toContain('the routing rule Holder')
    expect((await scene.remove(`/api/v1/apps/${app}`, {})).status).toBe(200)
    expect(outcomeOf(await scene.get(at(app)))).toBe('404 APP_NOT_FOUND')
    expect((await scene.remove(`/api/v1/policies/${policyId}`, {})).status).toBe(200)
    expect((await scene.remove(`/api/v1/request_schemas/${schema.id}`, {})).status).toBe(200)
  })

  test('is not there for another tenant, nor for who may not see the settings', async () => {
    const app = await scene.app()
    const rule = await create(app, 'Mine')
    const foreign = (method: string, path: string, body?: object) =>
      ask(scene.server, path, {
        method,
        token: other.token,
        ...(body && { body }),
        headers: { host: 'routing.example.com' },
      })
    for (const reply of await Promise.all([
      foreign('GET', at(app)),
      foreign('GET', at(app, `/${rule.id}`)),
      foreign('POST', at(app), { displayName: 'Theirs' }),
      foreign('POST', at(app, `/${rule.id}`), { displayName: 'Theirs' }),
      foreign('POST', at(app, '/reorder'), { ruleIds: [rule.id] }),
      foreign('DELETE', at(app, `/${rule.id}`), {}),
    ]))
      expect(outcomeOf(reply)).toBe('404 APP_NOT_FOUND')
    expect(outcomeOf(await scene.get(at(app), scene.basic))).toBe('403 PERMISSION_DENIED')
    expect((await scene.get(at(app), scene.viewer)).status).toBe(200)
    expect(outcomeOf(await scene.post(at(app), { displayName: 'X' }, scene.viewer))).toBe('403 PERMISSION_DENIED')
    expect(await order(app)).toEqual(['1 Mine'])
  })

  test('is one of at most 100 of an app', async () => {
    const app = await scene.app()
    await create(app, 'R0')
    await fillUp(app, 99)
    expect(outcomeOf(await scene.post(at(app), { displayName: 'More' }))).toBe('400 ROUTING_RULES_TOO_MANY')
    expect(await listed(app)).toHaveLength(100)
  })
})

describe('the order of rules', () => {
  test('is changed by naming every rule once', async () => {
    const app = await scene.app()
    const ids = [(await create(app, 'A')).id, (await create(app, 'B')).id, (await create(app, 'C')).id] as const
    const reorder = (ruleIds: string[]) => scene.post(at(app, '/reorder'), { ruleIds })
    const reply = await reorder([ids[2], ids[0], ids[1]])
    expect((reply.json['list'] as Rule[]).map(({ displayName }) => displayName)).toEqual(['C', 'A', 'B'])
    expect(await order(app)).toEqual(['1 C', '2 A', '3 B'])
    for (const wrong of [[], [ids[0], ids[1]], [ids[0], ids[0], ids[1]], [...ids, nobody], [ids[0], ids[1], nobody]])
      expect(fieldsOf(await reorder(wrong)), JSON.stringify(wrong)).toEqual(['ruleIds'])
    expect(await order(app)).toEqual(['1 C', '2 A', '3 B'])
  })

  test('has no gap and no rule twice, whoever changes it at once', async () => {
    const app = await scene.app()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C', 'D']) ids.push((await create(app, name)).id)
    const changes = Array.from({ length: 6 }, (_, n) => [
      scene.post(at(app, '/reorder'), { ruleIds: n % 2 ? ids : ids.toReversed() }),
      scene.post(at(app), { displayName: `N${n}`, priority: 1 }),
      scene.post(at(app, `/${ids[n % 4]}`), { displayName: `U${n}` }),
    ])
    const replies = await Promise.all([...changes.flat(), scene.remove(at(app, `/${ids[0]}`), {})])
    // A new order that does not name a rule that came in between is refused; nothing else is.
    for (const reply of replies) expect([200, 400, 404], reply.text).toContain(reply.status)
    const rules = await listed(app)
    expect(rules.map(({ priority }) => priority)).toEqual(rules.map((_, place) => place + 1))
    expect(rules).toHaveLength(3 + 6)
  })
})
