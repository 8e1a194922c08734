import type { Reads } from '#kernel/sql.ts'

/** The grants that an app has, counted up to a number; its name. */
export async function countGrantsOf(
  db: Reads,
  tenantId: number,
  appId: string,
  max: number,
): Promise<{ name: string; held: number }> {
  const [row] = await db<{ name: string; held: number }[]>`
    select p.display_name as name, (
      select count(*)::int from (
        select 1 from grants g where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.ended_at is null
        limit ${max}) x) as held
    from apps p where p.tenant_id = ${tenantId} and p.app_id = ${appId}`
  return row ?? { name: '', held: 0 }
}

export async function listAppNames(db: Reads, tenantId: number, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select p.app_id as id, p.display_name as name from apps p
    where p.tenant_id = ${tenantId} and p.app_id = any(${ids}::text[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Users who are enabled, counted up to a number. */
export async function countEnabled(db: Reads, tenantId: number, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from users u where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null
      limit ${max}) x`
  return row?.count ?? 0
}
