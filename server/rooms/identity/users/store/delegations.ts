import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Delegation } from '../user.ts'

const columns = (db: Reads) => db`
  user_id as "userId", delegated_user_id as "delegatedUserId", start_at as "startAt",
  expiration_at as "expirationAt", named_by as "namedBy", created_at as "createdAt", updated_at as "updatedAt"`

export async function lockDelegation(tx: Tx, tenantId: number, userId: string): Promise<Delegation | null> {
  const [row] = await tx<Delegation[]>`
    select ${columns(tx)} from user_delegations
    where tenant_id = ${tenantId} and user_id = ${userId} for update`
  return row ?? null
}

export async function findDelegation(db: Reads, tenantId: number, userId: string): Promise<Delegation | null> {
  const [row] = await db<Delegation[]>`
    select ${columns(db)} from user_delegations where tenant_id = ${tenantId} and user_id = ${userId}`
  return row ?? null
}

/** A user has one delegation at most: a new one replaces it. */
export async function putDelegation(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'self.delegate' | 'users.set-delegate'>,
  delegation: Delegation,
): Promise<void> {
  await tx`
    insert into user_delegations (tenant_id, user_id, delegated_user_id, start_at, expiration_at, named_by, created_at, updated_at)
    values (${tenantId}, ${delegation.userId}, ${delegation.delegatedUserId}, ${delegation.startAt},
      ${delegation.expirationAt}, ${delegation.namedBy}, ${delegation.createdAt}, ${delegation.updatedAt})
    on conflict (tenant_id, user_id) do update set delegated_user_id = excluded.delegated_user_id,
      start_at = excluded.start_at, expiration_at = excluded.expiration_at, named_by = excluded.named_by, created_at = excluded.created_at,
      updated_at = excluded.updated_at`
}

export async function deleteDelegation(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'self.delegate' | 'users.set-delegate'>,
  userId: string,
): Promise<void> {
  await tx`delete from user_delegations where tenant_id = ${tenantId} and user_id = ${userId}`
}
