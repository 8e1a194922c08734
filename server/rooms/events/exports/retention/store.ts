import type { Reads } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'

/** The last link of which all events, and all earlier ones, occurred before a time; 0 if there is none. */
export async function lastLinkBefore(db: Reads, tenantId: number, at: Date): Promise<number> {
  const [row] = await db<{ number: number }[]>`
    select seal_number as number from systemlog_seals
    where tenant_id = ${tenantId} and latest_at < ${at} order by latest_at desc, seal_number desc limit 1`
  return row?.number ?? 0
}

/** How many events are in the links after one, up to and including another. */
export async function countBetween(db: Reads, tenantId: number, after: number, upTo: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(event_count), 0)::bigint as count from systemlog_seals
    where tenant_id = ${tenantId} and seal_number > ${after} and seal_number <= ${upTo}`
  return row?.count ?? 0
}

export type Progress = {
  id: string
  displayName: string
  state: string
  error: string
  /** The last link of which all events are exported. */
  sealNumber: number
}

/** How far each export has got. */
export async function listProgress(db: Reads, tenantId: number): Promise<Progress[]> {
  return db<Progress[]>`
    select x.export_id as id, x.display_name as "displayName", x.state, x.error,
      case when s.event_count is null or x.seal_position >= s.event_count then x.seal_number else x.seal_number - 1 end
        as "sealNumber"
    from systemlog_exports x
    left join systemlog_seals s on s.tenant_id = x.tenant_id and s.seal_number = x.seal_number
    where x.tenant_id = ${tenantId} and x.deleted_at is null
    order by x.export_id`
}

/** Tenants that export: no other tenant's events are removed from the database. */
export const listTenantsWithFiles = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from systemlog_exports where tenant_id > ${after}`)
