import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { cel, prepare, type Ref } from '../automation/scene.ts'
import { ask, eventually, type Json, outcomeOf, type Reply, type RoleName } from '../fixture/access.ts'

const scene = prepare()

type Plan = {
  fingerprint: string
  removedCount: number
  manualCount: number
  keptCount: number
  items: Json[]
  rules: Json[]
  apps: Json[]
}
type Removal = {
  id: string
  removedCount: number
  excludedCount: number
  manualCount: number
  restoredCount: number
  leftCount: number
} & Json
const at = (userId: string, more = ''): string => `/api/v1/users/${userId}/access_removals${more}`
const plan = async (userId: string, options: object = {}): Promise<Plan> => {
  const reply = await scene.post(at(userId, '/plan'), options)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as unknown as Plan
}
const removalOf = (reply: Reply): Removal => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['removal'] as Removal
}
const apply = (userId: string, { fingerprint }: Plan, more: object = {}, path = ''): Promise<Reply> =>
  scene.post(at(userId, path), { fingerprint, reason: 'Left the company', ...more })
const heldBy = async (userId: string): Promise<string[]> => {
  const rows = await scene.all('/api/v1/search/grants', { userId })
  return rows.map((row) => (row['appEntitlementUserBinding'] as Json)['appEntitlementId'] as string).toSorted()
}
const give = async (ref: Ref, userId: string): Promise<void> => {
  const reply = await scene.post(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}/add-manual-user`, {
    userIds: [userId],
  })
  expect(reply.status, reply.text).toBe(200)
}

test('a removal ends exactly what its plan showed, with its reason, and is undone again', async () => {
  const userId = await scene.user({ displayName: 'Lea Leaver' })
  const refs = [await scene.target('One'), await scene.target('Two'), await scene.target('Three')]
  for (const ref of refs) await give(ref, userId)
  const imported = await scene.entitlement(await scene.app('Files'), 'Imported')
  await scene.grant(imported, await scene.account(imported.appId, { userId }), { source: 'import' })
  const planned = await plan(userId)
  expect(planned).toMatchObject({ removedCount: 4, connectorCount: 0, nobodyCount: 4, manualCount: 0, keptCount: 0 })
  expect(planned.apps).toHaveLength(4)
  expect(planned.items.find(({ entitlementDisplayName: name }) => name === 'Imported')).toMatchObject({
    ...{ outcome: 'removed', sources: ['import'], explanation: expect.stringContaining('next import') as unknown },
  })
  // Nothing was changed by planning.
  expect(await heldBy(userId)).toHaveLength(4)
  const removal = removalOf(await apply(userId, planned))
  expect(removal).toMatchObject({ removedCount: 4, reason: 'Left the company', createdByUserId: scene.admin.userId })
  expect(await heldBy(userId)).toEqual([])
  const [event] = (await scene.logged('bailiwick.v1.AccessRemovals.Create')).slice(-1)
  expect(event?.message).toBe('Removed access of Lea Leaver: 4 entitlements')
  expect(event?.resources.find(({ type }) => type === 'access_removal')).toMatchObject({
    ...{ uid: removal.id, data: { userId, reason: 'Left the company', grants: 4 } },
  })
  expect(event?.resources.filter(({ type }) => type === 'grant')).toHaveLength(4)
  // The history leads to it.
  const [track] = await scene.all(`/api/v1/users/${userId}/access_history`)
  const endedBy = { kind: 'removal', id: removal.id, displayName: 'Left the company', userId }
  expect(track).toMatchObject({ spans: [{ endedWhy: 'revoked', endedBy }] })
  // The same plan again is the same removal.
  expect(removalOf(await apply(userId, planned)).id).toBe(removal.id)
  expect(await scene.all(at(userId))).toHaveLength(1)

  const undone = removalOf(await scene.post(at(userId, `/${removal.id}/undo`), {}))
  expect(undone).toMatchObject({ restoredCount: 4, leftCount: 0, undoneByUserId: scene.admin.userId })
  expect(await heldBy(userId)).toEqual([...refs.map(({ id }) => id), imported.id].toSorted())
  expect(outcomeOf(await scene.post(at(userId, `/${removal.id}/undo`), {}))).toBe('400/9 RUN_NOT_UNDOABLE')
})

test('a plan is refused once the state has changed, whichever way', async () => {
  const userId = await scene.user()
  const [one, two] = [await scene.target(), await scene.target()]
  await give(one, userId)
  const before = await plan(userId)
  await give(two, userId)
  expect(outcomeOf(await apply(userId, before))).toBe('409/10 PLAN_OUTDATED')
  const other = await plan(userId)
  // Of other options it is another plan.
  expect(outcomeOf(await apply(userId, other, { disableUser: true }))).toBe('409/10 PLAN_OUTDATED')
  expect(outcomeOf(await apply(userId, other, {}, '/excluding'))).toBe('409/10 PLAN_OUTDATED')
  expect(outcomeOf(await apply(userId, other, { appIds: [one.appId] }))).toBe('409/10 PLAN_OUTDATED')
  expect(outcomeOf(await apply(await scene.user(), other))).toBe('409/10 PLAN_OUTDATED')
  expect(await heldBy(userId)).toHaveLength(2)
  // Only in some apps.
  const some = await plan(userId, { appIds: [one.appId] })
  expect(some).toMatchObject({ removedCount: 1 })
  removalOf(await apply(userId, some, { appIds: [one.appId] }))
  expect(await heldBy(userId)).toEqual([two.id])
  for (const bad of [{ reason: ' ' }, { fingerprint: '' }])
    expect(outcomeOf(await apply(userId, some, bad))).toBe('400/3 INPUT_INVALID')
})

test('what a rule would grant again stays, unless the person is excluded or disabled, as the plan says', async () => {
  const department = `Leavers ${Math.random()}`
  const userId = await scene.user({ department })
  const [ruled, manual] = [await scene.target('Ruled'), await scene.target('By hand')]
  await give(manual, userId)
  const rule = { displayName: 'Everyone in Leavers', ...cel(`subject.department == "${department}"`) }
  expect((await scene.create(ruled, rule)).status).toBe(200)
  await scene.settle()
  expect(await heldBy(userId)).toHaveLength(2)

  const plain = await plan(userId)
  expect(plain).toMatchObject({ removedCount: 1, keptCount: 1 })
  expect(plain.items.find(({ outcome }) => outcome === 'kept_by_rule')?.['explanation']).toBe(
    'The rule "Everyone in Leavers" grants this again unless the person is excluded from it or disabled.',
  )
  expect(plain.rules).toMatchObject([
    { displayName: 'Everyone in Leavers', matches: true, grantsAgain: true, willExclude: false },
  ])
  removalOf(await apply(userId, plain))
  await scene.settle()
  expect(await heldBy(userId)).toEqual([ruled.id])

  const excluding = await plan(userId, { excludeFromRules: true })
  expect(excluding).toMatchObject({ removedCount: 1, keptCount: 0, rules: [{ willExclude: true, grantsAgain: false }] })
  const removal = removalOf(await apply(userId, excluding, {}, '/excluding'))
  expect(removal).toMatchObject({ removedCount: 1, excludedCount: 1 })
  await scene.settle()
  expect(await heldBy(userId)).toEqual([])
  // Undone, the rule looks at them again and grants it itself.
  expect(removalOf(await scene.post(at(userId, `/${removal.id}/undo`), {}))).toMatchObject({
    restoredCount: 0,
    leftCount: 1,
  })
  await scene.settle()
  expect(await heldBy(userId)).toEqual([ruled.id])

  const disabling = await plan(userId, { disableUser: true })
  expect(disabling).toMatchObject({ removedCount: 1, keptCount: 0 })
  const last = removalOf(await apply(userId, disabling, { disableUser: true }))
  await scene.settle()
  expect(await heldBy(userId)).toEqual([])
  const undo = () => scene.post(at(userId, `/${last.id}/undo`), {})
  expect(outcomeOf(await undo())).toBe('400/9 SUBJECT_DISABLED')
  expect((await scene.post(`/api/v1/users/${userId}/enable`, {})).status).toBe(200)
  removalOf(await undo())
  await scene.settle()
  expect(await heldBy(userId)).toEqual([ruled.id])
})

test('of two who apply the same plan at once there is one removal, and a grant at the same time is not lost sight of', async () => {
  const userId = await scene.user()
  for (let i = 0; i < 5; i++) await give(await scene.target(), userId)
  const planned = await plan(userId)
  const replies = await Promise.all(Array.from({ length: 6 }, () => apply(userId, planned)))
  expect(new Set(replies.map((reply) => removalOf(reply).id)).size).toBe(1)
  const [row] = await scene.server.db`
    select count(*)::int as count, count(distinct g.ended_by)::int as by from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
    where a.user_id = ${userId} and g.ended_at is not null`
  expect(row).toEqual({ count: 5, by: 1 })
  await give(await scene.target(), userId)
  const again = await plan(userId)
  const late = await scene.target()
  const [applied] = await Promise.all([apply(userId, again), give(late, userId)])
  // Before the grant or after it: applied as planned, or refused. Never more than was shown.
  const left = await heldBy(userId)
  expect([
    ['200', [late.id]],
    ['409/10 PLAN_OUTDATED', left.length === 2 ? left : []],
  ]).toContainEqual([outcomeOf(applied), left])
})

test('who may not change rules can undo a removal unless it excluded the person from a rule', async () => {
  const { access } = scene
  await access.makeRole('removers', ['grants.write', 'grants.read', 'users.read', 'tasks.request-for-others'])
  const remover = await access.makeToken(await access.makeCaller(['removers' as RoleName]))
  const userId = await scene.user()
  const ruled = await scene.target()
  expect((await scene.create(ruled, cel(`subject.id == "${userId}"`))).status).toBe(200)
  await scene.settle()
  const excluding = await plan(userId, { excludeFromRules: true })
  const { id } = removalOf(await apply(userId, excluding, {}, '/excluding'))
  const undo = (by: string, of: string) =>
    ask(scene.server, at(userId, `/${of}/undo`), { token: by, method: 'POST', body: '{}' })
  const refused = await undo(remover, id)
  expect([outcomeOf(refused), refused.text]).toEqual([
    '403/7 PERMISSION_DENIED',
    expect.stringContaining('automations.write'),
  ])
  removalOf(await scene.post(at(userId, `/${id}/undo`), {}))
  await scene.settle()
  expect(await heldBy(userId)).toEqual([ruled.id])

  const manual = await scene.target()
  await give(manual, userId)
  const plain = removalOf(await apply(userId, await plan(userId)))
  removalOf(await undo(remover, plain.id))
  expect(await heldBy(userId)).toEqual([ruled.id, manual.id].toSorted())
})

test('lower roles and other tenants cannot plan, remove or undo', async () => {
  const userId = await scene.user()
  await give(await scene.target(), userId)
  const planned = await plan(userId)
  for (const by of [scene.viewer, scene.basic]) {
    expect(outcomeOf(await scene.post(at(userId, '/plan'), {}, by))).toBe('403/7 PERMISSION_DENIED')
    const body = { fingerprint: planned.fingerprint, reason: 'x' }
    expect(outcomeOf(await scene.post(at(userId), body, by))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await scene.post(at(userId, '/excluding'), body, by))).toBe('403/7 PERMISSION_DENIED')
  }
  expect(outcomeOf(await scene.get(at(userId), scene.basic))).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(at(userId), scene.viewer)).status).toBe(200)
  expect(outcomeOf(await scene.get(`/api/v1/users/${userId}/dependents`, scene.basic))).toBe('403/7 PERMISSION_DENIED')
  const other = await scene.access.makeUser({ tenant: await scene.access.makeTenant('removal.other.example') })
  for (const more of ['/plan', '', '/excluding'])
    expect(outcomeOf(await scene.post(at(other, more), { fingerprint: 'x', reason: 'x' }))).toBe('404/5 USER_NOT_FOUND')
  const removal = removalOf(await apply(userId, planned))
  // A removal of somebody else's is not found under another person.
  expect(outcomeOf(await scene.post(at(await scene.user(), `/${removal.id}/undo`), {}))).toBe(
    '404/5 ACCESS_REMOVAL_NOT_FOUND',
  )
  expect(outcomeOf(await scene.post(at(scene.admin.userId, '/plan'), { disableUser: true }))).toBe('200')
  const own = await plan(scene.admin.userId, { disableUser: true })
  expect(outcomeOf(await apply(scene.admin.userId, own, { disableUser: true }))).toBe('400/9 CANNOT_DISABLE_SELF')
})

test('what only people can remove in the app is asked of them by a task, and stays recorded until then', async () => {
  const userId = await scene.user()
  const manual = await scene.target('Badge')
  await give(manual, userId)
  const assignee = { users: { userIds: [scene.admin.userId] } }
  const set = await scene.post(`/api/v1/apps/${manual.appId}/entitlements/${manual.id}`, {
    entitlement: { deprovisionerPolicy: { manual: { instructions: 'Collect it.', assignee } } },
    updateMask: 'deprovisionerPolicy',
  })
  expect(set.status, set.text).toBe(200)
  const planned = await plan(userId)
  expect(planned).toMatchObject({ removedCount: 0, manualCount: 1 })
  const removal = removalOf(await apply(userId, planned))
  expect(await eventually(async () => (await scene.all(at(userId)))[0]?.['manualOpenedCount'] === 1)).toBe(true)
  const [task] = await scene.server.db<{ taskId: string; description: string; isOpen: boolean }[]>`
    select task_id as "taskId", description, is_open as "isOpen" from tasks
    where kind = 'revoke' and entitlement_id = ${manual.id}`
  expect(task).toMatchObject({ description: 'Left the company', isOpen: true })
  expect(await heldBy(userId)).toEqual([manual.id])
  removalOf(await scene.post(at(userId, `/${removal.id}/undo`), {}))
  const [after] = await scene.server.db`select is_open as "isOpen" from tasks where task_id = ${task?.taskId ?? ''}`
  expect(after).toEqual({ isOpen: false })
})

test('many grants are planned and removed at once, and the plan lists the first thousand', async () => {
  const userId = await scene.user()
  const appId = await scene.app('Many')
  const account = await scene.account(appId, { userId })
  const { tenant, world } = scene.access
  const ids = Array.from({ length: 1_100 }, () => world.newId())
  await scene.server.db`
    insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
    select ${tenant.id}, ${appId}, x, 'E', now(), now() from unnest(${ids}::text[]) x`
  await scene.server.db`
    insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at)
    select ${tenant.id}, ${appId}, x, ${account.id}, x, 'manual', '', now(), now() from unnest(${ids}::text[]) x`
  const planned = await plan(userId)
  expect(planned).toMatchObject({ removedCount: ids.length })
  expect(planned.items).toHaveLength(1_000)
  expect(removalOf(await apply(userId, planned))).toMatchObject({ removedCount: ids.length })
  expect(await heldBy(userId)).toEqual([])
})

test('what depends on a person is listed, each part for those who may see it', async () => {
  const email = 'depended.on@example.com'
  const userId = await scene.user({ displayName: 'Dee Pend', email })
  const report = await scene.user({ displayName: 'Rae Port', managerIds: [userId] } as never)
  await scene.server.db`update users set manager_ids = ${[userId]} where user_id = ${report}`
  const ref = await scene.target('Watched')
  expect((await scene.create(ref, cel(`subject.email == "${email}"`))).status).toBe(200)
  const other = await scene.target('Without')
  expect((await scene.exclude(other, [userId])).status).toBe(200)
  const owned = await scene.app('Theirs')
  const { world, tenant } = scene.access
  const owner = {
    object: { kind: 'app', appId: owned, typeId: '', id: owned },
    roleSlug: 'primary',
    id: world.newId(),
    userId,
  } as const
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
  const reply = await scene.get(`/api/v1/users/${userId}/dependents`)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json).toMatchObject({
    rules: [{ appEntitlementId: ref.id, entitlementDisplayName: 'Watched' }],
    exclusions: [{ appEntitlementId: other.id }],
    managed: [{ id: report, displayName: 'Rae Port', hasOtherManager: false }],
    hiddenParts: [],
    cutParts: [],
  })
  expect(reply.json['owned']).toMatchObject([{ kind: 'app', id: owned, displayName: 'Theirs', isOnlyOwner: true }])
})
