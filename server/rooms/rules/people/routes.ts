import { route } from '#authority/route.ts'
import { ExpandMask, expandedField, expansion } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { putApps } from '#rooms/records/accounts/index.ts'
import {
  countIn,
  type Directory,
  DirectoryView,
  getDirectory,
  listDirectories,
  viewOf,
} from '#rooms/records/directories/index.ts'
import { changeDirectory, createDirectory, getOrder, setDirectoryOrder, settleSoon } from './actions.ts'
import type { Change } from './change.ts'
import { type Counted, countedAs, type PlanCounts } from './decide.ts'
import type { Terms } from './match.ts'
import { applyPlan, getPlan, makePlan } from './plan.ts'
import { Conflict, Counts, changeFields, Item, OrderMessage, orderFields, StateMessage, terms } from './shapes.ts'
import { countConflicts, listConflicts, listPlanItems } from './store.ts'

const countNames = Object.keys(countedAs) as (keyof PlanCounts)[]

type TermsIn = {
  all: object | null
  celExpression: { expression: string } | null
  mergeConfig: { matchCases: readonly { appUserKeyCel: string; userKeyCel: string }[] } | null
}

function termsIn({ all, celExpression, mergeConfig }: TermsIn): Terms {
  if (all && celExpression) throw invalid({ field: 'celExpression', description: 'must not be set together with all' })
  if (celExpression && celExpression.expression.trim() === '')
    throw invalid({ field: 'celExpression.expression', description: 'must not be empty' })
  return {
    accountFilter: celExpression?.expression ?? '',
    matchCases: (mergeConfig?.matchCases ?? []).map(
      ({ appUserKeyCel, userKeyCel }) => [appUserKeyCel, userKeyCel] as const,
    ),
  }
}

async function stateOf(call: Call, directory: Directory) {
  const counts = await countIn(call.db, call.tenant.id, directory.appId)
  return {
    ...directory,
    usesScim: directory.kind === 'scim',
    userCount: counts.users,
    activeUserCount: counts.activeUsers,
    groupCount: counts.groups,
    conflictCount: await countConflicts(call.db, call.tenant.id, directory.appId),
    heldCount: counts.heldUsers,
  }
}

const reply = (name: string) => message(name, { directoryView: nested(DirectoryView), expanded: expandedField })

async function presented(call: Call, directory: Directory, mask: { paths: readonly string[] } | null) {
  const expanded = expansion(mask)
  const view = viewOf(directory)
  const places = expanded.wants('appId') ? await putApps(call, expanded, [directory.appId]) : new Map<string, string>()
  return { directoryView: { ...view, appPath: places.get(directory.appId) ?? '' }, expanded: expanded.list() }
}

/** The filter of items that a count corresponds to. */
const countedIn = (name: '' | keyof PlanCounts): Counted | null => (name === '' ? null : countedAs[name])

function changeIn(
  body: TermsIn & {
    appId: string
    delete: boolean
    precedence: {
      order: readonly string[]
      attributes: readonly { attribute: string; appIds: readonly string[] }[]
    } | null
  },
): Change {
  const isOrder = body.precedence !== null
  if (isOrder && (body.appId !== '' || body.delete))
    throw invalid({ field: 'precedence', description: 'must not be set together with appId or delete' })
  if (body.precedence) return { is: 'order', ...body.precedence }
  if (body.appId === '') throw invalid({ field: 'appId', description: 'must not be empty' })
  if (body.delete) return { is: 'deletion', appId: body.appId }
  return { is: 'directory', appId: body.appId, ...termsIn(body) }
}

export const peopleRoutes: readonly Route[] = [
  route({
    id: 'directory.v1.DirectoryService.Create',
    at: 'POST /api/v1/directories',
    summary: 'Use an app as a directory: shortly afterwards, its accounts become users.',
    rule: 'directories.change',
    body: message('directory.v1.DirectoryServiceCreateRequest', {
      appId: text(),
      ...terms,
      expandMask: nested(ExpandMask),
    }),
    reply: reply('directory.v1.DirectoryServiceCreateResponse'),
    async handle(call, { body }) {
      const wanted = { appId: body.appId, ...termsIn(body) }
      const made = await transact(call.db, (tx) => createDirectory(tx, call, wanted))
      return presented(call, made, body.expandMask)
    },
  }),
  route({
    id: 'directory.v1.DirectoryService.Update',
    at: 'PUT /api/v1/directories/{app_id}',
    summary: 'Change which accounts of a directory become users, and by which keys they are matched.',
    rule: 'directories.change',
    body: message('directory.v1.DirectoryServiceUpdateRequest', { ...terms, expandMask: nested(ExpandMask) }),
    reply: reply('directory.v1.DirectoryServiceUpdateResponse'),
    async handle(call, { path, body }) {
      const wanted = termsIn(body)
      const changed = await transact(call.db, (tx) => changeDirectory(tx, call, path.app_id, wanted))
      return presented(call, changed, body.expandMask)
    },
  }),
  route({
    id: 'directory.v1.Directories.GetState',
    at: 'GET /api/v1/directories/{app_id}/state',
    summary:
      'Get the state of a directory: when its accounts were last read, how many users it has, what is held, and the last error.',
    rule: 'directories.read',
    reply: StateMessage,
    async handle(call, { path }) {
      return stateOf(call, await getDirectory(call, path.app_id))
    },
  }),
  route({
    id: 'directory.v1.Directories.ListStates',
    at: 'GET /api/v1/directory-states',
    summary: 'List all directories and their states.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.DirectoriesListStatesResponse', { list: listOf(StateMessage), nextPageToken }),
    async handle(call, { page }) {
      const rows = await listDirectories(call.db, call.tenant.id, page)
      const states = new Map<string, Awaited<ReturnType<typeof stateOf>>>()
      for (const row of rows.slice(0, page.size)) states.set(row.appId, await stateOf(call, row))
      return page.cut(
        rows,
        ({ appId }) => [appId],
        ({ appId }) => states.get(appId) as NonNullable<ReturnType<typeof states.get>>,
      )
    },
  }),
  route({
    id: 'directory.v1.Directories.ListConflicts',
    at: 'GET /api/v1/directories/{app_id}/conflicts',
    summary: 'List the accounts of a directory that do not become users, and why.',
    rule: 'directories.read',
    paged: true,
    reply: message('directory.v1.DirectoriesListConflictsResponse', { list: listOf(Conflict), nextPageToken }),
    async handle(call, { path, page }) {
      await getDirectory(call, path.app_id)
      const rows = await listConflicts(call.db, call.tenant.id, path.app_id, String(page.after?.[0] ?? ''), page.limit)
      return page.cut(
        rows,
        ({ accountId }) => [accountId],
        ({ accountId, ...row }) => ({ ...row, appUserId: accountId }),
      )
    },
  }),
  route({
    id: 'directory.v1.DirectoryPrecedences.Get',
    at: 'GET /api/v1/directory-precedence',
    summary: 'Get the order of directories: which value of an attribute is used if several have one.',
    rule: 'directories.read',
    reply: message('directory.v1.DirectoryPrecedencesGetResponse', { precedence: nested(OrderMessage) }),
    async handle(call) {
      return { precedence: await getOrder(call.db, call.tenant.id) }
    },
  }),
  route({
    id: 'directory.v1.DirectoryPrecedences.Set',
    at: 'POST /api/v1/directory-precedence',
    summary: 'Set the order of directories. The attributes of users are updated shortly afterwards.',
    rule: 'directories.change',
    body: message('directory.v1.DirectoryPrecedencesSetRequest', orderFields),
    reply: message('directory.v1.DirectoryPrecedencesSetResponse', { precedence: nested(OrderMessage) }),
    async handle(call, { body }) {
      const precedence = await transact(call.db, async (tx) => {
        const order = await setDirectoryOrder(tx, call, body)
        await settleSoon(tx, call)
        return order
      })
      return { precedence }
    },
  }),
  route({
    id: 'directory.v1.DirectoryPlans.Create',
    at: 'POST /api/v1/directory-plans',
    summary:
      'Plan a change of directories: which users would be created, matched, changed and disabled. Nothing is changed.',
    rule: 'directories.plan',
    body: message('directory.v1.DirectoryPlansCreateRequest', changeFields),
    reply: message('directory.v1.DirectoryPlansCreateResponse', {
      planId: text(),
      counts: nested(Counts),
      fingerprint: described(text(), 'Identifies the change and everything that it would do. Required to apply it.'),
      disablesTooMany: described(flag(), 'It would disable so many users that applying it requires disableMany.'),
    }),
    async handle(call, { body }) {
      const { id, ...plan } = await makePlan(call, changeIn(body))
      return { planId: id, ...plan }
    },
  }),
  route({
    id: 'directory.v1.DirectoryPlans.ListItems',
    at: 'GET /api/v1/directory-plans/{plan_id}/items',
    summary: 'List what a plan would do, account by account. Plans are kept for a day, for the user who created them.',
    rule: 'directories.plan',
    paged: true,
    query: message('', {
      countedAs: described(
        oneOf(['', ...countNames]),
        `Only items of this category of the counts of the plan: ${countNames.join(', ')}.`,
      ),
    }),
    reply: message('directory.v1.DirectoryPlansListItemsResponse', { list: listOf(Item), nextPageToken }),
    async handle(call, { path, query, page }) {
      await getPlan(call, path.plan_id)
      const after = Number(page.after?.[0] ?? 0)
      const which = { after, limit: page.limit, of: countedIn(query.countedAs) }
      const rows = await listPlanItems(call.db, call.tenant.id, path.plan_id, which)
      return page.cut(
        rows,
        ({ place }) => [place],
        ({ item }) => ({
          ...item,
          appUserId: item.accountId,
          userId: item.outcome === 'create' ? '' : item.userId,
          outcome: `DIRECTORY_OUTCOME_${item.outcome.toUpperCase()}`,
          matchedBy: item.by,
          conflictingUserIds: item.userIds,
        }),
      )
    },
  }),
  route({
    id: 'directory.v1.DirectoryPlans.Apply',
    at: 'POST /api/v1/directory-plans/{plan_id}/apply',
    summary: 'Apply a plan exactly. Fails if anything has changed since, or if too many users would be disabled.',
    rule: 'directories.change',
    body: message('directory.v1.DirectoryPlansApplyRequest', {
      fingerprint: required(text(), 'must be the fingerprint of the plan'),
      disableMany: described(flag(), 'Apply it even if it disables more than 20% of at least 20 users.'),
    }),
    reply: message('directory.v1.DirectoryPlansApplyResponse', { counts: nested(Counts) }),
    async handle(call, { path, body }) {
      return { counts: await applyPlan(call, path.plan_id, body) }
    },
  }),
]
