import { expect, test } from 'vitest'
import { listSubjects } from '#rooms/rules/expressions/index.ts'
import { longTest } from '../fixture/long.ts'
import { compileExpression } from './compiled.ts'
import { prepare, type Verdict } from './world.ts'

const world = prepare()

test('HasApp is a live account, and HasEntitlement what a live account holds now', async () => {
  const [none, bare, holder, expired, ended, later, gone, another] = (await world.people(
    Array.from({ length: 8 }, () => ({})),
  )) as [string, string, string, string, string, string, string, string]
  const [app, otherApp] = [await world.app(), await world.app()]
  const [entitlement, other] = [await world.entitlement(app), await world.entitlement(app)]
  const hour = 3_600_000
  const account = async (userId: string, isDeleted = false) => (await world.account(app, userId, isDeleted)).id
  await account(bare)
  await world.grant(entitlement, await account(holder))
  await world.grant(entitlement, await account(expired), { expiresAt: new Date(world.now.getTime() - 1) })
  await world.grant(entitlement, await account(ended), { endedAt: new Date(world.now.getTime() - 1) })
  await world.grant(entitlement, await account(later), { expiresAt: new Date(world.now.getTime() + hour) })
  await world.grant(entitlement, await account(gone, true))
  await world.grant(other, await account(another))
  await world.account(otherApp, none)

  const everyone = [none, bare, holder, expired, ended, later, gone, another]
  const hasApp = `c1.user.v1.HasApp(subject, "${app}")`
  const holds = `c1.user.v1.HasEntitlement(subject, "${app}", "${entitlement.id}")`
  const expected: [string, string[]][] = [
    [hasApp, [bare, holder, expired, ended, later, another]],
    [holds, [holder, later]],
    [`!${holds} && ${hasApp}`, [bare, expired, ended, another]],
  ]
  for (const [source, those] of expected) {
    const wanted = new Map<string, Verdict>(everyone.map((id) => [id, those.includes(id)]))
    const compiled = compileExpression(source)
    expect(await world.byEvaluation(compiled, everyone), source).toEqual(wanted)
    expect(await world.bySql(compiled, everyone), source).toEqual(wanted)
  }

  // By the moment that is asked about, whether the engine has ended it or not.
  const [compiled, afterwards] = [compileExpression(holds), new Date(world.now.getTime() + 2 * hour)]
  expect((await world.byEvaluation(compiled, [later], afterwards)).get(later)).toBe(false)
  expect((await world.bySql(compiled, [later], afterwards))?.get(later)).toBe(false)
  expect((await world.bySql(compiled, [holder], afterwards))?.get(holder)).toBe(true)
})

longTest('who holds what is found by index, from the user, however many users hold it', async () => {
  const { db } = world.server
  const [app, userIds] = [
    await world.app(),
    await world.people(Array.from({ length: 3000 }, (_, at) => ({ department: `D${at % 10}` }))),
  ]
  const entitlement = await world.entitlement(app)
  const accounts = userIds.map((userId) => ({ userId, id: world.access.world.newId() }))
  await db`insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select ${world.tenantId}, ${app}, a.id, a.user_id, 'An account', now(), now()
    from unnest(${accounts.map(({ id }) => id)}::text[], ${accounts.map(({ userId }) => userId)}::text[]) as a (id, user_id)`
  await db`insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
    select ${world.tenantId}, ${app}, ${entitlement.id}, a.id, a.id, 'manual', now(), now()
    from unnest(${accounts.map(({ id }) => id)}::text[]) as a (id)`
  await db`analyze accounts, grants, users`
  const compiled = compileExpression(`c1.user.v1.HasEntitlement(subject, "${app}", "${entitlement.id}")`)
  const condition = compiled.toSql(db, { tenantId: world.tenantId, now: world.now, users: 'u' })
  if (!condition) throw new Error('no SQL')
  const plan = await db`explain (costs off) select u.user_id from users u
    where u.tenant_id = ${world.tenantId} and u.user_id = any(${userIds.slice(0, 5)}::text[]) and ${condition}`
  const lines = plan.map((row) => String(row['QUERY PLAN']))
  expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([])
  expect(
    lines.some((line) => /Index.* on accounts/.test(line) || /accounts_by_user/.test(line)),
    lines.join('\n'),
  ).toBe(true)
})

test('pages of users follow one another by id', async () => {
  const compiled = compileExpression('subject.department == "paged"')
  const made = await world.people(Array.from({ length: 25 }, () => ({ department: 'paged' })))
  const found: string[] = []
  for (let after = ''; ; ) {
    const page = await listSubjects(world.server.db, world.tenantId, world.now, [compiled], { after, limit: 500 })
    found.push(...page.filter(({ department }) => department === 'paged').map(({ id }) => id))
    after = page.at(-1)?.id ?? ''
    if (page.length < 500) break
  }
  expect(found).toEqual(made.toSorted())
})
