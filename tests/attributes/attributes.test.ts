import { expect, test } from 'vitest'
import {
  askElsewhere,
  idsIn,
  type Made,
  makeApp,
  makeEntitlement,
  nobody,
  pageThrough,
  prepare,
} from '../apps/support.ts'
import { ask, fieldsOf, getToken, outcomeOf } from '../fixture/access.ts'

const setting = prepare()
const { get, post, remove, send, lastEvent } = setting

const riskType = '000000000000000000RiskLevel'
const frameworkType = '00000000ComplianceFramework'

const makeRisk = async (value: string): Promise<Made> =>
  (await post('attributes/risk_levels', { value }))['value'] as Made
const makeFramework = async (value: string): Promise<Made> =>
  (await post('attributes/compliance_frameworks', { value }))['value'] as Made

test('there are two attribute types, whose ids never change', async () => {
  expect(await get('attributes/types')).toEqual({
    list: [
      { id: riskType, name: 'Risk Level' },
      { id: frameworkType, name: 'Compliance Framework' },
    ],
    nextPageToken: '',
  })
})

test('a risk level is made, got by either address, listed, and deleted', async () => {
  const made = await makeRisk('  High ')
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
    attributeTypeId: riskType,
    value: 'High',
    createdAt: made['createdAt'],
    updatedAt: made['createdAt'],
    deletedAt: null,
  })
  expect(await get(`attributes/risk_levels/${made.id}`)).toEqual({ value: made })
  expect(await get(`attributes/${made.id}`)).toEqual({ value: made })
  expect(idsIn(await get('attributes/risk_levels'))).toContain(made.id)
  expect(idsIn(await get(`attributes/types/${riskType}/values`))).toContain(made.id)
  expect(idsIn(await get('attributes/compliance_frameworks'))).not.toContain(made.id)

  await remove(`attributes/risk_levels/${made.id}`)
  for (const path of [`attributes/${made.id}`, `attributes/risk_levels/${made.id}`])
    expect(outcomeOf(await send('GET', path))).toBe('404/5 ATTRIBUTE_VALUE_NOT_FOUND')
  expect(idsIn(await get('attributes/risk_levels'))).not.toContain(made.id)
  expect(await lastEvent('attribute.v1.Attributes.DeleteRiskLevelAttributeValue')).toMatchObject({
    message: 'Deleted the risk level High',
    resources: [{ type: 'attribute_value', uid: made.id, name: 'High' }],
  })
  // What is deleted does not stand in the way of another.
  await makeRisk('High')
})

test('a compliance framework is made, got, listed, and deleted by the address of any value', async () => {
  const made = await makeFramework('SOC 2')
  expect(made['attributeTypeId']).toBe(frameworkType)
  expect(await get(`attributes/compliance_frameworks/${made.id}`)).toEqual({ value: made })
  expect(idsIn(await get('attributes/compliance_frameworks'))).toEqual([made.id])
  await remove(`attribute/${made.id}`)
  expect(idsIn(await get('attributes/compliance_frameworks'))).toEqual([])
  const again = await makeFramework('SOC 2')
  await remove(`attributes/compliance_frameworks/${again.id}`)
})

test('a value of any type is made by naming the type, in either spelling', async () => {
  const body = { attribute_type_id: frameworkType, value: 'ISO 27001' }
  const made = (await post('attributes', body))['value'] as Made
  expect(made).toMatchObject({ attributeTypeId: frameworkType, value: 'ISO 27001' })
  expect(await lastEvent('attribute.v1.Attributes.CreateAttributeValue')).toMatchObject({
    message: 'Created the compliance framework ISO 27001',
  })
})

test('a value is there once in its type, however it is spelt', async () => {
  await makeRisk('Critical')
  expect(outcomeOf(await send('POST', 'attributes/risk_levels', { value: 'critical' }))).toBe(
    '409/6 ATTRIBUTE_VALUE_EXISTS',
  )
  expect(outcomeOf(await send('POST', 'attributes', { attributeTypeId: riskType, value: ' CRITICAL' }))).toBe(
    '409/6 ATTRIBUTE_VALUE_EXISTS',
  )
  await makeFramework('Critical')
})

test('two callers create the same value at the same time: one succeeds, the other is refused', async () => {
  const made = await Promise.all([1, 2, 3].map(() => send('POST', 'attributes/risk_levels', { value: 'Raced' })))
  expect(made.map(outcomeOf).toSorted()).toEqual([
    '200',
    '409/6 ATTRIBUTE_VALUE_EXISTS',
    '409/6 ATTRIBUTE_VALUE_EXISTS',
  ])
})

test('what is not right is refused, and names its field', async () => {
  const cases: [string, object, string][] = [
    ['attributes/risk_levels', {}, 'value'],
    ['attributes/risk_levels', { value: '  ' }, 'value'],
    ['attributes/risk_levels', { value: 'x'.repeat(201) }, 'value'],
    ['attributes', { attributeTypeId: nobody, value: 'x' }, 'attributeTypeId'],
    ['attributes', { value: 'x' }, 'attributeTypeId'],
  ]
  for (const [path, body, field] of cases) {
    const reply = await send('POST', path, body)
    expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', [field]])
  }
})

test('what is not there is 404: unknown ids, ids of the other type, unknown types', async () => {
  const risk = await makeRisk('Elsewhere')
  const missing = '404/5 ATTRIBUTE_VALUE_NOT_FOUND'
  expect(outcomeOf(await send('GET', `attributes/${nobody}`))).toBe(missing)
  expect(outcomeOf(await send('GET', `attributes/risk_levels/${nobody}`))).toBe(missing)
  expect(outcomeOf(await send('GET', `attributes/compliance_frameworks/${risk.id}`))).toBe(missing)
  expect(outcomeOf(await send('DELETE', `attributes/compliance_frameworks/${risk.id}`))).toBe(missing)
  expect(outcomeOf(await send('DELETE', `attributes/risk_levels/${nobody}`))).toBe(missing)
  expect(outcomeOf(await send('DELETE', `attribute/${nobody}`))).toBe(missing)
  expect(outcomeOf(await send('GET', `attributes/types/${nobody}/values`))).toBe('404/5 ATTRIBUTE_TYPE_NOT_FOUND')
  expect(outcomeOf(await askElsewhere(setting, 'GET', `attributes/${risk.id}`))).toBe(missing)
  expect(outcomeOf(await askElsewhere(setting, 'DELETE', `attribute/${risk.id}`))).toBe(missing)
})

test('a deleted value is taken off the entitlements that pointed at it, and the log says how many', async () => {
  const [risk, framework, kept] = [await makeRisk('Gone'), await makeFramework('Gone'), await makeFramework('Kept')]
  const app = await makeApp(setting)
  const values = { riskLevelValueId: risk.id, complianceFrameworkValueIds: [framework.id, kept.id] }
  const entitlements = [
    await makeEntitlement(setting, app.id, 'A', values),
    await makeEntitlement(setting, app.id, 'B'),
  ]
  await remove(`attribute/${risk.id}`)
  expect(await lastEvent('attribute.v1.Attributes.DeleteAttributeValue')).toMatchObject({
    message: 'Deleted the risk level Gone, and removed it from 1 entitlements',
    resources: [{ uid: risk.id, data: { entitlementsCleared: 1 } }],
  })
  await remove(`attribute/${framework.id}`)
  const list = (await get(`apps/${app.id}/entitlements`))['list']
  expect(list).toMatchObject([
    { appEntitlement: { id: entitlements[0]?.id, riskLevelValueId: '', complianceFrameworkValueIds: [kept.id] } },
    { appEntitlement: { id: entitlements[1]?.id, riskLevelValueId: '', complianceFrameworkValueIds: [] } },
  ])
})

test('values are searched by the beginning of a word, by value, by ids and by type', async () => {
  const payment = await makeFramework('Payment Card Industry')
  const health = await makeFramework('Health: HIPAA')
  const search = async (body: object) => idsIn(await post('search/attributes', body))
  expect(await search({ query: 'card' })).toEqual([payment.id])
  expect(await search({ query: 'hip' })).toEqual([health.id])
  expect(await search({ query: 'ard' })).toEqual([])
  expect(await search({ value: 'payment card industry' })).toEqual([payment.id])
  expect(await search({ ids: [payment.id, health.id, nobody] })).toEqual([payment.id, health.id])
  expect(await search({ ids: [payment.id, health.id], excludeIds: [payment.id] })).toEqual([health.id])
  expect(await search({ ids: [payment.id], attribute_type_ids: [riskType] })).toEqual([])
  expect(await search({ ids: [payment.id], attributeTypeIds: [riskType, frameworkType] })).toEqual([payment.id])
  expect(await search({ query: "%_\\'" })).toEqual([])
})

test('values are paged to the end while others come and go', async () => {
  const there = await Promise.all(Array.from({ length: 25 }, (_, i) => makeFramework(`Paged ${i}`)))
  const gone = await makeFramework('Paged and gone')
  const items = await pageThrough(setting, 'POST', 'search/attributes', { query: 'paged' }, async (page) => {
    if (page === 1) await remove(`attribute/${gone.id}`)
    await makeFramework(`Paged later ${page}`)
  })
  const seen = items.map(({ id }) => id)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(there.map(({ id }) => id)))
})

test('a basic user sees no attribute values; a reader makes none', async () => {
  const tokenOf = async (role: 'system:user' | 'system:viewer') =>
    getToken(setting.server, await setting.access.makeCaller([role]))
  const user = await tokenOf('system:user')
  const viewer = await tokenOf('system:viewer')
  const path = '/api/v1/attributes/risk_levels'
  expect(outcomeOf(await ask(setting.server, path, { token: user }))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await ask(setting.server, path, { token: viewer }))).toBe('200')
  expect(outcomeOf(await ask(setting.server, path, { token: viewer, body: { value: 'x' } }))).toBe(
    '403/7 PERMISSION_DENIED',
  )
})
