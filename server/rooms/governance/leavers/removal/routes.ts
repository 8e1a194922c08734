import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, nested, required, text, timestamp } from '#kernel/wire.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import { getUser } from '#rooms/identity/users/index.ts'
import { grantsMax, planRemoval, removeAccess, undoRemoval } from './actions.ts'
import type { Outcome } from './decide.ts'
import type { Plan, PlannedItem } from './plan.ts'
import type { Removal } from './removal.ts'
import { listRemovals } from './store.ts'

const itemsMax = 1_000
const reasonMax = 1_000

const outcomeNames: { readonly [O in Outcome]: string } = {
  ends: 'removed',
  manual: 'manual',
  rule: 'kept_by_rule',
  profile: 'kept_by_profile',
  directory: 'kept_by_directory',
  through: 'kept_by_nesting',
}

const appIds = () =>
  described(list(text({ maxLength: 64 }), 1000), 'Only access in these apps; in all apps by default.')
const disable = () => described(flag(), 'Also disable the person. Rules match nobody who is disabled.')

const ItemMessage = message('bailiwick.v1.PlannedAccessRemoval', {
  appId: text(),
  appDisplayName: text(),
  appEntitlementId: text(),
  entitlementDisplayName: text(),
  appUserId: text(),
  appUserDisplayName: text(),
  sources: described(list(text()), 'The source of the grant: manual, import, rule, request, profile or directory.'),
  outcome: described(
    text(),
    'removed: the grant ends; the explanation says who changes the app. manual: a task asks people to remove it in the app. kept_by_rule, kept_by_profile, kept_by_directory, ' +
      'kept_by_nesting: what grants it must be changed first.',
  ),
  explanation: text(),
})

const RuleMessage = message('bailiwick.v1.AccessRemovalRule', {
  appId: text(),
  appEntitlementId: text(),
  entitlementDisplayName: text(),
  displayName: text(),
  matches: described(flag(), 'Whether the rule currently matches the person.'),
  isPaused: flag(),
  isExcluded: described(flag(), 'Whether the person is already excluded from it.'),
  willExclude: described(flag(), 'Whether the removal excludes the person from it.'),
  grantsAgain: described(flag(), 'Whether it would grant the access again, so that the access is kept.'),
  error: described(text(), 'Why the rule could not be evaluated.'),
})

const counts = {
  removedCount: described(int32(), 'How many grants end here.'),
  connectorCount: described(
    int32(),
    'Of these, how many a connector is sent: it confirms each when it has removed it.',
  ),
  nobodyCount: described(int32(), 'Of these, how many end in the records only: nobody is asked to change the app.'),
  manualCount: described(
    int32(),
    'How many people are asked to remove in the app; the grants are kept until they have.',
  ),
  keptCount: int32(),
}

const PlanReply = message('bailiwick.v1.PlanAccessRemovalResponse', {
  fingerprint: described(text(), 'Identifies everything that the plan would do. Required to apply it.'),
  ...counts,
  apps: listOf(message('bailiwick.v1.AccessRemovalOfApp', { appId: text(), appDisplayName: text(), ...counts })),
  items: described(
    listOf(ItemMessage),
    `By app, account and entitlement. The first ${itemsMax}; plan by app to see more.`,
  ),
  rules: described(listOf(RuleMessage), 'Rules of entitlements that the person holds.'),
  isMore: described(flag(), `The person has more than ${grantsMax} grants: remove these first, then plan again.`),
})

const RemovalMessage = message(
  'bailiwick.v1.AccessRemoval',
  {
    id: text(),
    userId: described(text(), 'Whose access it was.'),
    reason: text(),
    createdByUserId: text(),
    createdAt: timestamp(),
    removedCount: int32(),
    excludedCount: described(int32(), 'From how many rules the person was excluded.'),
    manualCount: described(int32(), 'How many tasks ask people to remove access in an app.'),
    manualOpenedCount: described(int32(), 'How many of these were opened so far.'),
    manualError: described(text(), 'Why one of these could not be opened.'),
    isDisabled: described(flag(), 'Whether the person was disabled too.'),
    undoneByUserId: text(),
    undoneAt: timestamp(),
    restoredCount: described(int32(), 'How many grants undoing it restored.'),
    leftCount: described(
      int32(),
      'How many it did not restore: deleted, expired, granted again, or controlled by rules and profiles.',
    ),
  },
  'A removal of all access of a person.',
)

const view = (removal: Removal) => ({
  id: removal.id,
  userId: removal.userId,
  reason: removal.reason,
  createdAt: removal.createdAt,
  createdByUserId: removal.askedBy,
  removedCount: removal.grantCount,
  excludedCount: removal.excluded.length,
  manualCount: removal.byHand.length,
  manualOpenedCount: removal.byHand.filter(({ taskId }) => taskId !== undefined).length,
  manualError: removal.byHandError,
  isDisabled: removal.isDisabled,
  undoneByUserId: removal.undoneBy,
  undoneAt: removal.undoneAt,
  restoredCount: removal.restoredCount,
  leftCount: removal.leftCount,
})

const countsOf = (items: readonly PlannedItem[]) => {
  const ending = items.filter(({ outcome }) => outcome === 'ends')
  const manual = items.filter(({ outcome }) => outcome === 'manual').length
  return {
    removedCount: ending.length,
    connectorCount: ending.filter(({ carrier }) => carrier === 'connector').length,
    nobodyCount: ending.filter(({ carrier, appId }) => carrier === 'records' && appId !== profilesAppId).length,
    manualCount: manual,
    keptCount: items.length - ending.length - manual,
  }
}

/** Callers who may not see rules see that a rule keeps access, but not which one. */
function present(call: Call, { items, rules, isMore, fingerprint }: Plan) {
  const seesRules = may(call.actor, 'rules.read')
  const aRule = 'A rule grants this again unless the person is excluded from it or disabled.'
  return {
    fingerprint,
    ...countsOf(items),
    apps: [...Map.groupBy(items, ({ appId }) => appId)].map(([appId, ofApp]) => ({
      appId,
      appDisplayName: ofApp[0]?.appName ?? '',
      ...countsOf(ofApp),
    })),
    items: items.slice(0, itemsMax).map((item) => ({
      appId: item.appId,
      appDisplayName: item.appName,
      appEntitlementId: item.entitlementId,
      entitlementDisplayName: item.entitlementName,
      appUserId: item.accountId,
      appUserDisplayName: item.accountName,
      sources: item.grants.map(({ source }) => source),
      outcome: outcomeNames[item.outcome],
      explanation: item.outcome === 'rule' && !seesRules ? aRule : item.why,
    })),
    rules: (seesRules ? rules : []).map(({ entitlementId, entitlementName, name, isToExclude, ...rule }) => ({
      ...rule,
      appEntitlementId: entitlementId,
      entitlementDisplayName: entitlementName,
      displayName: name,
      willExclude: isToExclude,
    })),
    isMore,
  }
}

const applyFields = {
  fingerprint: required(
    described(text({ maxLength: 100 }), 'The fingerprint of a plan with the same options.'),
    'must be the fingerprint of a plan',
  ),
  reason: required(
    described(text({ maxLength: reasonMax }), 'The reason: kept with the removal and in the system log.'),
    'must be given',
  ),
  appIds: appIds(),
  disableUser: disable(),
}

const checked = ({ fingerprint, reason }: { fingerprint: string; reason: string }) => ({
  fingerprint,
  reason: reason.trim(),
})

const removalReply = (name: string) => message(name, { removal: nested(RemovalMessage) })
const at = '/api/v1/users/{user_id}/access_removals' as const

export const removalRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.AccessRemovals.Plan',
    at: `POST ${at}/plan`,
    summary:
      'Plan the removal of all access of a person: what it would do, and what would keep or restore access. Nothing is changed.',
    rule: 'access-removals.plan',
    body: message('bailiwick.v1.PlanAccessRemovalRequest', {
      appIds: appIds(),
      excludeFromRules: described(flag(), 'Also exclude the person from rules that would grant access again.'),
      disableUser: disable(),
    }),
    reply: PlanReply,
    async handle(call, { path, body }) {
      const options = { excludes: body.excludeFromRules, disables: body.disableUser, appIds: body.appIds }
      const { plan } = await planRemoval(call, path.user_id, options)
      return present(call, plan)
    },
  }),
  route({
    id: 'bailiwick.v1.AccessRemovals.Create',
    at: `POST ${at}`,
    summary: 'Remove all access of a person, exactly as a plan showed it. Rules are not changed.',
    rule: 'access-removals.run',
    body: message('bailiwick.v1.CreateAccessRemovalRequest', applyFields),
    reply: removalReply('bailiwick.v1.CreateAccessRemovalResponse'),
    async handle(call, { path, body }) {
      const options = { excludes: false, disables: body.disableUser, appIds: body.appIds }
      return { removal: view(await removeAccess(call, path.user_id, { options, ...checked(body) })) }
    },
  }),
  route({
    id: 'bailiwick.v1.AccessRemovals.CreateExcluding',
    at: `POST ${at}/excluding`,
    summary:
      'Remove all access of a person as a plan showed it, and exclude them from the rules that would grant it again.',
    rule: 'access-removals.run',
    body: message('bailiwick.v1.CreateExcludingAccessRemovalRequest', applyFields),
    reply: removalReply('bailiwick.v1.CreateExcludingAccessRemovalResponse'),
    async handle(call, { path, body }) {
      const options = { excludes: true, disables: body.disableUser, appIds: body.appIds }
      return { removal: view(await removeAccess(call, path.user_id, { options, ...checked(body) })) }
    },
  }),
  route({
    id: 'bailiwick.v1.AccessRemovals.List',
    at: `GET ${at}`,
    summary: 'List the removals of all access of a person, newest first.',
    rule: 'access-removals.read',
    paged: true,
    reply: message('bailiwick.v1.ListAccessRemovalsResponse', { list: listOf(RemovalMessage), nextPageToken }),
    async handle(call, { path, page }) {
      const rows = await listRemovals(call.db, call.tenant.id, path.user_id, page)
      if (rows.length === 0) await getUser(call, path.user_id)
      return page.cut(rows, ({ id }) => [id], view)
    },
  }),
  route({
    id: 'bailiwick.v1.AccessRemovals.Undo',
    at: `POST ${at}/{removal_id}/undo`,
    summary:
      'Undo a removal: grants are restored as far as possible, and exclusions that it added are removed. The person is not enabled.',
    rule: 'access-removals.run',
    body: message('bailiwick.v1.UndoAccessRemovalRequest', {}),
    reply: removalReply('bailiwick.v1.UndoAccessRemovalResponse'),
    handle: async (call, { path }) => ({ removal: view(await undoRemoval(call, path.user_id, path.removal_id)) }),
  }),
]
