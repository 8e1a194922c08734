import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { differencesOf } from '#rooms/rules/automation/versions/decide.ts'
import { ask, fieldsOf, getToken, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { update } from '../fixture/write.ts'
import type { Caller } from '../grants/scene.ts'
import { cel, pathOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
const rule = (ref: Ref): string => `${pathOf(ref)}/automation`
let departments = 0
const newDepartment = (): string => `Team ${++departments}`
const inDepartment = (department: string): Json => cel(`subject.department == "${department}"`)
// The same, in words that cannot be said in SQL.
const asked = (department: string): Json => cel(`[subject.department].map(d, d + "!").exists(d, d == "${department}!")`)

const ok = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const saved = async (ref: Ref): Promise<Json> => ok(await scene.get(rule(ref)))['AppEntitlementAutomation'] as Json
const versions = (ref: Ref, by = scene.admin): Promise<Json[]> => scene.all(`${rule(ref)}/versions`, null, by)
const compare = (ref: Ref, version: number, toVersion = 0, more: Json = {}, by = scene.admin): Promise<Reply> =>
  scene.post(`${rule(ref)}/versions/${version}/compare`, { toVersion, ...more }, by)
const restore = (ref: Ref, version: number, body: Json = {}, by = scene.admin): Promise<Reply> =>
  scene.post(`${rule(ref)}/versions/${version}/restore`, body, by)
const must = (mustMatchUserIds: string[], mustNotMatchUserIds: string[] = []): Json => ({
  examples: { mustMatchUserIds, mustNotMatchUserIds },
})
const terms = ({ displayName, description, none, cel: byCel, basic, entitlements, examples }: Json): Json => ({
  ...{ displayName, description, none, cel: byCel, basic, entitlements, examples },
})

let owner: Caller
/** An entitlement of someone who may not see everyone. */
async function owned(): Promise<Ref> {
  const { world, tenant } = scene.access
  const ref = await scene.target()
  const object = { kind: 'app' as const, appId: ref.appId, typeId: '', id: ref.appId }
  const row = { object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [row], world.now()))
  return ref
}
beforeAll(async () => {
  const key = await scene.access.makeCaller(['system:application-admin', 'system:user'])
  owner = { userId: key.userId, token: await getToken(scene.server, key) }
})

describe('versions', () => {
  test('every save is kept: who, when, why, what it matches, its name and its examples; runs name theirs', async () => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const person = await scene.user({ department: b })
    ok(
      await scene.post(`${rule(target)}/create`, {
        automation: { displayName: 'First', description: 'Words', ...inDepartment(a) },
        reason: 'OPS-1',
      }),
    )
    await scene.settle()
    ok(await scene.update(target, { ...inDepartment(b), ...must([person]), reason: 'OPS-2' }))
    await scene.settle()
    ok(await scene.update(target, { displayName: 'Third' }))
    const [third, second, first, ...others] = await versions(target)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{ version: 1, displayName: 'First', description: 'Words', reason: 'OPS-1', restoresVersion: 0 },
      ...{ savedByUserId: scene.admin.userId, examples: null, ...inDepartment(a) },
    })
    expect(second).toMatchObject({ version: 2, displayName: 'First', reason: 'OPS-2', ...must([person]) })
    expect(third).toMatchObject({ version: 3, displayName: 'Third', reason: '', ...inDepartment(b), ...must([person]) })
    expect(Date.parse(first?.['savedAt'] as string)).toBeLessThanOrEqual(Date.parse(third?.['savedAt'] as string))
    expect(ok(await scene.get(`${rule(target)}/versions/2`))['version']).toEqual(second)
    const [, run] = (await scene.runs(target)).toReversed()
    expect(run).toMatchObject({ ruleVersion: 2, gainedCount: 1 })
    const logged = await scene.logged('app.v1.AppEntitlements.UpdateAutomation')
    expect(logged.some(({ resources }) => resources.some(({ data }) => data?.['reason'] === 'OPS-2'))).toBe(true)
  })

  test('what is no version is not found, of whatever kind; and a reason has a bound', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { none: {} }))
    for (const version of ['2', '0', '-1', '1.5', 'x', '99999999999999999999', '1%00'])
      expect((await scene.get(`${rule(target)}/versions/${version}`)).status, version).toBeGreaterThanOrEqual(400)
    expect(outcomeOf(await scene.get(`${rule(target)}/versions/2`))).toBe('404/5 RULE_VERSION_NOT_FOUND')
    expect(outcomeOf(await compare(target, 1, 7))).toBe('404/5 RULE_VERSION_NOT_FOUND')
    expect(outcomeOf(await compare(target, 1, -1))).toBe('404/5 RULE_VERSION_NOT_FOUND')
    expect(outcomeOf(await restore(target, 7))).toBe('404/5 RULE_VERSION_NOT_FOUND')
    const long = await scene.update(target, { displayName: 'x', reason: 'r'.repeat(501) })
    expect(fieldsOf(long)).toEqual(['reason'])
    const bare = await scene.target()
    expect(await versions(bare)).toEqual([])
    expect(outcomeOf(await restore(bare, 1))).toBe('404/5 RULE_VERSION_NOT_FOUND')
  })

  test('a rule from before versions existed has its current state as a version', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { displayName: 'Old', none: {} }))
    // As the migration finds it.
    const { db } = scene.server
    await db`delete from automation_versions where entitlement_id = ${target.id}`
    await db`
      insert into automation_versions (tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name,
        description, saved_at)
      select tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name, description, updated_at
      from automations where entitlement_id = ${target.id}`
    expect(await versions(target)).toMatchObject([{ version: 1, displayName: 'Old', savedByUserId: '', none: {} }])
  })

  test.each([
    ['in one statement', inDepartment],
    ['user by user', asked],
  ])('two versions are compared: what they say, and whom they match now, found %s', async (_, ruleOf) => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const [onlyA, onlyB] = [await scene.user({ department: a }), await scene.user({ department: b })]
    await scene.user({ department: a, status: 'DISABLED' })
    ok(await scene.create(target, { displayName: 'One', ...ruleOf(a) }))
    ok(await scene.update(target, { displayName: 'Two', ...ruleOf(b) }))
    const told = ok(await compare(target, 1))
    expect(told).toMatchObject({
      ...{ from: { version: 1 }, to: { version: 2 }, matchesError: '', boundedCounts: [] },
      matches: { both: 0, onlyFrom: 1, onlyTo: 1 },
      differences: [{ field: 'expression' }, { field: 'displayName', before: 'One', after: 'Two' }],
    })
    const sides = (told['list'] as Json[]).map(({ userId, isFrom }) => [userId, isFrom])
    expect(Object.fromEntries(sides)).toEqual({ [onlyA]: true, [onlyB]: false })
    const back = ok(await compare(target, 2, 1))
    expect(back).toMatchObject({ matches: { both: 0, onlyFrom: 1, onlyTo: 1 } })
    expect(back['differences']).toEqual(
      (told['differences'] as Json[]).map(({ field, before, after }) => ({ field, before: after, after: before })),
    )
    expect(ok(await compare(target, 2))).toMatchObject({ differences: [], list: [], matches: { both: 1 } })
  })

  test('the people of a comparison are paged, with the counts on every page', async () => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const all = await Promise.all(Array.from({ length: 13 }, () => scene.user({ department: a })))
    ok(await scene.create(target, inDepartment(a)))
    ok(await scene.update(target, inDepartment(b)))
    const first = ok(await compare(target, 1, 0, { pageSize: 10 }))
    const second = ok(await compare(target, 1, 0, { pageSize: 10, pageToken: first['nextPageToken'] }))
    expect(second['matches']).toEqual({ both: 0, onlyFrom: 13, onlyTo: 0 })
    const ids = [...(first['list'] as Json[]), ...(second['list'] as Json[])].map(({ userId }) => userId)
    expect(ids).toEqual(all.toSorted())
  })

  test('a version is restored as a save like any other: a new version, which runs, and says what it restores', async () => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const [ada, bob] = [await scene.user({ department: a }), await scene.user({ department: b })]
    ok(await scene.create(target, { displayName: 'One', ...inDepartment(a), ...must([ada], [bob]) }))
    await scene.settle()
    const before = await saved(target)
    ok(await scene.update(target, { displayName: 'Two', ...inDepartment(b), ...must([]) }))
    await scene.settle()
    expect(await scene.holders(target)).toEqual([bob])
    ok(await restore(target, 1, { reason: 'It was right' }))
    expect(terms(await saved(target))).toEqual(terms(before))
    await scene.settle()
    expect(await scene.holders(target)).toEqual([ada])
    expect((await versions(target))[0]).toMatchObject({ version: 3, restoresVersion: 1, reason: 'It was right' })
  })

  test('with the fingerprint of its plan, it does what the plan showed, or nothing', async () => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const ada = await scene.user({ department: a })
    ok(await scene.create(target, inDepartment(a)))
    ok(await scene.update(target, inDepartment(b)))
    await scene.settle()
    const { fingerprint } = await scene.plan(target, { automation: inDepartment(a) })
    const late = await scene.user({ department: a })
    expect(outcomeOf(await restore(target, 1, { fingerprint }))).toBe('409/10 PLAN_OUTDATED')
    expect(await saved(target)).toMatchObject(inDepartment(b))
    const again = await scene.plan(target, { automation: inDepartment(a) })
    const done = ok(await restore(target, 1, { fingerprint: again.fingerprint }))
    expect(done).toMatchObject({ run: { gainedCount: 2, ruleVersion: 3 }, automation: inDepartment(a) })
    expect(await scene.holders(target)).toEqual([ada, late].toSorted())
  })

  test('a deleted rule is restored from its versions', async () => {
    const target = await scene.target()
    const a = newDepartment()
    const ada = await scene.user({ department: a })
    ok(await scene.create(target, inDepartment(a)))
    ok(await scene.remove(rule(target), { reason: 'By mistake' }))
    expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect(await versions(target)).toHaveLength(1)
    ok(await restore(target, 1))
    await scene.settle()
    expect(await scene.holders(target)).toEqual([ada])
    expect(await saved(target)).toMatchObject(inDepartment(a))
  })

  longTest('restoring is held by the breaker where it gives too much', async () => {
    const target = await scene.target()
    const a = newDepartment()
    await Promise.all(Array.from({ length: 30 }, () => scene.user({ department: a })))
    const { total } = (
      await scene.server.db<{ total: number }[]>`
      select count(*)::int as total from users where status = 'ENABLED' and deleted_at is null`
    )[0] as { total: number }
    // More than a fifth of everyone.
    const more = Math.max(0, Math.ceil((total - 5 * 30) / 4) + 5)
    await Promise.all(Array.from({ length: more }, () => scene.user({ department: a })))
    ok(await scene.create(target, inDepartment(a)))
    ok(await scene.update(target, { none: {} }))
    await scene.settle()
    ok(await restore(target, 1))
    await scene.settle()
    expect(await scene.holders(target)).toEqual([])
    expect((await scene.runs(target))[0]).toMatchObject({ status: 'AUTOMATION_RUN_STATUS_HELD', ruleVersion: 3 })
    const plan = await scene.plan(target)
    expect(plan).toMatchObject({ isMassGain: true, isMassLoss: false })
    const few = await scene.plan(target, { automation: { none: {} } })
    expect(few).toMatchObject({ isMassGain: false, isMassLoss: false })
    // Every page says so.
    const next = await scene.plan(target, { pageToken: plan['nextPageToken'] as string })
    expect(next).toMatchObject({ isMassGain: true, counts: plan.counts })
    // Applying the plan confirms it.
    ok(await scene.post(`${rule(target)}/runs/${(await scene.runs(target))[0]?.['id'] as string}/cancel`, {}))
    ok(await scene.post(`${rule(target)}/apply`, { fingerprint: plan.fingerprint }))
    expect((await scene.holders(target)).length).toBe(30 + more)
    const loss = await scene.plan(target, { automation: { none: {} } })
    expect(loss).toMatchObject({ isMassGain: false, isMassLoss: true })
  })

  longTest(
    'after any saves, restoring a version makes the rule what that version was; comparing is symmetric',
    async () => {
      const people = await Promise.all([0, 1, 2].map((n) => scene.user({ department: `Prop ${n}` })))
      const definition = fc.oneof(
        fc.constant<Json>({ none: {} }),
        fc.nat(2).map((n) => inDepartment(`Prop ${n}`)),
        fc.nat(2).map((n) => ({ basic: { expression: `subject.department != "Prop ${n}"` } })),
      )
      const save = fc.record({
        displayName: fc.constantFrom('', 'A', 'B'),
        description: fc.constantFrom('', 'why'),
        definition,
        // Who is not in the expression neither fails nor holds it up: an example that is always right.
        hasExample: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(save, { minLength: 2, maxLength: 5 }), fc.nat(), async (saves, pick) => {
          const target = await scene.target()
          for (const [i, { definition: wanted, hasExample, ...named }] of saves.entries()) {
            const plan = await scene.plan(target, { automation: { ...wanted, ...must(people) } })
            const hold = (plan['examples'] as Json[]).filter(
              ({ status }) => status === 'AUTOMATION_EXAMPLE_STATUS_HOLDS',
            )
            const examples = hasExample ? hold.map(({ userId }) => userId as string) : []
            const body = { ...named, ...wanted, ...must(examples) }
            ok(i === 0 ? await scene.create(target, body) : await scene.update(target, body))
          }
          const kept = (await versions(target)).toReversed()
          const wanted = kept[pick % kept.length] as Json
          ok(await restore(target, wanted['version'] as number))
          expect(terms(await saved(target))).toEqual(terms(wanted))
          const other = kept[(pick + 1) % kept.length] as Json
          const [there, back] = [
            ok(await compare(target, wanted['version'] as number, other['version'] as number)),
            ok(await compare(target, other['version'] as number, wanted['version'] as number)),
          ]
          const turned = (back['differences'] as Json[]).map(({ field, before, after }) => ({
            field,
            before: after,
            after: before,
          }))
          expect(there['differences']).toEqual(turned)
          const { both, onlyFrom, onlyTo } = back['matches'] as Json
          expect(there['matches']).toEqual({ both, onlyFrom: onlyTo, onlyTo: onlyFrom })
        }),
        { numRuns: fewOrMany(2, 40) },
      )
    },
  )

  test('of two versions that say the same there is no difference', () => {
    const one = {
      ...{ appId: 'a', id: 'e', displayName: '', description: '', examples: [] },
      definition: { kind: 'cel' as const, expression: 'true' },
    }
    expect(differencesOf(one, { ...one, definition: { kind: 'basic', expression: 'true' } })).toEqual([])
    expect(differencesOf(one, { ...one, examples: [{ userId: 'u', matches: false }] })).toEqual([
      { field: 'examples.mustNotMatchUserIds', before: '', after: 'u' },
    ])
  })

  test('two who restore at once each make a version, and none is lost', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { displayName: 'One', none: {} }))
    ok(await scene.update(target, { displayName: 'Two' }))
    const done = await Promise.all([restore(target, 1), restore(target, 2), restore(target, 1)])
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await versions(target)).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
  })

  test('a thousand versions are kept, and the latest of them', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { none: {} }))
    await scene.server.db`update automations set version = 1000 where entitlement_id = ${target.id}`
    ok(await scene.update(target, { displayName: 'Last' }))
    expect((await versions(target)).map(({ version }) => version)).toEqual([1001])
  })

  test('who may only read restores nothing; others see nothing; an owner does both for what is theirs', async () => {
    const target = await owned()
    const secret = cel('subject.email.endsWith("@example.com")')
    ok(await scene.create(target, secret))
    ok(await scene.update(target, { none: {} }))
    expect(outcomeOf(await restore(target, 1, {}, scene.viewer))).toBe('403/7 PERMISSION_DENIED')
    expect(await versions(target, scene.viewer)).toHaveLength(2)
    expect((await scene.get(`${rule(target)}/versions`, scene.basic)).status).toBe(403)
    expect((await compare(target, 1, 0, {}, scene.basic)).status).toBe(403)
    expect(await versions(target, owner)).toHaveLength(2)
    // What it reads is not theirs to ask: they see what it said, not whom it matches, and do not restore it.
    const told = ok(await compare(target, 1, 0, {}, owner))
    expect(told).toMatchObject({
      matches: null,
      list: [],
      matchesError: expect.stringContaining('users.read') as unknown,
    })
    expect(told['differences']).toHaveLength(2)
    expect(fieldsOf(await restore(target, 1, {}, owner))).toEqual(['cel.expression'])
    ok(await restore(target, 2, {}, owner))
    const other = await scene.target()
    ok(await scene.create(other, { none: {} }))
    expect((await restore(other, 1, {}, owner)).status).toBe(404)
    expect((await scene.get(`${rule(other)}/versions`, owner)).status).toBe(404)
  })

  test('small counts of a comparison are bounds for who may not see everyone, and nobody is named', async () => {
    const target = await owned()
    const [a, b] = [newDepartment(), newDepartment()]
    const ada = await scene.user({ department: a })
    ok(await scene.create(target, inDepartment(a)))
    ok(await scene.update(target, inDepartment(b)))
    const told = await compare(target, 1, 0, {}, owner)
    expect(ok(told)).toMatchObject({
      ...{ matches: { both: 4, onlyFrom: 4, onlyTo: 4 }, list: [] },
      boundedCounts: ['both', 'onlyFrom', 'onlyTo'],
    })
    expect(told.text).not.toContain(ada)
  })

  test('another tenant sees and restores nothing', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { none: {} }))
    const host = `versions${departments}.example`
    const tenant = await scene.access.makeTenant(host)
    const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
    const token = await getToken(scene.server, key)
    for (const path of ['versions', 'versions/1', 'values?field=department'])
      expect((await ask(scene.server, `${rule(target)}/${path}`, { token, host })).status, path).toBe(404)
    for (const path of ['versions/1/restore', 'versions/1/compare'])
      expect((await ask(scene.server, `${rule(target)}/${path}`, { token, host, body: {} })).status, path).toBe(404)
  })
})

describe('examples', () => {
  const failed = '400/9 EXAMPLE_FAILED'

  test('a save that fails one is refused, and says whom: created, changed, applied, restored', async () => {
    const [a, b] = [newDepartment(), newDepartment()]
    const [ada, bob] = [
      await scene.user({ department: a, displayName: 'Ada Example' }),
      await scene.user({ department: b, displayName: 'Bob Example' }),
    ]
    const target = await scene.target()
    const created = await scene.create(target, { ...inDepartment(b), ...must([ada], [bob]) })
    expect(outcomeOf(created)).toBe(failed)
    expect(created.json['message']).toContain(
      'Ada Example must match, and does not; Bob Example must not match, and does',
    )
    expect(fieldsOf(created)).toEqual([
      'automation.examples.mustMatchUserIds',
      'automation.examples.mustNotMatchUserIds',
    ])
    expect(outcomeOf(await scene.get(rule(target)))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect(await versions(target)).toEqual([])

    ok(await scene.create(target, { ...inDepartment(a), ...must([ada], [bob]) }))
    await scene.settle()
    // Without a word about the examples, they stay, and are checked.
    expect(outcomeOf(await scene.update(target, inDepartment(b)))).toBe(failed)
    expect(outcomeOf(await scene.update(target, { none: {} }))).toBe(failed)
    expect(outcomeOf(await scene.update(target, { ...inDepartment(b), updateMask: 'cel.expression' }))).toBe(failed)
    expect(outcomeOf(await scene.update(target, must([bob])))).toBe(failed)
    const plan = await scene.plan(target, { automation: inDepartment(b) })
    const applied = await scene.post(`${rule(target)}/apply`, {
      fingerprint: plan.fingerprint,
      automation: inDepartment(b),
    })
    expect(outcomeOf(applied)).toBe(failed)
    expect(await saved(target)).toMatchObject({ ...inDepartment(a), ...must([ada], [bob]) })
    expect(await scene.holders(target)).toEqual([ada])
    expect(await versions(target)).toHaveLength(1)

    // With examples that hold, it is saved; and the version before is then refused, as people have moved.
    ok(await scene.update(target, { ...inDepartment(b), ...must([bob]) }))
    await scene.move(ada, b)
    expect(outcomeOf(await restore(target, 1))).toBe(failed)
    const { fingerprint } = await scene.plan(target, { automation: { ...inDepartment(a), ...must([ada]) } })
    expect(outcomeOf(await restore(target, 1, { fingerprint }))).toBe(failed)
    expect(await saved(target)).toMatchObject(inDepartment(b))
  })

  test('they are kept by saves that do not name them, and removed by an empty object', async () => {
    const a = newDepartment()
    const ada = await scene.user({ department: a })
    const target = await scene.target()
    ok(await scene.create(target, { ...inDepartment(a), ...must([ada, ada]) }))
    ok(await scene.update(target, { displayName: 'Named' }))
    expect(await saved(target)).toMatchObject({ displayName: 'Named', ...must([ada]) })
    await scene.settle()
    const plan = await scene.plan(target, { automation: inDepartment(a) })
    ok(await scene.post(`${rule(target)}/apply`, { fingerprint: plan.fingerprint, automation: inDepartment(a) }))
    expect(await saved(target)).toMatchObject(must([ada]))
    ok(await scene.update(target, { updateMask: 'display_name', displayName: 'Masked', ...must([]) }))
    expect(await saved(target)).toMatchObject(must([ada]))
    ok(await scene.update(target, { examples: {} }))
    expect((await saved(target))['examples']).toBeNull()
  })

  test('the plan tells of each whether it holds, saved or proposed', async () => {
    const [a, b] = [newDepartment(), newDepartment()]
    const [ada, bob] = [await scene.user({ department: a }), await scene.user({ department: b })]
    const target = await scene.target()
    ok(await scene.create(target, { ...inDepartment(a), ...must([ada], [bob]) }))
    const told = async (body: Json): Promise<unknown[]> =>
      ((await scene.plan(target, body))['examples'] as Json[]).map(({ userId, mustMatch, status, user }) => [
        userId === ada ? 'ada' : 'bob',
        mustMatch,
        (status as string).slice('AUTOMATION_EXAMPLE_STATUS_'.length),
        user !== null,
      ])
    expect(await told({})).toEqual([
      ['ada', true, 'HOLDS', true],
      ['bob', false, 'HOLDS', true],
    ])
    expect(await told({ automation: inDepartment(b) })).toEqual([
      ['ada', true, 'FAILS', true],
      ['bob', false, 'FAILS', true],
    ])
    expect(await told({ automation: { ...asked(b), ...must([bob]) } })).toEqual([['bob', true, 'HOLDS', true]])
    // What fails for someone does not match them.
    const failing = { automation: { ...cel('subject.profile.grade > 2'), ...must([], [bob]) } }
    expect(await told(failing)).toEqual([['bob', false, 'HOLDS', true]])
  })

  test('who leaves is left in the example, and no longer in the way', async () => {
    const a = newDepartment()
    const [ada, bob] = [await scene.user({ department: a }), await scene.user({ department: a })]
    const target = await scene.target()
    ok(await scene.create(target, { ...inDepartment(a), ...must([ada, bob]) }))
    const { db } = scene.server
    await update(db, 'users', { status: 'DISABLED' }, db`x.user_id = ${bob}`)
    await update(db, 'users', { deleted_at: db`now()` }, db`x.user_id = ${ada}`)
    const statuses = ((await scene.plan(target))['examples'] as Json[]).map(({ status }) => status)
    expect(statuses).toEqual(Array(2).fill('AUTOMATION_EXAMPLE_STATUS_UNCHECKED'))
    ok(await scene.update(target, { ...inDepartment(newDepartment()), ...must([ada, bob]) }))
    expect(await saved(target)).toMatchObject(must([ada, bob]))
  })

  test('who is not there, or is named for both, is refused by name', async () => {
    const ada = await scene.user()
    const target = await scene.target()
    const nobody = scene.access.world.newId()
    const unknown = await scene.create(target, { none: {}, ...must([nobody]) })
    expect([outcomeOf(unknown), fieldsOf(unknown)]).toEqual([
      '400/3 INPUT_INVALID',
      ['automation.examples.mustMatchUserIds'],
    ])
    const both = await scene.create(target, { ...cel('true'), ...must([ada], [ada]) })
    expect(fieldsOf(both)).toEqual(['automation.examples.mustNotMatchUserIds'])
    const many = Array.from({ length: 51 }, () => scene.access.world.newId())
    expect((await scene.create(target, { none: {}, ...must(many) })).status).toBe(400)
  })

  test('an owner names only whom they see, and loses none that they were not shown', async () => {
    const target = await owned()
    const [a, b] = [newDepartment(), newDepartment()]
    const hidden = await scene.user({ department: b, displayName: 'Hidden Example' })
    ok(await scene.create(target, { ...inDepartment(a), ...must([], [hidden]) }))
    const seen = await scene.get(rule(target), owner)
    expect(seen.text).not.toContain(hidden)
    const plan = await scene.post(`${rule(target)}/plan`, {}, owner)
    expect(ok(plan)['examples']).toEqual([])
    // They send back what they read.
    ok(await scene.post(`${rule(target)}/update`, { displayName: 'Mine', ...must([], ['']) }, owner))
    expect(await saved(target)).toMatchObject({ displayName: 'Mine', ...must([], [hidden]) })
    const refused = await scene.post(`${rule(target)}/update`, inDepartment(b), owner)
    expect(outcomeOf(refused)).toBe(failed)
    expect(refused.text).not.toContain(hidden)
    expect(refused.text).not.toContain('Hidden Example')
    const other = await scene.user()
    const named = await scene.post(`${rule(target)}/update`, must([], [other]), owner)
    expect(fieldsOf(named)).toEqual(['examples.mustNotMatchUserIds'])
  })
})

describe('undoing a run', () => {
  const undo = async (ref: Ref, body: Json, by = scene.admin): Promise<Reply> => {
    const [last] = await scene.runs(ref)
    return scene.post(`${rule(ref)}/runs/${last?.['id'] as string}/undo`, body, by)
  }
  const state = async (ref: Ref): Promise<Json> => ok(await scene.get(`${rule(ref)}/state`))['state'] as Json

  longTest(
    'restores the rule to the version before, where that is asked for: the next run does not do it again',
    async () => {
      const target = await scene.target()
      const [a, b] = [newDepartment(), newDepartment()]
      const [ada, bob] = [await scene.user({ department: a }), await scene.user({ department: b })]
      ok(await scene.create(target, { displayName: 'Right', ...inDepartment(a) }))
      await scene.settle()
      ok(await scene.update(target, { displayName: 'Wrong', ...inDepartment(b) }))
      await scene.settle()
      expect(await scene.holders(target)).toEqual([bob])
      expect(ok(await undo(target, { restoreRule: true, reason: 'OPS-9' }))['run']).toMatchObject({
        gainedCount: 1,
        lostCount: 1,
      })
      expect(await scene.holders(target)).toEqual([ada])
      expect(await saved(target)).toMatchObject({ displayName: 'Right', ...inDepartment(a) })
      expect(await state(target)).toMatchObject({ ruleVersion: 3, paused: 'AUTOMATION_PAUSE_UNSPECIFIED' })
      await scene.settle()
      expect(await scene.holders(target)).toEqual([ada])
      expect((await versions(target))[0]).toMatchObject({ restoresVersion: 1, reason: 'OPS-9' })
    },
  )

  test('without it, the rule stays as it is and pauses', async () => {
    const target = await scene.target()
    const a = newDepartment()
    await scene.user({ department: a })
    ok(await scene.create(target, { none: {} }))
    ok(await scene.update(target, inDepartment(a)))
    await scene.settle()
    ok(await undo(target, {}))
    expect(await state(target)).toMatchObject({ ruleVersion: 2, paused: 'AUTOMATION_PAUSE_UNDONE' })
  })

  longTest(
    'is refused as a whole where there is no version before, the rule was saved since, or its examples fail',
    async () => {
      const target = await scene.target()
      const [a, b] = [newDepartment(), newDepartment()]
      const ada = await scene.user({ department: a })
      ok(await scene.create(target, inDepartment(a)))
      await scene.settle()
      expect(outcomeOf(await undo(target, { restoreRule: true }))).toBe('400/9 RUN_NOT_UNDOABLE')
      const [run] = await scene.runs(target)
      ok(await scene.update(target, { displayName: 'Since' }))
      await scene.settle()
      const since = await scene.post(`${rule(target)}/runs/${run?.['id'] as string}/undo`, { restoreRule: true })
      expect(outcomeOf(since)).toBe('400/9 RUN_NOT_UNDOABLE')
      expect(since.json['message']).toContain('saved since')
      expect(await scene.holders(target)).toEqual([ada])

      const other = await scene.target()
      const bob = await scene.user({ department: b })
      ok(await scene.create(other, { ...inDepartment(b), ...must([bob]) }))
      await scene.settle()
      ok(await scene.update(other, { ...inDepartment(a), ...must([]) }))
      await scene.settle()
      await scene.move(bob, newDepartment())
      await scene.settle()
      const changed = (await scene.runs(other)).find(({ gainedCount }) => (gainedCount as number) > 0)
      const refused = await scene.post(`${rule(other)}/runs/${changed?.['id'] as string}/undo`, { restoreRule: true })
      expect(outcomeOf(refused)).toBe('400/9 EXAMPLE_FAILED')
      expect(await scene.holders(other)).toEqual([ada])
    },
  )
})

describe('who a run changed', () => {
  longTest('is listed by page, by outcome and by words of their names', async () => {
    const target = await scene.target()
    const [a, b] = [newDepartment(), newDepartment()]
    const names = ['Xenia Gray', 'Yves Gray', 'Zoe Black']
    const stay = await scene.user({ department: a })
    const here = await Promise.all(names.map((displayName) => scene.user({ department: a, displayName })))
    const there = await Promise.all(Array.from({ length: 12 }, () => scene.user({ department: b })))
    ok(await scene.create(target, inDepartment(a)))
    await scene.settle()
    for (const id of here) await scene.move(id, 'Elsewhere')
    await scene.move(stay, b)
    ok(await scene.update(target, inDepartment(b)))
    await scene.settle()
    const run = (await scene.runs(target)).find(({ ruleVersion }) => ruleVersion === 2)
    const path = `${rule(target)}/runs/${run?.['id'] as string}/changes`
    const all = await scene.all(path)
    const of = (outcome: string): string[] =>
      all.filter((each) => each['outcome'] === `AUTOMATION_OUTCOME_${outcome}`).map(({ userId }) => userId as string)
    const lost = of('LOSE')
    expect(of('GAIN').toSorted()).toEqual(there.toSorted())
    expect(lost.every((id) => here.includes(id))).toBe(true)
    expect(lost).toHaveLength(run?.['lostCount'] as number)
    const gained = await scene.all(`${path}?outcome=AUTOMATION_OUTCOME_GAIN`)
    expect(gained).toHaveLength(12)
    expect(gained[0]).toMatchObject({ appUserId: expect.any(String) as unknown, user: { department: b } })

    const first = (await scene.runs(target)).findLast(({ ruleVersion }) => ruleVersion === 1)
    const ofFirst = `${rule(target)}/runs/${first?.['id'] as string}/changes`
    const found = async (query: string): Promise<string[]> =>
      (await scene.all(`${ofFirst}?query=${encodeURIComponent(query)}`))
        .map(({ user }) => (user as Json)['displayName'] as string)
        .toSorted()
    expect(await found('gray')).toEqual(['Xenia Gray', 'Yves Gray'])
    expect(await found('GRAY yves')).toEqual(['Yves Gray'])
    expect(await found('%')).toEqual([])
    expect(outcomeOf(await scene.get(`${rule(target)}/runs/${scene.access.world.newId()}/changes`))).toBe(
      '404/5 RUN_NOT_FOUND',
    )
  })

  test('an undo tells whom it gave to and took from; an owner learns of nobody whom they do not see', async () => {
    const target = await owned()
    const a = newDepartment()
    const ada = await scene.user({ department: a, email: `${a.replaceAll(' ', '')}@secret.example` })
    ok(await scene.create(target, inDepartment(a)))
    await scene.settle()
    const [run] = await scene.runs(target)
    const path = (id: unknown): string => `${rule(target)}/runs/${id as string}/changes`
    const undone = ok(await scene.post(`${rule(target)}/runs/${run?.['id'] as string}/undo`, {}))['run'] as Json
    expect(await scene.all(path(undone['id']))).toMatchObject([{ userId: ada, outcome: 'AUTOMATION_OUTCOME_LOSE' }])
    expect(await scene.all(path(run?.['id']))).toMatchObject([{ userId: ada, outcome: 'AUTOMATION_OUTCOME_GAIN' }])
    expect(await scene.all(`${path(run?.['id'])}?query=secret.example`)).toHaveLength(1)
    // By a part of an address they do not see, they find nobody.
    expect(await scene.all(`${path(run?.['id'])}?query=secret.example`, null, owner)).toEqual([])
    expect((await scene.get(path(run?.['id']), scene.basic)).status).toBe(403)
  })
})

describe('values for expressions', () => {
  const values = async (ref: Ref, query: string, by = scene.admin): Promise<Json[]> =>
    ok(await scene.get(`${rule(ref)}/values?${query}`, by))['list'] as Json[]

  test('are those of the data: fields, keys and texts of profiles, apps and their entitlements by name', async () => {
    const target = await scene.target()
    const department = `Values "of" ${newDepartment()}`
    await scene.user({ department, jobTitle: 'Valuer', profile: { 'Cost center': 'CC-77', level: 3 } })
    await scene.user({ department, profile: { 'Cost center': 'CC-77' } })
    await scene.user({ department, status: 'DISABLED' })
    expect(await values(target, `field=department&query=${encodeURIComponent('VALUES "of"')}`)).toEqual([
      { value: department, label: department, count: 2 },
    ])
    expect(await values(target, 'field=jobTitle&query=valuer')).toMatchObject([{ value: 'Valuer', count: 1 }])
    expect(await values(target, 'field=profile&query=cost')).toMatchObject([{ value: 'Cost center' }])
    expect(await values(target, `field=${encodeURIComponent('profile.Cost center')}`)).toEqual([
      { value: 'CC-77', label: 'CC-77', count: 2 },
    ])
    expect(await values(target, 'field=profile.level')).toEqual([])
    const appId = await scene.app('Valued app')
    const { id } = await scene.entitlement(appId, 'Valued entitlement')
    expect(await values(target, 'field=app&query=valued')).toEqual([{ value: appId, label: 'Valued app', count: 0 }])
    expect(await values(target, `field=entitlement&app_id=${appId}&query=ent`)).toMatchObject([{ value: id }])
    for (const field of ['email', 'manager', 'constructor', '__proto__', 'profile.', '', 'password'])
      expect(await values(target, `field=${field}`), field).toEqual([])
  })

  test('an owner who may not see everyone learns what many have in common, and nothing else', async () => {
    const target = await owned()
    const [few, many] = [newDepartment(), newDepartment()]
    await Promise.all(
      [4, 5].map((n, i) =>
        Promise.all(
          Array.from({ length: n }, () => scene.user({ department: i ? many : few, profile: { site: 'Oslo' } })),
        ),
      ),
    )
    const names = (await values(target, 'field=department&query=team', owner)).map(({ value }) => value)
    expect(names).toContain(many)
    expect(names).not.toContain(few)
    for (const field of ['profile', 'profile.site', 'app'])
      expect(await values(target, `field=${field}`, owner)).toEqual([])
    expect(await values(target, 'field=profile')).not.toEqual([])
    expect((await scene.get(`${rule(target)}/values?field=department`, scene.basic)).status).toBe(403)
  })
})

describe('reasons', () => {
  test('of a manual grant are kept with it, shown with why it is held and in the log, and outlive a new end', async () => {
    const target = await scene.target()
    const ada = await scene.user()
    ok(await scene.post(`${pathOf(target)}/add-manual-user`, { userIds: [ada], reason: 'TICKET-7' }))
    const members = async (): Promise<Json> => (await scene.all(`${pathOf(target)}/users`))[0] as Json
    expect((await members())['grantReasons']).toMatchObject([{ derivedIdType: 'manual', reason: 'TICKET-7' }])
    const { appUserId } = await members()
    const newDeprovisionAt = new Date(Date.now() + 86_400_000).toISOString()
    ok(await scene.post(`${pathOf(target)}/users/${appUserId as string}/update-grant-duration`, { newDeprovisionAt }))
    expect((await members())['grantReasons']).toMatchObject([{ reason: 'TICKET-7' }])
    const [ever] = await scene.all(`${pathOf(target)}/grants`)
    expect(ever?.['grantReasons']).toMatchObject([{ reason: 'TICKET-7' }])
    const explained = ok(await scene.get(`${rule(target)}/explain/${ada}`))
    expect(explained['grants']).toMatchObject([{ reason: 'TICKET-7' }])
    const logged = await scene.logged('app.v1.AppEntitlements.AddManuallyManagedMembers')
    expect(JSON.stringify(logged)).toContain('TICKET-7')
    ok(await scene.remove(`${pathOf(target)}/remove-membership`, { appUserId, reason: 'TICKET-8' }))
    expect(JSON.stringify(await scene.logged('app.v1.AppEntitlements.RemoveEntitlementMembership'))).toContain(
      'TICKET-8',
    )
  })

  test('of many manual grants at once are kept with each', async () => {
    const target = await scene.target()
    const userIds = await Promise.all(Array.from({ length: 30 }, () => scene.user()))
    ok(await scene.post(`${pathOf(target)}/add-manual-user`, { userIds, reason: 'ALL' }))
    const [row] = await scene.server.db<{ count: number }[]>`
      select count(*)::int as count from grants where entitlement_id = ${target.id} and reason = 'ALL'`
    expect(row?.count).toBe(30)
  })

  test('of an exclusion are kept with it; the first stays, as adding twice is once', async () => {
    const target = await scene.target()
    const ada = await scene.user()
    const path = `${rule(target)}/exclusions`
    ok(await scene.post(path, { userIds: [ada], reason: 'On leave' }))
    ok(await scene.post(path, { userIds: [ada], reason: 'Another' }))
    expect(await scene.all(path)).toMatchObject([{ reason: 'On leave', addedByUserId: scene.admin.userId }])
    expect(ok(await scene.get(`${rule(target)}/explain/${ada}`))).toMatchObject({ excludedReason: 'On leave' })
    ok(await scene.remove(path, { userIds: [ada], reason: 'Back' }))
    expect(JSON.stringify(await scene.logged('app.v1.AppEntitlements.RemoveAutomationExclusion'))).toContain('Back')
  })

  test('of switching the breaker off and deleting a rule are in the log', async () => {
    const target = await scene.target()
    ok(await scene.create(target, { none: {} }))
    ok(await scene.post(`${rule(target)}/breaker`, { breakerOff: true, reason: 'Migration' }))
    const [event] = (await scene.logged('app.v1.AppEntitlements.SetAutomationBreaker')).toReversed()
    expect(event?.resources[0]?.data).toMatchObject({ hasBreaker: false, reason: 'Migration' })
    ok(await scene.remove(rule(target), { reason: 'Done' }))
    expect(JSON.stringify(await scene.logged('app.v1.AppEntitlements.DeleteAutomation'))).toContain('Done')
  })
})
