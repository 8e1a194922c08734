import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

export type Passkey = {
  id: string
  userId: string
  displayName: string
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}
/** With what checks its signatures. */
export type PasskeyKey = Passkey & {
  credentialId: string
  publicKey: Buffer
  signCount: number
  transports: string[]
}

const columns = (db: Reads) => db`
  passkey_id as id, user_id as "userId", display_name as "displayName", is_backed_up as "isBackedUp",
  created_at as "createdAt", last_used_at as "lastUsedAt"`
const withKey = (db: Reads) => db`
  ${columns(db)}, credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount", transports`

/** Whether it was not there yet. */
export async function insertPasskey(tx: Tx, tenantId: number, passkey: PasskeyKey): Promise<boolean> {
  const rows = await tx`
    insert into passkeys (tenant_id, passkey_id, user_id, display_name, credential_id, public_key, sign_count, transports,
      is_backed_up, created_at)
    values (${tenantId}, ${passkey.id}, ${passkey.userId}, ${passkey.displayName}, ${passkey.credentialId},
      ${passkey.publicKey}, ${passkey.signCount}, ${passkey.transports}, ${passkey.isBackedUp}, ${passkey.createdAt})
    on conflict do nothing returning 1 as inserted`
  return rows.length === 1
}

/** Held until the transaction ends: its count of signatures goes one way only. */
export async function lockPasskeyByCredential(
  tx: Tx,
  tenantId: number,
  credentialId: string,
): Promise<PasskeyKey | null> {
  const [row] = await tx<PasskeyKey[]>`
    select ${withKey(tx)} from passkeys where tenant_id = ${tenantId} and credential_id = ${credentialId} for update`
  return row ?? null
}

export async function listPasskeysOf(
  db: Reads,
  tenantId: number,
  userId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<PasskeyKey[]> {
  return db<PasskeyKey[]>`
    select ${withKey(db)} from passkeys
    where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id > ${page.after?.[0] ?? ''}
    order by passkey_id limit ${page.limit}`
}

export async function updatePasskeyUse(
  tx: Tx,
  tenantId: number,
  { id, signCount, isBackedUp, lastUsedAt }: Pick<PasskeyKey, 'id' | 'signCount' | 'isBackedUp' | 'lastUsedAt'>,
): Promise<void> {
  await tx`
    update passkeys set sign_count = ${signCount}, is_backed_up = ${isBackedUp}, last_used_at = ${lastUsedAt}
    where tenant_id = ${tenantId} and passkey_id = ${id}`
}

export async function renamePasskey(
  tx: Tx,
  tenantId: number,
  userId: string,
  id: string,
  displayName: string,
): Promise<Passkey | null> {
  const [row] = await tx<Passkey[]>`
    update passkeys set display_name = ${displayName}
    where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id = ${id}
    returning ${columns(tx)}`
  return row ?? null
}

export async function deletePasskey(tx: Tx, tenantId: number, userId: string, id: string): Promise<Passkey | null> {
  const [row] = await tx<Passkey[]>`
    delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id = ${id}
    returning ${columns(tx)}`
  return row ?? null
}
