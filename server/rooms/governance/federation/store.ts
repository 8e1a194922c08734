import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { TrustProvider, TrustTerms } from '#rooms/identity/credentials/index.ts'
import type { Trust } from './trust.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>
export type KeptProvider = TrustProvider & { mac: Buffer }
export type KeptTerms = TrustTerms & { mac: Buffer }

const providerColumns = (db: Reads) => db`
  provider_id as id, display_name as "displayName", description, well_known as "wellKnown", issuer_url as "issuerUrl",
  bundle_endpoint_url as "bundleEndpointUrl", is_disabled as "isDisabled", created_at as "createdAt",
  updated_at as "updatedAt", mac`

export async function listProviders(db: Reads, tenantId: number, page: PageAsked): Promise<KeptProvider[]> {
  return db<KeptProvider[]>`
    select ${providerColumns(db)} from federation_providers
    where tenant_id = ${tenantId} and provider_id > ${page.after?.[0] ?? ''}
    order by provider_id limit ${page.limit}`
}

export async function findProvider(db: Reads, tenantId: number, id: string): Promise<KeptProvider | null> {
  const [row] = await db<KeptProvider[]>`
    select ${providerColumns(db)} from federation_providers where tenant_id = ${tenantId} and provider_id = ${id}`
  return row ?? null
}

/** Locked until the transaction ends. */
export async function lockProvider(tx: Tx, tenantId: number, id: string): Promise<KeptProvider | null> {
  const [row] = await tx<KeptProvider[]>`
    select ${providerColumns(tx)} from federation_providers
    where tenant_id = ${tenantId} and provider_id = ${id} for update`
  return row ?? null
}

/** Cannot be deleted until the transaction ends. */
export async function shareProvider(tx: Tx, tenantId: number, id: string): Promise<KeptProvider | null> {
  const [row] = await tx<KeptProvider[]>`
    select ${providerColumns(tx)} from federation_providers
    where tenant_id = ${tenantId} and provider_id = ${id} for share`
  return row ?? null
}

/** Takes a lock, so that concurrent creations are all counted. */
export async function countProvidersAlone(tx: Tx, tenantId: number): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`federation providers ${tenantId}`}, 0))`
  const [row] = await tx<{ count: number }[]>`
    select count(*) from federation_providers where tenant_id = ${tenantId}`
  return row?.count ?? 0
}

export async function insertProvider(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'providers.change'>,
  provider: KeptProvider,
): Promise<void> {
  await tx`
    insert into federation_providers (tenant_id, provider_id, display_name, description, well_known, issuer_url,
      bundle_endpoint_url, is_disabled, created_at, updated_at, mac)
    values (${tenantId}, ${provider.id}, ${provider.displayName}, ${provider.description}, ${provider.wellKnown},
      ${provider.issuerUrl}, ${provider.bundleEndpointUrl}, ${provider.isDisabled}, ${provider.createdAt},
      ${provider.updatedAt}, ${provider.mac})`
}

export async function updateProvider(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'providers.change'>,
  provider: KeptProvider,
): Promise<void> {
  await tx`
    update federation_providers set display_name = ${provider.displayName}, description = ${provider.description},
      bundle_endpoint_url = ${provider.bundleEndpointUrl}, is_disabled = ${provider.isDisabled},
      updated_at = ${provider.updatedAt}, mac = ${provider.mac}
    where tenant_id = ${tenantId} and provider_id = ${provider.id}`
}

/** How many trusts a provider has, deleted ones not counted. */
export async function countTrustsOf(tx: Tx, tenantId: number, providerId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from federation_trusts t
    join credentials c on c.tenant_id = ${tenantId} and c.credential_id = t.credential_id
    where t.tenant_id = ${tenantId} and t.provider_id = ${providerId} and c.deleted_at is null`
  return row?.count ?? 0
}

export async function deleteProvider(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'providers.delete'>,
  id: string,
): Promise<void> {
  // The remaining rows of deleted trusts.
  await tx`delete from federation_trusts where tenant_id = ${tenantId} and provider_id = ${id}`
  await tx`delete from federation_providers where tenant_id = ${tenantId} and provider_id = ${id}`
}

/** The principals for which tokens of a provider are accepted. */
export async function listPrincipalsOf(tx: Tx, tenantId: number, providerId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select distinct t.principal_id as id from federation_trusts t
    join credentials c on c.tenant_id = ${tenantId} and c.credential_id = t.credential_id
    where t.tenant_id = ${tenantId} and t.provider_id = ${providerId} and c.deleted_at is null`
  return rows.map(({ id }) => id)
}

/** The clients whose tokens depend on a provider. */
export async function listClientsOf(
  db: Reads,
  tenantId: number,
  providerId: string,
): Promise<{ id: string; clientId: string }[]> {
  return db<{ id: string; clientId: string }[]>`
    select c.credential_id as id, c.client_id as "clientId" from federation_trusts t
    join credentials c on c.tenant_id = ${tenantId} and c.credential_id = t.credential_id
    where t.tenant_id = ${tenantId} and t.provider_id = ${providerId} and c.deleted_at is null`
}

type TrustRow = Trust['credential'] & Omit<TrustTerms, 'credentialId' | 'principalId'>

const trustColumns = (db: Reads) => db`
  c.credential_id as id, c.user_id as "userId", c.client_id as "clientId", c.display_name as "displayName",
  c.allow_source_cidr as "allowSourceCidr", c.scoped_role_ids as "scopedRoles", c.ancestor_ids as "ancestorIds",
  c.created_at as "createdAt", t.provider_id as "providerId", t.description, t.condition,
  t.passthrough_claims as "passthroughClaims", t.is_disabled as "isDisabled",
  greatest(t.updated_at, c.updated_at) as "updatedAt"`

function trustOf(row: TrustRow): Trust {
  const { providerId, description, condition, passthroughClaims, isDisabled, updatedAt, ...credential } = row
  const { id: credentialId, userId: principalId } = credential
  return {
    credential,
    terms: {
      credentialId,
      principalId,
      providerId,
      description,
      condition,
      passthroughClaims,
      isDisabled,
      updatedAt,
    },
  }
}

export async function findTrustByClient(db: Reads, tenantId: number, clientId: string): Promise<Trust | null> {
  const [row] = await db<TrustRow[]>`
    select ${trustColumns(db)} from credentials c
    join federation_trusts t on t.tenant_id = ${tenantId} and t.credential_id = c.credential_id
    where c.tenant_id = ${tenantId} and c.client_id = ${clientId} and c.deleted_at is null`
  return row ? trustOf(row) : null
}

export type TrustFilter = {
  /** One principal; and, if `among` is not null, one of those. */
  principalId: string
  among: readonly string[] | null
  providerId: string
  query: string
  /** Only this credential, and those that were created with its tokens; null for all. */
  family: string | null
}

export async function searchTrusts(
  db: Reads,
  tenantId: number,
  { principalId, among, providerId, query, family }: TrustFilter,
  page: PageAsked,
): Promise<Trust[]> {
  const pattern = `%${query.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db<TrustRow[]>`
    select ${trustColumns(db)} from federation_trusts t
    join credentials c on c.tenant_id = ${tenantId} and c.credential_id = t.credential_id
    where t.tenant_id = ${tenantId} and c.deleted_at is null and t.credential_id > ${page.after?.[0] ?? ''}
      ${principalId === '' ? db`` : db`and t.principal_id = ${principalId}`}
      ${among === null ? db`` : db`and t.principal_id = any(${among}::text[])`}
      ${providerId === '' ? db`` : db`and t.provider_id = ${providerId}`}
      ${family === null ? db`` : db`and (c.credential_id = ${family} or ${family} = any(c.ancestor_ids))`}
      ${query === '' ? db`` : db`and (c.display_name ilike ${pattern} or c.client_id ilike ${pattern} or t.description ilike ${pattern})`}
    order by t.credential_id limit ${page.limit}`
  return rows.map(trustOf)
}

export async function insertTerms(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'trust.change'>,
  terms: KeptTerms,
): Promise<void> {
  await tx`
    insert into federation_trusts (tenant_id, credential_id, principal_id, provider_id, description, condition,
      passthrough_claims, is_disabled, updated_at, mac)
    values (${tenantId}, ${terms.credentialId}, ${terms.principalId}, ${terms.providerId}, ${terms.description},
      ${terms.condition}, ${terms.passthroughClaims}, ${terms.isDisabled}, ${terms.updatedAt}, ${terms.mac})`
}

export async function updateTerms(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'trust.change'>,
  terms: KeptTerms,
): Promise<void> {
  await tx`
    update federation_trusts set description = ${terms.description}, condition = ${terms.condition},
      passthrough_claims = ${terms.passthroughClaims}, is_disabled = ${terms.isDisabled},
      updated_at = ${terms.updatedAt}, mac = ${terms.mac}
    where tenant_id = ${tenantId} and credential_id = ${terms.credentialId}`
}

/** Also deletes the stored attempts at the trust. */
export async function deleteTerms(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'trust.delete'>,
  credentialId: string,
): Promise<void> {
  await tx`delete from federation_trusts where tenant_id = ${tenantId} and credential_id = ${credentialId}`
}
