import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccess } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { startServer } from '../fixture/server.ts'
import { startChild } from '../tasks/start-child.ts'
import { company, roleOf, scene } from './company.ts'

// It runs no jobs itself: those that are killed do.
beforeAll(async () => {
  scene.server = await startServer({ jobLimits: { concurrency: 0 } })
  scene.access = await openAccess(scene.server)
})
afterAll(async () => {
  await scene.access?.close()
  await scene.server?.stop()
})

async function waiting() {
  const at = await company()
  await at.require('roles')
  const target = await at.person(['system:user'])
  const task = await at.held(await at.post(at.author, roleOf(target.userId, 'system:viewer')))
  return { at, target, task }
}

test('kill -9 of a server that has made an approved change and not committed it: it is made once, by another', async () => {
  const { db } = scene.server
  const all = await Promise.all(Array.from({ length: 3 }, waiting))
  // The last thing that the transaction writes of a change is held up.
  const held = await db.reserve()
  await held`begin`
  for (const { at, task } of all)
    await held`select 1 from changes where tenant_id = ${at.tenant.id} and task_id = ${task.id} for update`
  const blocked = async () => (await listWaiting(db)).filter(({ query }) => query.includes('update changes')).length
  for (const { at, task } of all) expect(await at.act(at.approver, task.id, 'approve')).toBe('200')
  const child = await startChild(scene.server)
  await expect.poll(blocked).toBe(all.length)
  await child.kill()
  await expect.poll(blocked).toBe(0)
  for (const { at, target, task } of all) {
    expect(await at.roles(target.userId)).toEqual(['system:user'])
    expect((await at.task(task.id)).state).toBe('TASK_STATE_OPEN')
  }
  await held`rollback`
  held.release()
  await Promise.all(Array.from({ length: 2 }, () => startChild(scene.server)))
  for (const { at, target, task } of all) {
    await expect.poll(async () => (await at.task(task.id)).state).toBe('TASK_STATE_CLOSED')
    expect(await at.roles(target.userId)).toEqual(['system:user', 'system:viewer'])
    const gave = await db`
      select 1 from systemlog_events where tenant_id = ${at.tenant.id} and event::jsonb ->> 'message' like 'Granted %'
        and event::jsonb #>> '{resources,0,uid}' = ${target.userId}`
    expect(gave).toHaveLength(1)
    const [row] = await db<{ outcome: string; carried: boolean }[]>`
      select t.outcome, c.carried_out_at is not null as carried from tasks t join changes c using (tenant_id, task_id)
      where tenant_id = ${at.tenant.id} and t.task_id = ${task.id}`
    expect(row).toEqual({ outcome: 'done', carried: true })
    const ended = await db`
      select 1 from task_events where task_id = ${task.id} and kind = 'ended' and data ->> 'outcome' = 'provisioned'`
    expect(ended).toHaveLength(1)
  }
})
