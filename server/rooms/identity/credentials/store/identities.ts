import type { Reads } from '#kernel/sql.ts'
import { type KeptCredential, kept } from '../store.ts'
import { revokedMax } from './revoked.ts'

/** The row of a credential, deleted or not, proven or not, with its user and its revoked tokens. */
export type Bearing = KeptCredential & {
  user: { name: string; email: string; isEnabled: boolean }
  revokedTokenIds: string[]
}
type Row = KeptCredential & { name: string; email: string; isEnabled: boolean; revokedTokenIds: string[] }

export async function findBearing(db: Reads, tenantId: number, clientId: string, now: Date): Promise<Bearing | null> {
  const [row] = await db<Row[]>`
    select ${kept(db, 'c')}, u.display_name as name, u.email,
      u.status = 'ENABLED' and u.deleted_at is null as "isEnabled",
      array(select r.token_id::text from revoked_tokens r
        where r.tenant_id = ${tenantId} and r.credential_id = c.credential_id and r.expires_at > ${now}
        limit ${revokedMax}) as "revokedTokenIds"
    from credentials c join users u on u.tenant_id = c.tenant_id and u.user_id = c.user_id
    where c.tenant_id = ${tenantId} and c.client_id = ${clientId}`
  if (!row) return null
  const { name, email, isEnabled, ...credential } = row
  return { ...credential, user: { name, email, isEnabled } }
}

/** The clients of a user that may be remembered: those that are not deleted. */
export async function listClientIdsOf(db: Reads, tenantId: number, userId: string): Promise<string[]> {
  const rows = await db<{ clientId: string }[]>`
    select c.client_id as "clientId" from credentials c
    where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.deleted_at is null`
  return rows.map(({ clientId }) => clientId)
}
