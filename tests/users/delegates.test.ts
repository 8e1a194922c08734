import { describe, expect, test } from 'vitest'
import { eventually, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import type { Caller } from '../grants/scene.ts'
import { prepareTasks, target } from '../tasks/scene.ts'

const scene = prepareTasks()
const own = '/api/v1/users/introspect/delegation'
const user = () => scene.caller(['system:user'])
const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString()
const name = (by: Caller, body: object): Promise<Reply> => scene.post(own, body, by)
const address = async ({ userId }: Caller): Promise<string> => {
  const [row] = await scene.access.world.db<{ email: string }[]>`select email from users where user_id = ${userId}`
  return row?.email as string
}
const byAdmin = async (of: Caller, delegate: Caller | null, more: object = {}): Promise<void> => {
  const body = { delegatedUserId: delegate?.userId ?? '', ...more }
  const reply = await scene.post(`/api/v1/users/${of.userId}/set-delegation-by-admin`, body)
  expect(reply.status, reply.text).toBe(200)
}

/** A request that these people are to decide. */
async function request(approvers: Caller[], more: object = { allowDelegation: true }, by?: Caller) {
  const users = { userIds: approvers.map(({ userId }) => userId) }
  const ref = await scene.target(await scene.policy([{ approval: { users, ...more } }]))
  return scene.task(await scene.post('/api/v1/task/grant', target(ref), by ?? (await user())))
}
const approve = async (id: string, by: Caller): Promise<string> => {
  const { policy } = await scene.look(id)
  return outcomeOf(await scene.act(id, 'approve', { policyStepId: policy.current?.id }, by))
}
const decides = (id: string, ...who: Caller[]): Promise<boolean> =>
  eventually(async () => {
    const { stepApproverIds } = await scene.look(id)
    return JSON.stringify(stepApproverIds) === JSON.stringify(who.map(({ userId }) => userId))
  })

describe('everyone names their own delegate', () => {
  test('by email address, for a time, sees who it is, and ends it', async () => {
    const [me, delegate] = [await user(), await user()]
    const body = { delegatedUserEmail: await address(delegate), delegationExpireAt: minutes(60) }
    const set = await name(me, body)
    expect(set.status, set.text).toBe(200)
    const got = (await scene.get(own, me)).json['item'] as Json
    expect(got).toMatchObject({ userId: me.userId, delegatedUserId: delegate.userId, deletedAt: null })
    expect(got['expirationAt']).toBe(body.delegationExpireAt)
    expect((await name(me, {})).status).toBe(200)
    expect((await scene.get(own, me)).json['item']).toBeNull()
  })

  test('but not themselves, nobody, someone disabled, or someone whom they only know an id of', async () => {
    const [me, stranger, gone] = [await user(), await user(), await user()]
    const to = async (body: object) => outcomeOf(await name(me, body))
    expect(await to({ delegatedUserId: stranger.userId })).toBe('404/5 USER_NOT_FOUND')
    expect(await to({ delegatedUserEmail: 'nobody@example.com' })).toBe('404/5 USER_NOT_FOUND')
    expect(await to({ delegatedUserEmail: await address(me) })).toBe('400/3 INPUT_INVALID')
    const both = { delegatedUserId: me.userId, delegatedUserEmail: await address(stranger) }
    expect(await to(both)).toBe('400/3 INPUT_INVALID')
    const email = await address(gone)
    await scene.post(`/api/v1/users/${gone.userId}/disable`, {})
    expect(await to({ delegatedUserEmail: email })).toBe('400/3 INPUT_INVALID')
    const past = { delegatedUserEmail: await address(stranger), delegationExpireAt: minutes(-1) }
    expect(await to(past)).toBe('400/3 INPUT_INVALID')
  })
})

describe('a delegate decides', () => {
  test('what is created after they were named, and not what was there before', async () => {
    const [approver, delegate] = [await user(), await user()]
    const before = await request([approver])
    await byAdmin(approver, delegate)
    const after = await request([approver])
    expect(after.stepApproverIds).toEqual([delegate.userId])
    expect(await approve(after.id, delegate)).toBe('200')
    expect((await scene.look(before.id)).stepApproverIds).toEqual([approver.userId])
    expect(await approve(before.id, delegate)).not.toBe('200')
    const next = await user()
    const [open] = [await request([approver])]
    await byAdmin(approver, next)
    // Another delegate is a new delegation: what was created before goes back to who was asked.
    expect(await decides(open.id, approver)).toBe(true)
  })

  test('only where the step allows delegation', async () => {
    const [approver, delegate] = [await user(), await user()]
    await byAdmin(approver, delegate)
    expect((await request([approver], {})).stepApproverIds).toEqual([approver.userId])
  })

  test('only between the two times, and open tasks go over and back by themselves', async () => {
    // A busy machine may be too late to see one of the times: then it is given more of it.
    for (let ms = 1_000; ; ms *= 2) {
      const [approver, delegate] = [await user(), await user()]
      const [start, end] = [Date.now() + ms, Date.now() + 3 * ms]
      const delegationStartAt = new Date(start).toISOString()
      await byAdmin(approver, delegate, { delegationStartAt, delegationExpireAt: new Date(end).toISOString() })
      const made = await request([approver])
      if (Date.now() >= start) continue
      expect(made.stepApproverIds).toEqual([approver.userId])
      let isDelegated = false
      await until(async () => {
        isDelegated = (await scene.look(made.id)).stepApproverIds.join() === delegate.userId
        return isDelegated || Date.now() >= end
      })
      if (!isDelegated) continue
      expect(await decides(made.id, approver)).toBe(true)
      expect(await approve(made.id, delegate)).not.toBe('200')
      expect(await approve(made.id, approver)).toBe('200')
      return
    }
  })

  test('no longer once they are not named any more, even before the task is given back', async () => {
    const [approver, delegate] = [await user(), await user()]
    await byAdmin(approver, delegate)
    const made = await request([approver])
    expect(made.stepApproverIds).toEqual([delegate.userId])
    await scene.access.world.db`delete from user_delegations where user_id = ${approver.userId}`
    expect(await approve(made.id, delegate)).toBe('403/7 DELEGATION_ENDED')
    expect((await scene.look(made.id)).state).toBe('TASK_STATE_OPEN')
  })

  test('not when disabled, nor about themselves: then who named them decides', async () => {
    const [approver, delegate] = [await user(), await user()]
    await byAdmin(approver, delegate)
    const about = await request([approver], { allowDelegation: true }, delegate)
    expect(about.stepApproverIds).toEqual([approver.userId])
    await scene.post(`/api/v1/users/${delegate.userId}/disable`, {})
    expect((await request([approver])).stepApproverIds).toEqual([approver.userId])
  })

  test('never in the place of someone who may not decide themselves', async () => {
    const [approver, delegate] = [await user(), await user()]
    await byAdmin(approver, delegate)
    // Who asks for themselves and is the approver does not choose who approves.
    const made = await request([approver], { allowDelegation: true }, approver)
    expect(made.stepApproverIds).not.toContain(delegate.userId)
    expect(made.stepApproverIds).not.toContain(approver.userId)
    await scene.post(`/api/v1/users/${approver.userId}/disable`, {})
    expect((await request([approver])).stepApproverIds).not.toContain(delegate.userId)
  })

  test('for those who named them, and for nobody further along: circles are no matter', async () => {
    const [first, second, third] = [await user(), await user(), await user()]
    await byAdmin(first, second)
    await byAdmin(second, third)
    await byAdmin(third, first)
    expect((await request([first])).stepApproverIds).toEqual([second.userId])
    expect((await request([third])).stepApproverIds).toEqual([first.userId])
    await byAdmin(second, first)
    expect((await request([first])).stepApproverIds).toEqual([second.userId])
    expect((await request([second])).stepApproverIds).toEqual([first.userId])
  })
})
