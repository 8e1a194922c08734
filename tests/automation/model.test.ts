import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { update } from '../fixture/write.ts'
import { holds, type Model, newModel, type Person, type Rule, runRules, type Target } from './model.ts'
import { pathOf, prepare, type Ref } from './scene.ts'

/**
 * Random worlds of people, rules, exclusions, grants by hand and changes, through the service and through the model; after
 * every step, both say the same. AUTOMATION_MODEL_RUNS=100 looks longer.
 */
const runs = Number(process.env['AUTOMATION_MODEL_RUNS'] ?? fewOrMany(1, 25))
const scene = prepare()
const peopleCount = 6
const targetCount = 3

type Step =
  | { does: 'move'; who: number; to: string }
  | { does: 'level'; who: number; to: number | null }
  | { does: 'enable' | 'disable' | 'delete' | 'restore'; who: number }
  | { does: 'save'; target: number; rule: Rule }
  | { does: 'drop' | 'run'; target: number }
  | { does: 'exclude' | 'include' | 'give' | 'take'; target: number; who: number }

const who = fc.nat(peopleCount - 1)
const target = fc.nat(targetCount - 1)
const department = fc.constantFrom('x', 'y', 'z')
const ruleOf = (of: number): fc.Arbitrary<Rule> => {
  const plain: fc.Arbitrary<Rule>[] = [
    fc.record({
      kind: fc.constant('department' as const),
      is: department,
      way: fc.constantFrom('sql' as const, 'asked' as const),
    }),
    fc.record({ kind: fc.constant('level' as const), above: fc.nat(3) }),
    fc.constant({ kind: 'none' as const }),
  ]
  const ofOthers: fc.Arbitrary<Rule> = fc.record({
    kind: fc.constant('holders' as const),
    of: fc.nat(Math.max(0, of - 1)),
    way: fc.constantFrom('refs' as const, 'expression' as const),
  })
  return fc.oneof(...plain, ...(of > 0 ? [ofOthers, ofOthers] : []))
}
const save: fc.Arbitrary<Step> = target.chain((of) =>
  fc.record({ does: fc.constant('save' as const), target: fc.constant(of), rule: ruleOf(of) }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('move' as const), who, to: department }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('level' as const), who, to: fc.option(fc.nat(5), { nil: null }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('enable' as const, 'disable' as const, 'delete' as const, 'restore' as const),
      who,
    }),
  },
  { weight: 4, arbitrary: save },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('drop' as const, 'run' as const), target }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('exclude' as const, 'include' as const, 'give' as const, 'take' as const),
      target,
      who,
    }),
  },
)

type World = { people: string[]; targets: Ref[] }

const automationOf = (rule: Rule, { targets }: World): Json => {
  if (rule.kind === 'none') return { none: {} }
  if (rule.kind === 'level') return { basic: { expression: `subject.profile.level > ${rule.above}.0` } }
  if (rule.kind === 'department') {
    const asked = `[subject.department].map(d, d + "!").exists(d, d == "${rule.is}!")`
    return { cel: { expression: rule.way === 'sql' ? `subject.department == "${rule.is}"` : asked } }
  }
  const of = targets[rule.of] as Ref
  return rule.way === 'refs'
    ? { entitlements: { entitlementRefs: [of] } }
    : { cel: { expression: `c1.user.v1.HasEntitlement(subject, "${of.appId}", "${of.id}")` } }
}

async function makeWorld(): Promise<World> {
  const apps = [await scene.app(), await scene.app()]
  const targets = [0, 1, 2].map(async (i) => scene.entitlement(apps[i % 2] as string))
  const people = Array.from({ length: peopleCount }, () => scene.user({ department: 'x' }))
  return { people: await Promise.all(people), targets: await Promise.all(targets) }
}

const ok = async (asked: Promise<{ status: number; text: string }>): Promise<void> => {
  const reply = await asked
  expect(reply.status, reply.text).toBe(200)
}

/** Does a step to the service and to the model alike. */
async function take(each: Step, world: World, model: Model): Promise<void> {
  const { db } = scene.server
  if ('who' in each && !('target' in each)) {
    const person = model.people[each.who] as Person
    const id = world.people[each.who] as string
    if (each.does === 'move') {
      person.department = each.to
      await scene.move(id, each.to)
    } else if (each.does === 'level') {
      person.level = each.to
      const profile = each.to === null ? {} : { level: each.to }
      await update(db, 'users', { profile: db.json(profile) }, db`x.user_id = ${id}`)
    } else if (each.does === 'enable' || each.does === 'disable') {
      person.isEnabled = each.does === 'enable'
      await update(db, 'users', { status: person.isEnabled ? 'ENABLED' : 'DISABLED' }, db`x.user_id = ${id}`)
    } else {
      person.isDeleted = each.does === 'delete'
      await update(db, 'users', { deleted_at: person.isDeleted ? new Date() : null }, db`x.user_id = ${id}`)
    }
    return
  }
  if (!('target' in each)) return
  const of = model.targets[each.target] as Target
  const ref = world.targets[each.target] as Ref
  if (each.does === 'save') {
    const automation = automationOf(each.rule, world)
    await ok(of.rule ? scene.update(ref, automation) : scene.create(ref, automation))
    of.rule = each.rule
  } else if (each.does === 'drop') {
    if (of.rule) await ok(scene.remove(`${pathOf(ref)}/automation`, {}))
    of.rule = null
  } else if (each.does === 'run') {
    if (of.rule) await ok(scene.post(`${pathOf(ref)}/automation/runs`, {}))
  } else if ('who' in each) {
    const id = world.people[each.who] as string
    const { isDeleted } = model.people[each.who] as Person
    if (each.does === 'exclude' && !isDeleted) {
      await ok(scene.exclude(ref, [id]))
      of.excluded.add(each.who)
    } else if (each.does === 'include') {
      await ok(scene.include(ref, [id]))
      of.excluded.delete(each.who)
    } else if (each.does === 'give' && !isDeleted) {
      await ok(scene.post(`${pathOf(ref)}/add-manual-user`, { userIds: [id] }))
      of.byHand.add(each.who)
    } else if (each.does === 'take' && holds(of, each.who)) {
      const accounts = await db<{ id: string }[]>`
        select account_id as id from accounts where user_id = ${id} and app_id = ${ref.appId}`
      for (const account of accounts)
        await ok(scene.remove(`${pathOf(ref)}/remove-membership`, { appUserId: account.id }))
      of.byHand.delete(each.who)
      of.byRule.delete(each.who)
    }
  }
}

async function truth({ targets, people }: World): Promise<unknown> {
  const rows = await scene.server.db<{ ref: string; userId: string; source: string }[]>`
    select g.entitlement_id as ref, a.user_id as "userId", g.source from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
    where g.entitlement_id = any(${targets.map(({ id }) => id)}::text[]) and g.ended_at is null`
  const sorted = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b)
  return targets.map(({ id }) => {
    const of = (source: string): number[] =>
      sorted(rows.filter((row) => row.ref === id && row.source === source).map((row) => people.indexOf(row.userId)))
    return { byHand: of('manual'), byRule: of('rule') }
  })
}

const expected = ({ targets }: Model): unknown =>
  targets.map(({ byHand, byRule }) => ({
    byHand: [...byHand].toSorted((a, b) => a - b),
    byRule: [...byRule].toSorted((a, b) => a - b),
  }))

test('after every step in a random world, everyone has what fifty lines say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      const world = await makeWorld()
      const model = newModel(peopleCount, targetCount)
      for (const [i, each] of steps.entries()) {
        await take(each, world, model)
        await scene.settle()
        runRules(model)
        expect(await truth(world), `after step ${i}, ${JSON.stringify(each)}`).toEqual(expected(model))
      }
      // The next world's rules do not find this one's people.
      const { db } = scene.server
      await update(db, 'users', { deleted_at: new Date() }, db`x.user_id = any(${world.people}::text[])`)
    }),
    { numRuns: runs, endOnFailure: true },
  )
})
