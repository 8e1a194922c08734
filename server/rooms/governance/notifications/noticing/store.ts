import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Happening, NoticedTask } from './decide.ts'

/** Tenants whose system log has been sealed further since it was last read. */
export const listTenantsToRead = (db: Reads): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`
      select h.tenant_id from systemlog_heads h left join notification_cursors c on c.tenant_id = h.tenant_id
      where (c.tenant_id is null or h.seal_number > c.seal_number) and h.tenant_id > ${after}`,
  )

export type Cursor = {
  sealNumber: number
  position: number
  daysAheadUntil: Date
  dayAheadUntil: Date
  credentialsUntil: Date
}

/** Locks the position: one process reads at a time. */
export async function lockCursor(tx: Tx, tenantId: number): Promise<Cursor | null> {
  const [row] = await tx<Cursor[]>`
    select c.seal_number as "sealNumber", c.seal_position as position, c.days_ahead_until as "daysAheadUntil",
      c.day_ahead_until as "dayAheadUntil", c.credentials_until as "credentialsUntil"
    from notification_cursors c where c.tenant_id = ${tenantId} for update`
  return row ?? null
}

/** Earlier events cause no notifications: after mail is turned on, nobody gets last year's mails. */
export async function beginCursor(tx: Tx, tenantId: number, { sealNumber, position, ...until }: Cursor): Promise<void> {
  await tx`
    insert into notification_cursors (tenant_id, seal_number, seal_position, days_ahead_until, day_ahead_until,
      credentials_until)
    values (${tenantId}, ${sealNumber}, ${position}, ${until.daysAheadUntil}, ${until.dayAheadUntil},
      ${until.credentialsUntil})
    on conflict (tenant_id) do nothing`
}

export async function moveCursor(
  tx: Tx,
  tenantId: number,
  { sealNumber, position }: Pick<Cursor, 'sealNumber' | 'position'>,
): Promise<void> {
  await tx`
    update notification_cursors set seal_number = ${sealNumber}, seal_position = ${position}
    where tenant_id = ${tenantId}`
}

/** Also skips the ends that are near: for tenants without a channel. */
export async function skipTo(tx: Tx, tenantId: number, to: Cursor): Promise<void> {
  await tx`
    update notification_cursors set seal_number = ${to.sealNumber}, seal_position = ${to.position},
      days_ahead_until = ${to.daysAheadUntil}, day_ahead_until = ${to.dayAheadUntil},
      credentials_until = ${to.credentialsUntil}
    where tenant_id = ${tenantId}`
}

export async function moveAhead(
  tx: Tx,
  tenantId: number,
  until: Pick<Cursor, 'daysAheadUntil' | 'dayAheadUntil' | 'credentialsUntil'>,
): Promise<void> {
  await tx`
    update notification_cursors set days_ahead_until = ${until.daysAheadUntil},
      day_ahead_until = ${until.dayAheadUntil}, credentials_until = ${until.credentialsUntil}
    where tenant_id = ${tenantId}`
}

export type LoggedRow = {
  eventId: string
  occurredAt: Date
  event: string
  trail: string | null
  mac: Buffer
  sealNumber: number
  position: number
}

/** Events that may cause notifications, in the order of the chain: of tasks, and alerts. */
export const listLogged = (
  db: Reads,
  tenantId: number,
  after: Pick<Cursor, 'sealNumber' | 'position'>,
  upTo: number,
  limit: number,
): Promise<LoggedRow[]> => db<LoggedRow[]>`
  select e.event_id as "eventId", e.occurred_at as "occurredAt", e.event, e.trail, e.mac, e.seal_number as "sealNumber",
    e.seal_position as position
  from systemlog_events e
  where e.tenant_id = ${tenantId} and e.seal_number is not null
    and (e.seal_number, e.seal_position) > (${after.sealNumber}, ${after.position}) and e.seal_number <= ${upTo}
    and (e.event like '%{"type":"task","uid":%' or e.event like '{"severity_id":4%')
  order by e.seal_number, e.seal_position limit ${limit}`

export async function listNoticedTasks(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, NoticedTask>> {
  if (ids.length === 0) return new Map()
  const [tasks, assignees] = await Promise.all([
    db<Omit<NoticedTask, 'assigneeIds'>[]>`
      select t.task_id as id, t.kind, t.subject_user_id as "subjectUserId", t.created_by as "createdBy",
        t.is_open as "isOpen", t.outcome, t.step_id as "stepId", t.step_kind as "stepKind", t.step_due_at as "stepDueAt"
      from tasks t where t.tenant_id = ${tenantId} and t.task_id = any(${ids}::text[]) and t.deleted_at is null`,
    db<{ taskId: string; userId: string }[]>`
      select a.task_id as "taskId", a.user_id as "userId" from task_assignees a
      where a.tenant_id = ${tenantId} and a.task_id = any(${ids}::text[]) order by a.user_id`,
  ])
  const byTask = Map.groupBy(assignees, ({ taskId }) => taskId)
  return new Map(
    tasks.map((task) => [task.id, { ...task, assigneeIds: (byTask.get(task.id) ?? []).map(({ userId }) => userId) }]),
  )
}

export async function listHappened(
  db: Reads,
  tenantId: number,
  taskIds: readonly string[],
  kinds: readonly string[],
): Promise<Happening[]> {
  if (taskIds.length === 0) return []
  return db<Happening[]>`
    select e.task_id as "taskId", e.event_id as id, e.kind, e.by_user_id as by,
      coalesce(e.data ->> 'comment', '') as comment, e.happened_at as at
    from task_events e
    where e.tenant_id = ${tenantId} and e.task_id = any(${taskIds}::text[]) and e.kind = any(${kinds}::text[])
    order by e.task_id, e.number`
}

/** Enabled people with a built-in role by its name. Whether the assignments are genuine is checked by the caller. */
export async function listInRole(db: Reads, tenantId: number, role: string, limit: number): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`
    select u.user_id as "userId" from roles r
    join user_roles a on a.tenant_id = ${tenantId} and a.role_id = r.role_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where r.tenant_id = ${tenantId} and r.name = ${role} and u.status = 'ENABLED' and u.deleted_at is null
    order by u.user_id limit ${limit}`
  return rows.map(({ userId }) => userId)
}

export type EndingGrant = {
  grantId: string
  appId: string
  entitlementId: string
  accountId: string
  userId: string
  endsAt: Date
}

/** Access that ends between two moments, and that was granted longer than `leadMs` before its end. */
export const listEndingGrants = (
  db: Reads,
  tenantId: number,
  { after, until, leadMs }: { after: Date; until: Date; leadMs: number },
  limit: number,
): Promise<EndingGrant[]> => db<EndingGrant[]>`
  select g.grant_id as "grantId", g.app_id as "appId", g.entitlement_id as "entitlementId",
    g.account_id as "accountId", a.user_id as "userId", g.expires_at as "endsAt"
  from grants g
  join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
  where g.tenant_id = ${tenantId} and g.ended_at is null and g.expires_at > ${after} and g.expires_at <= ${until}
    and g.expires_at - g.granted_at > ${leadMs} * interval '1 millisecond'
    and a.user_id is not null and a.deleted_at is null
  order by g.expires_at, g.grant_id limit ${limit}`

export type EndingCredential = { credentialId: string; userId: string; isPrincipal: boolean; endsAt: Date }

export const listEndingCredentials = (
  db: Reads,
  tenantId: number,
  { after, until, leadMs }: { after: Date; until: Date; leadMs: number },
  limit: number,
): Promise<EndingCredential[]> => db<EndingCredential[]>`
  select c.credential_id as "credentialId", c.user_id as "userId", c.expires_at as "endsAt",
    u.type = 'USER_TYPE_SERVICE' as "isPrincipal"
  from credentials c
  join users u on u.tenant_id = ${tenantId} and u.user_id = c.user_id
  where c.tenant_id = ${tenantId} and c.deleted_at is null and c.expires_at > ${after} and c.expires_at <= ${until}
    and c.expires_at - c.created_at > ${leadMs} * interval '1 millisecond'
  order by c.expires_at, c.credential_id limit ${limit}`

export type TroubledConnector = { connectorId: string; appId: string; state: 'failed' | 'held'; lastDone: string }

/**
 * Connectors whose last sync failed or waits for confirmation, with the last one that succeeded: one outage causes one
 * notification.
 */
export const listTroubled = (db: Reads, tenantId: number): Promise<TroubledConnector[]> => db<TroubledConnector[]>`
  select c.connector_id as "connectorId", c.app_id as "appId",
    case when s.state = 'held' then 'held' else 'failed' end as state,
    coalesce((select d.task_id::text from connector_tasks d
      where d.tenant_id = ${tenantId} and d.connector_id = c.connector_id and d.kind = 'sync' and d.state = 'done'
      order by d.task_id desc limit 1), '') as "lastDone"
  from connectors c
  cross join lateral (
    select k.state from connector_tasks k
    where k.tenant_id = ${tenantId} and k.connector_id = c.connector_id and k.kind = 'sync'
      and k.state not in ('queued', 'leased', 'merging')
    order by k.task_id desc limit 1) s
  where c.tenant_id = ${tenantId} and c.deleted_at is null and c.sync_disabled_at is null
    and s.state in ('failed', 'held', 'unknown')
  order by c.connector_id limit 200`

/** Tenants whose log is read: for notifications that depend on the time. */
export const listReadTenants = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select c.tenant_id from notification_cursors c where c.tenant_id > ${after}`)
