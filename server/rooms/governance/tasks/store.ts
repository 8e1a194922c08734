import type { Reads, Tx } from '#kernel/sql.ts'
import { stepsOf } from '#rooms/governance/policies/index.ts'
import { held } from '#rooms/records/grants/index.ts'
import type { Happened } from './machine/event.ts'
import { againField, isAgain, type Task } from './machine/record.ts'

export const columns = (db: Reads) => db`
  t.task_id as id, t.number::float8 as number, t.kind, t.origin, t.subject_user_id as "subjectUserId",
  t.created_by as "createdBy", t.app_id as "appId", t.entitlement_id as "entitlementId", t.account_id as "accountId",
  t.resource_type_id as "resourceTypeId", t.resource_id as "resourceId", t.display_name as "displayName", t.description,
  t.source, t.parent_id as "parentId", t.step_approve_reason as "stepApproveReason",
  t.step_deny_reason as "stepDenyReason", t.is_open as "isOpen", t.outcome, t.outcome_at as "outcomeAt", t.is_emergency as "isEmergency",
  t.duration_seconds::float8 as "durationSeconds", t.policy_id as "policyId", t.step_id as "stepId",
  t.step_kind as "stepKind", t.step_approvers as "stepApprovers", t.step_due_at as "stepDueAt", t.stuck_why as "stuckWhy",
  t.approver_ids as "approverIds", t.comment_count as "commentCount", t.version, t.created_at as "createdAt",
  t.updated_at as "updatedAt", t.deleted_at as "deletedAt"`

/**
 * Returns whether it is new: there is one open task of a kind for the same access of the same person, and one offboarding of
 * a person.
 */
export async function insertTask(tx: Tx, tenantId: number, task: Task): Promise<boolean> {
  const { count } = await tx`
    insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, created_by, app_id, entitlement_id,
      account_id, resource_type_id, resource_id, display_name, description, source, is_open, outcome, outcome_at,
      is_emergency, duration_seconds, policy_id, step_id, step_kind, step_approvers, step_due_at, step_approve_reason,
      step_deny_reason, stuck_why, approver_ids, comment_count, version, created_at, updated_at, parent_id)
    values (${tenantId}, ${task.id}, ${task.number}, ${task.kind}, ${task.origin}, ${task.subjectUserId},
      ${task.createdBy}, ${task.appId}, ${task.entitlementId}, ${task.accountId}, ${task.resourceTypeId},
      ${task.resourceId}, ${task.displayName}, ${task.description}, ${tx.json(task.source)}, ${task.isOpen},
      ${task.outcome}, ${task.outcomeAt}, ${task.isEmergency}, ${task.durationSeconds}, ${task.policyId}, ${task.stepId},
      ${task.stepKind}, ${task.stepApprovers}, ${task.stepDueAt}, ${task.stepApproveReason}, ${task.stepDenyReason},
      ${task.stuckWhy}, ${task.approverIds}::text[], ${task.commentCount}, ${task.version}, ${task.createdAt},
      ${task.updatedAt}, ${task.parentId})
    on conflict do nothing`
  return count === 1
}

export async function findTask(db: Reads, tenantId: number, id: string): Promise<Task | null> {
  const [row] = await db<Task[]>`
    select ${columns(db)} from tasks t where t.tenant_id = ${tenantId} and t.task_id = ${id} and t.deleted_at is null`
  return row ?? null
}

export async function findTaskNumbered(db: Reads, tenantId: number, number: number): Promise<Task | null> {
  const [row] = await db<Task[]>`
    select ${columns(db)} from tasks t where t.tenant_id = ${tenantId} and t.number = ${number} and t.deleted_at is null`
  return row ?? null
}

type Twinned = Pick<Task, 'kind' | 'appId' | 'entitlementId' | 'subjectUserId' | 'accountId'> &
  Partial<Pick<Task, 'source'>>

/** The open task for the same access of the same person: see `isSameAccess`. */
export async function findOpenTwin(db: Reads, tenantId: number, of: Twinned): Promise<Task | null> {
  if (of.kind === 'certify' || of.kind === 'change') return null
  // A literal in the statement: in a cached plan PostgreSQL does not use a partial index for a parameter.
  const isSame = {
    grant: db`t.kind = 'grant'`,
    revoke: db`t.kind = 'revoke'`,
    offboarding: db`t.kind = 'offboarding'`,
  }[of.kind]
  const [row] = await db<Task[]>`
    select ${columns(db)} from tasks t
    where t.tenant_id = ${tenantId} and ${isSame} and t.app_id = ${of.appId}
      and t.entitlement_id = ${of.entitlementId} and t.subject_user_id = ${of.subjectUserId}
      and ${isSameAccess(db, tenantId, of)} and t.is_open
    order by t.account_id = ${of.accountId} desc, t.task_id limit 1`
  return row ?? null
}

/**
 * The same, and no other one can be opened until the transaction ends: the unique index only compares tasks that name the
 * same account, or none.
 */
export async function lockOpenTwin(tx: Tx, tenantId: number, of: Twinned): Promise<Task | null> {
  // In one round trip, executed in this order.
  const [, twin] = await Promise.all([lockAccess(tx, tenantId, of), findOpenTwin(tx, tenantId, of)])
  return twin
}

async function lockAccess(tx: Tx, tenantId: number, of: Twinned): Promise<void> {
  const key = JSON.stringify(['open task', of.kind, of.appId, of.entitlementId, of.subjectUserId])
  await tx`select pg_advisory_xact_lock(hashtextextended(${key}, ${tenantId}))`
}

/**
 * A request that names no account concerns the person, so it is the same as one that names any account of theirs; requests
 * for two accounts differ. A revocation without an account ends the access of all accounts: revocations that name an account
 * are equal to it only together, if they end everything that is held. Provisioning access again is not a request.
 */
function isSameAccess(db: Reads, tenantId: number, of: Twinned) {
  const { kind, appId, entitlementId, subjectUserId, accountId, source = {} } = of
  const isAlike = db`t.account_id = ${accountId}`
  if (kind === 'offboarding' || isAgain({ kind, source })) return isAlike
  if (kind === 'grant') {
    const isAsked = db`t.source ->> ${againField} is null`
    return accountId === '' ? db`(${isAlike} or ${isAsked})` : db`(${isAlike} or (t.account_id = '' and ${isAsked}))`
  }
  if (accountId !== '') return db`t.account_id in (${accountId}, '')`
  return db`(${isAlike} or not exists (
    select 1 from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and g.entitlement_id = ${entitlementId} and g.ended_at is null
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.user_id = ${subjectUserId} and a.deleted_at is null
      and not exists (select 1 from tasks r
        where r.tenant_id = ${tenantId} and r.kind = 'revoke' and r.is_open and r.app_id = ${appId}
          and r.entitlement_id = ${entitlementId} and r.subject_user_id = ${subjectUserId}
          and r.account_id = g.account_id
          and (g.source = 'request' or (r.origin <> 'TASK_ORIGIN_TIME_REVOKE' and r.parent_id = '')))))`
}

/** Locks a task: one change at a time. */
export async function lockTask(tx: Tx, tenantId: number, id: string): Promise<Task | null> {
  const [row] = await tx<Task[]>`
    select ${columns(tx)} from tasks t
    where t.tenant_id = ${tenantId} and t.task_id = ${id} and t.deleted_at is null for no key update`
  return row ?? null
}

/** Locks open tasks that would end the access, which another task grants, because it expired. */
export async function lockEndsOf(tx: Tx, tenantId: number, of: Task): Promise<Task[]> {
  return tx<Task[]>`
    select ${columns(tx)} from tasks t
    where t.tenant_id = ${tenantId} and t.kind = 'revoke' and t.origin = 'TASK_ORIGIN_TIME_REVOKE' and t.is_open
      and t.app_id = ${of.appId} and t.entitlement_id = ${of.entitlementId}
      and t.subject_user_id = ${of.subjectUserId} and t.deleted_at is null
    order by t.task_id for no key update`
}

/** The events of each of some tasks, by its id. */
export async function listEventsOf(
  db: Reads,
  tenantId: number,
  taskIds: readonly string[],
): Promise<Map<string, Happened[]>> {
  if (taskIds.length === 0) return new Map()
  const rows = await db<(EventRow & { taskId: string })[]>`
    select e.task_id as "taskId", e.kind, e.by_user_id as by, e.happened_at as at, e.data from task_events e
    where e.tenant_id = ${tenantId} and e.task_id = any(${taskIds}::text[]) order by e.task_id, e.number`
  const found = new Map<string, Happened[]>()
  for (const { taskId, kind, by, at, data } of rows) {
    const event = revive({ ...data, is: kind, by, at } as Happened)
    const all = found.get(taskId)
    if (all) all.push(event)
    else found.set(taskId, [event])
  }
  return found
}

type EventRow = { kind: string; by: string; at: Date; data: object }

export async function listTaskEvents(db: Reads, tenantId: number, taskId: string): Promise<Happened[]> {
  const rows = await db<EventRow[]>`
    select e.kind, e.by_user_id as by, e.happened_at as at, e.data from task_events e
    where e.tenant_id = ${tenantId} and e.task_id = ${taskId} order by e.number`
  return rows.map(({ kind, by, at, data }) => revive({ ...data, is: kind, by, at } as Happened))
}

/** JSON has no dates, and steps are stored as they were sent. */
function revive(event: Happened): Happened {
  if (event.is === 'routed' || event.is === 'steps added') return { ...event, route: stepsOf(event.wire) }
  return 'expiresAt' in event && event.expiresAt !== null ? { ...event, expiresAt: new Date(event.expiresAt) } : event
}

/** The fields of an event that have no column. */
function dataOf(event: Happened & { id: string }): string {
  const { is: _is, by: _by, at: _at, id: _id, ...rest } = event
  if (!('route' in rest)) return JSON.stringify(rest)
  // Tasks that end together have the same route: its steps are serialized once.
  const known = routesWritten.get(rest.route)
  if (known !== undefined) return known
  const json = JSON.stringify({ ...rest, route: undefined })
  routesWritten.set(rest.route, json)
  return json
}
const routesWritten = new WeakMap<object, string>()

export async function insertTaskEvents(
  tx: Tx,
  tenantId: number,
  taskId: string,
  first: number,
  events: readonly (Happened & { id: string })[],
): Promise<void> {
  if (events.length === 0) return
  const data = events.map(dataOf)
  await tx`
    insert into task_events (tenant_id, task_id, number, event_id, kind, by_user_id, happened_at, data)
    select ${tenantId}, ${taskId}, ${first} + e.place, e.event_id, e.kind, e.by_user_id, e.happened_at, e.data::jsonb
    from unnest(
      ${events.map((_, place) => place)}::int[], ${events.map(({ id }) => id)}::text[],
      ${events.map(({ is }) => is)}::text[], ${events.map(({ by }) => by)}::text[],
      ${events.map(({ at }) => at.toISOString())}::timestamptz[], ${data}::text[]
    ) as e (place, event_id, kind, by_user_id, happened_at, data)`
}

/** An event of a task, with its number among the events of that task. */
export type Placed = Happened & { id: string; taskId: string; number: number }

/** The same for several tasks at once. */
export async function insertPlacedEvents(tx: Tx, tenantId: number, events: readonly Placed[]): Promise<void> {
  // Events with the same data, such as the same steps, are sent and parsed as JSON once.
  const told = new Map<string, number>()
  const whichOf = ({ taskId: _task, number: _number, ...event }: Placed): number => {
    const data = dataOf(event)
    const place = told.get(data) ?? told.size + 1
    told.set(data, place)
    return place
  }
  const which = events.map(whichOf)
  const text = (values: readonly string[]) => tx.array('text', [...values])
  await tx`
    with told as materialized (
      select t.data::jsonb as data, t.place from unnest(${text([...told.keys()])}) with ordinality as t (data, place))
    insert into task_events (tenant_id, task_id, number, event_id, kind, by_user_id, happened_at, data)
    select ${tenantId}, e.task_id, e.number, e.event_id, e.kind, e.by_user_id, e.happened_at, t.data
    from unnest(
      ${text(events.map(({ taskId }) => taskId))}, ${tx.array(
        'int4',
        events.map(({ number }) => number),
      )},
      ${text(events.map(({ id }) => id))}, ${text(events.map(({ is }) => is))}, ${text(events.map(({ by }) => by))},
      ${tx.array(
        'timestamptz',
        events.map(({ at }) => at),
      )}, ${tx.array('int4', which)}
    ) as e (task_id, number, event_id, kind, by_user_id, happened_at, which)
    join told t on t.place = e.which`
}

export async function updateTask(tx: Tx, tenantId: number, task: Task): Promise<void> {
  await tx`
    update tasks set is_open = ${task.isOpen}, outcome = ${task.outcome}, outcome_at = ${task.outcomeAt},
      is_emergency = ${task.isEmergency}, duration_seconds = ${task.durationSeconds}, policy_id = ${task.policyId},
      step_id = ${task.stepId}, step_kind = ${task.stepKind}, step_approvers = ${task.stepApprovers},
      step_due_at = ${task.stepDueAt}, step_approve_reason = ${task.stepApproveReason},
      step_deny_reason = ${task.stepDenyReason}, stuck_why = ${task.stuckWhy}, approver_ids = ${task.approverIds}::text[],
      comment_count = ${task.commentCount}, version = ${task.version}, updated_at = ${task.updatedAt}
    where tenant_id = ${tenantId} and task_id = ${task.id}`
}

/** Sets the assignees of the current step. `before`: the previous ones. */
export async function putAssignees(
  tx: Tx,
  tenantId: number,
  taskId: string,
  { before, after: userIds }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  await Promise.all([
    before.some((id) => !userIds.includes(id)) &&
      tx`
        delete from task_assignees
        where tenant_id = ${tenantId} and task_id = ${taskId} and user_id <> all(${userIds}::text[])`,
    userIds.some((id) => !before.includes(id)) &&
      tx`
        insert into task_assignees (tenant_id, user_id, task_id)
        select ${tenantId}, u.user_id, ${taskId} from unnest(${userIds}::text[]) as u (user_id)
        on conflict do nothing`,
  ])
}

const assignedMax = 100_000

/** The open tasks whose current step is assigned to someone. */
export async function listAssignedTasks(db: Reads, tenantId: number, userId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select a.task_id as id from task_assignees a
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} order by a.task_id limit ${assignedMax}`
  return rows.map(({ id }) => id)
}

export async function addActor(tx: Tx, tenantId: number, taskId: string, userId: string): Promise<void> {
  await tx`
    insert into task_actors (tenant_id, user_id, task_id) values (${tenantId}, ${userId}, ${taskId})
    on conflict do nothing`
}

/** Reserves consecutive numbers, and returns the first. */
export async function reserveNumbers(db: Reads, tenantId: number, count: number): Promise<number> {
  const [row] = await db<{ first: number }[]>`
    insert into task_numbers (tenant_id, next) values (${tenantId}, ${count} + 1)
    on conflict (tenant_id) do update set next = task_numbers.next + ${count}
    returning (next - ${count})::float8 as first`
  return (row as { first: number }).first
}

/**
 * Whether someone is assigned to the task now, decided something in it, or was assigned before: if another assignee was
 * quicker, they see which step is current, and not that the task does not exist.
 */
export async function isParty(db: Reads, tenantId: number, taskId: string, userId: string): Promise<boolean> {
  const [row] = await db<{ isParty: boolean }[]>`
    select exists (select 1 from task_assignees a
        where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.task_id = ${taskId})
      or exists (select 1 from task_actors c
        where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.task_id = ${taskId})
      or exists (select 1 from task_events e
        where e.tenant_id = ${tenantId} and e.task_id = ${taskId}
          and e.data @> jsonb_build_object('assignees',
            jsonb_build_array(jsonb_build_object('userId', ${userId}::text)))) as "isParty"`
  return row?.isParty ?? false
}

/** Whether any account of someone, or this one, holds an entitlement now. */
export async function isHeld(
  db: Reads,
  tenantId: number,
  {
    appId,
    entitlementId,
    subjectUserId,
    accountId,
  }: Pick<Task, 'appId' | 'entitlementId' | 'subjectUserId' | 'accountId'>,
  at: Date,
): Promise<boolean> {
  // Starts from the accounts of the person: otherwise all holders of a popular entitlement would be read.
  const [row] = await db<{ isHeld: boolean }[]>`
    select exists (
      select 1 from (select c.account_id from accounts c
        where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.deleted_at is null
          and ${accountId === '' ? db`c.user_id = ${subjectUserId}` : db`c.account_id = ${accountId}`} offset 0) a
      cross join lateral (select 1 from grants g
        where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
          and g.account_id = a.account_id and ${held(db, { at, isNow: true })} limit 1) h) as "isHeld"`
  return row?.isHeld ?? false
}
