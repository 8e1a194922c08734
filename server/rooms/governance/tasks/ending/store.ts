import type { Db, Tx } from '#kernel/sql.ts'
import { expiredField, type Task } from '../machine/record.ts'
import { insertPlacedEvents, type Placed } from '../store.ts'

/**
 * Makes PostgreSQL analyze the tables, and plan its statements again. On a separate connection: on a shared one, statements
 * of others would wait behind it. A database role without permission gets a warning, not an error.
 */
export async function countTasks(db: Db): Promise<void> {
  await db.begin((tx) => tx`analyze tasks, task_events`.then(() => {}))
}

/** Tasks that ended when they began, with all of their events. */
export async function insertEndedTasks(
  tx: Tx,
  tenantId: number,
  tasks: readonly Task[],
  events: readonly Placed[],
): Promise<void> {
  await tx`
    insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, app_id, entitlement_id, account_id,
      resource_type_id, resource_id, display_name, source, is_open, outcome, outcome_at, policy_id, version, created_at,
      updated_at)
    select ${tenantId}, t.task_id, t.number, 'revoke', t.origin, t.subject_user_id, t.app_id, t.entitlement_id, t.account_id,
      t.resource_type_id, t.resource_id, t.display_name, t.source::jsonb, false, t.outcome, t.at, t.policy_id, t.version, t.at,
      t.at
    from unnest(
      ${tasks.map(({ id }) => id)}::text[], ${tasks.map(({ number }) => number)}::bigint[],
      ${tasks.map(({ origin }) => origin)}::text[], ${tasks.map(({ subjectUserId }) => subjectUserId)}::text[],
      ${tasks.map(({ appId }) => appId)}::text[], ${tasks.map(({ entitlementId }) => entitlementId)}::text[],
      ${tasks.map(({ accountId }) => accountId)}::text[], ${tasks.map(({ resourceTypeId }) => resourceTypeId)}::text[],
      ${tasks.map(({ resourceId }) => resourceId)}::text[], ${tasks.map(({ displayName }) => displayName)}::text[],
      ${tasks.map(({ source }) => JSON.stringify(source))}::text[], ${tasks.map(({ outcome }) => outcome)}::text[],
      ${tasks.map(({ policyId }) => policyId)}::text[], ${tasks.map(({ version }) => version)}::int[],
      ${tasks.map(({ updatedAt }) => updatedAt.toISOString())}::timestamptz[]
    ) as t (task_id, number, origin, subject_user_id, app_id, entitlement_id, account_id, resource_type_id, resource_id,
      display_name, source, outcome, policy_id, version, at)`
  await insertPlacedEvents(tx, tenantId, events)
}

/** Makes the open task for the same access end it because it expired. Returns whether such a task was still open. */
export async function markExpired(tx: Tx, tenantId: number, task: Task): Promise<boolean> {
  const { count } = await tx`
    update tasks set source = source || ${tx.json({ [expiredField]: task.source[expiredField] })}
    where tenant_id = ${tenantId} and kind = 'revoke' and app_id = ${task.appId}
      and entitlement_id = ${task.entitlementId} and subject_user_id = ${task.subjectUserId}
      and account_id = ${task.accountId} and is_open`
  return count > 0
}
