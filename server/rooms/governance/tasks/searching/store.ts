import { type Order, type Sortable, inOrder as sortedBy } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Task } from '../machine/record.ts'
import type { TaskKind, TaskOutcome } from '../machine/task.ts'
import { columns } from '../store.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>
type Ids = readonly string[]

/** Empty lists, empty texts and nulls do not filter. */
export type TaskFilter = {
  ids: Ids
  excludeIds: Ids
  appIds: Ids
  excludeAppIds: Ids
  entitlementIds: Ids
  excludeEntitlementIds: Ids
  resourceIds: Ids
  resourceTypeIds: Ids
  excludeResourceTypeIds: Ids
  accountIds: Ids
  subjectIds: Ids
  openerIds: Ids
  openerOrSubjectId: string
  /** At least one of each list is assigned now. */
  assigneeLists: readonly Ids[]
  /** Tasks that one of them is assigned to now, or acted on after a time. */
  work: { userIds: Ids; actedAfter: Date } | null
  employmentStatuses: Ids
  accountTypes: Ids
  accountStatuses: Ids
  wantsApproveReason: boolean
  wantsDenyReason: boolean
  /** Whether someone has to act now. */
  isPending: boolean | null
  isStuckOnly: boolean
  /** People who are assigned now or decided before. */
  partyIds: Ids
  /** At least one of each list decided something. */
  actorLists: readonly Ids[]
  accountOwnerIds: Ids
  isOpen: boolean | null
  kinds: readonly TaskKind[]
  stepKind: string
  stepApprovers: Ids
  outcomes: readonly { kind: TaskKind; outcome: TaskOutcome }[]
  isEmergency: boolean | null
  createdAfter: Date | null
  createdBefore: Date | null
  outcomeAfter: Date | null
  outcomeBefore: Date | null
  query: string
  includeDeleted: boolean
}

/** Limits the tasks to those visible to a caller who may not read all; null for callers who may. */
export type TaskSight = { userId: string; ownedAppIds: Ids } | null

export const sortOrders = ['newest', 'oldest', 'account', 'resource', 'subject', 'entitlement'] as const
export type SortOrder = (typeof sortOrders)[number]

const sortColumns: Record<Exclude<SortOrder, 'newest' | 'oldest'>, readonly string[]> = {
  account: ['account_id'],
  resource: ['resource_id'],
  subject: ['subject_user_id'],
  entitlement: ['resource_id', 'entitlement_id'],
}
const fieldOf = {
  account_id: 'accountId',
  resource_id: 'resourceId',
  subject_user_id: 'subjectUserId',
  entitlement_id: 'entitlementId',
} as const

export const taskOrders = ['created', 'updated', 'name', 'person', 'kind', 'state'] as const
export type TaskOrder = Order<(typeof taskOrders)[number]>

/** `created` is the order of the ids, which each index has. For the others, everything that passes the filters is sorted. */
const sortables = (db: Reads, tenantId: number): Record<Exclude<(typeof taskOrders)[number], 'created'>, Sortable> => ({
  updated: { by: db`t.updated_at`, type: 'timestamptz' },
  name: { by: db`lower(t.display_name)`, type: 'text' },
  person: {
    by: db`coalesce((select lower(u.display_name) from users u
      where u.tenant_id = ${tenantId} and u.user_id = t.subject_user_id), '')`,
    type: 'text',
  },
  kind: { by: db`t.kind`, type: 'text' },
  state: { by: db`case when t.is_open then '' else coalesce(t.outcome, '') end`, type: 'text' },
})

/** Tasks in an order of `taskOrders`, each with its sort key. */
export async function sortTasks(
  db: Reads,
  tenantId: number,
  { filter, sight, order }: { filter: TaskFilter; sight: TaskSight; order: NonNullable<TaskOrder> },
  page: PageAsked,
): Promise<(Task & { key?: string })[]> {
  if (order.key === 'created')
    return searchTasks(db, tenantId, { filter, sight, order: order.isDescending ? 'newest' : 'oldest' }, page)
  const sorted = sortedBy(db, sortables(db, tenantId)[order.key], order.isDescending, [db`t.task_id::text`], page)
  return db<(Task & { key: string })[]>`
    select ${columns(db)}, ${sorted.value} as key from tasks t
    where ${conditions(db, tenantId, filter)} ${isSeen(db, tenantId, sight)} ${sorted.after} ${sorted.by}`
}

const isSeen = (db: Reads, tenantId: number, sight: TaskSight): Fragment =>
  sight ? db`and t.task_id in (${allSeen(db, tenantId, sight)})` : db``

/** How many visible tasks match a filter, at most `limit`. */
export async function countTasks(
  db: Reads,
  tenantId: number,
  filter: TaskFilter,
  sight: TaskSight,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from tasks t where ${conditions(db, tenantId, filter)} ${isSeen(db, tenantId, sight)} limit ${limit}) x`
  return row?.count ?? 0
}

/** The position of a task in an order: the next page begins after it. */
export const positionIn =
  (order: SortOrder) =>
  (task: Task): string[] =>
    order === 'newest' || order === 'oldest'
      ? [task.id]
      : [...sortColumns[order].map((column) => task[fieldOf[column as keyof typeof fieldOf]]), task.id]

/** Tasks, one page, by keyset in their order. Ids are in the order of creation. */
export async function searchTasks(
  db: Reads,
  tenantId: number,
  { filter, sight, order }: { filter: TaskFilter; sight: TaskSight; order: SortOrder },
  page: PageAsked,
): Promise<Task[]> {
  const { after, limit } = page
  if (order === 'newest' || order === 'oldest') {
    const isNewest = order === 'newest'
    const last = String(after?.[0] ?? '')
    const behind = after ? (isNewest ? db`and t.task_id < ${last}` : db`and t.task_id > ${last}`) : db``
    const inOrder = db`order by t.task_id ${isNewest ? db`desc` : db``} limit ${limit}`
    if (sight) {
      const where = db`${conditions(db, tenantId, filter)} ${behind}`
      return db<Task[]>`
        select ${columns(db)} from tasks t
        where t.tenant_id = ${tenantId} and t.task_id in (${firstSeen(db, tenantId, sight, where, inOrder)}) ${inOrder}`
    }
    const [inbox, ...otherLists] = filter.assigneeLists
    // The tasks assigned to one person are read in order from that index, 25 of 100,000 open tasks, regardless of how many
    // others have.
    if (inbox?.length === 1)
      return db<Task[]>`
        select ${columns(db)} from task_assignees w
        join tasks t on t.tenant_id = ${tenantId} and t.task_id = w.task_id
        where w.tenant_id = ${tenantId} and w.user_id = ${inbox[0] ?? ''}
          and ${conditions(db, tenantId, { ...filter, assigneeLists: otherLists })} ${behind} ${inOrder}`
    return db<Task[]>`
      select ${columns(db)} from tasks t where ${conditions(db, tenantId, filter)} ${behind} ${inOrder}`
  }
  const where = db`${conditions(db, tenantId, filter)} ${sight ? db`and t.task_id in (${allSeen(db, tenantId, sight)})` : db``}`
  if (order === 'entitlement') {
    const [resource = '', entitlement = '', id = ''] = (after ?? []) as string[]
    return db<Task[]>`
      select ${columns(db)} from tasks t
      where ${where}
        ${after ? db`and (t.resource_id, t.entitlement_id, t.task_id::text) > (${resource}, ${entitlement}, ${id})` : db``}
      order by t.resource_id, t.entitlement_id, t.task_id::text limit ${limit}`
  }
  const column = { account: db`t.account_id`, resource: db`t.resource_id`, subject: db`t.subject_user_id` }[order]
  const [value = '', id = ''] = (after ?? []) as string[]
  return db<Task[]>`
    select ${columns(db)} from tasks t
    where ${where} ${after ? db`and (${column}, t.task_id::text) > (${value}, ${id})` : db``}
    order by ${column}, t.task_id::text limit ${limit}`
}

/**
 * The candidates for the page among the visible tasks: as many as a page holds for each reason, each in the order of its own
 * index. One condition that combines the reasons would be evaluated for a million tasks, since no index covers them all.
 */
function firstSeen(
  db: Reads,
  tenantId: number,
  { userId, ownedAppIds }: NonNullable<TaskSight>,
  where: Fragment,
  inOrder: Fragment,
): Fragment {
  const byLink = (table: 'task_assignees' | 'task_actors'): Fragment => db`
    (select t.task_id from ${table === 'task_actors' ? db`task_actors` : db`task_assignees`} w
      join tasks t on t.tenant_id = ${tenantId} and t.task_id = w.task_id
      where w.tenant_id = ${tenantId} and w.user_id = ${userId} and ${where} ${inOrder})`
  return db`
    (select t.task_id from tasks t where ${where} and t.created_by = ${userId} ${inOrder})
    union all (select t.task_id from tasks t where ${where} and t.subject_user_id = ${userId} ${inOrder})
    union all ${byLink('task_assignees')} union all ${byLink('task_actors')}
    ${
      ownedAppIds.length === 0
        ? db``
        : db`union all (select o.task_id from unnest(${ownedAppIds}::text[]) a (app_id) cross join lateral (
            select t.task_id from tasks t where ${where} and t.app_id = a.app_id ${inOrder}) o)`
    }`
}

/** All visible tasks, for the orders that no index has. */
const allSeen = (db: Reads, tenantId: number, { userId, ownedAppIds }: NonNullable<TaskSight>): Fragment => db`
  select s.task_id from tasks s where s.tenant_id = ${tenantId} and s.created_by = ${userId}
  union all select s.task_id from tasks s where s.tenant_id = ${tenantId} and s.subject_user_id = ${userId}
  union all select s.task_id from task_assignees s where s.tenant_id = ${tenantId} and s.user_id = ${userId}
  union all select s.task_id from task_actors s where s.tenant_id = ${tenantId} and s.user_id = ${userId}
  ${
    ownedAppIds.length === 0
      ? db``
      : db`union all select s.task_id from tasks s where s.tenant_id = ${tenantId} and s.app_id = any(${ownedAppIds}::text[])`
  }`

/** Whether someone can see everything that a filter matches: then visibility need not be checked. */
export const isOwnOnly = (f: TaskFilter, userId: string): boolean =>
  f.openerOrSubjectId === userId ||
  [...f.assigneeLists, ...f.actorLists, f.subjectIds, f.accountOwnerIds, f.openerIds].some(
    (ids) => ids.length === 1 && ids[0] === userId,
  )

function conditions(db: Reads, tenantId: number, f: TaskFilter): Fragment {
  // A single id is compared with `=`: an index that begins with the column then provides the order too.
  const among = (column: Fragment, ids: Ids): Fragment =>
    ids.length === 1
      ? db`and ${column} = ${ids[0] ?? ''}`
      : ids.length > 0
        ? db`and ${column} = any(${ids}::text[])`
        : db``
  const notAmong = (column: Fragment, ids: Ids): Fragment =>
    ids.length > 0 ? db`and ${column} <> all(${ids}::text[])` : db``
  const assigned = (ids: Ids): Fragment => db`t.task_id in (
    select a.task_id from task_assignees a where a.tenant_id = ${tenantId} and a.user_id = any(${ids}::text[]))`
  const acted = (ids: Ids): Fragment => db`t.task_id in (
    select c.task_id from task_actors c where c.tenant_id = ${tenantId} and c.user_id = any(${ids}::text[]))`
  const every = (all: readonly Fragment[]): Fragment => all.reduce((some, each) => db`${some} and ${each}`, db``)
  const escaped = f.query.replace(/[\\%_]/g, '\\$&')
  const number = /^\d{1,15}$/.test(f.query) ? Number(f.query) : -1
  return db`t.tenant_id = ${tenantId}
    ${f.includeDeleted ? db`` : db`and t.deleted_at is null`}
    ${among(db`t.task_id`, f.ids)} ${notAmong(db`t.task_id`, f.excludeIds)}
    ${among(db`t.app_id`, f.appIds)} ${notAmong(db`t.app_id`, f.excludeAppIds)}
    ${among(db`t.entitlement_id`, f.entitlementIds)} ${notAmong(db`t.entitlement_id`, f.excludeEntitlementIds)}
    ${among(db`t.resource_id`, f.resourceIds)}
    ${among(db`t.resource_type_id`, f.resourceTypeIds)} ${notAmong(db`t.resource_type_id`, f.excludeResourceTypeIds)}
    ${among(db`t.account_id`, f.accountIds)} ${among(db`t.subject_user_id`, f.subjectIds)}
    ${among(db`t.created_by`, f.openerIds)} ${among(db`t.subject_user_id`, f.accountOwnerIds)}
    ${f.openerOrSubjectId === '' ? db`` : db`and (t.created_by = ${f.openerOrSubjectId} or t.subject_user_id = ${f.openerOrSubjectId})`}
    ${every(f.assigneeLists.map(assigned))}
    ${
      f.work
        ? db`and (${assigned(f.work.userIds)} or t.task_id in (
            select c.task_id from task_actors c where c.tenant_id = ${tenantId}
              and c.user_id = any(${f.work.userIds}::text[])) and exists (select 1 from task_events e
                where e.tenant_id = ${tenantId} and e.task_id = t.task_id
                  and e.by_user_id = any(${f.work.userIds}::text[]) and e.happened_at > ${f.work.actedAfter}))`
        : db``
    }
    ${
      f.employmentStatuses.length > 0
        ? db`and exists (select 1 from users s where s.tenant_id = ${tenantId} and s.user_id = t.subject_user_id
            and s.employment_status = any(${f.employmentStatuses}::text[]))`
        : db``
    }
    ${
      f.accountTypes.length + f.accountStatuses.length > 0
        ? db`and exists (select 1 from accounts x where x.tenant_id = ${tenantId} and x.app_id = t.app_id
            and (x.account_id = t.account_id or t.account_id = '' and x.user_id = t.subject_user_id)
            ${among(db`x.type`, f.accountTypes)} ${among(db`x.status`, f.accountStatuses)})`
        : db``
    }
    ${f.wantsApproveReason ? db`and t.is_open and t.step_approve_reason` : db``}
    ${f.wantsDenyReason ? db`and t.is_open and t.step_deny_reason` : db``}
    ${
      f.isPending === null
        ? db``
        : db`and ${f.isPending ? db`` : db`not`} exists (select 1 from task_assignees p
            where p.tenant_id = ${tenantId} and p.task_id = t.task_id)`
    }
    ${f.isStuckOnly ? db`and t.is_open and t.stuck_why is not null` : db``}
    ${f.partyIds.length > 0 ? db`and (${assigned(f.partyIds)} or ${acted(f.partyIds)})` : db``}
    ${every(f.actorLists.map(acted))}
    ${f.isOpen === null ? db`` : db`and t.is_open = ${f.isOpen}`}
    ${among(db`t.kind`, f.kinds)}
    ${f.stepKind === '' ? db`` : db`and t.is_open and t.step_kind = ${f.stepKind}`}
    ${f.stepApprovers.length > 0 ? db`and t.is_open and t.step_approvers = any(${f.stepApprovers}::text[])` : db``}
    ${
      f.outcomes.length > 0
        ? db`and (t.kind, t.outcome) in (select * from unnest(
            ${f.outcomes.map(({ kind }) => kind)}::text[], ${f.outcomes.map(({ outcome }) => outcome)}::text[]))`
        : db``
    }
    ${f.isEmergency === null ? db`` : db`and t.is_emergency = ${f.isEmergency}`}
    ${f.createdAfter ? db`and t.created_at > ${f.createdAfter}` : db``}
    ${f.createdBefore ? db`and t.created_at < ${f.createdBefore}` : db``}
    ${f.outcomeAfter ? db`and t.outcome_at > ${f.outcomeAfter}` : db``}
    ${f.outcomeBefore ? db`and t.outcome_at < ${f.outcomeBefore}` : db``}
    ${f.query === '' ? db`` : db`and (t.display_name ilike ${`%${escaped}%`} or t.number = ${number})`}`
}
