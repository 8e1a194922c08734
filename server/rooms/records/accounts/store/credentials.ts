import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { AccountRef } from '../account.ts'

/** A password of an account, which only its person can decrypt. */
export type AccountCredential = {
  id: string
  /** How it is encrypted, and the thumbprint of the key. */
  provider: string
  keyId: string
  name: string
  description: string
  schema: string
  encryptedBytes: Buffer
  createdAt: Date
}

/** Stores the passwords that a connector reported for an account that it created, replacing earlier ones. */
export async function putAccountCredentials(
  tx: Tx,
  tenantId: number,
  { appId, id: accountId }: AccountRef,
  credentials: readonly AccountCredential[],
): Promise<void> {
  await tx`
    delete from account_credentials
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId}`
  for (const { id, provider, keyId, name, description, schema, encryptedBytes, createdAt } of credentials)
    await tx`
      insert into account_credentials (tenant_id, app_id, account_id, credential_id, provider, key_id, name, description,
        schema, encrypted_bytes, created_at)
      values (${tenantId}, ${appId}, ${accountId}, ${id}, ${provider}, ${keyId}, ${name}, ${description}, ${schema},
        ${encryptedBytes}, ${createdAt})`
}

export async function listAccountCredentials(
  db: Reads,
  tenantId: number,
  { appId, id: accountId }: AccountRef,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<AccountCredential[]> {
  return db<AccountCredential[]>`
    select credential_id as id, provider, key_id as "keyId", name, description, schema,
      encrypted_bytes as "encryptedBytes", created_at as "createdAt"
    from account_credentials
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId}
      and credential_id > ${(after?.[0] as string | undefined) ?? ''}
    order by credential_id limit ${limit}`
}
