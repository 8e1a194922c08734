import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'

/** The key with its caller. */
export type KeyOf = { caller: string; keySha256: Buffer }
export type KeptReply = { fingerprint: Buffer; reply: Buffer; hasSecret: boolean }

/** Whether this transaction has the key until it ends: no other request is using it, on any server. */
export async function tryLockKey(tx: Tx, tenantId: number, { caller, keySha256 }: KeyOf): Promise<boolean> {
  const [row] = await tx<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(
      hashtextextended(${`${tenantId} ${caller} ${keySha256.toString('hex')}`}, 6001)
    ) as "isLocked"`
  return row?.isLocked ?? false
}

export async function findReply(
  tx: Reads,
  tenantId: number,
  { caller, keySha256 }: KeyOf,
  since: Date,
): Promise<KeptReply | null> {
  const [row] = await tx<KeptReply[]>`
    select fingerprint, reply, has_secret as "hasSecret" from idempotency_keys
    where tenant_id = ${tenantId} and caller = ${caller} and key_sha256 = ${keySha256} and created_at > ${since}`
  return row ?? null
}

/** Whether the caller has used as many keys as are kept for one caller. */
export async function hasManyKeys(tx: Reads, tenantId: number, caller: string, countMax: number): Promise<boolean> {
  const [row] = await tx<{ isMany: boolean }[]>`
    select count(*) >= ${countMax}::int as "isMany" from (
      select 1 from idempotency_keys where tenant_id = ${tenantId} and caller = ${caller} limit ${countMax}
    ) as used`
  return row?.isMany ?? false
}

export async function keepReply(
  tx: Tx,
  tenantId: number,
  { caller, keySha256 }: KeyOf,
  { fingerprint, reply, hasSecret }: KeptReply,
  at: Date,
): Promise<void> {
  await tx`
    insert into idempotency_keys (tenant_id, caller, key_sha256, fingerprint, reply, has_secret, created_at)
    values (${tenantId}, ${caller}, ${keySha256}, ${fingerprint}, ${reply}, ${hasSecret}, ${at})
    on conflict (tenant_id, caller, key_sha256) do update
    set fingerprint = excluded.fingerprint, reply = excluded.reply, has_secret = excluded.has_secret,
      created_at = excluded.created_at`
}

/** Tenants with keys that are older. */
export const listTenantsWithKeysBefore = (db: Reads, before: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from idempotency_keys where created_at <= ${before} and tenant_id > ${after}`,
  )

/** Deletes some that are older, and returns how many. */
export async function deleteKeysBefore(tx: Tx, tenantId: number, before: Date, countMax: number): Promise<number> {
  const rows = await tx`
    delete from idempotency_keys where tenant_id = ${tenantId} and (caller, key_sha256) in (
      select caller, key_sha256 from idempotency_keys where tenant_id = ${tenantId} and created_at <= ${before}
      order by created_at limit ${countMax} for update skip locked
    )`
  return rows.count
}
