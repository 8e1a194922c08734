import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { cel, pathOf, prepare } from '../automation/scene.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { expectKeys } from './followed.ts'

const scene = prepare()

/** A transaction that has done its work, and commits when it is told to. */
async function opened(work: Parameters<typeof transact<unknown>>[1]): Promise<() => Promise<void>> {
  const told = Promise.withResolvers<void>()
  const worked = Promise.withResolvers<void>()
  const over = transact(scene.access.world.db, async (tx) => {
    await work(tx)
    worked.resolve()
    await told.promise
  })
  await Promise.race([worked.promise, over])
  return async () => {
    told.resolve()
    await over
  }
}

const rename = (userId: string, name: string) => (tx: Parameters<Parameters<typeof transact>[1]>[0]) =>
  updateRecords(tx, scene.access.tenant.id, 'users', { set: { display_name: name }, where: tx`x.user_id = ${userId}` })

test('of two who rename someone at once, the second leaves none of the keys of the first', async () => {
  const user = await scene.user({ displayName: 'Before' })
  const commit = await opened(rename(user, 'Alpha Aleph'))
  const second = transact(scene.access.world.db, rename(user, 'Beta Beth'))
  await waitingFor(1)
  await commit()
  await second
  const keys = await scene.server.db<
    { key: string }[]
  >`select key from search_keys where object_id = ${user} order by key`
  expect(keys.map(({ key }) => key).filter((key) => !key.includes('@'))).toEqual(['beta beth', 'beth'])
  await expectKeys(scene.server.db)
})

/** Waits until so many sessions wait for a lock. */
async function waitingFor(count: number): Promise<void> {
  for (;;) {
    if ((await listWaiting(scene.server.db)).length >= count) return
  }
}

test('a rule that is saved and run while a write is open hears of the write when it commits', async () => {
  const department = `Late ${Date.now()}`
  const user = await scene.user({ department: 'Elsewhere' })
  const { tenant } = scene.access
  const commit = await opened((tx) =>
    updateRecords(tx, tenant.id, 'users', { set: { department }, where: tx`x.user_id = ${user}` }),
  )
  const target = await scene.target()
  expect((await scene.create(target, cel(`subject.department == "${department}"`))).status).toBe(200)
  await scene.settle()
  expect(await scene.holders(target)).toEqual([])
  await commit()
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user])
})

test('so does one that is applied by a plan while a write is open', async () => {
  const department = `Planned ${Date.now()}`
  const [user, other] = [await scene.user({ department: 'Elsewhere' }), await scene.user({ department })]
  const { tenant } = scene.access
  const commit = await opened((tx) =>
    updateRecords(tx, tenant.id, 'users', { set: { department }, where: tx`x.user_id = ${user}` }),
  )
  const target = await scene.target()
  const automation = cel(`subject.department == "${department}"`)
  const { fingerprint } = await scene.plan(target, { automation })
  const applied = await scene.post(`${pathOf(target)}/automation/apply`, { automation, fingerprint })
  expect(applied.status, applied.text).toBe(200)
  expect(await scene.holders(target)).toEqual([other])
  await commit()
  await scene.settle()
  expect(await scene.holders(target)).toEqual([user, other].toSorted())
})

test('a rule that is saved while its entitlement is being deleted is refused or ends with it', async () => {
  for (let i = 0; i < 5; i++) {
    const target = await scene.target()
    const [saved] = await Promise.all([scene.create(target, cel('true')), scene.remove(pathOf(target), {})])
    expect([200, 404]).toContain(saved.status)
    const rows = await scene.server.db`
      select 1 from automations m join entitlements e using (tenant_id, app_id, entitlement_id)
      where m.entitlement_id = ${target.id} and m.deleted_at is null and e.deleted_at is not null
      union all select 1 from automation_reads where by_entitlement_id = ${target.id}`
    expect(rows).toHaveLength(0)
  }
})
