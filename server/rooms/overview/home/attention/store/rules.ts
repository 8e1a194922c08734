import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Scope } from '../../scope.ts'
import { inScope } from '../../scope-store.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

/** The name of an entitlement and of its app, by columns of `x`. */
const named = (db: Reads): Fragment =>
  db`x.app_id as "appId", x.entitlement_id as id, e.display_name as name, p.display_name as about`
const withNames = (db: Reads, tenantId: number): Fragment => db`
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
    and e.deleted_at is null
  join apps p on p.tenant_id = ${tenantId} and p.app_id = x.app_id and p.deleted_at is null`
const seen = (db: Reads, scope: Scope): Fragment => inScope(db, scope, db`x.app_id`, db`x.entitlement_id`)

/** Runs that wait for confirmation, the oldest first. By the index of open runs. */
export const findHeldRuns = (db: Reads, tenantId: number, scope: Scope): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from automation_runs x ${withNames(db, tenantId)}
      where x.tenant_id = ${tenantId} and x.status = 'held' ${seen(db, scope)} order by x.run_id`,
  )

/** Rules whose last run failed. One lookup by key for each rule of the tenant. */
export const findFailingRules = (db: Reads, tenantId: number, scope: Scope): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from automations x ${withNames(db, tenantId)}
      join automation_runs r on r.tenant_id = ${tenantId} and r.run_id = x.last_run_id
      where x.tenant_id = ${tenantId} and x.deleted_at is null and x.paused_why is null
        and r.status = 'failed' ${seen(db, scope)}
      order by r.started_at desc, x.entitlement_id`,
  )

/** Rules that are paused for another reason than a held run, which is listed separately. */
export const findPausedRules = (db: Reads, tenantId: number, scope: Scope): Promise<Found> =>
  few(
    db,
    db`select ${named(db)} from automations x ${withNames(db, tenantId)}
      where x.tenant_id = ${tenantId} and x.deleted_at is null and x.paused_why <> 'held' ${seen(db, scope)}
      order by x.updated_at desc, x.entitlement_id`,
  )
