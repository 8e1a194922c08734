import { mayEverywhere } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, flag, int32, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { grantOrders, listSortedGrants } from './grants-sorted.ts'
import { countGrants, type GrantFilter, listGrants, placeOf } from './grants-store.ts'
import { placesOf, withSeenNames } from './names.ts'
import { countRules, listRules, type RuleFilter, type RuleRow, type RuleState, ruleOrders } from './rules-store.ts'

const sources = [
  'GRANT_SOURCE_UNSPECIFIED',
  'GRANT_SOURCE_MANUAL',
  'GRANT_SOURCE_IMPORT',
  'GRANT_SOURCE_RULE',
  'GRANT_SOURCE_REQUEST',
  'GRANT_SOURCE_PROFILE',
  'GRANT_SOURCE_DIRECTORY',
] as const
type SourceName = (typeof sources)[number]
type Source = NonNullable<GrantFilter['source']>

const sourcePrefix = 'GRANT_SOURCE_'
const sourceOf = (name: SourceName): Source | null =>
  name === 'GRANT_SOURCE_UNSPECIFIED' ? null : (name.slice(sourcePrefix.length).toLowerCase() as Source)
const sourceName = (source: Source): SourceName => `${sourcePrefix}${source.toUpperCase() as Uppercase<Source>}`

const idField = () => text({ maxLength: 64 })
const namesOf = {
  appId: text(),
  appDisplayName: text(),
  appEntitlementId: text(),
  appEntitlementDisplayName: text(),
}

const GrantMessage = message(
  'bailiwick.v1.ListedGrant',
  {
    id: text(),
    ...namesOf,
    appUserId: text(),
    appUserDisplayName: text(),
    userId: described(text(), 'The user of the account; empty for an account without a user.'),
    userDisplayName: text(),
    userStatus: described(text(), 'ENABLED, DISABLED or DELETED; empty for an account without a user.'),
    source: oneOf(sources),
    grantedBy: described(text(), 'The user, import, task or run that granted it.'),
    grantedAt: timestamp(),
    expiresAt: described(timestamp(), 'Absent if it does not expire.'),
  },
  'An entitlement that an account currently has, from one source.',
)

const daysMax = 3_650
const dayMs = 86_400_000

function endOf(call: Call, days: number): Date | null {
  if (days === 0) return null
  return new Date(call.now().getTime() + days * dayMs)
}

const states = ['RULE_STATE_UNSPECIFIED', 'RULE_STATE_ACTIVE', 'RULE_STATE_PAUSED', 'RULE_STATE_FAILING'] as const
const stateOf = (name: (typeof states)[number]): RuleState | null =>
  name === 'RULE_STATE_UNSPECIFIED' ? null : (name.slice('RULE_STATE_'.length).toLowerCase() as RuleState)
const stateName = ({ pausedWhy, runStatus }: RuleRow): (typeof states)[number] =>
  pausedWhy !== '' ? 'RULE_STATE_PAUSED' : runStatus === 'failed' ? 'RULE_STATE_FAILING' : 'RULE_STATE_ACTIVE'

const RuleMessage = message(
  'bailiwick.v1.ListedRule',
  {
    ...namesOf,
    displayName: described(text(), 'The name of the rule; empty if it has none.'),
    kind: described(text(), 'basic, cel or entitlements.'),
    expression: described(text(), 'The expression; empty for a rule about the members of other entitlements.'),
    state: oneOf(states),
    pausedReason: described(text(), 'held, cancelled, undone or costly; empty if it is not paused.'),
    hasBreaker: described(flag(), 'Whether a run that would remove many people waits for confirmation.'),
    lastRunId: text(),
    lastRunStatus: described(text(), 'running, held, done, failed, cancelled or superseded.'),
    lastRunAt: timestamp(),
    lastGainedCount: int32(),
    lastLostCount: int32(),
    nextRunAt: timestamp(),
    updatedAt: timestamp(),
  },
  'The rule of an entitlement.',
)

type GrantsAsked = { appId: string; source: SourceName; endsWithinDays: number; isOfLeavers: boolean }
const grantFilter = async (call: Call, asked: GrantsAsked): Promise<GrantFilter> => ({
  appId: asked.appId || null,
  source: sourceOf(asked.source),
  endsUntil: endOf(call, asked.endsWithinDays),
  isOfLeavers: asked.isOfLeavers,
  places: await placesOf(call, 'grants.read'),
})

type RulesAsked = { appId: string; state: (typeof states)[number] }
const ruleFilter = async (call: Call, { appId, state }: RulesAsked): Promise<RuleFilter> => ({
  appId: appId || null,
  state: stateOf(state),
  places: await placesOf(call, 'rules.read'),
})

/**
 * An order by names reveals how they begin: it requires permission to read all of them. Owners see only names of what they
 * own.
 */
function namesSorted(call: Call, keys: readonly string[], places: GrantFilter['places'], by: string): void {
  const { actor } = call
  const seesRecords =
    places !== null || (mayEverywhere(actor, 'entitlements.read') && mayEverywhere(actor, 'apps.read'))
  if ((by === 'user' && !seesEveryone(actor)) || (keys.includes(by) && !seesRecords))
    throw invalid({ field: 'orderBy', description: `${by} needs the permission to read all names that it sorts by` })
}

export const acrossRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Grants.List',
    at: 'GET /api/v1/grants',
    summary:
      'List the grants of all apps, by source, by expiry, or of users who were disabled. Owners see grants of what they own.',
    rule: 'grants.list',
    paged: true,
    query: message('bailiwick.v1.ListGrantsQuery', {
      appId: idField(),
      source: oneOf(sources),
      endsWithinDays: described(
        int32({ least: 1, most: daysMax }),
        'Only grants that expire within this number of days; those that expire first are listed first.',
      ),
      isOfLeavers: described(flag(), 'Only grants of users who are disabled or deleted.'),
      orderBy: orderByField(grantOrders),
    }),
    reply: message('bailiwick.v1.ListGrantsResponse', { list: listOf(GrantMessage), nextPageToken }),
    async handle(call, { query, page }) {
      const filter = await grantFilter(call, query)
      const order = orderIn(grantOrders, query.orderBy)
      if (order) namesSorted(call, ['entitlement', 'app'], filter.places, order.key)
      const wanted = { filter, at: call.now(), page }
      const cut = order
        ? page.cut(
            await readApart(call.db, true, (db) => listSortedGrants(db, call.tenant.id, wanted, order)),
            ({ place }) => place,
            (row) => row,
          )
        : page.cut(
            await listGrants(call.db, call.tenant.id, wanted),
            (row) => placeOf(filter, row),
            (row) => row,
          )
      const rows = await withSeenNames(call, cut.list)
      return {
        list: rows.map(({ entitlementId, entitlementDisplayName, accountId, accountDisplayName, source, ...row }) => ({
          ...row,
          appEntitlementId: entitlementId,
          appEntitlementDisplayName: entitlementDisplayName,
          appUserId: accountId,
          appUserDisplayName: accountDisplayName,
          source: sourceName(source),
        })),
        nextPageToken: cut.nextPageToken,
      }
    },
    count: async (call, { query }, limit) =>
      countGrants(call.db, call.tenant.id, await grantFilter(call, query), call.now(), limit),
  }),
  route({
    id: 'bailiwick.v1.Rules.List',
    at: 'GET /api/v1/rules',
    summary: 'List the rules of all apps, with their state and last run. Owners see the rules of what they own.',
    rule: 'rules.list',
    paged: true,
    query: message('bailiwick.v1.ListRulesQuery', {
      appId: idField(),
      state: oneOf(states),
      orderBy: orderByField(ruleOrders),
    }),
    reply: message('bailiwick.v1.ListRulesResponse', { list: listOf(RuleMessage), nextPageToken }),
    async handle(call, { query, page }) {
      const filter = await ruleFilter(call, query)
      const order = orderIn(ruleOrders, query.orderBy)
      if (order) namesSorted(call, ['name', 'entitlement', 'app'], filter.places, order.key)
      const found = await readApart(call.db, order !== null, (db) => listRules(db, call.tenant.id, filter, page, order))
      const nobody = { userId: '', userDisplayName: '', userStatus: '' }
      const cut = page.cut(
        found,
        ({ key, appId, entitlementId }) => (order ? [key, appId, entitlementId] : [appId, entitlementId]),
        (row) => ({ ...row, ...nobody }),
      )
      const rows = await withSeenNames(call, cut.list)
      return {
        list: rows.map((row) => ({
          ...row,
          appEntitlementId: row.entitlementId,
          appEntitlementDisplayName: row.entitlementDisplayName,
          state: stateName(row),
          pausedReason: row.pausedWhy,
          lastRunId: row.runId,
          lastRunStatus: row.runStatus,
          lastRunAt: row.runFinishedAt ?? row.runStartedAt,
          lastGainedCount: row.gained,
          lastLostCount: row.lost,
          nextRunAt: row.dueAt,
        })),
        nextPageToken: cut.nextPageToken,
      }
    },
    count: async (call, { query }, limit) => countRules(call.db, call.tenant.id, await ruleFilter(call, query), limit),
  }),
]
