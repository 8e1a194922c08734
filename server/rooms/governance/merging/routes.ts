import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, empty, int32, listOf, message, required, text, timestamp } from '#kernel/wire.ts'
import { getUser } from '#rooms/identity/users/index.ts'
import { mergeUsers, planMerge, splitUser } from './actions.ts'
import { listMerges } from './store.ts'

const into = described(text(), 'The user who stays.')

const MergeMessage = message('user.v1.UserMerge', {
  id: text(),
  userId: described(text(), 'The user who was merged, and is now disabled.'),
  intoUserId: described(text(), 'The user who now has everything.'),
  mergedByUserId: text(),
  mergedAt: timestamp(),
  splitByUserId: text(),
  splitAt: timestamp(),
})

export const mergingRoutes: readonly Route[] = [
  route({
    id: 'user.v1.UserMerges.Plan',
    at: 'POST /api/v1/users/{user_id}/merge/plan',
    summary: 'Plan to merge a user into another: what would be moved. Nothing is changed.',
    rule: 'users.plan-merge',
    body: message('user.v1.UserMergesPlanRequest', { intoUserId: into }),
    reply: message('user.v1.UserMergesPlanResponse', {
      fingerprint: described(text(), 'Identifies everything that would be moved. Required to merge.'),
      accountCount: int32(),
      grantCount: described(int32(), 'The grants of the accounts. They are moved with the accounts.'),
      directoryCount: described(int32(), 'Accounts in directories: their attributes then apply to the other user.'),
      reportCount: described(int32(), 'Users whose manager would be the other user.'),
      ownedCount: described(int32(), 'What the user owns. The other user would own it.'),
      openTaskCount: described(int32(), 'Open requests about the user. They must be closed first.'),
      assignedTaskCount: described(int32(), 'Tasks that wait for the user. Others decide them instead.'),
      credentialCount: described(int32(), 'API credentials, which are refused from then on.'),
      sessionCount: described(int32(), 'Sessions, which end.'),
    }),
    async handle(call, { path, body }) {
      const { moved, counts, openTasks, fingerprint } = await planMerge(call, path.user_id, body.intoUserId)
      return {
        fingerprint,
        accountCount: moved.accounts.length,
        grantCount: counts.grants,
        directoryCount: moved.links.length,
        reportCount: moved.reports.length,
        ownedCount: moved.owned.length + moved.ownedByBoth.length,
        openTaskCount: openTasks,
        assignedTaskCount: counts.assignedTasks,
        credentialCount: counts.credentials,
        sessionCount: counts.sessions,
      }
    },
  }),
  route({
    id: 'user.v1.UserMerges.Create',
    at: 'POST /api/v1/users/{user_id}/merge',
    summary: 'Merge a user into another, as a plan showed it. The user is kept, disabled, with their history.',
    rule: 'users.merge',
    body: message('user.v1.UserMergesCreateRequest', {
      intoUserId: into,
      fingerprint: required(text(), 'must be the fingerprint of a plan'),
    }),
    reply: message('user.v1.UserMergesCreateResponse', { mergeId: text() }),
    async handle(call, { path, body }) {
      return { mergeId: await mergeUsers(call, path.user_id, body.intoUserId, body.fingerprint) }
    },
  }),
  route({
    id: 'user.v1.UserMerges.Split',
    at: 'POST /api/v1/users/{user_id}/split',
    summary: 'Undo the merge of a user: everything that was moved and still exists is moved back.',
    rule: 'users.merge',
    body: message('user.v1.UserMergesSplitRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await splitUser(call, path.user_id)
      return {}
    },
  }),
  route({
    id: 'user.v1.UserMerges.List',
    at: 'GET /api/v1/users/{user_id}/merges',
    summary: 'List the last 100 merges and splits of a user, newest first.',
    rule: 'users.list-merges',
    reply: message('user.v1.UserMergesListResponse', { list: listOf(MergeMessage) }),
    async handle(call, { path }) {
      const { id } = await getUser(call, path.user_id)
      const list = await listMerges(call.db, call.tenant.id, id)
      return { list: list.map((each) => ({ ...each, mergedByUserId: each.mergedBy, splitByUserId: each.splitBy })) }
    },
  }),
]
