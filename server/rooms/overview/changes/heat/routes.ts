import { mayEverywhere } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { expandedField, expansion } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transactOnce } from '#kernel/sql.ts'
import { described, flag, int32, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { findUsers, showNames } from '#rooms/identity/users/index.ts'
import { AppEntitlementUserView, type Moment, momentOf, viewHoldings } from '#rooms/records/grants/index.ts'
import { scopeOfApp, scopeOfEntitlement } from '../actions.ts'
import { setTimeLimit } from '../store/limits.ts'
import { columnsMax, type Grouping, rowsMax } from './decide.ts'
import { listMembersOfGroup, readHeatMap } from './store.ts'

const groupingNames = [
  'HEAT_MAP_GROUPING_UNSPECIFIED',
  'HEAT_MAP_GROUPING_DEPARTMENT',
  'HEAT_MAP_GROUPING_JOB_TITLE',
  'HEAT_MAP_GROUPING_MANAGER',
  'HEAT_MAP_GROUPING_ATTRIBUTE',
] as const

const groupingFields = {
  groupBy: described(oneOf(groupingNames), 'How people are grouped; by department by default. Groups are as of now.'),
  attribute: described(text({ maxLength: 200 }), 'The attribute of the user profile to group by, such as costCentre.'),
  asOf: described(timestamp(), 'Access at this time; the current time by default.'),
}

const groupingOf = (call: Call, query: { groupBy: (typeof groupingNames)[number]; attribute: string }): Grouping => {
  const { groupBy, attribute } = query
  if (groupBy === 'HEAT_MAP_GROUPING_ATTRIBUTE' && attribute === '')
    throw invalid({ field: 'attribute', description: 'must be given' })
  // Owners know of those who hold what they own where they work; of managers and all other attributes, nothing.
  if ((groupBy === 'HEAT_MAP_GROUPING_MANAGER' || groupBy === 'HEAT_MAP_GROUPING_ATTRIBUTE') && !seesUsers(call))
    throw needsUsers()
  if (groupBy === 'HEAT_MAP_GROUPING_JOB_TITLE') return { by: 'job title', attribute: '' }
  if (groupBy === 'HEAT_MAP_GROUPING_MANAGER') return { by: 'manager', attribute: '' }
  return groupBy === 'HEAT_MAP_GROUPING_ATTRIBUTE'
    ? { by: 'attribute', attribute }
    : { by: 'department', attribute: '' }
}

const needsUsers = (): Refusal =>
  new Refusal('PERMISSION_DENIED', 'This needs the permission users.read.', { metadata: { permission: 'users.read' } })

/** Where those worked who held it once is no longer known to its owners. */
const momentAsked = (call: Call, asOf: Date | null): Moment => {
  if (asOf !== null && !seesUsers(call)) throw needsUsers()
  return momentOf(call, asOf)
}

const seesUsers = ({ actor }: Call): boolean => mayEverywhere(actor, 'users.read')

export const heatRoutes = [
  route({
    id: 'bailiwick.v1.HeatMap.Get',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/heat-map',
    summary:
      'Count how many people of each department, job title, manager or other group have each entitlement of an app.',
    rule: 'app.list-changes',
    about: { app: 'app_id' },
    query: message('bailiwick.v1.GetHeatMapQuery', groupingFields),
    reply: message('bailiwick.v1.GetHeatMapResponse', {
      rows: described(
        listOf(
          message('bailiwick.v1.HeatMapRow', {
            appEntitlementId: text(),
            displayName: text(),
            holders: described(int32(), 'How many people have it.'),
            cells: listOf(message('bailiwick.v1.HeatMapCell', { group: text(), count: int32() })),
            others: described(int32(), 'How many people of all groups that are not listed have it.'),
          }),
        ),
        `The ${rowsMax} entitlements that most people have.`,
      ),
      groups: described(
        listOf(
          message('bailiwick.v1.HeatMapGroup', {
            value: described(
              text(),
              'The department, job title, id of the manager, or value; empty for people without one.',
            ),
            displayName: text(),
            holders: described(int32(), 'How many of them have any access in the app.'),
            size: described(int32(), 'How many people are in the group; 0 if hasSizes is false.'),
          }),
        ),
        `The ${columnsMax} groups with the most people who have any access in the app.`,
      ),
      hasSizes: described(flag(), 'Whether the caller may know how large groups are.'),
      entitlementTotal: int32(),
      groupTotal: int32(),
    }),
    async handle(call, { path, query }) {
      const grouping = groupingOf(call, query)
      const moment = momentAsked(call, query.asOf)
      await scopeOfApp(call, path.app_id)
      const of = { appId: path.app_id, grouping, moment }
      const hasSizes = seesUsers(call)
      const tenantId = call.tenant.id
      const { rows, rowTotal, groups, groupTotal, cells } = await transactOnce(call.db, async (tx) => {
        await setTimeLimit(tx)
        return readHeatMap(tx, tenantId, of, { rows: rowsMax, columns: columnsMax, hasSizes })
      })
      const names = new Map<string, string>()
      if (grouping.by === 'manager') {
        const ids = groups.map(({ group }) => group).filter((id) => id !== '')
        for (const user of await findUsers(call.db, tenantId, ids, call.now())) names.set(user.id, user.displayName)
        showNames(call, [...names.keys()])
      }
      const cellsOf = Map.groupBy(cells, ({ entitlementId }) => entitlementId)
      return {
        rows: rows.map(({ id, name, holders }) => {
          const own = cellsOf.get(id) ?? []
          return {
            appEntitlementId: id,
            displayName: name,
            holders,
            cells: own.flatMap(({ group, count }) => (group === null ? [] : [{ group, count }])),
            others: own.find(({ group }) => group === null)?.count ?? 0,
          }
        }),
        groups: groups.map(({ group, holders, size }) => ({
          value: group,
          displayName: grouping.by === 'manager' ? (names.get(group) ?? group) : group,
          holders,
          size: size ?? 0,
        })),
        hasSizes,
        entitlementTotal: rowTotal,
        groupTotal,
      }
    },
  }),
  route({
    id: 'bailiwick.v1.HeatMap.ListMembers',
    isHeavy: true,
    at: 'GET /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/heat-map/members',
    summary: 'List the people of one group who have an entitlement: the people whom a cell of the heat map counts.',
    rule: 'entitlement.list-grants',
    about: { app: 'app_id', entitlement: 'app_entitlement_id' },
    paged: true,
    query: message('bailiwick.v1.ListHeatMapMembersQuery', {
      ...groupingFields,
      value: described(text({ maxLength: 1000 }), 'The group; empty for people without one.'),
    }),
    reply: message('bailiwick.v1.ListHeatMapMembersResponse', {
      list: listOf(AppEntitlementUserView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, query, page }) {
      const grouping = groupingOf(call, query)
      const moment = momentAsked(call, query.asOf)
      const { app_id: appId, app_entitlement_id: entitlementId } = path
      await scopeOfEntitlement(call, appId, entitlementId)
      const of = { appId, grouping, moment, entitlementId, value: query.value }
      const rows = await transactOnce(call.db, async (tx) => {
        await setTimeLimit(tx)
        return listMembersOfGroup(tx, call.tenant.id, of, page)
      })
      const cut = page.cut(
        rows,
        ({ accountId }) => [accountId],
        (row) => row,
      )
      const expanded = expansion(null)
      const views = await viewHoldings(call, cut.list, moment, expanded)
      return { list: views, expanded: expanded.list(), nextPageToken: cut.nextPageToken }
    },
  }),
]
