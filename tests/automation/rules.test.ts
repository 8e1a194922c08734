import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { dropUnread } from '#rooms/rules/automation/changes/store.ts'
import { fieldsOf, getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { update } from '../fixture/write.ts'
import { cel, pathOf, prepare } from './scene.ts'

const scene = prepare()

/** Whether a field of a reply tells anything. */
const isSaid = (value: unknown): boolean =>
  !['', 'UNKNOWN', 'USER_TYPE_UNSPECIFIED', 'USER_ORIGIN_UNSPECIFIED', null].includes(value as string) &&
  !(Array.isArray(value) && value.length === 0)

test('a rule gives its entitlement to every enabled user who matches and has no grant', async () => {
  const target = await scene.target()
  const sales = await scene.user({ department: 'Sales one' })
  const disabled = await scene.user({ department: 'Sales one', status: 'DISABLED' })
  const byHand = await scene.user({ department: 'Sales one' })
  const other = await scene.user({ department: 'Elsewhere' })
  await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [byHand] })
  const made = await scene.create(target, { displayName: 'Sellers', ...cel('subject.department == "Sales one"') })
  expect(made.status, made.text).toBe(200)
  expect(made.json['automation']).toMatchObject({
    appId: target.appId,
    appEntitlementId: target.id,
    displayName: 'Sellers',
    cel: { expression: 'subject.department == "Sales one"' },
    basic: null,
    none: null,
    entitlements: null,
    deletedAt: null,
  })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([sales, byHand].toSorted())
  expect(await scene.holders(target)).not.toContain(disabled)
  expect(await scene.holders(target)).not.toContain(other)
  const [run] = await scene.runs(target)
  expect(run).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_SAVED',
    status: 'AUTOMATION_RUN_STATUS_DONE',
    startedByUserId: scene.admin.userId,
    ruleVersion: 1,
    matchedCount: 2,
    gainedCount: 1,
    lostCount: 0,
    excludedCount: 0,
    failedCount: 0,
  })
  const rows = await scene.record(target)
  expect(rows.filter(({ source }) => source === 'rule')).toEqual([
    { userId: sales, source: 'rule', grantedBy: run?.['id'], isOpen: true, endedBy: null },
  ])
  const read = await scene.get(`${pathOf(target)}/automation`)
  expect((read.json['AppEntitlementAutomation'] as Json)['lastRunStatus']).toMatchObject({
    status: 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_SUCCESS',
    errorMessage: '',
    lastCompletedAt: expect.any(String) as unknown,
  })
})

const rule = (ref: { appId: string; id: string }) => `${pathOf(ref)}/automation`
let departments = 0
/** A department that no other test uses. */
const newDepartment = (): string => `Department ${++departments}`
const inDepartment = (department: string): Json => cel(`subject.department == "${department}"`)
const ruleOn = async (automation: Json) => {
  // Whoever was just made is looked at before: else that could be a run of its own after the first.
  await scene.settle()
  const target = await scene.target()
  const reply = await scene.create(target, automation)
  expect(reply.status, reply.text).toBe(200)
  await scene.settle()
  return target
}

test('where there is no rule there is nothing to get, change or delete', async () => {
  const target = await scene.target()
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
  expect(outcomeOf(await scene.update(target, { none: {} }))).toBe('404/5 AUTOMATION_NOT_FOUND')
  expect(outcomeOf(await scene.remove(rule(target), {}))).toBe('404/5 AUTOMATION_NOT_FOUND')
  for (const ref of [
    { ...target, id: scene.admin.userId },
    { ...target, appId: scene.admin.userId },
  ]) {
    const reason = ref.appId === target.appId ? 'ENTITLEMENT_NOT_FOUND' : 'APP_NOT_FOUND'
    expect(outcomeOf(await scene.get(rule(ref)))).toBe(`404/5 ${reason}`)
    expect(outcomeOf(await scene.create(ref, { none: {} }))).toBe(`404/5 ${reason}`)
    expect(outcomeOf(await scene.get(`${rule(ref)}/exclusions`))).toBe(`404/5 ${reason}`)
    expect(outcomeOf(await scene.get(`${rule(ref)}/runs`))).toBe(`404/5 ${reason}`)
  }
})

test('an entitlement has one rule; a deleted one makes room for another, and versions go on', async () => {
  const target = await ruleOn({ none: {} })
  const again = await scene.create(target, { none: {} })
  expect(outcomeOf(again)).toBe('409/6 AUTOMATION_EXISTS')
  expect(again.json['message']).toContain(target.id)
  expect((await scene.remove(rule(target), {})).json).toEqual({})
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
  expect((await scene.create(target, { none: {} })).status).toBe(200)
  const { state } = (await scene.get(`${rule(target)}/state`)).json as { state: Json }
  expect(state['ruleVersion']).toBe(2)
})

test('exactly one of none, basic, cel and entitlements is said', async () => {
  const target = await scene.target()
  const none = await scene.create(target, { displayName: 'x' })
  expect(outcomeOf(none)).toBe('400/3 INPUT_INVALID')
  const both = await scene.create(target, { none: {}, cel: { expression: 'true' } })
  expect(fieldsOf(both)).toEqual(['automation.cel'])
  const empty = await scene.create(target, { entitlements: { entitlementRefs: [] } })
  expect(fieldsOf(empty)).toEqual(['automation.entitlements.entitlementRefs'])
  const unknown = await scene.create(target, {
    entitlements: { entitlementRefs: [target, { appId: target.appId, id: 'nobody' }] },
  })
  expect(fieldsOf(unknown)).toEqual(['automation.entitlements.entitlementRefs[1]'])
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
})

test('what cannot compile is refused at save, with line and column', async () => {
  const target = await scene.target()
  const bad = await scene.create(target, cel('subject.department == "x" &&\n  subject.shoeSize > 3'))
  expect(outcomeOf(bad)).toBe('400/3 EXPRESSION_INVALID')
  expect(fieldsOf(bad)).toEqual(['automation.cel.expression'])
  expect(bad.json['message']).toMatch(/line 2, column \d+/)
  expect((bad.json['details'] as Json[])[0]?.['metadata']).toMatchObject({
    line: '2',
    column: expect.any(String) as string,
  })
  const notBool = await scene.create(target, { basic: { expression: 'subject.department' } })
  expect(outcomeOf(notBool)).toBe('400/3 EXPRESSION_INVALID')
  expect(fieldsOf(notBool)).toEqual(['automation.basic.expression'])
  await scene.create(target, cel('false'))
  const changed = await scene.update(target, cel('true ||'))
  expect(fieldsOf(changed)).toEqual(['cel.expression'])
})

test('updateMask says what changes, in either spelling; without one, what was sent', async () => {
  const target = await ruleOn({ displayName: 'One', description: 'First', none: {} })
  const changed = async (body: Json): Promise<Json> => {
    const reply = await scene.update(target, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.json['AppEntitlementAutomation'] as Json
  }
  expect(await changed({ displayName: 'Two', description: 'Second', updateMask: 'display_name' })).toMatchObject({
    displayName: 'Two',
    description: 'First',
    none: {},
  })
  expect(await changed({ description: '' })).toMatchObject({ displayName: 'Two', description: '', none: {} })
  expect(
    await changed({ displayName: 'Three', cel: { expression: 'false' }, updateMask: 'cel.expression' }),
  ).toMatchObject({ displayName: 'Two', none: null, cel: { expression: 'false' } })
  expect(fieldsOf(await scene.update(target, { updateMask: 'createdAt' }))).toEqual(['updateMask'])
  expect(outcomeOf(await scene.update(target, { updateMask: 'cel' }))).toBe('400/3 INPUT_INVALID')
})

test('a rule revokes what it granted from users who no longer match, and nothing else', async () => {
  const department = newDepartment()
  const [leaver, stayer, byHand, disabled, gone] = await Promise.all(
    Array.from({ length: 5 }, () => scene.user({ department })),
  )
  const target = await ruleOn(inDepartment(department))
  await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [byHand] })
  await scene.settle()
  const { db } = scene.server
  await scene.move(leaver as string, 'Elsewhere')
  await scene.move(byHand as string, 'Elsewhere')
  await update(db, 'users', { status: 'DISABLED' }, db`x.user_id = ${disabled as string}`)
  await update(db, 'users', { deleted_at: new Date() }, db`x.user_id = ${gone as string}`)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([stayer as string, byHand as string].toSorted())
  const rows = await scene.record(target)
  expect(rows.filter(({ isOpen, source }) => isOpen && source === 'manual').map(({ userId }) => userId)).toEqual([
    byHand,
  ])
  const took = rows.filter(({ isOpen }) => !isOpen)
  expect(took.map(({ source }) => source)).toEqual(['rule', 'rule', 'rule', 'rule'])
  const runIds = (await scene.runs(target)).map(({ id }) => id)
  for (const { endedBy } of took) expect(runIds).toContain(endedBy)
})

test('the rule grants again what somebody revokes manually from a user who matches', async () => {
  const department = newDepartment()
  const user = await scene.user({ department })
  const target = await ruleOn(inDepartment(department))
  const [{ id: account } = { id: '' }] = await scene.server.db<{ id: string }[]>`
    select account_id as id from accounts where user_id = ${user} and app_id = ${target.appId}`
  await scene.remove(`${pathOf(target)}/remove-membership`, { appUserId: account })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
  expect(await scene.record(target)).toHaveLength(2)
})

test('a rule may match who holds any of some entitlements, and rules that read one another settle', async () => {
  const department = newDepartment()
  const user = await scene.user({ department })
  const first = await scene.target()
  const second = await scene.target()
  const third = await scene.target()
  await scene.create(third, cel(`c1.user.v1.HasEntitlement(subject, "${second.appId}", "${second.id}")`))
  await scene.create(second, { entitlements: { entitlementRefs: [first, first] } })
  await scene.create(first, inDepartment(department))
  await scene.settle()
  for (const each of [first, second, third]) expect(await scene.holders(each)).toEqual([user])
  await scene.move(user, 'Elsewhere')
  await scene.settle()
  for (const each of [first, second, third]) expect(await scene.holders(each)).toEqual([])
})

test('rules that would keep each other alive are refused, by whichever way they read', async () => {
  const [one, two, three] = [await scene.target(), await scene.target(), await scene.target()]
  const has = ({ appId, id }: typeof one): Json => cel(`!c1.user.v1.HasEntitlement(subject, "${appId}", "${id}")`)
  const itself = await scene.create(one, has(one))
  expect(outcomeOf(itself)).toBe('400/9 AUTOMATION_CIRCLE')
  await scene.create(one, { entitlements: { entitlementRefs: [two] } })
  await scene.create(two, { entitlements: { entitlementRefs: [three] } })
  const circle = await scene.create(three, has(one))
  expect(outcomeOf(circle)).toBe('400/9 AUTOMATION_CIRCLE')
  expect(circle.json['message']).toContain(`${three.id} <- ${one.id} <- ${two.id} <- ${three.id}`)
  expect((await scene.remove(rule(two), {})).status).toBe(200)
  expect((await scene.create(three, has(one))).status).toBe(200)
})

test('two who save at once make no circle', async () => {
  const [one, two] = [await scene.target(), await scene.target()]
  const replies = await Promise.all([
    scene.create(one, { entitlements: { entitlementRefs: [two] } }),
    scene.create(two, { entitlements: { entitlementRefs: [one] } }),
  ])
  expect(replies.map(outcomeOf).toSorted()).toEqual(['200', '400/9 AUTOMATION_CIRCLE'])
})

test('what a deleted rule gave stays until a new rule decides', async () => {
  const department = newDepartment()
  const users = await Promise.all([scene.user({ department }), scene.user({ department })])
  const target = await ruleOn(inDepartment(department))
  await scene.remove(rule(target), {})
  await scene.move(users[0], 'Elsewhere')
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  await scene.create(target, inDepartment(department))
  await scene.settle()
  expect(await scene.holders(target)).toEqual([users[1]])
  await scene.update(target, { none: {} })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
})

test('a user for whom the rule fails does not match, is counted, and is named in the report', async () => {
  const department = newDepartment()
  const fine = await scene.user({ department, profile: { level: 5 } })
  const without = await scene.user({ department })
  const target = await ruleOn(cel(`subject.department == "${department}" && subject.profile.level > 3.0`))
  expect(await scene.holders(target)).toEqual([fine])
  const [run] = await scene.runs(target)
  expect(run).toMatchObject({ matchedCount: 1, failedCount: 1, status: 'AUTOMATION_RUN_STATUS_DONE' })
  expect(run?.['failures']).toEqual([{ userId: without, error: expect.stringContaining('line 1, column') as unknown }])
  await update(scene.server.db, 'users', { profile: '{}' }, scene.server.db`x.user_id = ${fine}`)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
  const [next] = await scene.runs(target)
  expect(next).toMatchObject({ cause: 'AUTOMATION_RUN_CAUSE_CHANGE', failedCount: 1, lostCount: 1 })
  expect(next?.['failures']).toEqual([{ userId: fine, error: expect.any(String) as unknown }])
})

test('a rule ends with its entitlement', async () => {
  const department = newDepartment()
  const user = await scene.user({ department })
  const target = await ruleOn(inDepartment(department))
  expect(await scene.holders(target)).toEqual([user])
  await scene.remove(pathOf(target), {})
  await scene.user({ department })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  await update(scene.server.db, 'entitlements', { deleted_at: null }, scene.server.db`x.entitlement_id = ${target.id}`)
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
})

test('of several accounts the best is given to; an account that changes hands takes along what it holds', async () => {
  const department = newDepartment()
  const target = await scene.target()
  const [user, other] = [await scene.user({ department }), await scene.user()]
  const disabled = await scene.account(target.appId, { userId: user, status: 'STATUS_DISABLED' })
  const best = await scene.account(target.appId, { userId: user })
  await scene.create(target, inDepartment(department))
  await scene.settle()
  const open = () => scene.server.db<{ id: string }[]>`
    select account_id as id from grants where entitlement_id = ${target.id} and ended_at is null`
  expect(await open()).toEqual([{ id: best.id }])
  await update(scene.server.db, 'accounts', { user_id: other }, scene.server.db`x.account_id = ${best.id}`)
  await scene.settle()
  expect(await open()).toEqual([{ id: disabled.id }])
  await update(scene.server.db, 'accounts', { user_id: null }, scene.server.db`x.account_id = ${disabled.id}`)
  await scene.settle()
  await scene.post(`${rule(target)}/runs`, {})
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
  expect(await open()).not.toContainEqual({ id: disabled.id })
})

test('only a change of what some rule reads has a user looked at again', async () => {
  const department = newDepartment()
  const user = await scene.user({ department })
  await ruleOn(inDepartment(department))
  const { tenant } = scene.access
  const waiting = (set: Readonly<Record<string, string | Date>>): Promise<number> =>
    scene.server.db
      .begin(async (tx) => {
        await updateRecords(tx, tenant.id, 'users', { set, where: tx`x.user_id = ${user}` })
        await dropUnread(tx, tenant.id)
        const [row] = await tx<{ count: number }[]>`select count(*) from automation_changes where ${user} = any(ids)`
        throw Object.assign(new Error('undone'), { count: row?.count })
      })
      .catch((error: { count: number }) => error.count)
  expect(await waiting({ updated_at: new Date() })).toBe(0)
  expect(await waiting({ employment_status: 'nobody reads this' })).toBe(0)
  expect(await waiting({ department: 'Elsewhere' })).toBe(1)
  expect(await waiting({ status: 'DISABLED' })).toBe(1)
  expect(await waiting({ deleted_at: new Date() })).toBe(1)
})

test("a rule that reads a manager's address hears of it when that changes", async () => {
  const manager = await scene.user()
  const user = await scene.user({ managerId: manager })
  const target = await ruleOn(cel(`subject.manager == "chief@example.com"`))
  expect(await scene.holders(target)).toEqual([])
  await update(scene.server.db, 'users', { email: 'chief@example.com' }, scene.server.db`x.user_id = ${manager}`)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
  await update(scene.server.db, 'users', { email: 'other@example.com' }, scene.server.db`x.user_id = ${manager}`)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
})

test('asked for many times at once, a rule is run once at a time and gives once', async () => {
  const department = newDepartment()
  const users = await Promise.all(Array.from({ length: 10 }, () => scene.user({ department })))
  const target = await scene.target()
  const replies = await Promise.all(Array.from({ length: 6 }, () => scene.create(target, inDepartment(department))))
  expect(replies.map(outcomeOf).toSorted()).toEqual(['200', ...Array<string>(5).fill('409/6 AUTOMATION_EXISTS')])
  await Promise.all([
    ...Array.from({ length: 4 }, () => scene.post(`${rule(target)}/runs`, {})),
    ...Array.from({ length: 4 }, () => scene.settle()),
    scene.update(target, { displayName: 'Saved meanwhile' }),
    scene.update(target, inDepartment(department)),
  ])
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  expect(await scene.record(target)).toHaveLength(10)
  const spans = (await scene.runs(target)).map(({ startedAt, finishedAt }) => [startedAt, finishedAt] as string[])
  for (const [i, [start]] of spans.entries())
    for (const [, end] of spans.slice(i + 1)) expect((end as string) <= (start as string)).toBe(true)
})

test('who may only read sees rules, plans and runs, and changes none; a basic user sees none', async () => {
  const target = await ruleOn({ none: {} })
  const reads = [rule(target), `${rule(target)}/state`, `${rule(target)}/runs`, `${rule(target)}/exclusions`]
  for (const path of reads) {
    expect((await scene.get(path, scene.viewer)).status, path).toBe(200)
    expect(outcomeOf(await scene.get(path, scene.basic))).toBe('403/7 PERMISSION_DENIED')
  }
  expect((await scene.post(`${rule(target)}/plan`, {}, scene.viewer)).status).toBe(200)
  for (const path of ['update', 'runs', 'breaker', 'apply', 'exclusions'])
    expect(outcomeOf(await scene.post(`${rule(target)}/${path}`, {}, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
})

test('what a rule does is in the system log, with the run', async () => {
  const department = newDepartment()
  await scene.user({ department })
  const target = await ruleOn(inDepartment(department))
  const [run] = await scene.runs(target)
  const saved = await scene.logged('app.v1.AppEntitlements.CreateAutomation')
  expect(saved.at(-1)?.resources[0]).toMatchObject({ type: 'automation', uid: target.id, data: { version: 1 } })
  const done = (await scene.logged('run automation rules')).filter(({ resources }) => resources[0]?.uid === target.id)
  expect(done).toHaveLength(1)
  expect(done[0]?.resources[0]?.data).toMatchObject({ runId: run?.['id'] })
  expect(done[0]?.resources.map(({ type }) => type)).toEqual(['entitlement', 'account', 'grant'])
})

test('who owns an app runs its rules, and learns no more of people than who they are', async () => {
  const department = newDepartment()
  const user = await scene.user({ department })
  const [target, other] = [await scene.target(), await scene.target()]
  const key = await scene.access.makeCaller(['system:application-admin'])
  const owner = { userId: key.userId, token: await getToken(scene.server, key) }
  const { world, tenant } = scene.access
  const object = { kind: 'app' as const, appId: target.appId, typeId: '', id: target.appId }
  await transact(world.db, (tx) =>
    insertOwners(
      tx,
      operatorCause(tenant, 'test'),
      [{ object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }],
      world.now(),
    ),
  )
  const automation = inDepartment(department)
  const plan = await scene.post(`${rule(target)}/plan`, { automation }, owner)
  expect(plan.status, plan.text).toBe(200)
  const [named] = plan.json['list'] as Json[]
  expect(named).toMatchObject({ userId: user, outcome: 'AUTOMATION_OUTCOME_GAIN' })
  // By name, and by nothing else.
  expect(Object.entries(named?.['user'] as Json).filter(([, value]) => isSaid(value))).toEqual([
    ['id', user],
    ['displayName', `Person ${user.slice(-6)}`],
  ])
  expect((await scene.post(`${rule(target)}/create`, { automation }, owner)).status).toBe(200)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
  expect(outcomeOf(await scene.get(`${rule(target)}/explain/${user}`, owner))).toBe('404/5 USER_NOT_FOUND')
  expect((await scene.post(`${rule(other)}/create`, { automation }, owner)).status).toBeGreaterThanOrEqual(403)
  expect(outcomeOf(await scene.get(rule(other)))).toBe('404/5 AUTOMATION_NOT_FOUND')
})

test('a rule that names its own entitlement is accepted and returned as written; it matches nobody', async () => {
  const [target, other] = [await scene.target(), await scene.target()]
  const [byHand, byOther] = [await scene.user(), await scene.user()]
  const written = { entitlements: { entitlementRefs: [target, other] } }
  expect((await scene.create(target, written)).json['automation']).toMatchObject(written)
  await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [byHand] })
  await scene.post(`${pathOf(other)}/add-manual-user`, { userIds: [byOther] })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([byHand, byOther].toSorted())
  const of = (await scene.get(`${pathOf(target)}/automation`)).json['AppEntitlementAutomation']
  expect(of).toMatchObject(written)
  // What it is held by: nothing else where it was given by hand, the other entitlement where the rule gave it.
  const sources = async (path: string, userId: string) =>
    (await scene.all(path)).flatMap((row) => {
      const account = row['appUser'] as Json
      const owner = ((account['appUser'] as Json | undefined) ?? account)['identityUserId']
      return owner === userId ? [row['grantSources']] : []
    })
  for (const list of ['users', 'grants']) {
    expect(await sources(`${pathOf(target)}/${list}`, byOther)).toEqual([[other]])
    expect(await sources(`${pathOf(target)}/${list}`, byHand)).toEqual([[]])
  }
  const bindings = (await scene.get(`${pathOf(target)}/users/${byOther}/grants`)).json['bindings']
  expect(bindings).toMatchObject([{ grantSources: [other] }])
  // Held only because the rule gave it, it is no reason to keep it.
  const [held] = (await scene.all(`${pathOf(other)}/users`)) as [Json]
  await scene.remove(`${pathOf(other)}/remove-membership`, { appUserId: held['appUserId'] })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([byHand])
  expect((await scene.update(target, { entitlements: { entitlementRefs: [target] } })).status).toBe(200)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([byHand])
  expect((await scene.plan(target)).counts).toMatchObject({ gain: 0, lose: 0 })
  const unknown = await scene.update(target, {
    entitlements: { entitlementRefs: [target, { ...other, id: scene.access.world.newId() }] },
  })
  expect(fieldsOf(unknown)).toEqual(['entitlements.entitlementRefs[1]'])
})
