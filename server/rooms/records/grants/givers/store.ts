import type { Reads } from '#kernel/sql.ts'
import type { Giver } from './giver.ts'

/**
 * What the ids in the history identify: people, imports, runs of rules, requests, access profiles, removals of all access.
 * These belong to rooms further down, which this one cannot import; they are read here, and only read. One probe of a
 * primary key for each.
 */
export async function findGivers(db: Reads, tenantId: number, ids: readonly string[]): Promise<Giver[]> {
  if (ids.length === 0) return []
  const none = db`''::text as "appId", ''::text as "entitlementId", ''::text as "userId"`
  return db<Giver[]>`
    select 'user'::text as kind, u.user_id::text as id, u.display_name::text as name, 0::int as number, ${none} from users u
    where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[])
    union all
    select 'import', i.import_id::text, coalesce(p.display_name, ''), 0, ${none} from imports i
    left join apps p on p.tenant_id = ${tenantId} and p.app_id = i.app_id
    where i.tenant_id = ${tenantId} and i.import_id = any(${ids}::text[])
    union all
    select 'rule_run', r.run_id::text, coalesce(nullif(m.display_name, ''), e.display_name, ''), 0, r.app_id::text,
      r.entitlement_id::text, ''::text
    from automation_runs r
    left join automations m on m.tenant_id = ${tenantId} and m.app_id = r.app_id and m.entitlement_id = r.entitlement_id
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = r.app_id and e.entitlement_id = r.entitlement_id
    where r.tenant_id = ${tenantId} and r.run_id = any(${ids}::text[])
    union all
    select 'request', t.task_id::text, t.display_name, t.number::int, ${none} from tasks t
    where t.tenant_id = ${tenantId} and t.task_id = any(${ids}::text[])
    union all
    select 'profile', f.profile_id::text, f.display_name, 0, ${none} from profiles f
    where f.tenant_id = ${tenantId} and f.profile_id = any(${ids}::text[])
    union all
    select 'removal', x.removal_id::text, x.reason, 0, ''::text, ''::text, x.user_id::text from access_removals x
    where x.tenant_id = ${tenantId} and x.removal_id = any(${ids}::text[])`
}
