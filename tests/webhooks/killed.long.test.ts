import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listTaskEvents } from '#rooms/governance/tasks/store.ts'
import { ask, eventually } from '../fixture/access.ts'
import { type TaskSeen, target } from '../tasks/scene.ts'
import { startChild } from '../tasks/start-child.ts'
import { callbackIn, flags, prepareWebhooks } from './scene.ts'

const scene = prepareWebhooks()

test('kill -9 while webhooks are asked, answer and call back: each request is decided once, and none is lost', async () => {
  const webhookId = await scene.webhook()
  const policyId = await scene.policy([
    { approval: { webhook: { webhookId } } },
    { provision: { provisionPolicy: { webhook: { webhookId } } } },
  ])
  const asker = await scene.caller(['system:user'])
  const refs = []
  for (let i = 0; i < 12; i++) refs.push(await scene.target(policyId))
  let url = scene.server.url
  const ends: Promise<void>[] = []
  let isOver = false
  /** Calls back until somebody answers, and then once more. */
  const callBack = async (path: string, body: object): Promise<void> => {
    for (let answers = 0; answers < 2 && !isOver; await sleep(20)) {
      const reply = await ask({ url }, path, { method: 'POST', body }).catch(() => null)
      if (reply && reply.status < 500) answers++
    }
  }
  scene.receiver.does = (received, response) => {
    const isProvision = String(received.body['event']).endsWith('ProvisionStep')
    const answer = isProvision ? { complete: {} } : { approve: {} }
    const kind = Math.random()
    if (kind < 0.3) {
      ends.push(callBack(new URL(callbackIn(received)).pathname, answer))
      return [202]
    }
    // Slow enough to be killed in the middle; some replies never come.
    setTimeout(() => (kind < 0.4 ? response.destroy() : response.writeHead(200).end(JSON.stringify(answer))), 60)
    return null
  }
  const tasks: TaskSeen[] = []
  for (const ref of refs)
    tasks.push(scene.task(await scene.post('/api/v1/task/grant', target(ref, { identityUserId: asker.userId }), asker)))
  const { db } = scene.access.world
  const tenantId = scene.access.tenant.id
  // From now on only those that are killed send anything.
  await scene.server.serving.stop()
  const hurry = async (): Promise<void> => {
    await db`update webhook_deliveries set due_at = now() where state in ('error', 'running')`
    await db`update jobs set due_at = now() where due_at is not null`
    await db`delete from leases`
  }
  for (let round = 0; round < 4; round++) {
    const child = await startChild(scene.server, flags)
    url = child.url
    await hurry()
    await sleep(300 + Math.random() * 900)
    await child.kill()
  }
  const last = await startChild(scene.server, flags)
  url = last.url
  const open = async (): Promise<number> => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from tasks where tenant_id = ${tenantId} and is_open`
    return row?.count ?? 0
  }
  const isDone = async (): Promise<boolean> => {
    await sleep(200)
    await db`update webhook_deliveries set due_at = now() where state = 'error'`
    return (await open()) === 0
  }
  await hurry()
  expect(await eventually(isDone)).toBe(true)
  isOver = true
  await Promise.all(ends)
  for (const [i, { id }] of tasks.entries()) {
    const events = await listTaskEvents(db, tenantId, id)
    const ended = events.flatMap((event) => (event.is === 'ended' ? [event.outcome] : []))
    expect(ended).toEqual(['approved', 'provisioned'])
    expect(await scene.holds(refs[i] as (typeof refs)[0], asker.userId)).toHaveLength(1)
  }
  const [{ deliveries }] = (await db`
    select count(*)::int as deliveries from webhook_deliveries where state = 'success'`) as unknown as [
    { deliveries: number },
  ]
  expect(deliveries).toBe(24)
  // The same delivery is the same message, however often it came.
  const bodies = new Map<string, Set<string>>()
  for (const { headers, text } of scene.receiver.received) {
    const id = String(headers['bailiwick-delivery-id'])
    bodies.set(id, (bodies.get(id) ?? new Set()).add(text))
  }
  expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true)
  expect(bodies.size).toBe(24)
  await last.kill()
})
