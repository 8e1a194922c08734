import type { Reads, Sql, Tx } from './sql.ts'

/** The secret key that the database is bound to; null for a new one. */
export async function findKeyFingerprint(db: Reads): Promise<string | null> {
  const [row] = await db<{ fingerprint: string }[]>`
    select secret_key_fingerprint as fingerprint from installation`
  return row?.fingerprint ?? null
}

/** Binds a new database to a secret key, unless another server was faster. */
export async function insertInstallation(db: Sql, fingerprint: string, now: Date): Promise<void> {
  await db`
    insert into installation (secret_key_fingerprint, created_at) values (${fingerprint}, ${now})
    on conflict do nothing`
}

/** The record that rows without a MAC got theirs, locked until the transaction ends. */
export async function lockSealedRowsMac(tx: Tx): Promise<Buffer | null> {
  const [row] = await tx<{ mac: Buffer | null }[]>`
    select sealed_rows_mac as mac from installation for update`
  return row?.mac ?? null
}

export async function setSealedRowsMac(tx: Tx, mac: Buffer): Promise<void> {
  await tx`update installation set sealed_rows_mac = ${mac}`
}

/** When the database was last restored from a backup, and from when credentials count. */
export type RestoredRow = { restoredAt: Date | null; credentialsFloor: Date | null; mac: Buffer | null }

export async function findRestored(db: Reads): Promise<RestoredRow | null> {
  const [row] = await db<RestoredRow[]>`
    select restored_at as "restoredAt", credentials_floor as "credentialsFloor", restored_mac as mac from installation`
  return row ?? null
}

export async function updateRestored(tx: Tx, { restoredAt, credentialsFloor, mac }: RestoredRow): Promise<void> {
  await tx`
    update installation set restored_at = ${restoredAt}, credentials_floor = ${credentialsFloor}, restored_mac = ${mac}`
}
