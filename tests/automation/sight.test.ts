import { hash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { ask, fieldsOf, getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { startServer } from '../fixture/server.ts'
import { update } from '../fixture/write.ts'
import type { Caller } from '../grants/scene.ts'
import { cel, pathOf, prepare, type Ref } from './scene.ts'

/** Rules and plans of someone who owns an app and may not see everyone (decisions 0038 and 0039). */
const scene = prepare()
let owner: Caller
let target: Ref
let people: string[]

beforeAll(async () => {
  const key = await scene.access.makeCaller(['system:application-admin', 'system:user'])
  owner = { userId: key.userId, token: await getToken(scene.server, key) }
  target = await owning()
  const many = Array.from({ length: 40 }, (_, i) => scene.user({ department: teamOf(i) }))
  people = await Promise.all(many)
})

async function owning(): Promise<Ref> {
  const { world, tenant } = scene.access
  const ref = await scene.target()
  const object = { kind: 'app' as const, appId: ref.appId, typeId: '', id: ref.appId }
  const row = { object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [row], world.now()))
  return ref
}

const teamOf = (i: number): string => (i < 3 ? 'Few' : i < 30 ? 'Many' : 'Else')
function putBack(): Promise<unknown> {
  const { db } = scene.server
  const teams = db`unnest(${people}::text[], ${people.map((_, i) => teamOf(i))}::text[]) as w (id, team)`
  return update(db, 'users', { department: db`w.team` }, db`x.user_id = w.id`, teams)
}
const numbered = () => scene.server.db`unnest(${people}::text[]) with ordinality as w (id, n)`

const planOf = (definition: Json, by = owner, of = target) =>
  scene.post(`${pathOf(of)}/automation/plan`, { automation: definition }, by)
const rule = (of: Ref): string => `${pathOf(of)}/automation`

describe('a plan of someone who may not see everyone', () => {
  test('has a fingerprint from which nobody finds out whom it is about', async () => {
    const definition = { kind: 'cel', expression: 'subject.department == "Few"' }
    const plan = await planOf(cel(definition.expression))
    const outcomes = people.slice(0, 3).map((id) => `${id} gain`)
    const [row] = await scene.server.db<{ digest: string }[]>`
      select sum(hashtextextended(o, 1))::text || ',' || sum(hashtextextended(o, 2)) as digest
      from unnest(${outcomes}::text[]) as guess (o)`
    const guess = hash('sha256', JSON.stringify([target, definition, row?.digest, 0]), 'base64url')
    expect(plan.json['fingerprint']).toMatch(/^[\w-]{43}$/)
    expect(plan.json['fingerprint']).not.toBe(guess)
  })

  test('for everyone names nobody, and says how many', async () => {
    const plan = await planOf(cel('true'))
    // But for themselves.
    expect((plan.json['list'] as Json[]).map(({ userId }) => userId)).toEqual([owner.userId])
    expect(plan.json['failures']).toEqual([])
    expect((plan.json['counts'] as Json)['gain']).toBeGreaterThan(40)
    expect(plan.json['hiddenCount']).toBe(24)
    for (const id of people) expect(plan.text).not.toContain(id)
    const whole = await planOf(cel('true'), scene.viewer)
    expect(whole.json).toMatchObject({ hiddenCount: 0, boundedCounts: [] })
    expect(whole.json['list']).toHaveLength(25)
  })

  test('for a few names those who would change, and small counts are bounds', async () => {
    const plan = await planOf(cel('subject.department == "Few"'))
    const { list } = plan.json as { list: { userId: string; user: Json }[] }
    expect(list.map(({ userId }) => userId).toSorted()).toEqual(people.slice(0, 3).toSorted())
    expect(list.map(({ user }) => [user['email'], user['department'], user['emails']])).toEqual(
      list.map(() => ['', '', []]),
    )
    expect(plan.json['counts']).toMatchObject({ gain: 3, matched: 4, stay: 4, excluded: 4, failed: 4 })
    expect(plan.json['boundedCounts']).toEqual(['matched', 'stay', 'excluded', 'failed'])
  })

  test('tells few names a day, however many plans there are', async () => {
    const key = await scene.access.makeCaller(['system:application-admin'])
    const other = { userId: key.userId, token: await getToken(scene.server, key) }
    const { world, tenant } = scene.access
    const object = { kind: 'app' as const, appId: target.appId, typeId: '', id: target.appId }
    const row = { object, roleSlug: 'second', id: world.newId(), userId: other.userId }
    await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [row], world.now()))
    // Ten departments of one or a few each: asked one by one.
    const { db } = scene.server
    await update(db, 'users', { department: db`'Team ' || (w.n % 10)` }, db`x.user_id = w.id`, numbered())
    const told = new Set<string>()
    // On two servers in turn: they count together.
    const beside = await startServer({ beside: scene.server })
    later(() => beside.stop())
    for (let i = 0; i < 10; i++) {
      const plan = await ask(i % 2 ? beside : scene.server, `${pathOf(target)}/automation/plan`, {
        token: other.token,
        body: { automation: cel(`subject.department == "Team ${i}"`) },
      })
      for (const { userId } of plan.json['list'] as { userId: string }[]) told.add(userId)
    }
    await putBack()
    expect(told.size).toBeGreaterThan(4)
    expect(told.size).toBeLessThanOrEqual(15)
  })

  test.each([
    'subject.email.startsWith("a")',
    'subject.emails.exists(e, e.startsWith("a"))',
    'subject.username == "x"',
    'subject.usernames.size() > 0',
    'subject.displayName < "M"',
    'subject.id < "2"',
    'subject.manager == "x@example.com"',
    'subject.managerId == "x"',
    'subject.profile.site == "x"',
    'subject.attributes.site == "x"',
    'subject.directoryStatus == UserStatus.ENABLED',
    'has(subject.profile.site) || true',
    'subject.department == "Few" && subject.email.contains("@")',
  ])('asks nothing about people but their work: %s', async (expression) => {
    const plan = await planOf(cel(expression))
    expect([outcomeOf(plan), fieldsOf(plan)[0]], plan.text).toEqual([
      '400/3 INPUT_INVALID',
      'automation.cel.expression',
    ])
    const made = await scene.post(`${rule(target)}/create`, { automation: cel(expression) }, owner)
    expect(outcomeOf(made)).toBe('400/3 INPUT_INVALID')
    expect((await planOf(cel(expression), scene.viewer)).status).toBe(200)
  })

  test('can only read the members of their own entitlements, and gets the same error for unknown ones', async () => {
    const theirs = await scene.target()
    const mine = await owning()
    const none: Ref = { appId: theirs.appId, id: '2zzzzzzzzzzzzzzzzzzzzzzzzzz' }
    const has = ({ appId, id }: Ref) => cel(`c1.user.v1.HasEntitlement(subject, "${appId}", "${id}")`)
    const app = (appId: string) => cel(`c1.user.v1.HasApp(subject, "${appId}")`)
    const listed = (ref: Ref) => ({ entitlements: { entitlementRefs: [ref] } })
    expect(outcomeOf(await planOf(app(theirs.appId)))).toBe('400/3 INPUT_INVALID')
    for (const asked of [has, listed]) {
      const [there, not] = [await planOf(asked(theirs)), await planOf(asked(none))]
      expect(outcomeOf(there), there.text).toBe('400/3 INPUT_INVALID')
      expect(there.text.replaceAll(theirs.id, none.id)).toBe(not.text)
      expect((await planOf(asked(mine))).status).toBe(200)
    }
    expect((await planOf(app(mine.appId))).status).toBe(200)
  })

  test("shows what an administrator's rule would do, though they could not have written it", async () => {
    const of = await owning()
    const definition = cel('subject.email.startsWith("nobody-at-all")')
    expect((await scene.create(of, definition)).status).toBe(200)
    expect((await scene.post(`${rule(of)}/plan`, {}, owner)).status).toBe(200)
    // Sent back as it was, it is no new rule; another is.
    expect((await scene.post(`${rule(of)}/update`, { ...definition, displayName: 'x' }, owner)).status).toBe(200)
    const other = cel('subject.email.startsWith("somebody")')
    expect(outcomeOf(await scene.post(`${rule(of)}/update`, other, owner))).toBe('400/3 INPUT_INVALID')
  })
})

describe('a run that would give to a fifth of everyone and more', () => {
  const heldRun = async (of: Ref): Promise<Json | undefined> => {
    await scene.settle()
    return (await scene.runs(of))[0]
  }

  test('waits for a person; released, it gives', async () => {
    const of = await scene.target()
    await scene.create(of, cel('subject.department == "Many" || subject.department == "Else"'))
    const held = await heldRun(of)
    expect(held).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD', gainedCount: 0, toGainCount: 37 })
    expect(held?.['errorMessage']).toMatch(/^The run would grant the entitlement to 37 more people/)
    expect(await scene.holders(of)).toEqual([])
    const state = await scene.get(`${rule(of)}/state`)
    expect(state.json['state']).toMatchObject({ paused: 'AUTOMATION_PAUSE_HELD', heldRunId: held?.['id'] })
    expect((await scene.post(`${rule(of)}/runs/${held?.['id'] as string}/release`, {})).status).toBe(200)
    await scene.settle()
    expect(await scene.holders(of)).toHaveLength(37)
  })

  test('also when people change rather than the rule', async () => {
    const of = await scene.target()
    await scene.create(of, cel('subject.department == "Moved"'))
    await scene.settle()
    await update(scene.server.db, 'users', { department: 'Moved' }, scene.server.db`x.department in ('Many', 'Else')`)
    expect(await heldRun(of)).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD', gainedCount: 0, toGainCount: 37 })
    await putBack()
    await scene.settle()
  })

  test('is not held where the breaker is off, or a plan was shown', async () => {
    const [off, shown] = [await scene.target(), await scene.target()]
    await scene.create(off, cel('subject.department == "None yet"'))
    await scene.settle()
    await scene.post(`${rule(off)}/breaker`, { breakerOff: true })
    await scene.update(off, cel('subject.department == "Many"'))
    await scene.settle()
    expect(await scene.holders(off)).toHaveLength(27)
    const automation = cel('subject.department == "Many"')
    const { fingerprint } = await scene.plan(shown, { automation })
    const applied = await scene.post(`${rule(shown)}/apply`, { fingerprint, automation })
    expect(applied.json['run']).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_DONE', gainedCount: 27 })
  })

  test('in several steps within a day waits too, where its author only owns it', async () => {
    const first = await owning()
    const second = await scene.entitlement(first.appId)
    const few = (of: Ref, title: string) => scene.post(`${rule(of)}/create`, { automation: titled(title) }, owner)
    const titled = (title: string) => cel(`subject.jobTitle == "${title}"`)
    const { db } = scene.server
    await update(db, 'users', { job_title: db`'Part ' || (w.n / 14)` }, db`x.user_id = w.id`, numbered())
    expect((await few(first, 'Part 0')).status).toBe(200)
    await scene.settle()
    expect(await scene.holders(first)).toHaveLength(13)
    expect((await few(second, 'Part 1')).status).toBe(200)
    const held = await heldRun(second)
    expect(held).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD', toGainCount: 14 })
    expect(held?.['errorMessage']).toContain('after rules of the app granted access to 13 within a day')
    const refused = '403/7 GAIN_TOO_LARGE'
    const release = `${rule(second)}/runs/${held?.['id'] as string}/release`
    expect(outcomeOf(await scene.post(release, {}, owner))).toBe(refused)
    const third = await scene.entitlement(first.appId)
    const automation = titled('Part 2')
    const { fingerprint } = (await planOf(automation, owner, third)).json
    expect(outcomeOf(await scene.post(`${rule(third)}/apply`, { fingerprint, automation }, owner))).toBe(refused)
    expect(await scene.holders(second)).toEqual([])
    expect((await scene.post(release, {})).status).toBe(200)
    await scene.settle()
    expect(await scene.holders(second)).toHaveLength(14)
    // An administrator's rules are not counted so: they see everyone.
    expect((await scene.create(third, automation)).status).toBe(200)
    await scene.settle()
    expect(await scene.holders(third)).toHaveLength(13)
  })

  test('is confirmed by none who only owns it: neither by release, nor by a plan, nor without the breaker', async () => {
    const of = await owning()
    const automation = cel('subject.department == "Many"')
    const { fingerprint } = (await planOf(automation, owner, of)).json
    const refused = '403/7 GAIN_TOO_LARGE'
    expect(outcomeOf(await scene.post(`${rule(of)}/apply`, { fingerprint, automation }, owner))).toBe(refused)
    expect((await scene.post(`${rule(of)}/create`, { automation }, owner)).status).toBe(200)
    const held = await heldRun(of)
    expect(held).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD' })
    const release = `${rule(of)}/runs/${held?.['id'] as string}/release`
    expect(outcomeOf(await scene.post(release, {}, owner))).toBe(refused)
    expect(outcomeOf(await scene.post(`${rule(of)}/breaker`, { breakerOff: true }, owner))).toBe(
      '403/7 PERMISSION_DENIED',
    )
    expect(await scene.holders(of)).toEqual([])
    expect((await scene.post(release, {})).status).toBe(200)
    await scene.settle()
    expect(await scene.holders(of)).toHaveLength(27)
  })
})
