import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { rowMac } from '../row-mac.ts'

export type Passkey = {
  id: string
  userId: string
  displayName: string
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}
/** With what is needed to check its signatures. */
export type PasskeyKey = Passkey & {
  credentialId: string
  publicKey: Buffer
  signCount: number
  transports: string[]
}

/** The row in the database: whether this program wrote it is checked with `isAuthenticPasskey`. */
export type PasskeyRow = PasskeyKey & { mac: Buffer | null }

const columns = (db: Reads) => db`
  passkey_id as id, user_id as "userId", display_name as "displayName", is_backed_up as "isBackedUp",
  created_at as "createdAt", last_used_at as "lastUsedAt", credential_id as "credentialId", public_key as "publicKey",
  sign_count as "signCount", transports, mac`

const passkeyMac = (seals: Seals, tenantId: number, passkey: PasskeyKey): Buffer =>
  rowMac(seals, 'passkey', tenantId, [
    passkey.id,
    passkey.userId,
    passkey.displayName,
    passkey.credentialId,
    passkey.publicKey,
    passkey.signCount,
    passkey.transports,
    passkey.isBackedUp,
    passkey.createdAt,
    passkey.lastUsedAt,
  ])
export const isAuthenticPasskey = (seals: Seals, tenantId: number, row: PasskeyRow): boolean =>
  isSameMac(row.mac, passkeyMac(seals, tenantId, row))

/** Whether it is new. */
export async function insertPasskey(tx: Tx, seals: Seals, tenantId: number, passkey: PasskeyKey): Promise<boolean> {
  const rows = await tx`
    insert into passkeys (tenant_id, passkey_id, user_id, display_name, credential_id, public_key, sign_count, transports,
      is_backed_up, created_at, last_used_at, mac)
    values (${tenantId}, ${passkey.id}, ${passkey.userId}, ${passkey.displayName}, ${passkey.credentialId},
      ${passkey.publicKey}, ${passkey.signCount}, ${passkey.transports}, ${passkey.isBackedUp}, ${passkey.createdAt},
      ${passkey.lastUsedAt}, ${passkeyMac(seals, tenantId, passkey)})
    on conflict do nothing returning 1 as inserted`
  return rows.length === 1
}

/** Locked until the transaction ends: its count of signatures only grows. */
export async function lockPasskeyByCredential(
  tx: Tx,
  tenantId: number,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const [row] = await tx<PasskeyRow[]>`
    select ${columns(tx)} from passkeys where tenant_id = ${tenantId} and credential_id = ${credentialId} for update`
  return row ?? null
}

export async function lockPasskey(tx: Tx, tenantId: number, userId: string, id: string): Promise<PasskeyRow | null> {
  const [row] = await tx<PasskeyRow[]>`
    select ${columns(tx)} from passkeys
    where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id = ${id} for update`
  return row ?? null
}

export async function listPasskeysOf(
  db: Reads,
  tenantId: number,
  userId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<PasskeyRow[]> {
  return db<PasskeyRow[]>`
    select ${columns(db)} from passkeys
    where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id > ${page.after?.[0] ?? ''}
    order by passkey_id limit ${page.limit}`
}

/** Those that have no MAC yet; for the one start that adds them. */
export async function listPasskeysWithoutMac(tx: Tx, tenantId: number): Promise<PasskeyRow[]> {
  return tx<PasskeyRow[]>`
    select ${columns(tx)} from passkeys where tenant_id = ${tenantId} and mac is null for update`
}

/** The columns that change: its name, its count of signatures, whether it is backed up, when it was used. */
export async function updatePasskey(tx: Tx, seals: Seals, tenantId: number, passkey: PasskeyKey): Promise<void> {
  await tx`
    update passkeys set display_name = ${passkey.displayName}, sign_count = ${passkey.signCount},
      is_backed_up = ${passkey.isBackedUp}, last_used_at = ${passkey.lastUsedAt},
      mac = ${passkeyMac(seals, tenantId, passkey)}
    where tenant_id = ${tenantId} and passkey_id = ${passkey.id}`
}

export async function deletePasskey(tx: Tx, tenantId: number, userId: string, id: string): Promise<Passkey | null> {
  const [row] = await tx<PasskeyRow[]>`
    delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId} and passkey_id = ${id}
    returning ${columns(tx)}`
  return row ?? null
}
