import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { KeptMailServer } from './mail-server.ts'

export async function findMailServer(db: Reads, tenantId: number): Promise<KeptMailServer | null> {
  const [row] = await db<KeptMailServer[]>`
    select s.sealed, s.updated_by as "updatedBy", s.updated_at as "updatedAt"
    from mail_servers s where s.tenant_id = ${tenantId}`
  return row ?? null
}

export async function putMailServer(tx: Tx, tenantId: number, kept: KeptMailServer): Promise<void> {
  const { sealed, updatedBy, updatedAt } = kept
  await tx`
    insert into mail_servers (tenant_id, sealed, updated_by, updated_at)
    values (${tenantId}, ${sealed}, ${updatedBy}, ${updatedAt})
    on conflict (tenant_id) do update set sealed = excluded.sealed, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at`
}

export async function deleteMailServer(tx: Tx, tenantId: number): Promise<boolean> {
  const { count } = await tx`delete from mail_servers where tenant_id = ${tenantId}`
  return count === 1
}

/** Tenants that chose a mail server. */
export const listTenantsWithMailServer = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select s.tenant_id from mail_servers s where s.tenant_id > ${after}`)
