import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { replay } from '#rooms/governance/tasks/machine/fold.ts'
import { listTaskEvents } from '#rooms/governance/tasks/store.ts'
import { ask, within } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { prepareTasks, type TaskSeen, target } from './scene.ts'

vi.setConfig({ testTimeout: 240_000 })
const scene = prepareTasks()

/** Another server of the same database, in a process of its own. */
async function startChild(): Promise<{ url: string; kill(): Promise<void> }> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url))
  const flags = { 'data-dir': scene.server.config.dataDir, 'database-url': scene.server.databaseUrl }
  const child = spawn(process.execPath, [script, JSON.stringify(flags)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = new Promise<null>((resolve) => child.once('close', () => resolve(null)))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
  }
  later(kill)
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const url = await Promise.race([first, exit])
  if (url === null) throw new Error('did not serve')
  return { url, kill }
}

test('kill -9 in the middle of approvals and of an offboarding: nothing is given twice, lost or left hanging', async () => {
  const [approver, asker] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const policyId = await scene.policy([{ approval: { users: { userIds: [approver.userId] } } }])
  const count = fewOrMany(30, 200)
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

  for (let round = 0; round < fewOrMany(1, 4); round++) {
    const [one, two] = await Promise.all([startChild(), startChild()])
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
  const children = await Promise.all([startChild(), startChild()])
  await sleep(100 + Math.random() * 200)
  await Promise.all(children.map((child) => child.kill()))
  const isOver = async () => (await scene.look(offboarding.id)).state === 'TASK_STATE_CLOSED'
  expect(await within(60_000, isOver)).toBe(true)
  for (const { ref } of made) expect(await scene.holds(ref, asker.userId)).toEqual([])
  const revoked = await db<{ count: number; total: number }[]>`
    select count(distinct entitlement_id)::int as count, count(*)::int as total from tasks
    where parent_id = ${offboarding.id} and kind = 'revoke' and outcome = 'done'`
  expect(revoked).toEqual([{ count, total: count }])
})
