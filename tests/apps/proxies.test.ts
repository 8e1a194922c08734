import { expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import { askElsewhere, makeApp, makeEntitlement, nobody, prepare } from './support.ts'

const setting = prepare()
const { get, post, remove, send, lastEvent } = setting

async function makeEnds() {
  const [srcApp, dstApp] = [await makeApp(setting, 'Source'), await makeApp(setting, 'Destination')]
  const src = await makeEntitlement(setting, srcApp.id, 'From')
  const dst = await makeEntitlement(setting, dstApp.id, 'To')
  return { srcApp, src, dstApp, dst, path: `apps/${srcApp.id}/${src.id}/bindings/${dstApp.id}/${dst.id}` }
}
const missing = '404/5 ENTITLEMENT_PROXY_NOT_FOUND'

test('one entitlement is bound to another, got, and unbound', async () => {
  const { srcApp, src, dstApp, dst, path } = await makeEnds()
  expect(outcomeOf(await send('GET', path))).toBe(missing)
  const made = await post(path, {})
  const proxy = (made['appProxyEntitlementView'] as Json)['appProxyEntitlement'] as Json
  expect(made).toEqual({
    appProxyEntitlementView: {
      appProxyEntitlement: {
        srcAppId: srcApp.id,
        srcAppEntitlementId: src.id,
        dstAppId: dstApp.id,
        dstAppEntitlementId: dst.id,
        createdAt: expect.any(String) as string,
        updatedAt: proxy['createdAt'],
        deletedAt: null,
      },
      srcAppPath: '',
      srcAppEntitlementPath: '',
      dstAppPath: '',
      dstAppEntitlementPath: '',
    },
    expanded: [],
  })
  expect(await get(path)).toEqual(made)
  expect(await lastEvent('app.v1.AppEntitlementsProxy.Create')).toMatchObject({
    resources: [{ uid: src.id }, { uid: dst.id }],
  })
  expect(outcomeOf(await send('POST', path, {}))).toBe('409/6 ENTITLEMENT_PROXY_EXISTS')
  // The other way round is another binding.
  expect(outcomeOf(await send('GET', `apps/${dstApp.id}/${dst.id}/bindings/${srcApp.id}/${src.id}`))).toBe(missing)
  await remove(path)
  expect(outcomeOf(await send('GET', path))).toBe(missing)
  expect(outcomeOf(await send('DELETE', path))).toBe(missing)
})

test('both ends come along where they are wanted', async () => {
  const { srcApp, src, dstApp, dst, path } = await makeEnds()
  const made = await post(path, { expandMask: { paths: ['*'] } })
  expect(made['appProxyEntitlementView']).toMatchObject({
    srcAppPath: '$.expanded[0]',
    srcAppEntitlementPath: '$.expanded[1]',
    dstAppPath: '$.expanded[2]',
    dstAppEntitlementPath: '$.expanded[3]',
  })
  expect((made['expanded'] as Json[]).map(({ id }) => id)).toEqual([srcApp.id, src.id, dstApp.id, dst.id])
  await remove(path)
  const some = await post(path, { expand_mask: { paths: ['dst_app_entitlement_id'] } })
  expect(some['appProxyEntitlementView']).toMatchObject({ srcAppPath: '', dstAppEntitlementPath: '$.expanded[0]' })
})

test('a binding to what is not there is refused', async () => {
  const { srcApp, src, dstApp, dst, path } = await makeEnds()
  const noEntitlement = '404/5 ENTITLEMENT_NOT_FOUND'
  const bind = async (from: string, to: string) => send('POST', `apps/${from}/bindings/${to}`, {})
  expect(outcomeOf(await bind(`${srcApp.id}/${nobody}`, `${dstApp.id}/${dst.id}`))).toBe(noEntitlement)
  expect(outcomeOf(await bind(`${srcApp.id}/${src.id}`, `${dstApp.id}/${nobody}`))).toBe(noEntitlement)
  expect(outcomeOf(await bind(`${dstApp.id}/${src.id}`, `${dstApp.id}/${dst.id}`))).toBe(noEntitlement)
  expect(outcomeOf(await bind(`${nobody}/${src.id}`, `${dstApp.id}/${dst.id}`))).toBe('404/5 APP_NOT_FOUND')
  const itself = await bind(`${srcApp.id}/${src.id}`, `${srcApp.id}/${src.id}`)
  expect([outcomeOf(itself), fieldsOf(itself)]).toEqual(['400/3 INPUT_INVALID', ['dstAppEntitlementId']])
  await post(path, {})
  expect(outcomeOf(await askElsewhere(setting, 'GET', path))).toBe(missing)
  expect(outcomeOf(await askElsewhere(setting, 'POST', path, {}))).toBe('404/5 APP_NOT_FOUND')
  expect(outcomeOf(await askElsewhere(setting, 'DELETE', path))).toBe(missing)
})
