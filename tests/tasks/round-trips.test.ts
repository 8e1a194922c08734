import { channel } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { currentWork } from '#kernel/work.ts'
import { byManager, prepareTasks, target } from './scene.ts'

const scene = prepareTasks()
const sent = channel('bailiwick:statement:sent')

/** How many round trips a request takes: statements of one turn of the event loop leave in one write. The last one goes with COMMIT. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  let isSameTurn = false
  const note = (): void => {
    // Not of the background work of the server.
    if (!currentWork() || isSameTurn) return
    count++
    isSameTurn = true
    setImmediate(() => {
      isSameTurn = false
    })
  }
  sent.subscribe(note)
  try {
    await work()
  } finally {
    sent.unsubscribe(note)
  }
  return count
}

test('a request that waits for a manager takes three round trips, and an approval that gives access four', async () => {
  const entitlement = await scene.target(byManager)
  const manager = await scene.caller(['system:user'])
  const ask = async () => {
    const asker = await scene.caller(['system:user'], manager.userId)
    await scene.account(entitlement.appId, { userId: asker.userId })
    const body = target(entitlement, { description: 'For the audit.' })
    return async () => scene.task(await scene.post('/api/v1/task/grant', body, asker))
  }
  const approve = async () => {
    const made = await (await ask())()
    const body = { policyStepId: made.policy.current?.id, comment: 'Go on.' }
    return roundTripsOf(() => scene.act(made.id, 'approve', body, manager))
  }
  // The first ones also learn who the callers are.
  await approve()
  const made = await ask()
  expect([await approve(), await roundTripsOf(made)]).toEqual([4, 3])
})
