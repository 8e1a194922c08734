import type { Reads } from '#kernel/sql.ts'
import type { ToldTask } from '../templates/told.ts'

export type TaskFacts = ToldTask & {
  isOpen: boolean
  stepId: string
  createdBy: string
  subjectUserId: string
  /** Whether the reader can decide the step now, and whether they decided or did something in the task. */
  isAssigned: boolean
  hasActed: boolean
}

/** Tasks with the names that a message contains, and how its reader is involved in them. */
export async function findTaskFacts(
  db: Reads,
  tenantId: number,
  ids: readonly string[],
  readerId: string,
): Promise<Map<string, TaskFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db<TaskFacts[]>`
    select t.task_id as id, t.number::float8 as number, t.kind, t.display_name as title, t.description,
      t.step_kind as "stepKind", t.step_due_at as "stepDueAt", t.outcome, t.is_emergency as "isEmergency",
      t.duration_seconds::float8 as "durationSeconds", t.is_open as "isOpen", t.step_id as "stepId",
      t.created_by as "createdBy", t.subject_user_id as "subjectUserId",
      coalesce(s.display_name, '') as subject, coalesce(r.display_name, '') as requester,
      coalesce(p.display_name, '') as app, coalesce(e.display_name, '') as entitlement,
      exists (select 1 from task_assignees a
        where a.tenant_id = ${tenantId} and a.user_id = ${readerId} and a.task_id = t.task_id) as "isAssigned",
      exists (select 1 from task_actors c
        where c.tenant_id = ${tenantId} and c.user_id = ${readerId} and c.task_id = t.task_id) as "hasActed"
    from tasks t
    left join users s on s.tenant_id = ${tenantId} and s.user_id = t.subject_user_id
    left join users r on r.tenant_id = ${tenantId} and r.user_id = t.created_by
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = t.app_id
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = t.app_id and e.entitlement_id = t.entitlement_id
    where t.tenant_id = ${tenantId} and t.task_id = any(${ids}::text[]) and t.deleted_at is null`
  return new Map(rows.map((row) => [row.id, row]))
}

export type GrantFacts = { grantId: string; entitlement: string; app: string; holder: string }

/** Access that still ends at the time in the notification, and still belongs to the same person. */
export async function findEndingGrant(
  db: Reads,
  tenantId: number,
  of: { grantId: string; appId: string; entitlementId: string; accountId: string; holderId: string; endsAt: string },
): Promise<GrantFacts | null> {
  const [row] = await db<GrantFacts[]>`
    select g.grant_id as "grantId", e.display_name as entitlement, p.display_name as app, u.display_name as holder
    from grants g
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    join apps p on p.tenant_id = ${tenantId} and p.app_id = g.app_id
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
    where g.tenant_id = ${tenantId} and g.app_id = ${of.appId} and g.entitlement_id = ${of.entitlementId}
      and g.account_id = ${of.accountId} and g.grant_id = ${of.grantId} and g.ended_at is null
      and g.expires_at = ${of.endsAt}::timestamptz and a.user_id = ${of.holderId}`
  return row ?? null
}

export async function findConnectorName(
  db: Reads,
  tenantId: number,
  connectorId: string,
): Promise<{ connector: string; app: string } | null> {
  const [row] = await db<{ connector: string; app: string }[]>`
    select c.display_name as connector, p.display_name as app
    from connectors c join apps p on p.tenant_id = ${tenantId} and p.app_id = c.app_id
    where c.tenant_id = ${tenantId} and c.connector_id = ${connectorId} and c.deleted_at is null`
  return row ?? null
}

export type CredentialFacts = { name: string; userId: string; isPrincipal: boolean; owner: string; endsAt: Date | null }

export async function findCredentialFacts(
  db: Reads,
  tenantId: number,
  credentialId: string,
): Promise<CredentialFacts | null> {
  const [row] = await db<CredentialFacts[]>`
    select c.display_name as name, c.user_id as "userId", u.type = 'USER_TYPE_SERVICE' as "isPrincipal",
      u.display_name as owner, c.expires_at as "endsAt"
    from credentials c join users u on u.tenant_id = ${tenantId} and u.user_id = c.user_id
    where c.tenant_id = ${tenantId} and c.credential_id = ${credentialId} and c.deleted_at is null`
  return row ?? null
}

/** The names of people by their ids. */
export async function findNames(db: Reads, tenantId: number, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db<{ id: string; name: string }[]>`
    select u.user_id as id, u.display_name as name from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
