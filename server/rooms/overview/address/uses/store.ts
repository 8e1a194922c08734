import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { Named, Uses } from './uses.ts'

const endsWith = (db: Reads, domain: string): Fragment =>
  db`split_part(split_part(client_id, '@', 2), '/', 1) = ${domain}`
/** Those without a name are of earlier versions: of the first name of the tenant, as long as they are not used again. */
const atHost = (db: Reads, { host, isFirst }: Pick<Named, 'host' | 'isFirst'>): Fragment =>
  isFirst ? db`(rp_id = ${host} or rp_id is null)` : db`rp_id = ${host}`

export async function countUses(db: Reads, tenantId: number, of: Named, now: Date): Promise<Uses> {
  const [row] = await db<Uses[]>`
    select
      (select count(*)::int from credentials where tenant_id = ${tenantId} and deleted_at is null
        and (expires_at is null or expires_at > ${now}) and ${endsWith(db, of.domain)}) as credentials,
      (select count(*)::int from connector_credentials where tenant_id = ${tenantId} and revoked_at is null
        and (expires_at is null or expires_at > ${now}) and ${endsWith(db, of.domain)}) as "connectorCredentials",
      (select count(*)::int from passkeys where tenant_id = ${tenantId} and ${atHost(db, of)}) as passkeys,
      (select count(*)::int from directories
        where tenant_id = ${tenantId} and deleted_at is null and kind = 'scim') as directories,
      (select count(*)::int from webhooks where tenant_id = ${tenantId} and deleted_at is null) as webhooks,
      (select count(*)::int from federation_trusts where tenant_id = ${tenantId})
        as "federationTrusts",
      (select count(*)::int from sign_in_providers where tenant_id = ${tenantId}) as "oidcProviders"`
  if (!row) throw new Error('a count returned nothing')
  return row
}

/** How many enabled Super Administrators can sign in at a name: with a passkey there, or the identity provider. */
export async function countOwnersAt(db: Reads, tenantId: number, host: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(distinct u.user_id)::int as count
    from users u
      join user_roles a on a.tenant_id = ${tenantId} and a.user_id = u.user_id
      join roles r on r.tenant_id = ${tenantId} and r.role_id = a.role_id
    where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null and r.name = 'system:owner' and (
      exists (select 1 from passkeys p where p.tenant_id = ${tenantId} and p.user_id = u.user_id and p.rp_id = ${host})
      or exists (select 1 from oidc_identities i where i.tenant_id = ${tenantId} and i.user_id = u.user_id))`
  return row?.count ?? 0
}

export type CredentialAt = {
  kind: 'credential' | 'connector'
  id: string
  clientId: string
  displayName: string
  /** Of a connector's credential, the connector. */
  userId: string
  connectorId: string
  lastUsedAt: Date | null
}

/** The credentials whose client ids contain a domain, by their ids. */
export async function listCredentialsAt(
  db: Reads,
  tenantId: number,
  domain: string,
  now: Date,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<CredentialAt[]> {
  const after = page.after?.[0] ?? ''
  return db<CredentialAt[]>`
    select 'credential' as kind, credential_id as id, client_id as "clientId", display_name as "displayName",
      user_id::text as "userId", '' as "connectorId", last_used_at as "lastUsedAt"
    from credentials
    where tenant_id = ${tenantId} and deleted_at is null and (expires_at is null or expires_at > ${now})
      and ${endsWith(db, domain)} and credential_id > ${after}
    union all
    select 'connector', credential_id, client_id, display_name, '', connector_id::text, last_used_at
    from connector_credentials
    where tenant_id = ${tenantId} and revoked_at is null and (expires_at is null or expires_at > ${now})
      and ${endsWith(db, domain)} and credential_id > ${after}
    order by id limit ${page.limit}`
}

export type PersonAt = { userId: string; passkeyCount: number; lastUsedAt: Date | null }

/** People who have passkeys at a name, and none at the current one. */
export async function listPeopleAt(
  db: Reads,
  tenantId: number,
  of: Pick<Named, 'host' | 'isFirst'>,
  currentHost: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<PersonAt[]> {
  return db<PersonAt[]>`
    select p.user_id as "userId", count(*)::int as "passkeyCount", max(p.last_used_at) as "lastUsedAt"
    from passkeys p
    where p.tenant_id = ${tenantId} and ${atHost(db, of)} and p.user_id > ${page.after?.[0] ?? ''}
      and not exists (
        select 1 from passkeys o
        where o.tenant_id = ${tenantId} and o.user_id = p.user_id and o.rp_id = ${currentHost})
    group by p.user_id order by p.user_id limit ${page.limit}`
}
