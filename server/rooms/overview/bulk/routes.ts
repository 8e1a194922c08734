import { asService, type May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { described, listOf, type MessageOf, message, oneOf, required, text, timestamp } from '#kernel/wire.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import type { PolicyChecks } from '#rooms/records/apps/index.ts'
import { expiring, owning, rating, revoking, switching } from './actions.ts'
import { apply, plan } from './run.ts'
import {
  ApplyReply,
  applyFields,
  applyingIn,
  idField,
  idsField,
  itemsMax,
  PlanReply,
  viewApplied,
  viewPlan,
} from './shapes.ts'
import { bulkUndoRoutes } from './undo/routes.ts'
import { ofEntitlements, ofGrants, ofObjects, ofUsers } from './views.ts'

const planned = 'Nothing is changed. Each item is returned with its outcome.'
const applied = 'Applies exactly what the plan showed, or nothing if any outcome has changed.'

const GrantRef = message('bailiwick.v1.BulkGrantRef', {
  appId: idField(),
  appEntitlementId: idField(),
  appUserId: idField(),
})
const grantFields = {
  action: required(
    oneOf(['BULK_GRANT_ACTION_UNSPECIFIED', 'BULK_GRANT_ACTION_REVOKE', 'BULK_GRANT_ACTION_SET_EXPIRY']),
  ),
  grants: required(described(listOf(GrantRef, itemsMax), `At most ${itemsMax}.`), 'must name at least one'),
  expiresAt: described(timestamp(), 'For SET_EXPIRY: when they expire. Absent means never.'),
}

function grantsIn(call: May<'grants.bulk-change'>, { action, grants, expiresAt }: MessageOf<typeof grantFields>) {
  const refs = grants.map(({ appId, appEntitlementId, appUserId }) => ({
    appId,
    entitlementId: appEntitlementId,
    accountId: appUserId,
  }))
  if (action === 'BULK_GRANT_ACTION_REVOKE') return (tx: Tx) => revoking(tx, call, refs)
  if (expiresAt && expiresAt <= call.now()) throw invalid({ field: 'expiresAt', description: 'must be in the future' })
  return (tx: Tx) => expiring(tx, call, refs, expiresAt)
}

const grantRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.BulkGrants.Plan',
    at: 'POST /api/v1/bulk/grants/plan',
    summary: `Plan to revoke several grants, or to set when they expire. ${planned}`,
    rule: 'grants.bulk-change',
    body: message('bailiwick.v1.PlanBulkGrantsRequest', grantFields),
    reply: PlanReply,
    handle: async (call, { body }) => viewPlan(call, await plan(call, grantsIn(call, body)), ofGrants),
  }),
  route({
    id: 'bailiwick.v1.BulkGrants.Apply',
    at: 'POST /api/v1/bulk/grants/apply',
    summary: `Revoke several grants, or set when they expire. ${applied}`,
    rule: 'grants.bulk-change',
    body: message('bailiwick.v1.ApplyBulkGrantsRequest', { ...grantFields, ...applyFields }),
    reply: ApplyReply,
    handle: async (call, { body }) =>
      viewApplied(call, await apply(call, grantsIn(call, body), applyingIn(body)), ofGrants),
  }),
]

/** Drops the cached credentials of a user: a change takes effect at once on the server where it was made. */
export type ForgetUser = (call: Call, userId: string) => Promise<void>

function usersIn(call: May<'users.change-status'>, userIds: readonly string[], status: 'ENABLED' | 'DISABLED') {
  return (tx: Tx, reason: string) => switching(tx, call, userIds, status, reason)
}

function userRoutes(forget: ForgetUser): Route[] {
  const userFields = { userIds: required(idsField(), 'must name at least one') }
  const applyTo = (status: 'ENABLED' | 'DISABLED') => ({
    rule: 'users.change-status' as const,
    reply: ApplyReply,
    handle: async (
      call: May<'users.change-status'>,
      { body }: { body: MessageOf<typeof userFields & typeof applyFields> },
    ) => {
      const result = await apply(call, usersIn(call, body.userIds, status), applyingIn(body))
      for (const { ref, outcome } of result.items) if (outcome === 'changed') await forget(call, ref)
      return viewApplied(call, result, ofUsers)
    },
  })
  return [
    route({
      id: 'bailiwick.v1.BulkUsers.Plan',
      at: 'POST /api/v1/bulk/users/plan',
      summary: `Plan to disable or enable several users. ${planned}`,
      rule: 'users.plan-status',
      body: message('bailiwick.v1.PlanBulkUsersRequest', {
        action: required(
          oneOf(['BULK_USER_ACTION_UNSPECIFIED', 'BULK_USER_ACTION_DISABLE', 'BULK_USER_ACTION_ENABLE']),
        ),
        ...userFields,
      }),
      reply: PlanReply,
      async handle(call, { body: { action, userIds } }) {
        const status = action === 'BULK_USER_ACTION_ENABLE' ? 'ENABLED' : 'DISABLED'
        const rehearsing = asService(call, 'users.change-status', 'what is rehearsed is rolled back')
        return viewPlan(call, await plan(call, usersIn(rehearsing, userIds, status)), ofUsers)
      },
    }),
    route({
      ...applyTo('DISABLED'),
      id: 'bailiwick.v1.BulkUsers.Disable',
      at: 'POST /api/v1/bulk/users/disable',
      summary: `Disable several users. ${applied}`,
      body: message('bailiwick.v1.DisableBulkUsersRequest', { ...userFields, ...applyFields }),
    }),
    route({
      ...applyTo('ENABLED'),
      id: 'bailiwick.v1.BulkUsers.Enable',
      at: 'POST /api/v1/bulk/users/enable',
      summary: `Enable several users. ${applied}`,
      body: message('bailiwick.v1.EnableBulkUsersRequest', { ...userFields, ...applyFields }),
    }),
  ]
}

const ObjectRefMessage = message('bailiwick.v1.BulkObjectRef', { appId: idField(), id: idField() })
const ownerFields = {
  entitlements: listOf(ObjectRefMessage, itemsMax),
  appUsers: listOf(ObjectRefMessage, itemsMax),
  appIds: idsField(),
  userId: required(described(idField(), 'The new owner.'), 'must be given'),
  roleSlug: described(text({ maxLength: 64 }), 'The role; primary by default.'),
}
const slugs = /^[a-z0-9][a-z0-9_-]{0,63}$/

function ownersIn(
  call: May<'owners.bulk-change'>,
  { entitlements, appUsers, appIds, userId, roleSlug }: MessageOf<typeof ownerFields>,
) {
  const refs: ObjectRef[] = [
    ...entitlements.map(({ appId, id }) => ({ kind: 'entitlement' as const, appId, typeId: '', id })),
    ...appUsers.map(({ appId, id }) => ({ kind: 'account' as const, appId, typeId: '', id })),
    ...appIds.map((id) => ({ kind: 'app' as const, appId: id, typeId: '', id })),
  ]
  if (refs.length === 0) throw invalid({ field: 'entitlements', description: 'must name at least one' })
  if (refs.length > itemsMax)
    throw invalid({ field: 'entitlements', description: `must be at most ${itemsMax}, with appUsers and appIds` })
  const role = roleSlug || 'primary'
  if (!slugs.test(role))
    throw invalid({ field: 'roleSlug', description: 'must be lower-case letters, digits, - and _' })
  return () => Promise.resolve(owning(call, refs, { userId, roleSlug: role }))
}

const ownerRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.BulkOwners.Plan',
    at: 'POST /api/v1/bulk/owners/plan',
    summary: `Plan to add a user as an owner of several entitlements, accounts or apps. ${planned}`,
    rule: 'owners.bulk-change',
    body: message('bailiwick.v1.PlanBulkOwnersRequest', ownerFields),
    reply: PlanReply,
    handle: async (call, { body }) => viewPlan(call, await plan(call, ownersIn(call, body)), ofObjects),
  }),
  route({
    id: 'bailiwick.v1.BulkOwners.Add',
    at: 'POST /api/v1/bulk/owners/add',
    summary: `Add a user as an owner of several entitlements, accounts or apps. Existing owners are kept. ${applied}`,
    rule: 'owners.bulk-change',
    body: message('bailiwick.v1.AddBulkOwnersRequest', { ...ownerFields, ...applyFields }),
    reply: ApplyReply,
    handle: async (call, { body }) =>
      viewApplied(call, await apply(call, ownersIn(call, body), applyingIn(body)), ofObjects),
  }),
]

const entitlementFields = {
  entitlements: required(listOf(ObjectRefMessage, itemsMax), 'must name at least one'),
  riskLevelValueId: described(idField(), 'The risk level; empty removes it.'),
}

function entitlementRoutes(checks: PolicyChecks): Route[] {
  const entitlementsIn = (call: May<'entitlements.bulk-edit'>, body: MessageOf<typeof entitlementFields>) => (tx: Tx) =>
    rating(tx, call, checks, body.entitlements, body.riskLevelValueId)
  return [
    route({
      id: 'bailiwick.v1.BulkEntitlements.Plan',
      at: 'POST /api/v1/bulk/entitlements/plan',
      summary: `Plan to set the risk level of several entitlements. ${planned}`,
      rule: 'entitlements.bulk-edit',
      body: message('bailiwick.v1.PlanBulkEntitlementsRequest', entitlementFields),
      reply: PlanReply,
      handle: async (call, { body }) => viewPlan(call, await plan(call, entitlementsIn(call, body)), ofEntitlements),
    }),
    route({
      id: 'bailiwick.v1.BulkEntitlements.Apply',
      at: 'POST /api/v1/bulk/entitlements/apply',
      summary: `Set the risk level of several entitlements. ${applied}`,
      rule: 'entitlements.bulk-edit',
      body: message('bailiwick.v1.ApplyBulkEntitlementsRequest', { ...entitlementFields, ...applyFields }),
      reply: ApplyReply,
      handle: async (call, { body }) =>
        viewApplied(call, await apply(call, entitlementsIn(call, body), applyingIn(body)), ofEntitlements),
    }),
  ]
}

/** Several things changed together: a plan first, and then just what it showed. */
export const bulkRoutes = (forget: ForgetUser, checks: PolicyChecks): Route[] => [
  ...grantRoutes,
  ...userRoutes(forget),
  ...ownerRoutes,
  ...entitlementRoutes(checks),
  ...bulkUndoRoutes(forget, checks),
]
