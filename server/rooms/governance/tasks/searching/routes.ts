import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import {
  described,
  duration,
  flag,
  list,
  listOf,
  type MessageOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import type { Task } from '../machine/record.ts'
import type { TaskOutcome } from '../machine/task.ts'
import { presentTasks } from '../present.ts'
import { grantOutcomes, revokeOutcomes, TaskView, taskStates } from '../shapes.ts'
import { listOwnedApps, seesAllTasks } from '../sight.ts'
import { grantOutcomeOf, revokeOutcomeOf } from '../view.ts'
import {
  countTasks,
  isOwnOnly,
  positionIn,
  type SortOrder,
  searchTasks,
  sortTasks,
  type TaskFilter,
  type TaskSight,
  taskOrders,
} from './store.ts'

const idsMax = 1000
const ids = () => list(text(), idsMax)
const kinds = message('task.v1.TaskSearchRequest.Type', {
  grant: struct(),
  revoke: struct(),
  certify: struct(),
  offboarding: struct(),
  action: struct(),
  finding: struct(),
})

const certifyOutcomes = [
  'CERTIFY_OUTCOME_UNSPECIFIED',
  'CERTIFY_OUTCOME_CERTIFIED',
  'CERTIFY_OUTCOME_DECERTIFIED',
  'CERTIFY_OUTCOME_ERROR',
  'CERTIFY_OUTCOME_CANCELLED',
  'CERTIFY_OUTCOME_WAIT_TIMED_OUT',
] as const
const accountTypes = [
  'APP_USER_TYPE_UNSPECIFIED',
  'APP_USER_TYPE_USER',
  'APP_USER_TYPE_SERVICE_ACCOUNT',
  'APP_USER_TYPE_SYSTEM_ACCOUNT',
] as const
const accountStatuses = ['STATUS_UNSPECIFIED', 'STATUS_ENABLED', 'STATUS_DISABLED', 'STATUS_DELETED'] as const

const approvers = {
  STEP_APPROVAL_TYPE_USERS: 'users',
  STEP_APPROVAL_TYPE_MANAGER: 'manager',
  STEP_APPROVAL_TYPE_APP_OWNERS: 'appOwners',
  STEP_APPROVAL_TYPE_GROUP: 'group',
  STEP_APPROVAL_TYPE_SELF: 'self',
  STEP_APPROVAL_TYPE_ENTITLEMENT_OWNERS: 'entitlementOwners',
  STEP_APPROVAL_TYPE_EXPRESSION: 'expression',
  STEP_APPROVAL_TYPE_WEBHOOK: 'webhook',
  STEP_APPROVAL_TYPE_RESOURCE_OWNERS: 'resourceOwners',
} as Readonly<Record<string, string>>

const orders = {
  TASK_SEARCH_SORT_BY_ACCOUNT: 'account',
  TASK_SEARCH_SORT_BY_RESOURCE: 'resource',
  TASK_SEARCH_SORT_BY_ACCOUNT_OWNER: 'subject',
  TASK_SEARCH_SORT_BY_REVERSE_TICKET_ID: 'newest',
  TASK_SEARCH_SORT_BY_TICKET_ID: 'oldest',
  TASK_SEARCH_SORT_BY_CREATED_AT: 'oldest',
  TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT: 'newest',
  TASK_SEARCH_SORT_BY_APP_RESOURCE_ID_AND_APP_ENTITLEMENT: 'entitlement',
} as Readonly<Record<string, SortOrder>>

const fields = {
  refs: listOf(message('task.v1.TaskRef', { id: text() }), idsMax),
  excludeIds: ids(),
  applicationIds: ids(),
  excludeApplicationIds: ids(),
  appEntitlementIds: ids(),
  excludeAppEntitlementIds: ids(),
  appResourceIds: ids(),
  appResourceTypeIds: ids(),
  excludeAppResourceTypeIds: ids(),
  appUserSubjectIds: ids(),
  accessReviewIds: ids(),
  subjectIds: ids(),
  openerIds: ids(),
  openerOrSubjectUserId: text(),
  assigneesInIds: ids(),
  assignedOrStepApproverUserId: text(),
  myWorkUserIds: ids(),
  previouslyActedOnIds: ids(),
  actorId: text(),
  accountOwnerIds: ids(),
  userEmploymentStatuses: ids(),
  taskStates: list(oneOf(taskStates), taskStates.length),
  taskTypes: listOf(kinds, 10),
  currentStep: oneOf([
    'TASK_SEARCH_CURRENT_STEP_UNSPECIFIED',
    'TASK_SEARCH_CURRENT_STEP_APPROVAL',
    'TASK_SEARCH_CURRENT_STEP_PROVISION',
  ]),
  stepApprovalTypes: list(
    oneOf([
      'STEP_APPROVAL_TYPE_UNSPECIFIED',
      'STEP_APPROVAL_TYPE_USERS',
      'STEP_APPROVAL_TYPE_MANAGER',
      'STEP_APPROVAL_TYPE_APP_OWNERS',
      'STEP_APPROVAL_TYPE_GROUP',
      'STEP_APPROVAL_TYPE_SELF',
      'STEP_APPROVAL_TYPE_ENTITLEMENT_OWNERS',
      'STEP_APPROVAL_TYPE_EXPRESSION',
      'STEP_APPROVAL_TYPE_WEBHOOK',
      'STEP_APPROVAL_TYPE_RESOURCE_OWNERS',
      'STEP_APPROVAL_TYPE_AGENT',
    ]),
    20,
  ),
  grantOutcomes: list(oneOf(grantOutcomes), grantOutcomes.length),
  revokeOutcomes: list(oneOf(revokeOutcomes), revokeOutcomes.length),
  certifyOutcomes: list(oneOf(certifyOutcomes), certifyOutcomes.length),
  emergencyStatus: oneOf(['UNSPECIFIED', 'ALL', 'NON_EMERGENCY', 'EMERGENCY']),
  accountTypes: list(oneOf(accountTypes), accountTypes.length),
  accountStatuses: list(oneOf(accountStatuses), accountStatuses.length),
  requireApprovalReason: described(flag(), 'Only tasks whose current step requires a reason to approve.'),
  requireDenialReason: described(flag(), 'Only tasks whose current step requires a reason to deny.'),
  pendingActionFilter: described(
    oneOf([
      'PENDING_ACTION_FILTER_UNSPECIFIED',
      'PENDING_ACTION_FILTER_WITH_PENDING',
      'PENDING_ACTION_FILTER_WITHOUT_PENDING',
    ]),
    'Only tasks with a step that waits for people, or only tasks without one.',
  ),
  stuckOnly: described(flag(), 'Only stuck tasks. The annotations of a task have the reason.'),
  includeDeleted: flag(),
  createdAfter: timestamp(),
  createdBefore: timestamp(),
  outcomeAfter: timestamp(),
  outcomeBefore: timestamp(),
  olderThanDuration: duration(),
  includeActedAfter: described(
    timestamp(),
    'With myWorkUserIds: also the tasks that these users acted on after this time.',
  ),
  query: text({ maxLength: 1000 }),
  sortBy: oneOf([
    'TASK_SEARCH_SORT_BY_UNSPECIFIED',
    'TASK_SEARCH_SORT_BY_ACCOUNT',
    'TASK_SEARCH_SORT_BY_RESOURCE',
    'TASK_SEARCH_SORT_BY_ACCOUNT_OWNER',
    'TASK_SEARCH_SORT_BY_REVERSE_TICKET_ID',
    'TASK_SEARCH_SORT_BY_TICKET_ID',
    'TASK_SEARCH_SORT_BY_CREATED_AT',
    'TASK_SEARCH_SORT_BY_REVERSE_CREATED_AT',
    'TASK_SEARCH_SORT_BY_APP_RESOURCE_ID_AND_APP_ENTITLEMENT',
  ]),
  orderBy: orderByField(taskOrders),
  expandMask: nested(ExpandMask),
}
type Body = MessageOf<typeof fields>

const allOutcomes: readonly TaskOutcome[] = ['done', 'denied', 'failed', 'cancelled', 'timed out']

/** Limits times to the range of the database and the API: no task is older than 2,000 years, let alone 30,000. */
const clamped = (ms: number): number => Math.min(Math.max(ms, Date.UTC(1, 0)), Date.UTC(9999, 11, 31))

/** Converts the request into a filter; null if nothing can match. */
function filterOf(call: Call, body: Body): TaskFilter | null {
  // There are no access reviews yet, so no task belongs to one.
  if (body.accessReviewIds.length > 0) return null
  const states = new Set(body.taskStates.filter((state) => state !== 'TASK_STATE_UNSPECIFIED'))
  const wantedKinds = body.taskTypes.flatMap((type) =>
    (['grant', 'revoke', 'certify', 'offboarding'] as const).filter((kind) => type[kind] !== null),
  )
  const otherKinds = body.taskTypes.some(({ action, finding }) => action !== null || finding !== null)
  if (otherKinds && wantedKinds.length === 0) return null
  // There are no tasks of reviews yet, so none has an outcome of one.
  const certified = body.certifyOutcomes.filter((outcome) => outcome !== 'CERTIFY_OUTCOME_UNSPECIFIED')
  if (certified.length > 0 && body.grantOutcomes.length + body.revokeOutcomes.length === 0) return null
  if (body.includeActedAfter && body.myWorkUserIds.length === 0)
    throw invalid({ field: 'includeActedAfter', description: 'must be sent with myWorkUserIds' })
  const approvalTypes = body.stepApprovalTypes.filter((type) => type !== 'STEP_APPROVAL_TYPE_UNSPECIFIED')
  const stepApprovers = approvalTypes.flatMap((type) => approvers[type] ?? [])
  if (approvalTypes.length > 0 && stepApprovers.length === 0) return null
  const olderThan =
    body.olderThanDuration === null ? null : new Date(clamped(call.now().getTime() - body.olderThanDuration * 1000))
  const createdBefore =
    olderThan && body.createdBefore
      ? new Date(Math.min(olderThan.getTime(), body.createdBefore.getTime()))
      : (olderThan ?? body.createdBefore)
  return {
    ids: body.refs.map(({ id }) => id),
    excludeIds: body.excludeIds,
    appIds: body.applicationIds,
    excludeAppIds: body.excludeApplicationIds,
    entitlementIds: body.appEntitlementIds,
    excludeEntitlementIds: body.excludeAppEntitlementIds,
    resourceIds: body.appResourceIds,
    resourceTypeIds: body.appResourceTypeIds,
    excludeResourceTypeIds: body.excludeAppResourceTypeIds,
    accountIds: body.appUserSubjectIds,
    subjectIds: body.subjectIds,
    openerIds: body.openerIds,
    openerOrSubjectId: body.openerOrSubjectUserId,
    assigneeLists: [body.assigneesInIds, ...(body.includeActedAfter ? [] : [body.myWorkUserIds])].filter(
      (each) => each.length > 0,
    ),
    work: body.includeActedAfter ? { userIds: body.myWorkUserIds, actedAfter: body.includeActedAfter } : null,
    employmentStatuses: body.userEmploymentStatuses,
    accountTypes: body.accountTypes.filter((type) => type !== 'APP_USER_TYPE_UNSPECIFIED'),
    accountStatuses: body.accountStatuses.filter((status) => status !== 'STATUS_UNSPECIFIED'),
    wantsApproveReason: body.requireApprovalReason,
    wantsDenyReason: body.requireDenialReason,
    isPending:
      body.pendingActionFilter === 'PENDING_ACTION_FILTER_UNSPECIFIED'
        ? null
        : body.pendingActionFilter === 'PENDING_ACTION_FILTER_WITH_PENDING',
    isStuckOnly: body.stuckOnly,
    partyIds: body.assignedOrStepApproverUserId === '' ? [] : [body.assignedOrStepApproverUserId],
    actorLists: [body.previouslyActedOnIds, body.actorId === '' ? [] : [body.actorId]].filter(
      (each) => each.length > 0,
    ),
    accountOwnerIds: body.accountOwnerIds,
    isOpen: states.size === 1 ? states.has('TASK_STATE_OPEN') : null,
    kinds: wantedKinds,
    stepKind:
      body.currentStep === 'TASK_SEARCH_CURRENT_STEP_APPROVAL'
        ? 'approval'
        : body.currentStep === 'TASK_SEARCH_CURRENT_STEP_PROVISION'
          ? 'provision'
          : '',
    stepApprovers,
    outcomes: allOutcomes.flatMap((outcome) => [
      ...(body.grantOutcomes.includes(grantOutcomeOf(outcome)) ? [{ kind: 'grant' as const, outcome }] : []),
      ...(body.revokeOutcomes.includes(revokeOutcomeOf(outcome)) ? [{ kind: 'revoke' as const, outcome }] : []),
    ]),
    isEmergency: body.emergencyStatus === 'EMERGENCY' ? true : body.emergencyStatus === 'NON_EMERGENCY' ? false : null,
    createdAfter: body.createdAfter,
    createdBefore,
    outcomeAfter: body.outcomeAfter,
    outcomeBefore: body.outcomeBefore,
    query: body.query.trim(),
    includeDeleted: body.includeDeleted,
  }
}

/**
 * Results reveal the values of the filter: people who decide a request must not find out the employment status of others
 * that way.
 */
function refuseHidden(filter: TaskFilter, userId: string): void {
  const isOwn = filter.subjectIds.length === 1 && filter.subjectIds[0] === userId
  const { employmentStatuses: userEmploymentStatuses, accountTypes: types, accountStatuses: statuses } = filter
  const [first, ...others] = Object.entries({ userEmploymentStatuses, accountTypes: types, accountStatuses: statuses })
    .filter(([, values]) => values.length > 0 && !isOwn)
    .map(([field]) => ({ field, description: 'needs the permission tasks.read, or subjectIds with only yourself' }))
  if (first) throw invalid(first, ...others)
}

/** Which of the requested tasks the caller may see. */
async function sightFor(call: Call, filter: TaskFilter): Promise<TaskSight> {
  const { userId } = call.actor
  if (!seesAllTasks(call)) refuseHidden(filter, userId)
  return seesAllTasks(call) || isOwnOnly(filter, userId)
    ? null
    : { userId, ownedAppIds: await listOwnedApps(call.db, call) }
}

export const searchRoutes: Route[] = [
  route({
    id: 'task.v1.TaskSearchService.Search',
    at: 'POST /api/v1/search/tasks',
    summary: 'Search the tasks that you may see, newest first by default.',
    rule: 'own-tasks.read',
    paged: true,
    body: message('task.v1.TaskSearchRequest', fields),
    reply: message('task.v1.TaskSearchResponse', { list: listOf(TaskView), expanded: expandedField, nextPageToken }),
    async handle(call, { body, page }) {
      const filter = filterOf(call, body)
      const sorted = orderIn(taskOrders, body.orderBy)
      if (sorted && body.sortBy !== 'TASK_SEARCH_SORT_BY_UNSPECIFIED')
        throw invalid({ field: 'orderBy', description: 'must not be sent together with sortBy' })
      if (!filter) return { list: [], expanded: [] }
      const order = orders[body.sortBy] ?? 'newest'
      const sight = await sightFor(call, filter)
      const rows: (Task & { key?: string })[] = sorted
        ? await readApart(call.db, sorted.key !== 'created', (db) =>
            sortTasks(db, call.tenant.id, { filter, sight, order: sorted }, page),
          )
        : await searchTasks(call.db, call.tenant.id, { filter, sight, order }, page)
      const inOrder = positionIn(order)
      const placeOf = (task: Task & { key?: string }) => {
        if (task.key !== undefined) return [task.key, task.id]
        return sorted ? [task.id] : inOrder(task)
      }
      const cut = page.cut(rows, placeOf, (task) => task)
      const { views, expanded } = await presentTasks(call, cut.list, body.expandMask)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
    async count(call, { body }, limit) {
      const filter = filterOf(call, body)
      return filter ? countTasks(call.db, call.tenant.id, filter, await sightFor(call, filter), limit) : 0
    },
  }),
]
