import { expect, test } from 'vitest'
import { insert } from '../fixture/write.ts'
import { cel, pathOf, prepare } from './scene.ts'

const scene = prepare()

test('when very many change at once, rules are run over everyone instead', async () => {
  const department = 'Crowd'
  const target = await scene.target()
  await scene.create(target, cel(`subject.department == "${department}"`))
  // So many at once are more than the breaker lets a rule give.
  await scene.post(`${pathOf(target)}/automation/breaker`, { breakerOff: true })
  await scene.settle()
  const { db } = scene.server
  const tenantId = scene.access.tenant.id
  const many = db`(tenant_id, user_id, display_name, department, created_at, updated_at)
    select ${tenantId}::int, lpad(n::text, 27, '0'), 'Someone', ${department}, now(), now()
    from generate_series(1, 2500) n`
  await insert(db, tenantId, 'users', many)
  await scene.settle()
  expect(await scene.holders(target)).toHaveLength(2500)
  const runs = await scene.runs(target)
  expect(runs).toHaveLength(2)
  expect(runs[0]).toMatchObject({
    cause: 'AUTOMATION_RUN_CAUSE_CHANGE',
    matchedCount: 2500,
    toGainCount: 2500,
    gainedCount: 2500,
  })
  expect(await scene.record(target)).toHaveLength(2500)
})
