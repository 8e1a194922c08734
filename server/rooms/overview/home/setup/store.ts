import type { Reads } from '#kernel/sql.ts'

export type Facts = {
  hasPasskey: boolean
  hasAdministrators: boolean
  hasPeople: boolean
  hasApps: boolean
  hasAccess: boolean
  hasRule: boolean
  hasRequestable: boolean
}

/** What there is in a tenant: each ends with the first that is found. */
export async function findFacts(db: Reads, tenantId: number, userId: string): Promise<Facts> {
  const [row] = await db<[Facts]>`
    select
      exists (select 1 from passkeys k where k.tenant_id = ${tenantId} and k.user_id = ${userId})
        or exists (select 1 from oidc_identities i where i.tenant_id = ${tenantId} and i.user_id = ${userId})
        as "hasPasskey",
      (select count(*) > 1 from user_roles m
        join roles r on r.tenant_id = ${tenantId} and r.role_id = m.role_id and r.name = 'system:owner'
        join users u on u.tenant_id = ${tenantId} and u.user_id = m.user_id and u.status = 'ENABLED'
          and u.deleted_at is null
        where m.tenant_id = ${tenantId}) as "hasAdministrators",
      exists (select 1 from directories d where d.tenant_id = ${tenantId} and d.deleted_at is null)
        or exists (select 1 from imports i where i.tenant_id = ${tenantId}) as "hasPeople",
      exists (select 1 from entitlements e
        join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
        where e.tenant_id = ${tenantId} and e.deleted_at is null) as "hasApps",
      exists (select 1 from grants g where g.tenant_id = ${tenantId} and g.ended_at is null) as "hasAccess",
      exists (select 1 from automations m where m.tenant_id = ${tenantId} and m.deleted_at is null) as "hasRule",
      exists (select 1 from profiles p
        join profile_entries r on r.tenant_id = ${tenantId} and r.profile_id = p.profile_id
        where p.tenant_id = ${tenantId} and p.is_published and p.deleted_at is null) as "hasRequestable"`
  return row
}
