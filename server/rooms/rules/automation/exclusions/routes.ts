import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { empty, list, listOf, message, text } from '#kernel/wire.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { listFirstAccounts } from '#rooms/records/accounts/index.ts'
import { refuseUnknownEntitlement } from '../rule/actions.ts'
import { ExclusionView, ofRule, reasonField, refOf, ruleAt } from '../view.ts'
import { addExclusions, removeExclusions } from './actions.ts'
import { listExclusions } from './store.ts'

const userIds = list(text({ maxLength: 64 }))
const at = `${ruleAt}/exclusions` as const

export const exclusionRoutes = [
  route({
    id: 'app.v1.AppEntitlements.ListAutomationExclusions',
    at: `GET ${at}`,
    summary: "List the exclusions of an entitlement's automation rule.",
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    reply: message('app.v1.ListAutomationExclusionsResponse', { list: listOf(ExclusionView), nextPageToken }),
    async handle(call, { path, page }) {
      const ref = refOf(path)
      const rows = await listExclusions(call.db, call.tenant.id, ref, page)
      if (rows.length === 0) await refuseUnknownEntitlement(call, ref)
      const ids = rows.map((row) => row.userId)
      const [users, accounts] = await Promise.all([
        findUsers(call.db, call.tenant.id, ids, call.now()),
        listFirstAccounts(call.db, call.tenant.id, ref.appId, ids),
      ])
      const userOf = new Map(users.map((user) => [user.id, user]))
      const accountOf = new Map(accounts.map(({ userId, id }) => [userId, id]))
      return page.cut(
        rows,
        (row) => [row.userId],
        (row) => ({
          appId: ref.appId,
          appEntitlementId: ref.id,
          appUserId: accountOf.get(row.userId) ?? '',
          user: userOf.get(row.userId) ?? null,
          addedAt: row.addedAt,
          addedByUserId: row.addedBy,
          reason: row.reason,
        }),
      )
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.AddAutomationExclusion',
    at: `POST ${at}`,
    summary: "Exclude users from an entitlement's automation rule.",
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.AddAutomationExclusionRequestInput', { userIds, reason: reasonField() }),
    reply: empty,
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => addExclusions(tx, call, refOf(path), body.userIds, body.reason))
      return {}
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.RemoveAutomationExclusion',
    at: `DELETE ${at}`,
    summary: "Remove exclusions from an entitlement's automation rule; it is evaluated for these users immediately.",
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.RemoveAutomationExclusionRequestInput', { userIds, reason: reasonField() }),
    reply: empty,
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => removeExclusions(tx, call, refOf(path), body.userIds, body.reason))
      return {}
    },
  }),
]
