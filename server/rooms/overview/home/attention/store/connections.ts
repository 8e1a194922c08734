import type { Reads } from '#kernel/sql.ts'
import type { Scope } from '../../scope.ts'
import { inConnectors } from '../../scope-store.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

/** Connectors whose last completed sync waits for confirmation, or failed. One lookup for each connector. */
export const findTroubledSyncs = (
  db: Reads,
  tenantId: number,
  scope: Scope,
  states: readonly string[],
): Promise<Found> =>
  few(
    db,
    db`select c.app_id as "appId", c.connector_id as id, c.display_name as name, p.display_name as about
      from connectors c
      join apps p on p.tenant_id = ${tenantId} and p.app_id = c.app_id and p.deleted_at is null
      cross join lateral (
        select k.state from connector_tasks k
        where k.tenant_id = ${tenantId} and k.connector_id = c.connector_id and k.kind = 'sync'
          and k.state not in ('queued', 'leased', 'merging')
        order by k.task_id desc limit 1) s
      where c.tenant_id = ${tenantId} and c.deleted_at is null and c.sync_disabled_at is null
        and s.state = any(${states}::text[]) ${inConnectors(db, scope, db`c.app_id`, db`c.connector_id`)}
      order by c.connector_id`,
  )

/** Directories whose deactivations wait for confirmation. */
export const findHeldDirectories = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select d.app_id as "appId", d.app_id as id, p.display_name as name, '' as about from directories d
      join apps p on p.tenant_id = ${tenantId} and p.app_id = d.app_id and p.deleted_at is null
      where d.tenant_id = ${tenantId} and d.deleted_at is null
        and (d.held_since is not null or exists (select 1 from directory_users h
          where h.tenant_id = ${tenantId} and h.app_id = d.app_id and h.is_held))
      order by d.app_id`,
  )

/**
 * Directories that fail. A refused SCIM request counts for a day; a failure of an app's accounts counts until it is
 * corrected.
 */
export const findFailingDirectories = (db: Reads, tenantId: number, since: Date): Promise<Found> =>
  few(
    db,
    db`select d.app_id as "appId", d.app_id as id, p.display_name as name, d.last_error as about from directories d
      join apps p on p.tenant_id = ${tenantId} and p.app_id = d.app_id and p.deleted_at is null
      where d.tenant_id = ${tenantId} and d.deleted_at is null and d.last_error <> ''
        and (d.kind <> 'scim' or d.last_error_at > ${since})
      order by d.app_id`,
  )

/** Accounts of directories that are not matched to a user, because the match is ambiguous. */
export const findConflicts = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select x.app_id as "appId", x.account_id as id, a.display_name as name, p.display_name as about
      from directory_conflicts x
      join directories d on d.tenant_id = ${tenantId} and d.app_id = x.app_id and d.deleted_at is null
      join apps p on p.tenant_id = ${tenantId} and p.app_id = x.app_id and p.deleted_at is null
      join accounts a on a.tenant_id = ${tenantId} and a.app_id = x.app_id and a.account_id = x.account_id
        and a.deleted_at is null
      where x.tenant_id = ${tenantId} order by x.app_id, x.account_id`,
  )

/** Webhooks whose last delivery failed, finally or until the next attempt, and not long ago. */
export const findFailingWebhooks = (db: Reads, tenantId: number, since: Date): Promise<Found> =>
  few(
    db,
    db`select '' as "appId", w.webhook_id as id, w.display_name as name, l.error as about from webhooks w
      cross join lateral (
        select y.state, y.error, y.updated_at from webhook_deliveries y
        where y.tenant_id = ${tenantId} and y.webhook_id = w.webhook_id
        order by y.delivery_id desc limit 1) l
      where w.tenant_id = ${tenantId} and w.deleted_at is null and l.state in ('error', 'fatal') and l.updated_at > ${since}
      order by w.webhook_id`,
  )

/** Subscriptions that fail, or that were stopped automatically. */
export const findFailingSubscriptions = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select '' as "appId", s.subscription_id as id, s.display_name as name, s.detail as about from subscriptions s
      where s.tenant_id = ${tenantId}
        and (s.state = 'active' and s.attempt > 0 or s.state <> 'active' and s.reason <> 'USER')
      order by s.subscription_id`,
  )

export const findFailingExports = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select '' as "appId", x.export_id as id, x.display_name as name, x.error as about from systemlog_exports x
      where x.tenant_id = ${tenantId} and x.deleted_at is null and x.state = 'error' order by x.export_id`,
  )

/** Messages that could not be sent lately, and those that wait after a failed attempt. */
export const findUnsentMessages = (db: Reads, tenantId: number, since: Date): Promise<Found> =>
  few(
    db,
    db`select '' as "appId", m.message_id as id, m.error as name, '' as about from notification_messages m
      where m.tenant_id = ${tenantId} and m.state in ('waiting', 'failed') and m.error <> ''
        and (m.state = 'waiting' or m.ended_at > ${since})
      order by m.message_id desc`,
  )

export const findStuckJobs = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select '' as "appId", j.job_id as id, j.kind as name, j.last_error as about from jobs j
      where j.tenant_id = ${tenantId} and j.state = 'stuck' order by j.job_id`,
  )
