import type { Tx } from '#kernel/sql.ts'
import type { Task } from '../machine/record.ts'

/** Tasks with all of their events, in a few statements regardless of their number. */
export async function insertTasks(tx: Tx, tenantId: number, tasks: readonly Task[]): Promise<void> {
  const rows = tasks.map((task) => ({ ...task, approverIds: [...task.approverIds] }))
  await tx`
    insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, created_by, app_id, entitlement_id,
      account_id, resource_type_id, resource_id, display_name, description, source, parent_id, is_open, outcome, outcome_at,
      is_emergency, duration_seconds, policy_id, step_id, step_kind, step_approvers, step_due_at, step_approve_reason,
      step_deny_reason, stuck_why, approver_ids, comment_count, version, created_at, updated_at)
    select ${tenantId}, t.id, t.number, t.kind, t.origin, t."subjectUserId", t."createdBy", t."appId", t."entitlementId",
      t."accountId", t."resourceTypeId", t."resourceId", t."displayName", t.description, t.source, t."parentId", t."isOpen",
      t.outcome, t."outcomeAt", t."isEmergency", t."durationSeconds", t."policyId", t."stepId", t."stepKind",
      t."stepApprovers", t."stepDueAt", t."stepApproveReason", t."stepDenyReason", t."stuckWhy", t."approverIds",
      t."commentCount", t.version, t."createdAt", t."updatedAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (
      id text, number bigint, kind text, origin text, "subjectUserId" text, "createdBy" text, "appId" text,
      "entitlementId" text, "accountId" text, "resourceTypeId" text, "resourceId" text, "displayName" text,
      description text, source jsonb, "parentId" text, "isOpen" boolean, outcome text, "outcomeAt" timestamptz,
      "isEmergency" boolean, "durationSeconds" bigint, "policyId" text, "stepId" text, "stepKind" text,
      "stepApprovers" text, "stepDueAt" timestamptz, "stepApproveReason" boolean, "stepDenyReason" boolean,
      "stuckWhy" text, "approverIds" text[], "commentCount" int, version int, "createdAt" timestamptz,
      "updatedAt" timestamptz)`
}

type Part = { taskId: string; userId: string }

export async function insertParts(
  tx: Tx,
  tenantId: number,
  { assignees, actors }: { assignees: readonly Part[]; actors: readonly Part[] },
): Promise<void> {
  await tx`
    insert into task_assignees (tenant_id, user_id, task_id)
    select ${tenantId}, p.user_id, p.task_id
    from unnest(${assignees.map(({ userId }) => userId)}::text[], ${assignees.map(({ taskId }) => taskId)}::text[])
      as p (user_id, task_id)`
  await tx`
    insert into task_actors (tenant_id, user_id, task_id)
    select distinct ${tenantId}::int, p.user_id, p.task_id
    from unnest(${actors.map(({ userId }) => userId)}::text[], ${actors.map(({ taskId }) => taskId)}::text[])
      as p (user_id, task_id)`
}
