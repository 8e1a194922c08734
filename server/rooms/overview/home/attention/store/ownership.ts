import type { Reads } from '#kernel/sql.ts'
import type { Scope } from '../../scope.ts'
import { inScope } from '../../scope-store.ts'
import type { Found } from '../findings.ts'
import { few } from './few.ts'

/** Apps that nobody owns. */
export const findAppsWithoutOwner = (db: Reads, tenantId: number): Promise<Found> =>
  few(
    db,
    db`select p.app_id as "appId", p.app_id as id, p.display_name as name, '' as about from apps p
      where p.tenant_id = ${tenantId} and p.deleted_at is null
        and not exists (select 1 from owners o where o.tenant_id = ${tenantId} and o.app_id = p.app_id
          and o.kind = 'app' and o.ended_at is null)
      order by p.app_id`,
  )

/** Entitlements that nobody owns: neither they nor their apps have owners. */
export const findEntitlementsWithoutOwner = (db: Reads, tenantId: number, scope: Scope): Promise<Found> =>
  few(
    db,
    db`select e.app_id as "appId", e.entitlement_id as id, e.display_name as name, p.display_name as about
      from entitlements e
      join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
      where e.tenant_id = ${tenantId} and e.deleted_at is null ${inScope(db, scope, db`e.app_id`, db`e.entitlement_id`)}
        and not exists (select 1 from owners o where o.tenant_id = ${tenantId} and o.kind = 'entitlement'
          and o.app_id = e.app_id and o.object_id = e.entitlement_id and o.ended_at is null)
        and not exists (select 1 from owners o where o.tenant_id = ${tenantId} and o.kind = 'app'
          and o.app_id = e.app_id and o.ended_at is null)
      order by e.app_id, e.entitlement_id`,
  )
