import { mayEverywhere } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { expandedField, expansion } from '#kernel/expand.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Input } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, list, listOf, message, nested, oneOf, required, struct, text, timestamp } from '#kernel/wire.ts'
import { noUser } from '#rooms/identity/users/index.ts'
import { EntitlementView } from '#rooms/records/apps/index.ts'
import {
  addMembers,
  getHolder,
  getHoldingAccount,
  refuseUnknownEntitlement,
  removeMember,
  restateExpiry,
} from '../actions.ts'
import { asOfField, momentOf } from '../as-of.ts'
import { grantSources, type Holding } from '../grant.ts'
import { presentBindings, presentEntitlementsOf, presentReasons, viewHoldings } from '../present.ts'
import { listHeldBy, listHoldingAccountsOf } from '../store/held.ts'
import { listEverHeld } from '../store/history.ts'
import {
  countHolders,
  type HolderFilter,
  holderOrders,
  isUnfiltered,
  listHolders,
  searchHolders,
} from '../store/holders.ts'
import { AppEntitlementUserBinding, AppEntitlementUserView, AppEntitlementWithExpired } from '../view.ts'

const reasonField = (description: string) => described(text({ maxLength: 500 }), description)

const AsOf = message('', { asOf: asOfField })
type AsOfFields = typeof AsOf.fields

/** Not in the published schema: which members, and in which order. */
const Members = message('', {
  asOf: asOfField,
  query: described(text({ maxLength: 1000 }), 'Only members whose name, username or email address contains this text.'),
  // No enum: the script that reads the imports of the generated client would take 'import' in quotes for one.
  sources: described(
    list(text({ maxLength: 20 }), 10),
    `Only grants from one of these sources: ${grantSources.join(', ')}.`,
  ),
  expires: presenceField('Only grants that expire, or only grants that do not.'),
  userStatuses: described(
    list(oneOf(['UNKNOWN', 'ENABLED', 'DISABLED', 'DELETED']), 4),
    'Only members who are users with one of these statuses.',
  ),
  orderBy: orderByField(holderOrders),
})

function holderFilterOf(call: Call, query: ReturnType<typeof Members.read>): HolderFilter {
  // Results reveal what they were filtered by: only callers who see everyone can search by name.
  if (query.query.trim() !== '' && !mayEverywhere(call.actor, 'users.read'))
    throw invalid({ field: 'query', description: 'cannot be used without the permission users.read' })
  const isSource = (source: string): boolean => grantSources.some((each) => each === source)
  if (!query.sources.every(isSource))
    throw invalid({ field: 'sources', description: `must be among ${grantSources.join(', ')}` })
  return {
    query: query.query.trim(),
    sources: query.sources,
    expires: presenceOf(query.expires),
    userStatuses: query.userStatuses,
  }
}
const bindingReply = (name: string) => message(name, { binding: nested(AppEntitlementUserBinding) })
const entitlementList = message('app.v1.ListAppEntitlementsOfAppUserResponse', {
  list: listOf(EntitlementView),
  expanded: expandedField,
  nextPageToken,
})

type OfAccount = Input<'{app_id}{app_user_id}', AsOfFields, {}>
async function listForAccount(call: Call, { path, query, page }: OfAccount) {
  const moment = momentOf(call, query.asOf)
  const account = { appId: path.app_id, id: path.app_user_id }
  await getHoldingAccount(call, account, moment)
  const rows = await listHeldBy(call.db, call.tenant.id, account, moment, page)
  const cut = page.cut(
    rows,
    ({ entitlementId }) => [entitlementId],
    ({ appId, entitlementId }) => ({ appId, id: entitlementId }),
  )
  const { views, expanded } = await presentEntitlementsOf(call, cut.list, { paths: ['*'] })
  return { list: views, expanded, nextPageToken: cut.nextPageToken }
}

export const memberRoutes = [
  route({
    id: 'app.v1.AppEntitlements.ListUsers',
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users',
    summary: 'List who has an entitlement, now or at an earlier time.',
    rule: 'entitlement.list-grants',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    paged: true,
    query: Members,
    reply: message('app.v1.ListAppEntitlementUsersResponse', {
      list: listOf(AppEntitlementUserView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, query, page }) {
      const moment = momentOf(call, query.asOf)
      const entitlement = { appId: path.app_id, id: path.app_entitlement_id }
      const filter = holderFilterOf(call, query)
      const order = orderIn(holderOrders, query.orderBy)
      const isSearched = order !== null || !isUnfiltered(filter)
      const rows: (Holding & { key?: string })[] = isSearched
        ? await readApart(call.db, true, (db) =>
            searchHolders(db, call.tenant.id, entitlement, moment, { filter, order, page }),
          )
        : await listHolders(call.db, call.tenant.id, entitlement, moment, page)
      if (rows.length === 0) await refuseUnknownEntitlement(call, entitlement, moment)
      const cut = page.cut(
        rows,
        ({ key, accountId }) => (key === undefined ? [accountId] : [key, accountId]),
        (row) => row,
      )
      const expanded = expansion(null)
      const views = await viewHoldings(call, cut.list, moment, expanded)
      return { list: views, expanded: expanded.list(), nextPageToken: cut.nextPageToken }
    },
    async count(call, { path, query }, limit) {
      const moment = momentOf(call, query.asOf)
      const entitlement = { appId: path.app_id, id: path.app_entitlement_id }
      const filter = holderFilterOf(call, query)
      const count = await countHolders(call.db, call.tenant.id, entitlement, moment, { filter, limit })
      if (count === 0) await refuseUnknownEntitlement(call, entitlement, moment)
      return count
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ListForAppUser',
    at: 'GET /api/v1/apps/{app_id}/entitlements/users/{app_user_id}',
    summary:
      'List the access of an account, now or at an earlier moment: your own, or those of anyone if you may see them.',
    rule: 'account.list-grants',
    about: { app: 'app_id', account: 'app_user_id' },
    paged: true,
    query: AsOf,
    reply: entitlementList,
    handle: listForAccount,
  }),
  route({
    id: 'app.v1.AppEntitlementSearchService.SearchAppEntitlementsForAppUser',
    at: 'GET /api/v1/search/apps/{app_id}/entitlements/users/{app_user_id}',
    summary: 'List the access of an account, now or at an earlier moment; the same list by another name.',
    rule: 'account.list-grants',
    about: { app: 'app_id', account: 'app_user_id' },
    paged: true,
    query: AsOf,
    reply: entitlementList,
    handle: listForAccount,
  }),
  route({
    id: 'app.v1.AppEntitlementSearchService.SearchAppEntitlementsWithExpired',
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/grants',
    summary: 'List who has or had an entitlement, since when, until when, and why.',
    rule: 'entitlement.list-grants',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    paged: true,
    query: AsOf,
    reply: message('app.v1.SearchAppEntitlementsWithExpiredResponse', {
      list: listOf(AppEntitlementWithExpired),
      nextPageToken,
    }),
    async handle(call, { path, query, page }) {
      const moment = momentOf(call, query.asOf)
      const entitlement = { appId: path.app_id, id: path.app_entitlement_id }
      const reasons = await listEverHeld(call.db, call.tenant.id, entitlement, moment, page)
      if (reasons.length === 0) await refuseUnknownEntitlement(call, entitlement, moment)
      const accountIds = [...new Set(reasons.map(({ accountId }) => accountId))]
      const cut = page.cut(
        accountIds,
        (accountId) => [accountId],
        (accountId) => accountId,
      )
      const kept = new Set(cut.list)
      const ofPage = reasons.filter(({ accountId }) => kept.has(accountId))
      return { list: await presentReasons(call, entitlement, ofPage, moment), nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.AddManuallyManagedMembers',
    at: 'POST /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/add-manual-user',
    summary: 'Grant an entitlement to users manually; those without an account in its app get one.',
    rule: 'entitlement.give',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    body: message('app.v1.AddManuallyManagedUsersRequest', {
      userIds: list(text({ maxLength: 64 })),
      reason: reasonField('The reason, or a ticket number; kept with the grants and in the system log.'),
      expiresAt: described(
        timestamp(),
        'When the grants expire. Without it they last for the `durationGrant` of the entitlement, or do not expire.',
      ),
    }),
    reply: message('app.v1.ManuallyManagedUsersResponse', {
      bulkActionId: text(),
      failedUsersErrorMap: described(
        struct(),
        'Users to whom it was not granted, by user id, and why. It was granted to all others.',
      ),
    }),
    async handle(call, { path, body }) {
      const entitlement = { appId: path.app_id, id: path.app_entitlement_id }
      const done = await transact(call.db, (tx) => addMembers(tx, call, entitlement, body.userIds, body))
      const failed = done.unknown.map((id) => [id, noUser(id)] as const)
      return { bulkActionId: done.bulkActionId, failedUsersErrorMap: Object.fromEntries(failed) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.RemoveEntitlementMembership',
    at: 'DELETE /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/remove-membership',
    summary: 'Revoke an entitlement from an account, regardless of its sources.',
    rule: 'entitlement.give',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    body: message('app.v1.RemoveEntitlementMembershipRequest', {
      appUserId: required(text({ maxLength: 64 }), 'must be given'),
      reason: reasonField('The reason, or a ticket number; kept in the system log.'),
    }),
    reply: message('app.v1.RemoveEntitlementMembershipResponse', {
      revokeTaskId: described(
        text(),
        'The open task that was to revoke it, if there is one that you can see. Access is revoked immediately in any case.',
      ),
    }),
    async handle(call, { path, body }) {
      const ref = { appId: path.app_id, entitlementId: path.app_entitlement_id, accountId: body.appUserId }
      return { revokeTaskId: await transact(call.db, (tx) => removeMember(tx, call, ref, body.reason)) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementUserBindingService.RemoveGrantDuration',
    at: 'POST /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{app_user_id}/remove-grant-duration',
    summary: "Remove the expiry of an account's grant of an entitlement.",
    rule: 'entitlement.give',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    body: message('app.v1.RemoveGrantDurationRequest', {}),
    reply: bindingReply('app.v1.RemoveGrantDurationResponse'),
    async handle(call, { path }) {
      const ref = { appId: path.app_id, entitlementId: path.app_entitlement_id, accountId: path.app_user_id }
      const holding = await transact(call.db, (tx) => restateExpiry(tx, call, ref, null))
      const [binding = null] = await presentBindings(call, [holding], momentOf(call, null))
      return { binding }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementUserBindingService.UpdateGrantDuration',
    at: 'POST /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{app_user_id}/update-grant-duration',
    summary: "Set when an account's grant of an entitlement expires.",
    rule: 'entitlement.give',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    body: message('app.v1.UpdateGrantDurationRequest', { newDeprovisionAt: required(timestamp()) }),
    reply: bindingReply('app.v1.UpdateGrantDurationResponse'),
    async handle(call, { path, body }) {
      const { newDeprovisionAt: until } = body
      const ref = { appId: path.app_id, entitlementId: path.app_entitlement_id, accountId: path.app_user_id }
      const holding = await transact(call.db, (tx) => restateExpiry(tx, call, ref, until))
      const [binding = null] = await presentBindings(call, [holding], momentOf(call, null))
      return { binding }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementUserBindingService.ListAppUsersForIdentityWithGrant',
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/users/{identity_user_id}/grants',
    summary:
      'List the accounts through which a user has an entitlement: your own, or those of anyone if you may see them.',
    rule: 'entitlement.list-accounts',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    query: AsOf,
    reply: message('app.v1.ListAppUsersForIdentityWithGrantResponse', {
      bindings: listOf(AppEntitlementUserBinding),
    }),
    async handle(call, { path, query }) {
      const moment = momentOf(call, query.asOf)
      const { id: userId } = await getHolder(call, path.identity_user_id)
      const entitlement = { appId: path.app_id, id: path.app_entitlement_id }
      const rows = await listHoldingAccountsOf(call.db, call.tenant.id, entitlement, userId, moment)
      if (rows.length === 0) await refuseUnknownEntitlement(call, entitlement, moment)
      return { bindings: await presentBindings(call, rows, moment) }
    },
  }),
]
