import { describe, expect, test } from 'vitest'
import { apiDocument } from '#http/openapi.ts'
import { routes } from '#server/registry/routes.ts'
import { ask, outcomeOf } from '../fixture/access.ts'
import { prepare } from '../owners/support.ts'

/** The lines of "Set app user owners (version 2)" in the specification, each under its own words. */

const scene = prepare()
const operation = 'app.v2.AppUserOwnersV2.Set'

async function make() {
  const { appId, id } = await scene.account(await scene.app())
  const [anna, bert] = [await scene.user(), await scene.user()]
  const group = await scene.entitlement(appId)
  return { path: `apps/${appId}/users/${id}`, url: `/api/v2/apps/${appId}/users/${id}/owners`, anna, bert, group }
}
const put = (url: string, body: object) => scene.send('PUT', url, body)

test('Operation name: AppUserOwnersV2.Set. Method and path: PUT {base_url}/api/v2/apps/{app_id}/users/{user_id}/owners', () => {
  const { paths } = apiDocument(routes) as { paths: Record<string, Record<string, { operationId: string }>> }
  expect(paths['/api/v2/apps/{app_id}/users/{user_id}/owners']?.['put']?.operationId).toContain(operation)
})

test('Path parameters: app_id (string), user_id (string)', async () => {
  const { url } = await make()
  for (const wrong of [url.replace(/apps\/\w+/, 'apps/nowhere'), url.replace(/users\/\w+/, 'users/nobody')])
    expect(outcomeOf(await put(wrong, { roleSlug: 'primary' }))).toBe('404/5 ACCOUNT_NOT_FOUND')
})

describe('Request body: object with fields', () => {
  test('appEntitlementRefs (array of objects {appId: string, id: string})', async () => {
    const { path, url, group } = await make()
    const reply = await put(url, { roleSlug: 'primary', appEntitlementRefs: [{ appId: group.appId, id: group.id }] })
    expect(reply.status).toBe(200)
    expect(await scene.named(path)).toEqual([`primary ${group.appId} ${group.id}`])
  })

  test('roleSlug (string)', async () => {
    const { path, url, anna, bert } = await make()
    await put(url, { roleSlug: 'primary', userRefs: [{ id: anna }] })
    await put(url, { roleSlug: 'deputy', userRefs: [{ id: bert }] })
    expect(await scene.named(path)).toEqual([`deputy ${bert}`, `primary ${anna}`])
  })

  test('userRefs (array of objects {id: string})', async () => {
    const { path, url, anna, bert } = await make()
    await put(url, { roleSlug: 'primary', userRefs: [{ id: anna }, { id: bert }] })
    expect(await scene.named(path)).toEqual([`primary ${anna}`, `primary ${bert}`].toSorted())
  })

  test('in snake_case as in lowerCamelCase', async () => {
    const { path, url, anna, group } = await make()
    const refs = { user_refs: [{ id: anna }], app_entitlement_refs: [{ app_id: group.appId, id: group.id }] }
    expect((await put(url, { role_slug: 'primary', ...refs })).status).toBe(200)
    expect(await scene.named(path)).toHaveLength(2)
  })
})

test('Success response: status 200, a JSON object with no fields', async () => {
  const { url, anna } = await make()
  const reply = await put(url, { roleSlug: 'primary', userRefs: [{ id: anna }] })
  expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([200, 'application/json', '{}'])
})

test('Effect: Replaces all owners of the given app user for the given role', async () => {
  const { path, url, anna, bert, group } = await make()
  await put(url, { roleSlug: 'deputy', userRefs: [{ id: anna }] })
  await put(url, { roleSlug: 'primary', userRefs: [{ id: anna }], appEntitlementRefs: [group] })
  await put(url, { roleSlug: 'primary', userRefs: [{ id: bert }] })
  expect(await scene.named(path)).toEqual([`deputy ${anna}`, `primary ${bert}`])
})

test('App user: has owners, which are set per role, and are those of no other app user', async () => {
  const [one, other] = [await make(), await make()]
  await put(one.url, { roleSlug: 'primary', userRefs: [{ id: one.anna }] })
  expect(await scene.named(other.path)).toEqual([])
})

test('Every endpoint except the token endpoint requires the Authorization header', async () => {
  const { url } = await make()
  const reply = await ask(scene.server, url, { method: 'PUT', body: { roleSlug: 'primary' } })
  expect(outcomeOf(reply)).toBe('401/16 TOKEN_MISSING')
  expect(reply.json['message']).toContain('Bearer')
})
