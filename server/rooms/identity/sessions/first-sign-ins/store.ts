import type { Reads, Tx } from '#kernel/sql.ts'

export type FirstSignIn = {
  userId: string
  signedInAt: Date
  /** When the invitation was created by which they signed in, if it was by one. */
  invitedAt: Date | null
}

/** Whether it is their first. Of two at once only one is: the second waits for the first. */
export async function insertFirstSignIn(tx: Tx, tenantId: number, first: FirstSignIn): Promise<boolean> {
  const rows = await tx`
    insert into first_sign_ins (tenant_id, user_id, signed_in_at, invited_at)
    values (${tenantId}, ${first.userId}, ${first.signedInAt}, ${first.invitedAt})
    on conflict do nothing returning 1 as inserted`
  return rows.length === 1
}

/** For a first sign-in that was refused after all, in the transaction that inserted it. */
export async function deleteFirstSignIn(tx: Tx, tenantId: number, userId: string): Promise<void> {
  await tx`delete from first_sign_ins where tenant_id = ${tenantId} and user_id = ${userId}`
}

/**
 * Whether someone, or a user who was merged into them, has ever signed in, or has a way to: a session, a passkey, or an
 * identity at the provider.
 */
export async function hasWayIn(db: Reads, tenantId: number, userId: string): Promise<boolean> {
  const rows = await db`
    select 1 from users u
    where u.tenant_id = ${tenantId} and (u.user_id = ${userId} or u.merged_into = ${userId}) and (
      exists (select 1 from first_sign_ins f where f.tenant_id = ${tenantId} and f.user_id = u.user_id)
      or exists (select 1 from sessions s where s.tenant_id = ${tenantId} and s.user_id = u.user_id)
      or exists (select 1 from passkeys p where p.tenant_id = ${tenantId} and p.user_id = u.user_id)
      or exists (select 1 from oidc_identities i where i.tenant_id = ${tenantId} and i.user_id = u.user_id))
    limit 1`
  return rows.length > 0
}
