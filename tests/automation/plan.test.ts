import { expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import { cel, pathOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
const rule = (ref: Ref): string => `${pathOf(ref)}/automation`
let departments = 0
const newDepartment = (): string => `Group ${++departments}`
const inDepartment = (department: string): Json => cel(`subject.department == "${department}"`)
// The same, in words that cannot be said in SQL.
const asked = (department: string): Json => cel(`[subject.department].map(d, d + "!").exists(d, d == "${department}!")`)
const apply = (target: Ref, body: Json) => scene.post(`${rule(target)}/apply`, body)

/** A rule with someone in each group: who gains, loses, stays, and is excluded, once the rule becomes `there`. */
async function stage(there: string) {
  const here = newDepartment()
  const target = await scene.target()
  const [loser, excludedMember] = [await scene.user({ department: here }), await scene.user({ department: here })]
  const [gainer, excluded] = [await scene.user({ department: there }), await scene.user({ department: there })]
  const stayer = await scene.user({ department: there })
  await scene.create(target, inDepartment(here))
  await scene.settle()
  await scene.exclude(target, [excludedMember, excluded])
  await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [stayer] })
  await scene.settle()
  return { target, gainer, loser, stayer, excluded, excludedMember }
}

test.each([
  ['in one statement', inDepartment],
  ['user by user', asked],
])(
  'a plan of a proposed rule, found %s, says who gains, loses, stays and is excluded, and changes nothing',
  async (_, ruleOf) => {
    const there = newDepartment()
    const { target, gainer, loser, stayer, excluded, excludedMember } = await stage(there)
    const before = await scene.record(target)
    const plan = await scene.plan(target, { automation: ruleOf(there) })
    expect(plan.counts).toEqual({ matched: 3, gain: 1, lose: 1, stay: 1, excluded: 2, failed: 0 })
    const outcomes = Object.fromEntries(
      (plan['list'] as Json[]).map(({ userId, outcome }) => [userId as string, outcome]),
    )
    expect(outcomes).toEqual({
      [gainer]: 'AUTOMATION_OUTCOME_GAIN',
      [loser]: 'AUTOMATION_OUTCOME_LOSE',
      [stayer]: 'AUTOMATION_OUTCOME_STAY',
      [excluded]: 'AUTOMATION_OUTCOME_EXCLUDED',
      [excludedMember]: 'AUTOMATION_OUTCOME_EXCLUDED',
    })
    expect((plan['list'] as Json[])[0]?.['user']).toMatchObject({ id: expect.any(String) as unknown })
    const only = await scene.plan(target, { automation: ruleOf(there), outcomes: ['AUTOMATION_OUTCOME_LOSE'] })
    expect((only['list'] as Json[]).map(({ userId }) => userId)).toEqual([loser])
    expect(only.fingerprint).toBe(plan.fingerprint)
    expect(await scene.record(target)).toEqual(before)
    expect((await scene.plan(target)).counts).toMatchObject({ gain: 0, lose: 0, stay: 1 })

    const applied = await apply(target, { fingerprint: plan.fingerprint, automation: ruleOf(there) })
    expect(applied.status, applied.text).toBe(200)
    expect(applied.json['run']).toMatchObject({
      cause: 'AUTOMATION_RUN_CAUSE_APPLY',
      status: 'AUTOMATION_RUN_STATUS_DONE',
      startedByUserId: scene.admin.userId,
      ruleVersion: 2,
      matchedCount: 3,
      gainedCount: 1,
      lostCount: 1,
      excludedCount: 2,
    })
    expect(await scene.holders(target)).toEqual([gainer, stayer, excludedMember].toSorted())
    expect((await scene.get(rule(target))).json['AppEntitlementAutomation']).toMatchObject(ruleOf(there))
    await scene.settle()
    expect(await scene.holders(target)).toEqual([gainer, stayer, excludedMember].toSorted())
  },
)

test('a plan is paged, with the counts and the fingerprint on every page', async () => {
  const department = newDepartment()
  const users = await Promise.all(Array.from({ length: 23 }, () => scene.user({ department })))
  const target = await scene.target()
  for (const automation of [inDepartment(department), asked(department)]) {
    const found: unknown[] = []
    let token = ''
    let pages = 0
    do {
      const page = await scene.plan(target, { automation, pageSize: 10, pageToken: token })
      expect(page.counts).toMatchObject({ matched: 23, gain: 23 })
      expect(page.fingerprint).toHaveLength(43)
      found.push(...(page['list'] as Json[]).map(({ userId }) => userId))
      token = page['nextPageToken'] as string
      pages += 1
    } while (token !== '')
    expect(found).toEqual(users.toSorted())
    expect(pages).toBe(3)
  }
  const first = await scene.plan(target, { automation: inDepartment(department), pageSize: 10 })
  const other = { automation: asked(department), pageSize: 10, pageToken: first['nextPageToken'] }
  expect(outcomeOf(await scene.post(`${rule(target)}/plan`, other))).toBe('400/3 PAGE_TOKEN_INVALID')
})

test.each<[what: string, change: (of: Awaited<ReturnType<typeof stage>>, there: string) => Promise<unknown>]>([
  ['someone comes', (_, there) => scene.user({ department: there })],
  ['someone goes', ({ gainer }) => scene.move(gainer, 'Elsewhere')],
  ['someone is excluded', ({ target, gainer }) => scene.exclude(target, [gainer])],
  ['someone is not excluded any more', ({ target, excluded }) => scene.include(target, [excluded])],
  [
    'someone is given it by hand',
    ({ target, gainer }) => scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [gainer] }),
  ],
])('a plan is not applied once %s', async (_, change) => {
  const there = newDepartment()
  const staged = await stage(there)
  const { target } = staged
  const plan = await scene.plan(target, { automation: inDepartment(there) })
  await change(staged, there)
  await scene.settle()
  const before = await scene.record(target)
  const refused = await apply(target, { fingerprint: plan.fingerprint, automation: inDepartment(there) })
  expect(outcomeOf(refused)).toBe('409/10 PLAN_OUTDATED')
  expect(await scene.record(target)).toEqual(before)
  expect((await scene.get(`${rule(target)}/state`)).json['state']).toMatchObject({ ruleVersion: 1 })
})

test('a plan is of one rule: it is not applied to another, nor once the saved one has changed', async () => {
  const [here, there] = [newDepartment(), newDepartment()]
  const target = await scene.target()
  const plan = await scene.plan(target, { automation: inDepartment(here) })
  const other = await apply(target, { fingerprint: plan.fingerprint, automation: inDepartment(there) })
  expect(outcomeOf(other)).toBe('409/10 PLAN_OUTDATED')
  expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
  expect(outcomeOf(await apply(target, { fingerprint: plan.fingerprint }))).toBe('404/5 AUTOMATION_NOT_FOUND')
  expect(fieldsOf(await apply(target, {}))).toEqual(['fingerprint'])
  expect(outcomeOf(await scene.post(`${rule(target)}/plan`, {}))).toBe('404/5 AUTOMATION_NOT_FOUND')
  const bad = await scene.post(`${rule(target)}/plan`, { automation: cel('subject.') })
  expect(outcomeOf(bad)).toBe('400/3 EXPRESSION_INVALID')
  await scene.create(target, inDepartment(here))
  await scene.settle()
  const saved = await scene.plan(target)
  await scene.update(target, inDepartment(there))
  await scene.settle()
  expect(outcomeOf(await apply(target, { fingerprint: saved.fingerprint }))).toBe('409/10 PLAN_OUTDATED')
})

test.each([
  ['in one statement', 'subject.profile.grade > 2.0'],
  ['user by user', '[subject.profile.grade].map(g, g + 1.0).exists(g, g == 4.0)'],
])(
  'whom a rule fails for is named in a plan, found %s; who is disabled is nobody it fails for',
  async (_, expression) => {
    const target = await scene.target()
    const department = newDepartment()
    const profile = { grade: 'three' }
    const failing = await scene.user({ department, profile })
    const disabled = await scene.user({ department, profile, status: 'DISABLED' })
    const of = `subject.department == "${department}" && `
    const plan = await scene.plan(target, { automation: cel(`${of}${expression}`) })
    expect(plan.counts['failed']).toBe(1)
    const named = (plan['failures'] as Json[]).map(({ userId }) => userId)
    expect(named).toEqual([failing])
    expect(named).not.toContain(disabled)
  },
)

test('a plan of the holders of other entitlements is applied as planned', async () => {
  const [target, other] = [await scene.target(), await scene.target()]
  const user = await scene.user()
  await scene.post(`${pathOf(other)}/add-manual-user`, { userIds: [user] })
  const automation = { entitlements: { entitlementRefs: [{ id: other.id, appId: other.appId }] } }
  const { fingerprint } = await scene.plan(target, { automation })
  const applied = await apply(target, { fingerprint, automation })
  expect(applied.status, applied.text).toBe(200)
  expect(await scene.holders(target)).toEqual([user])
})

test('of two who apply the same plan at once, one does', async () => {
  const department = newDepartment()
  const users = await Promise.all([scene.user({ department }), scene.user({ department })])
  const target = await scene.target()
  const { fingerprint } = await scene.plan(target, { automation: inDepartment(department) })
  const body = { fingerprint, automation: inDepartment(department) }
  const replies = await Promise.all([apply(target, body), apply(target, body), apply(target, body)])
  expect(replies.map(outcomeOf).toSorted()).toEqual(['200', '409/10 PLAN_OUTDATED', '409/10 PLAN_OUTDATED'])
  await scene.settle()
  expect(await scene.holders(target)).toEqual(users.toSorted())
  expect(await scene.record(target)).toHaveLength(2)
})

test('who applies a plan has seen it: the breaker does not stop them', async () => {
  const department = newDepartment()
  await Promise.all(Array.from({ length: 20 }, () => scene.user({ department })))
  const target = await scene.target()
  await scene.create(target, inDepartment(department))
  await scene.settle()
  const { fingerprint, counts } = await scene.plan(target, { automation: { none: {} } })
  expect(counts['lose']).toBe(20)
  expect((await apply(target, { fingerprint, automation: { none: {} } })).status).toBe(200)
  expect(await scene.holders(target)).toEqual([])
})

test('explain says whether and why a user has it, what the rule says of them, and on which values', async () => {
  const department = newDepartment()
  const target = await scene.target()
  const user = await scene.user({ department, profile: { level: 4 } })
  const failing = await scene.user({ department })
  const explain = async (userId: string): Promise<Json> => {
    const reply = await scene.get(`${rule(target)}/explain/${userId}`)
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  expect(await explain(user)).toMatchObject({
    holds: false,
    heldSince: null,
    grants: [],
    isExcluded: false,
    hasRule: false,
    verdict: 'AUTOMATION_VERDICT_UNSPECIFIED',
    outcome: 'AUTOMATION_OUTCOME_UNSPECIFIED',
  })
  // Whoever was just made is looked at before: for whom the rule fails would be a run of its own after the first.
  await scene.settle()
  await scene.create(target, cel(`subject.department == "${department}" && subject.profile.level > 3.0`))
  await scene.settle()
  const [run] = await scene.runs(target)
  const told = await explain(user)
  expect(told).toMatchObject({
    userId: user,
    holds: true,
    heldSince: expect.any(String) as unknown,
    grants: [{ source: 'rule', grantedBy: run?.['id'] }],
    hasRule: true,
    ruleVersion: 1,
    verdict: 'AUTOMATION_VERDICT_MATCHES',
    outcome: 'AUTOMATION_OUTCOME_STAY',
  })
  expect(told['lookedAt']).toEqual(
    expect.arrayContaining([
      { path: 'subject.department', value: JSON.stringify(department), isMissing: false },
      { path: 'subject.profile.level', value: '4', isMissing: false },
    ]),
  )
  const failed = await explain(failing)
  expect(failed).toMatchObject({ holds: false, verdict: 'AUTOMATION_VERDICT_FAILED' })
  expect(failed['error']).toContain('line 1')
  expect(failed['lookedAt']).toContainEqual({ path: 'subject.profile.level', value: '', isMissing: true })

  await scene.exclude(target, [user])
  await scene.move(user, 'Elsewhere')
  await scene.settle()
  expect(await explain(user)).toMatchObject({
    holds: true,
    isExcluded: true,
    excludedByUserId: scene.admin.userId,
    verdict: 'AUTOMATION_VERDICT_DOES_NOT_MATCH',
    outcome: 'AUTOMATION_OUTCOME_EXCLUDED',
  })
  await scene.include(target, [user])
  await scene.settle()
  const [taken] = await scene.runs(target)
  expect(await explain(user)).toMatchObject({ holds: false, lastEndedBy: taken?.['id'] })
  expect(outcomeOf(await scene.get(`${rule(target)}/explain/${target.id}`))).toBe('404/5 USER_NOT_FOUND')
})
