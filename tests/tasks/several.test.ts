import { describe, expect, test } from 'vitest'
import { suggestedOf } from '#rooms/governance/tasks/creating/usual/decide.ts'
import { type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, byOwners, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const several = '/api/v1/task/grants'

type Result = {
  taskView: { task: TaskSeen } | null
  reason: string
  message: string
  openTaskId: string
  fields: string[]
}
const resultsOf = (reply: Reply): Result[] => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['results'] as Result[]
}
const countOf = async (userId: string): Promise<number> => {
  const rows = await scene.server.db<
    { id: string }[]
  >`select task_id as id from tasks where subject_user_id = ${userId}`
  return rows.length
}

describe('several requests at once', () => {
  test('have one result each, in their order: one is granted, one waits, and one is refused without effect', async () => {
    const [granted, waits, hidden] = [
      await scene.target(automatic),
      await scene.target(byOwners, { maxSeconds: 7200 }),
      await scene.target(automatic, { isOffered: false }),
    ]
    const asker = await scene.caller(['system:user'])
    const body = {
      description: 'My new job.',
      requests: [target(waits, { grantDuration: '3600s' }), target(hidden), target(granted)],
      expandMask: { paths: ['*'] },
    }
    const reply = await scene.post(several, body, asker)
    const [first, second, third] = resultsOf(reply)
    expect(first?.taskView?.task).toMatchObject({
      state: 'TASK_STATE_OPEN',
      stepApproverIds: [waits.owner.userId],
      type: { grant: { grantDuration: '3600s' } },
    })
    expect(second).toMatchObject({ taskView: null, reason: 'NOT_REQUESTABLE' })
    expect(third?.taskView?.task.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await scene.holds(granted, asker.userId)).toHaveLength(1)
    expect(await countOf(asker.userId)).toBe(2)
    const again = resultsOf(await scene.post(several, body, asker))
    expect(again[0]).toMatchObject({ reason: 'TASK_EXISTS', openTaskId: first?.taskView?.task.id })
    const tooLong = resultsOf(
      await scene.post(several, { requests: [target(waits, { grantDuration: '9000s' })], description: 'x' }, asker),
    )
    expect(tooLong[0]).toMatchObject({ reason: 'DURATION_TOO_LONG', fields: ['grantDuration: must be at most 7200s'] })
  })

  test('are for others only by those who may request for them', async () => {
    const [asked, other, boss] = [
      await scene.target(automatic),
      await scene.caller(['system:user']),
      await scene.caller(['system:user']),
    ]
    const body = { requests: [target(asked)], description: 'x', identityUserId: other.userId }
    expect(resultsOf(await scene.post(several, body, boss))[0]?.reason).toBe('PERMISSION_DENIED')
    expect(await countOf(other.userId)).toBe(0)
    await scene.server.db`update users set manager_ids = ${[boss.userId]} where user_id = ${other.userId}`
    expect(resultsOf(await scene.post(several, body, boss))[0]?.reason).toBe('')
    expect(await scene.holds(asked, other.userId)).toHaveLength(1)
  })

  test('are refused as a whole if there are none, too many, or the same twice, and for callers who may not request', async () => {
    const asked = await scene.target(automatic)
    const asker = await scene.caller(['system:user'])
    const send = (requests: Json[], by = asker) => scene.post(several, { requests, description: 'x' }, by)
    expect(outcomeOf(await send([]))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await send([target(asked), target(asked)]))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await send(Array.from({ length: 21 }, () => target(asked))))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await send([target(asked)], scene.viewer))).toBe('403/7 PERMISSION_DENIED')
    expect(await countOf(asker.userId)).toBe(0)
  })

  test('sent twice at once in another order, create each task once', async () => {
    const refs: Ref[] = [await scene.target(), await scene.target(), await scene.target()]
    const asker = await scene.caller(['system:user'])
    const send = (of: readonly Ref[]) =>
      scene.post(several, { requests: of.map((ref) => target(ref)), description: 'x' }, asker)
    const replies = await Promise.all([send(refs), send(refs.toReversed())])
    const all = replies.flatMap(resultsOf).map(({ reason }) => reason)
    expect(all.filter((reason) => reason === '')).toHaveLength(3)
    expect(all.filter((reason) => reason === 'TASK_EXISTS')).toHaveLength(3)
    expect(await countOf(asker.userId)).toBe(3)
  })
})

describe('the duration that a request begins with', () => {
  const of = (userId: string, seconds: number, isPeer = false) => ({ userId, seconds, isPeer })
  test('is what most peers got, else most others, and never the maximum', () => {
    const others = [of('a', 100), of('b', 100), of('c', 50), of('d', 300), of('e', 300), of('f', 300), of('g', 300)]
    expect(suggestedOf(others, 300)).toEqual({ seconds: 100, by: 'others' })
    const peers = [of('x', 20, true), of('y', 20, true), of('z', 50, true)]
    expect(suggestedOf([...others, ...peers], 300)).toEqual({ seconds: 20, by: 'peers' })
    // Two people are too few, however often they asked.
    const two = [of('x', 20, true), of('x', 20, true), of('y', 20, true)]
    expect(suggestedOf([...others, ...two], 300).by).toBe('others')
    expect(suggestedOf(two, 300)).toEqual({ seconds: 300, by: 'length' })
  })
  test('is a usual length if too few have requested it: at most 30 days, and shorter than the maximum', () => {
    expect(suggestedOf([], null)).toEqual({ seconds: 30 * 86_400, by: 'length' })
    expect(suggestedOf([], 30 * 86_400).seconds).toBe(7 * 86_400)
    expect(suggestedOf([], 8 * 3600).seconds).toBe(4 * 3600)
    expect(suggestedOf([], 3600).seconds).toBe(3600)
  })
  test('stands with its reason in the settings of the request, and counts only what was granted', async () => {
    const asked = await scene.target(automatic, { maxSeconds: 36_000 })
    const termsFor = async (caller = asked.owner): Promise<Json> => {
      const reply = await scene.get(`/api/v1/apps/${asked.appId}/entitlements/${asked.id}/request_terms`, caller)
      expect(reply.status, reply.text).toBe(200)
      return reply.json
    }
    expect(await termsFor()).toMatchObject({
      suggestedGrantDuration: '28800s',
      suggestedGrantDurationWhy: 'A usual length: too few people have requested it yet.',
    })
    for (let place = 0; place < 3; place++)
      scene.task(
        await scene.post(
          '/api/v1/task/grant',
          target(asked, { grantDuration: '1800s', description: 'x' }),
          await scene.caller(['system:user']),
        ),
      )
    expect(await termsFor()).toMatchObject({
      suggestedGrantDuration: '1800s',
      suggestedGrantDurationWhy: 'Most people who requested it have had it for this long.',
    })
  })
})
