import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

/** Where access names the task that it came from or goes by: `ticketId`, `originatingTicketId` and `revokeTaskId`. */
const scene = prepareTasks()
const user = (): Promise<Caller> => scene.caller(['system:user'])
const pathOf = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`

/** Something that one person requested and got, and another one was given manually. */
async function given(): Promise<{ ref: Ref; asker: Caller; other: string; request: TaskSeen }> {
  const { appId, id } = await scene.target(automatic)
  const [ref, asker, other] = [{ appId, id }, await user(), await scene.user()]
  const request = scene.task(await scene.post('/api/v1/task/grant', target(ref), asker))
  expect(request.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  await scene.grant(ref, await scene.account(appId, { userId: other }), { source: 'manual' })
  return { ref, asker, other, request }
}
const accountOf = async ({ appId }: Ref, userId: string): Promise<string> => {
  const [row] = await scene.server.db<{ id: string }[]>`
    select account_id as id from accounts where app_id = ${appId} and user_id = ${userId} and deleted_at is null`
  return row?.id as string
}

test('the feed of grants names the task that granted or revoked access, and none for manual grants', async () => {
  const { ref, asker, other, request } = await given()
  const revoking = await scene.policy([{ accept: {} }], 'revoke')
  await scene.server.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
  const body = target(ref, { identityUserId: asker.userId })
  const revoke = scene.task(await scene.post('/api/v1/task/revoke', body))
  const fed = async (userId: string): Promise<unknown[]> =>
    (await scene.all('/api/v1/grants/feed', { appEntitlementRefs: [ref], userRefs: [{ id: userId }] })).map((each) => {
      const { eventType, ticketId } = each['feed'] as Json
      return [eventType, ticketId]
    })
  await expect
    .poll(() => fed(asker.userId))
    .toEqual([
      ['GRANT_EVENT_TYPE_REMOVED', revoke.id],
      ['GRANT_EVENT_TYPE_ADDED', request.id],
    ])
  expect(await fed(other)).toEqual([['GRANT_EVENT_TYPE_ADDED', '']])
})

test('a member who requested access is listed with their request, and one who was given it with none', async () => {
  const { ref, asker, other, request } = await given()
  const listed = (await scene.all(`${pathOf(ref)}/users`)).map(({ appUser, originatingTicketId }) => [
    (appUser as { appUser: Json }).appUser['identityUserId'],
    originatingTicketId,
  ])
  expect(new Map(listed as [string, string][])).toEqual(
    new Map([
      [asker.userId, request.id],
      [other, ''],
    ]),
  )
})

test('who removes a member is told of the open task that was to do it, if they can see it', async () => {
  const removeAs = async (by: Caller, hasTask: boolean): Promise<{ told: unknown; taskId: string }> => {
    const { ref, asker } = await given()
    const revoking = await scene.policy([{ approval: { users: { userIds: [(await user()).userId] } } }], 'revoke')
    await scene.server.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
    const body = target(ref, { identityUserId: asker.userId })
    const taskId = hasTask ? scene.task(await scene.post('/api/v1/task/revoke', body)).id : ''
    const appUserId = await accountOf(ref, asker.userId)
    await scene.post(`/api/v2/apps/${ref.appId}/owners/users/primary/${by.userId}`, {})
    const reply = await scene.remove(`${pathOf(ref)}/remove-membership`, { appUserId }, by)
    expect(reply.status, reply.text).toBe(200)
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    return { told: reply.json['revokeTaskId'], taskId }
  }
  const seen = await removeAs(scene.admin, true)
  expect(seen.taskId).not.toBe('')
  expect(seen.told).toBe(seen.taskId)
  expect((await removeAs(scene.admin, false)).told).toBe('')
  // An owner of the app sees no tasks of others.
  expect((await removeAs(await scene.caller(['system:application-admin']), true)).told).toBe('')
})
