import type { Allowance } from './statement-rules.ts'

/** How `listTenantsWith` in server/kernel/tenants-with.ts begins. */
const tenantsWith = (rows: string): Allowance => ({
  begins: `select w.tenant_id as id, count(*) as count from (${rows}`,
  allows: 'reading all tenants',
  reason: 'says which tenants have something to do',
})

/** How `findEarliest` in server/kernel/tenants-with.ts begins. */
const earliest = (rows: string): Allowance => ({
  begins: `select min(w.at) as at from (${rows}`,
  allows: 'reading all tenants',
  reason: 'says when there is something to do, once before the server rests',
})

/** The statements that break a rule of statement-rules.ts on purpose, as they begin, with one space for any. */
export const allowed: readonly Allowance[] = [
  earliest('select expires_at as at from grants where ended_at is null'),
  earliest('select m.due_at as at from automations m left join automation_runs r on r.tenant_id = m.tenant_id'),
  earliest('select next_sync_at as at from connectors where is_built_in'),
  earliest("select lease_until as at from connector_tasks where state = 'leased'"),
  earliest('select next_run_at as at from systemlog_exports where'),
  earliest('select due_at as at from webhook_deliveries where'),
  earliest("select n.due_at as at from notifications n where n.message_id = ''"),
  earliest("select m.due_at as at from notification_messages m where m.state = 'waiting'"),
  earliest(
    'select coalesce(greatest(s.next_attempt_at, s.lease_until), statement_timestamp()) as at from subscriptions',
  ),
  earliest('select due_at as at from jobs where'),
  tenantsWith('select tenant_id from systemlog_events where seal_number is null'),
  tenantsWith('select tenant_id from automation_changes where'),
  tenantsWith('select tenant_id from profile_changes where'),
  tenantsWith('select tenant_id from grants where ended_at is null and expires_at <='),
  tenantsWith("select r.tenant_id from automation_runs r where r.status = 'done'"),
  tenantsWith('select tenant_id from sessions where ( expires_at <='),
  tenantsWith(' select s.tenant_id from sessions s join users u on u.tenant_id = s.tenant_id'),
  tenantsWith('select tenant_id from sign_in_links where expires_at <='),
  tenantsWith('select tenant_id from sign_in_challenges where expires_at <='),
  tenantsWith('select tenant_id from invitations where expires_at <='),
  tenantsWith('select tenant_id from revoked_tokens where expires_at <'),
  tenantsWith('select tenant_id from used_assertions where expires_at <'),
  tenantsWith('select tenant_id from device_requests where forget_at <='),
  tenantsWith('select tenant_id from federation_attempts where tenant_id >'),
  tenantsWith('select tenant_id from idempotency_keys where created_at <='),
  tenantsWith('select tenant_id from tasks where is_open and tenant_id >'),
  tenantsWith(' select r.tenant_id from answerable_rounds r left join systemlog_heads h on h.tenant_id = r.tenant_id'),
  tenantsWith(' select p.tenant_id from profiles p left join answerable_rounds r on r.tenant_id = p.tenant_id'),
  tenantsWith(
    ' select h.tenant_id from systemlog_heads h left join notification_cursors c on c.tenant_id = h.tenant_id',
  ),
  tenantsWith('select c.tenant_id from notification_cursors c where'),
  tenantsWith('select w.tenant_id from chat_webhooks w where'),
  tenantsWith(" select n.tenant_id from notifications n where n.message_id = ''"),
  tenantsWith(' select m.tenant_id from notification_messages m where'),
  tenantsWith("select tenant_id from connector_tasks where state = 'leased'"),
  tenantsWith('select tenant_id from provisioning_changes where'),
  tenantsWith('select tenant_id from connectors where is_built_in'),
  tenantsWith('select c.tenant_id from connectors c join connector_tasks t on t.tenant_id = c.tenant_id'),
  tenantsWith('select tenant_id from connectors where provisioning_off_since is not null'),
  tenantsWith(' select tenant_id from webhook_deliveries where due_at <='),
  tenantsWith('select tenant_id from webhook_deliveries where completed_at <'),
  tenantsWith('select w.tenant_id from webhooks w where w.tenant_id >'),
  tenantsWith('select tenant_id from subscriptions where tenant_id >'),
  tenantsWith('select d.tenant_id from webhook_deliveries d where d.tenant_id >'),
  tenantsWith('select s.tenant_id from subscriptions s join systemlog_heads h on h.tenant_id = s.tenant_id'),
  tenantsWith('select tenant_id from subscription_deliveries where started_at <'),
  {
    begins: 'select state, attempt > 0 as "isFailing", count(*)::int as count from subscriptions',
    allows: 'reading all tenants',
    reason: 'metrics for the operator of all tenants, every ten seconds',
  },
  {
    begins: 'select s.tenant_id as "tenantId", s.cursor_seal as seal, s.cursor_position as position from subscriptions',
    allows: 'reading all tenants',
    reason: 'metrics for the operator of all tenants, every ten seconds, of those that are behind',
  },
  tenantsWith('select tenant_id from systemlog_exports where'),
  {
    begins: "select r.tenant_id as id from automation_runs r where r.status = 'running'",
    allows: 'reading all tenants',
    reason: 'says which tenants have runs to go on with, and who has waited longest',
  },
  {
    begins: 'select m.tenant_id as id from automations m left join automation_runs r on r.tenant_id = m.tenant_id',
    allows: 'reading all tenants',
    reason: 'says which tenants have rules to run, and who has waited longest',
  },
  {
    begins: 'select distinct expression from automations',
    allows: 'reading all tenants',
    reason: 'once, when a server starts: expressions are compiled once, whoever has them',
  },
  {
    begins:
      'select tenant_id as "tenantId", event_id as "eventId", occurred_at as "occurredAt", event, trail, mac from systemlog_events where event like',
    allows: 'reading all tenants',
    reason: 'the alerts of two minutes, for the operator of all tenants; by an index that has no others',
  },
  {
    begins: 'select kind, state, count(*)::int as count, coalesce(extract(epoch from now() - min(due_at)',
    allows: 'reading all tenants',
    reason: 'metrics for the operator of all tenants, every five seconds',
  },
  {
    begins:
      'select tenant_id as id, public_id as "publicId", domain from tenants where tenant_id in (select tenant_id from jobs',
    allows: 'reading all tenants',
    reason: 'says which tenants have jobs that are due, in turns',
  },
  {
    begins: 'with moved as ( update systemlog_heads set seal_number =',
    allows: 'settings',
    reason:
      'names the link that a group of events brings. A cluster refuses the statement, and the events are written to be sealed later',
  },
  {
    begins: "with relaxed as materialized (select set_config('synchronous_commit', 'off', true)",
    allows: 'settings',
    reason:
      'spares a wait for the disk where it counts; a node that does not get it waits for the disk, and is right too',
  },
  {
    begins: 'set statement_timeout = 0',
    allows: 'settings',
    reason: "on the migrations' own connection; another node has no such limit",
  },
  {
    begins: 'set lock_timeout = 0',
    allows: 'settings',
    reason: "on the migrations' own connection; another node has no such limit",
  },
]
