import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { update } from '../fixture/write.ts'
import { cel, pathOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
const rule = (ref: Ref): string => `${pathOf(ref)}/automation`
let departments = 0
const newDepartment = (): string => `Team ${++departments}`
const inDepartment = (department: string): Json => cel(`subject.department == "${department}"`)
const crew = (department: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => scene.user({ department })))
const ruleOn = async (automation: Json): Promise<Ref> => {
  const target = await scene.target()
  const reply = await scene.create(target, automation)
  expect(reply.status, reply.text).toBe(200)
  await scene.settle()
  return target
}
const stateOf = async (target: Ref): Promise<Json> => (await scene.get(`${rule(target)}/state`)).json['state'] as Json
const lastStatus = async (target: Ref): Promise<Json> => {
  const { AppEntitlementAutomation: automation } = (await scene.get(rule(target))).json
  return (automation as Json)['lastRunStatus'] as Json
}
const moveAll = (userIds: readonly string[], to: string) =>
  update(scene.server.db, 'users', { department: to }, scene.server.db`x.user_id = any(${userIds}::text[])`)
const does = async (target: Ref, runId: unknown, what: string) =>
  scene.post(`${rule(target)}/runs/${String(runId)}/${what}`, {})

longTest('the history of a rule is paged, the latest first, and tells one run', async () => {
  const department = newDepartment()
  const [user] = await crew(department, 1)
  const target = await ruleOn(inDepartment(department))
  for (let i = 0; i < 12; i++) {
    await scene.move(user as string, i % 2 === 0 ? 'Elsewhere' : department)
    await scene.settle()
  }
  const runs = await scene.runs(target)
  expect(runs).toHaveLength(13)
  const ids = runs.map(({ id }) => id as string)
  expect(ids).toEqual(ids.toSorted().toReversed())
  expect(runs.map(({ cause }) => cause)).toEqual([
    ...Array<string>(12).fill('AUTOMATION_RUN_CAUSE_CHANGE'),
    'AUTOMATION_RUN_CAUSE_SAVED',
  ])
  const one = await scene.get(`${rule(target)}/runs/${ids[3]}`)
  expect(one.json['run']).toEqual(runs[3])
  expect(outcomeOf(await scene.get(`${rule(target)}/runs/${target.id}`))).toBe('404/5 RUN_NOT_FOUND')
})

test('a run is started manually, and shows by whom', async () => {
  const target = await ruleOn({ none: {} })
  const reply = await scene.post(`${rule(target)}/runs`, {})
  expect(reply.status, reply.text).toBe(200)
  await scene.settle()
  const [run] = await scene.runs(target)
  expect(run).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_HAND',
    startedByUserId: scene.admin.userId,
    status: 'AUTOMATION_RUN_STATUS_DONE',
  })
  expect((await scene.get(`${rule(target)}/runs/${run?.['id'] as string}`)).json['run']).toEqual(run)
  expect((await stateOf(target))['nextRunAt']).toEqual(expect.any(String))
})

test('rules run on a schedule as a safety net', async () => {
  const department = newDepartment()
  const [user] = await crew(department, 1)
  const target = await ruleOn(inDepartment(department))
  const { db } = scene.server
  // By another hand than the program's: nobody is told.
  await db`update users set department = 'Elsewhere' where user_id = ${user as string}`
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
  await db`update automations set due_at = now() where entitlement_id = ${target.id}`
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
  expect((await scene.runs(target))[0]).toMatchObject({ cause: 'AUTOMATION_RUN_CAUSE_SCHEDULE', lostCount: 1 })
})

test('a rule that reads the time is run every minute, others every hour', async () => {
  const soon = async (expression: string): Promise<number> => {
    const target = await ruleOn(cel(expression))
    await scene.post(`${rule(target)}/runs`, {})
    await scene.settle()
    return Date.parse((await stateOf(target))['nextRunAt'] as string)
  }
  const begun = Date.now()
  const [everyMinute, everyHour] = [
    await soon('now() < timestamp("2020-01-01T00:00:00Z")'),
    await soon('subject.department == "Nowhere"'),
  ]
  expect(everyMinute).toBeGreaterThan(begun)
  expect(everyMinute).toBeLessThan(Date.now() + 66_000)
  expect(everyHour).toBeGreaterThan(begun + 600_000)
  expect(everyHour).toBeLessThan(Date.now() + 3_660_000)
})

test('a run that would take from more than a fifth of at least 20 members stops before it changes anything', async () => {
  const department = newDepartment()
  const users = await crew(department, 20)
  const target = await ruleOn(inDepartment(department))
  await moveAll(users.slice(0, 4), 'Elsewhere')
  await scene.settle()
  // A fifth is not more than a fifth.
  expect(await scene.holders(target)).toHaveLength(16)
  await moveAll(users, department)
  await scene.settle()
  const newcomer = await scene.user({ department: 'Elsewhere' })
  await moveAll(users.slice(0, 5), 'Elsewhere')
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  const [held] = await scene.runs(target)
  expect(held).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD', toLoseCount: 5, memberCount: 20, lostCount: 0 })
  expect(await stateOf(target)).toMatchObject({ paused: 'AUTOMATION_PAUSE_HELD', heldRunId: held?.['id'] })
  expect(await lastStatus(target)).toMatchObject({
    status: 'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED',
    errorMessage: expect.stringContaining('5 of the 20 members') as unknown,
  })
  // It waits for a person: nothing else is done by the rule meanwhile.
  await scene.move(newcomer, department)
  await scene.settle()
  expect(await scene.holders(target)).not.toContain(newcomer)
  expect(outcomeOf(await scene.post(`${rule(target)}/runs`, {}))).toBe('409/10 RUN_UNDER_WAY')

  const released = await does(target, held?.['id'], 'release')
  expect(released.status, released.text).toBe(200)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([...users.slice(5), newcomer].toSorted())
  expect((await scene.runs(target))[0]).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_RELEASE',
    startedByUserId: scene.admin.userId,
    lostCount: 5,
    gainedCount: 1,
  })
  expect(outcomeOf(await does(target, held?.['id'], 'release'))).toBe('400/9 RUN_NOT_HELD')
  expect(outcomeOf(await does(target, held?.['id'], 'cancel'))).toBe('400/9 RUN_NOT_HELD')
  expect(outcomeOf(await does(target, target.id, 'release'))).toBe('404/5 RUN_NOT_FOUND')
})

test('the breaker also stops a run over everyone; after cancelling, the rule is paused until it is changed or started', async () => {
  const department = newDepartment()
  const users = await crew(department, 20)
  const target = await ruleOn(inDepartment(department))
  await scene.update(target, { none: {} })
  await scene.settle()
  const [held] = await scene.runs(target)
  expect(held).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_SAVED',
    status: 'AUTOMATION_RUN_STATUS_HELD',
    toLoseCount: 20,
  })
  expect((await does(target, held?.['id'], 'cancel')).status).toBe(200)
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  expect(await stateOf(target)).toMatchObject({ paused: 'AUTOMATION_PAUSE_CANCELLED', nextRunAt: null })
  // A new name does not wake it, another rule does.
  await scene.update(target, { displayName: 'Renamed' })
  await scene.settle()
  expect(await stateOf(target)).toMatchObject({ paused: 'AUTOMATION_PAUSE_CANCELLED' })
  await scene.update(target, inDepartment(department))
  await scene.settle()
  expect(await stateOf(target)).toMatchObject({ paused: 'AUTOMATION_PAUSE_UNSPECIFIED' })

  const off = await scene.post(`${rule(target)}/breaker`, { breakerOff: true })
  expect(off.json['state']).toMatchObject({ breakerOff: true })
  await scene.update(target, { none: {} })
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
})

test('undo restores exactly what the last run changed, if nothing has changed it since, and the rule is paused', async () => {
  const [here, there] = [newDepartment(), newDepartment()]
  const stay = await crew(here, 2)
  const come = await crew(there, 3)
  const target = await ruleOn(inDepartment(here))
  const before = await scene.server.db<{ account: string; at: Date }[]>`
    select account_id as account, granted_at as at from grants
    where entitlement_id = ${target.id} and ended_at is null order by 1`
  await scene.update(target, inDepartment(there))
  await scene.settle()
  expect(await scene.holders(target)).toEqual(come.toSorted())
  const [run] = await scene.runs(target)
  // Somebody has changed one of each since.
  const accountOf = async (userId: string): Promise<string> => {
    const [row] = await scene.server.db<{ id: string }[]>`
      select account_id as id from accounts where user_id = ${userId} and app_id = ${target.appId}`
    return row?.id as string
  }
  await scene.exclude(target, [come[0] as string])
  await scene.remove(`${pathOf(target)}/remove-membership`, { appUserId: await accountOf(come[0] as string) })
  await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [stay[0]] })
  await scene.settle()

  const undone = await does(target, run?.['id'], 'undo')
  expect(undone.status, undone.text).toBe(200)
  expect(undone.json['run']).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_UNDO',
    undoesRunId: run?.['id'],
    gainedCount: 1,
    lostCount: 2,
    leftAloneCount: 2,
  })
  await scene.settle()
  expect(await scene.holders(target)).toEqual(stay.toSorted())
  const after = await scene.server.db<{ account: string; at: Date }[]>`
    select account_id as account, granted_at as at from grants
    where entitlement_id = ${target.id} and ended_at is null and source = 'rule'`
  expect(before).toContainEqual(after[0])
  expect(await stateOf(target)).toMatchObject({ paused: 'AUTOMATION_PAUSE_UNDONE' })
  await scene.server.db`update automations set due_at = now() where entitlement_id = ${target.id}`
  await scene.user({ department: there })
  await scene.settle()
  expect(await scene.holders(target)).toEqual(stay.toSorted())

  const [, last] = await scene.runs(target)
  expect(last).toMatchObject({ id: run?.['id'], undoneByRunId: (undone.json['run'] as Json)['id'] })
  expect(outcomeOf(await does(target, run?.['id'], 'undo'))).toBe('400/9 RUN_NOT_UNDOABLE')
  expect(outcomeOf(await does(target, (undone.json['run'] as Json)['id'], 'undo'))).toBe('400/9 RUN_NOT_UNDOABLE')
  await scene.post(`${rule(target)}/runs`, {})
  await scene.settle()
  expect(await scene.holders(target)).toHaveLength(4)
})

test('only the last run that changed anything is undone', async () => {
  const department = newDepartment()
  const [user, other] = await crew(department, 2)
  const target = await ruleOn(inDepartment(department))
  const [first] = await scene.runs(target)
  await scene.move(user as string, 'Elsewhere')
  await scene.settle()
  const [second] = await scene.runs(target)
  await scene.post(`${rule(target)}/runs`, {})
  await scene.settle()
  const [idle] = await scene.runs(target)
  expect(outcomeOf(await does(target, first?.['id'], 'undo'))).toBe('400/9 RUN_NOT_UNDOABLE')
  expect(outcomeOf(await does(target, idle?.['id'], 'undo'))).toBe('400/9 RUN_NOT_UNDOABLE')
  expect(outcomeOf(await does(target, target.id, 'undo'))).toBe('404/5 RUN_NOT_FOUND')
  expect((await does(target, second?.['id'], 'undo')).status).toBe(200)
  expect(await scene.holders(target)).toEqual([user as string, other as string].toSorted())
})
