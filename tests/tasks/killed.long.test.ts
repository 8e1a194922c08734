import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { replay } from '#rooms/governance/tasks/machine/fold.ts'
import { listTaskEvents } from '#rooms/governance/tasks/store.ts'
import { ask, eventually } from '../fixture/access.ts'
import { prepareTasks, type TaskSeen, target } from './scene.ts'
import { startChild } from './start-child.ts'

const scene = prepareTasks()

test('kill -9 in the middle of approvals and of an offboarding: nothing is given twice, lost or left hanging', async () => {
  const [approver, asker] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const policyId = await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }])
  const count = 200
  const made: { task: TaskSeen; ref: { appId: string; id: string } }[] = []
  for (let i = 0; i < count; i++) {
    const ref = await scene.target(policyId)
    made.push({ task: scene.task(await scene.post('/api/v1/task/grant', target(ref), asker)), ref })
  }
  const approve = (server: { url: string }, { task }: (typeof made)[number]) =>
    ask(server, `/api/v1/tasks/${task.id}/action/approve`, {
      token: approver.token,
      body: { policyStepId: task.policy.current?.id },
    }).catch(() => null)

  for (let round = 0; round < 4; round++) {
    const [one, two] = await Promise.all([startChild(scene.server), startChild(scene.server)])
    // Each approval is asked of both servers, which die somewhere in between.
    const all = made.flatMap((each) => [approve(one, each), approve(two, each)])
    await sleep(50 + Math.random() * 300)
    await Promise.all([one.kill(), two.kill()])
    await Promise.all(all)
  }
  const { db } = scene.access.world
  const tenantId = scene.access.tenant.id
  let decided = 0
  for (const each of made) {
    const events = await listTaskEvents(db, tenantId, each.task.id)
    const state = replay(events)
    const held = await scene.holds(each.ref, asker.userId)
    // All of it, or nothing.
    expect(held.length).toBe(state.outcome === 'done' ? 1 : 0)
    expect(events.filter((event) => event.is === 'ended' && event.outcome === 'approved').length).toBe(held.length)
    expect(state.isOpen).toBe(held.length === 0)
    decided += held.length
    // Who asks again is told that it is done, or does it.
    const again = await approve(scene.server, each)
    expect(again?.status).toBe(held.length === 1 ? 409 : 200)
    expect(await scene.holds(each.ref, asker.userId)).toHaveLength(1)
  }
  expect(decided).toBeLessThanOrEqual(count)

  const offboarding = scene.task(await scene.post('/api/v1/task/offboarding', { subjectUserId: asker.userId }))
  const children = await Promise.all([startChild(scene.server), startChild(scene.server)])
  await sleep(100 + Math.random() * 200)
  await Promise.all(children.map((child) => child.kill()))
  const isOver = async () => (await scene.look(offboarding.id)).state === 'TASK_STATE_CLOSED'
  expect(await eventually(isOver)).toBe(true)
  for (const { ref } of made) expect(await scene.holds(ref, asker.userId)).toEqual([])
  const revoked = await db<{ count: number; total: number }[]>`
    select count(distinct entitlement_id)::int as count, count(*)::int as total from tasks
    where parent_id = ${offboarding.id} and kind = 'revoke' and outcome = 'done'`
  expect(revoked).toEqual([{ count, total: count }])
})
