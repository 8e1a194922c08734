import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { rowMac } from '../row-mac.ts'

export type Provider = {
  id: string
  displayName: string
  issuer: string
  clientId: string
  sealedClientSecret: Buffer | null
  domains: readonly string[]
  isEnabled: boolean
  /** Set by the operator's command: administrators can see it, and not change it. */
  isOfOperator: boolean
  createdAt: Date
  updatedAt: Date
}

/** What a test round trip came to. */
export type TestResult = {
  /** Why nobody would be signed in; empty if `userId` would be. */
  code: string
  reason: string
  subject: string
  email: string
  isEmailVerified: boolean
  userId: string
}
export type Test = { testedAt: Date | null; testedBy: string | null; testResult: TestResult | null }
export type ProviderRow = Provider & Test & { mac: Buffer }

const providerMac = (seals: Seals, tenantId: number, row: Provider): Buffer =>
  rowMac(seals, 'sign-in provider', tenantId, [
    row.id,
    row.displayName,
    row.issuer,
    row.clientId,
    row.sealedClientSecret,
    row.domains,
    row.isEnabled,
    row.isOfOperator,
    row.createdAt,
    row.updatedAt,
  ])
export const isAuthenticProvider = (seals: Seals, tenantId: number, row: ProviderRow): boolean =>
  isSameMac(row.mac, providerMac(seals, tenantId, row))

const columns = (db: Reads) => db`
  provider_id as id, display_name as "displayName", issuer, client_id as "clientId",
  sealed_client_secret as "sealedClientSecret", domains, is_enabled as "isEnabled", is_of_operator as "isOfOperator",
  created_at as "createdAt", updated_at as "updatedAt", mac, tested_at as "testedAt", tested_by as "testedBy",
  test_result as "testResult"`

const rowsMax = 100

/** The rows in the database, the oldest first: whether this program wrote one is checked with `isAuthenticProvider`. */
export async function listProviderRows(db: Reads, tenantId: number): Promise<ProviderRow[]> {
  return db<ProviderRow[]>`
    select ${columns(db)} from sign_in_providers where tenant_id = ${tenantId} order by provider_id limit ${rowsMax}`
}

/** All of a tenant, locked: of two that are enabled at once, the second sees the first. */
export async function lockProviderRows(tx: Tx, tenantId: number): Promise<ProviderRow[]> {
  return tx<ProviderRow[]>`
    select ${columns(tx)} from sign_in_providers where tenant_id = ${tenantId}
    order by provider_id limit ${rowsMax} for update`
}

/** Whether the tenant had no provider with this issuer, and none of the operator's if this is one. */
export async function insertProvider(tx: Tx, seals: Seals, tenantId: number, row: Provider): Promise<boolean> {
  const rows = await tx`
    insert into sign_in_providers (tenant_id, provider_id, display_name, issuer, client_id, sealed_client_secret, domains,
      is_enabled, is_of_operator, created_at, updated_at, mac)
    values (${tenantId}, ${row.id}, ${row.displayName}, ${row.issuer}, ${row.clientId}, ${row.sealedClientSecret},
      ${row.domains}, ${row.isEnabled}, ${row.isOfOperator}, ${row.createdAt}, ${row.updatedAt},
      ${providerMac(seals, tenantId, row)})
    on conflict do nothing returning 1 as inserted`
  return rows.length === 1
}

/** What was tested with other settings no longer counts. */
export async function updateProvider(
  tx: Tx,
  seals: Seals,
  tenantId: number,
  row: Provider,
  isTestKept: boolean,
): Promise<void> {
  await tx`
    update sign_in_providers set display_name = ${row.displayName}, issuer = ${row.issuer}, client_id = ${row.clientId},
      sealed_client_secret = ${row.sealedClientSecret}, domains = ${row.domains}, is_enabled = ${row.isEnabled},
      updated_at = ${row.updatedAt}, mac = ${providerMac(seals, tenantId, row)}
      ${isTestKept ? tx`` : tx`, tested_at = null, tested_by = null, test_result = null`}
    where tenant_id = ${tenantId} and provider_id = ${row.id}`
}

export async function deleteProvider(tx: Tx, tenantId: number, id: string): Promise<void> {
  await tx`delete from sign_in_providers where tenant_id = ${tenantId} and provider_id = ${id}`
}

/** Of a provider that has not changed since the test began. */
export async function updateTest(
  db: Reads,
  tenantId: number,
  { id, updatedAt }: Pick<Provider, 'id' | 'updatedAt'>,
  test: { testedAt: Date; testedBy: string; testResult: TestResult },
): Promise<void> {
  await db`
    update sign_in_providers
    set tested_at = ${test.testedAt}, tested_by = ${test.testedBy}, test_result = ${db.json(test.testResult)}
    where tenant_id = ${tenantId} and provider_id = ${id} and updated_at = ${updatedAt}`
}
