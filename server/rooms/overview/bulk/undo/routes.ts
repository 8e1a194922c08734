import { asService, type May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import type { Action } from '#authority/rules.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, int32, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { PolicyChecks } from '#rooms/records/apps/index.ts'
import { apply, type BulkIn, plan, type Result } from '../run.ts'
import {
  ApplyReply,
  applyFields,
  applyingIn,
  idField,
  PlanReply,
  type Viewing,
  viewApplied,
  viewPlan,
} from '../shapes.ts'
import { ofEntitlements, ofGrants, ofObjects, ofUsers } from '../views.ts'
import { undoingGrants, undoingOwners, undoingRisk, undoingUsers } from './actions.ts'
import { type BulkAction, type BulkRule, bulkKinds, listActions, setUndone } from './store.ts'

const kindName = (kind: BulkAction['kind']) => `BULK_KIND_${kind.toUpperCase() as Uppercase<typeof kind>}` as const
const kindNames = ['BULK_KIND_UNSPECIFIED', ...bulkKinds.map(kindName)] as const

const listRoute: Route = route({
  id: 'bailiwick.v1.BulkActions.List',
  at: 'GET /api/v1/bulk/actions',
  summary: 'List bulk changes that were carried out, the latest first, and what became of those that were undone.',
  rule: 'grants.read-bulk',
  paged: true,
  reply: message('bailiwick.v1.ListBulkActionsResponse', {
    list: listOf(
      message('bailiwick.v1.BulkAction', {
        id: text(),
        kind: oneOf(kindNames),
        title: described(text(), 'What was done, as in "Revoked 12 grants".'),
        reason: text(),
        createdByUserId: text(),
        createdAt: timestamp(),
        changedCount: int32(),
        undoneByUserId: text(),
        undoneAt: timestamp(),
        restoredCount: described(int32(), 'How many items undoing it restored.'),
        leftCount: described(int32(), 'How many it left as they were: changed since, deleted, or expired.'),
      }),
    ),
    nextPageToken,
  }),
  handle: async (call, { page }) =>
    page.cut(
      await listActions(call.db, call.tenant.id, page),
      ({ id }) => [id],
      ({ kind, askedBy, undoneBy, ...action }) => ({
        ...action,
        kind: kindName(kind),
        createdByUserId: askedBy,
        undoneByUserId: undoneBy,
      }),
    ),
})

type Undoing<Ref, A extends BulkRule> = {
  /** Of the operations, as in `BulkGrants`, and their addresses. */
  name: string
  at: 'grants' | 'users' | 'owners' | 'entitlements'
  rule: A
  /** To plan it, where that takes less. */
  planRule?: Action
  summary: string
  bulkIn: (call: May<A>, id: string) => BulkIn<Ref>
  viewing: Viewing<Ref>
  afterwards?: (call: Call, result: Result<Ref>) => Promise<void>
}

function undoRoutes<Ref, A extends BulkRule>({
  name,
  at,
  rule,
  planRule = rule,
  summary,
  bulkIn,
  viewing,
  afterwards,
}: Undoing<Ref, A>): Route[] {
  const bulkActionId = described(idField(), 'The bulk change that is undone.')
  return [
    route({
      id: `bailiwick.v1.${name}.PlanUndo`,
      at: `POST /api/v1/bulk/${at}/undo/plan`,
      summary: `Plan to undo a bulk change: ${summary} Nothing is changed. Items that stay as they are say why.`,
      rule: planRule,
      body: message(`bailiwick.v1.PlanUndo${name}Request`, { bulkActionId }),
      reply: PlanReply,
      async handle(call, { body }) {
        const rehearsing = asService(call, rule, 'what is rehearsed is rolled back')
        return viewPlan(call, await plan(call, bulkIn(rehearsing, body.bulkActionId)), viewing)
      },
    }),
    route({
      id: `bailiwick.v1.${name}.Undo`,
      at: `POST /api/v1/bulk/${at}/undo`,
      summary: `Undo a bulk change as a plan showed it: ${summary}`,
      rule,
      body: message(`bailiwick.v1.Undo${name}Request`, { bulkActionId, ...applyFields }),
      reply: ApplyReply,
      async handle(call, { body }) {
        const result = await apply(
          call,
          bulkIn(call, body.bulkActionId),
          applyingIn(body),
          (tx, { changed, refused, unchanged }) =>
            setUndone(tx, call, body.bulkActionId, {
              by: call.actor.userId,
              at: call.now(),
              restored: changed,
              left: refused + unchanged,
            }),
        )
        await afterwards?.(call, result)
        return viewApplied(call, result, viewing)
      },
    }),
  ]
}

/** What was changed together is undone together, as far as nobody changed it since. */
export const bulkUndoRoutes = (
  forget: (call: Call, userId: string) => Promise<void>,
  checks: PolicyChecks,
): Route[] => [
  listRoute,
  ...undoRoutes({
    name: 'BulkGrants',
    at: 'grants',
    rule: 'grants.bulk-change',
    viewing: ofGrants,
    summary: 'grants that were revoked are granted again, and expiries are set back.',
    bulkIn: (call, id) => (tx) => undoingGrants(tx, call, id),
  }),
  ...undoRoutes({
    name: 'BulkUsers',
    at: 'users',
    rule: 'users.change-status',
    planRule: 'users.plan-status',
    viewing: ofUsers,
    summary: 'users who were disabled are enabled, and the other way round.',
    bulkIn: (call, id) => (tx, reason) => undoingUsers(tx, call, id, reason),
    async afterwards(call, { items }) {
      for (const { ref, outcome } of items) if (outcome === 'changed') await forget(call, ref)
    },
  }),
  ...undoRoutes({
    name: 'BulkOwners',
    at: 'owners',
    rule: 'owners.bulk-change',
    viewing: ofObjects,
    summary: 'owners that were added are removed.',
    bulkIn: (call, id) => (tx) => undoingOwners(tx, call, id),
  }),
  ...undoRoutes({
    name: 'BulkEntitlements',
    at: 'entitlements',
    rule: 'entitlements.bulk-edit',
    viewing: ofEntitlements,
    summary: 'risk levels are set back.',
    bulkIn: (call, id) => (tx) => undoingRisk(tx, call, checks, id),
  }),
]
