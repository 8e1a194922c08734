import { expect, test } from 'vitest'
import { cel, pathOf, prepare, type Ref } from '../automation/scene.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'

/** The lines of the specification about automation exclusions, each under its own words, and what semantics.md adds. */

const scene = prepare()
const exclusions = (ref: Ref): string => `${pathOf(ref)}/automation/exclusions`
const excluded = async (ref: Ref): Promise<unknown[]> =>
  (await scene.all(exclusions(ref))).map(({ user }) => (user as Json)['id'])

let departments = 0
/** An entitlement whose rule gives it to three people. */
async function stage(): Promise<{ target: Ref; department: string; users: [string, string, string] }> {
  const department = `Spec ${++departments}`
  const users = await Promise.all([scene.user({ department }), scene.user({ department }), scene.user({ department })])
  return { target: await scene.target(), department, users }
}
const ruleOf = (department: string): Json => cel(`subject.department == "${department}"`)

test('Add users to the automation exclusion list of an app entitlement. Excluded users are not affected by the automation rule of that entitlement.', async () => {
  const { target, department, users } = await stage()
  await scene.create(target, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  // It neither takes from them …
  await scene.exclude(target, [users[0]])
  await scene.update(target, { none: {} })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[0]])
  // … nor gives to them.
  await scene.exclude(target, [users[1]])
  await scene.update(target, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[0], users[2]].toSorted())
  for (const to of ['Elsewhere', department]) {
    for (const user of users) await scene.move(user, to)
    await scene.settle()
    const affected = to === department ? [users[2]] : []
    expect(await scene.holders(target)).toEqual([users[0], ...affected].toSorted())
  }
  await scene.post(`/api/v1/apps/${target.appId}/entitlements/${target.id}/automation/runs`, {})
  await scene.settle()
  const [run] = await scene.runs(target)
  expect(run).toMatchObject({ matchedCount: 3, excludedCount: 2, gainedCount: 0, lostCount: 0 })
})

test('Operation name AppEntitlements.AddAutomationExclusion. Method and path POST {base_url}/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions', async () => {
  const { paths } = (await scene.get('/api/openapi.json')).json as { paths: Record<string, Record<string, Json>> }
  const path = '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation/exclusions'
  expect(paths[path]?.['post']?.['operationId']).toBe('app.v1.AppEntitlements.AddAutomationExclusion')
})

test('Request body: object with field userIds: array of string (may be null), the IDs of users to add to the exclusion list.', async () => {
  const { target, users } = await stage()
  expect((await scene.post(exclusions(target), { userIds: [users[0]] })).status).toBe(200)
  expect((await scene.post(exclusions(target), { user_ids: [users[1]] })).status).toBe(200)
  expect((await scene.post(exclusions(target), { userIds: null })).status).toBe(200)
  expect((await scene.post(exclusions(target), { userIds: [] })).status).toBe(200)
  expect((await scene.post(exclusions(target), {})).status).toBe(200)
  expect(await excluded(target)).toEqual([users[0], users[1]].toSorted())
  for (const userIds of ['x', 7, [7], [null], {}])
    expect(outcomeOf(await scene.post(exclusions(target), { userIds }))).toBe('400/3 INPUT_INVALID')
})

test('Success response: status 200, a JSON object with no fields.', async () => {
  const { target, users } = await stage()
  const reply = await scene.exclude(target, users)
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.text).toBe('{}')
  const removed = await scene.include(target, users)
  expect([removed.status, removed.text]).toEqual([200, '{}'])
})

test('Effect: The listed users are added to the exclusion list of the entitlement and are not affected by its automation rule.', async () => {
  const { target, department, users } = await stage()
  await scene.exclude(target, [users[0]])
  await scene.exclude(target, [users[1]])
  expect(await excluded(target)).toEqual([users[0], users[1]].toSorted())
  const other = await scene.target()
  await scene.create(target, ruleOf(department))
  await scene.create(other, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[2]])
  // Of that entitlement's rule: another's affects them.
  expect(await scene.holders(other)).toEqual(users.toSorted())
})

test('The list belongs to the entitlement: it can be filled before there is a rule, and outlives a rule’s deletion', async () => {
  const { target, department, users } = await stage()
  await scene.exclude(target, [users[0]])
  await scene.create(target, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[1], users[2]].toSorted())
  await scene.remove(`${pathOf(target)}/automation`, {})
  expect(await excluded(target)).toEqual([users[0]])
  await scene.create(target, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[1], users[2]].toSorted())
})

test('Adding twice is once', async () => {
  const { target, users } = await stage()
  await scene.exclude(target, [users[0], users[0], users[1]])
  await scene.exclude(target, [users[1], users[0]])
  await Promise.all([
    scene.exclude(target, users),
    scene.exclude(target, users.toReversed()),
    scene.exclude(target, users),
  ])
  expect(await excluded(target)).toEqual(users.toSorted())
})

test('An unknown user refuses the whole call with the unknown ids named', async () => {
  const { target, users } = await stage()
  const nobody = scene.access.world.newId()
  const reply = await scene.exclude(target, [users[0], nobody, 'nonsense'])
  expect(outcomeOf(reply)).toBe('404/5 USER_NOT_FOUND')
  expect(reply.json['message']).toContain(nobody)
  expect(reply.json['message']).toContain('nonsense')
  expect(reply.json['message']).not.toContain(users[0])
  expect((reply.json['details'] as Json[])[0]?.['metadata']).toEqual({ userIds: `${nobody},nonsense` })
  expect(await excluded(target)).toEqual([])
})

test('Rules run when an exclusion is removed, only for those users', async () => {
  const { target, department, users } = await stage()
  await scene.exclude(target, users)
  await scene.create(target, ruleOf(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
  await scene.include(target, [users[0], users[0], scene.access.world.newId()])
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[0]])
  expect((await scene.runs(target))[0]).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_EXCLUSION',
    startedByUserId: scene.admin.userId,
    matchedCount: 1,
    gainedCount: 1,
  })
})

test('the list of exclusions is paged, with the user and their account', async () => {
  const { target } = await stage()
  const users = await Promise.all(Array.from({ length: 12 }, () => scene.user()))
  const account = await scene.account(target.appId, { userId: users[0] as string })
  await scene.exclude(target, users)
  const all = await scene.all(exclusions(target))
  expect(all.map(({ user }) => (user as Json)['id'])).toEqual(users.toSorted())
  const first = all.find(({ user }) => (user as Json)['id'] === users[0])
  expect(first).toMatchObject({ appId: target.appId, appEntitlementId: target.id, appUserId: account.id })
  expect(all.filter(({ appUserId }) => appUserId === '')).toHaveLength(11)
})
