import type { Sql } from '#kernel/sql.ts'

/**
 * Where the rows of a table are on a Citus cluster. `distributed`: with their tenant, on one of the nodes. `reference`: on
 * every node, so that foreign keys and joins find them. `local`: on the coordinator only.
 */
export type Place = 'distributed' | 'reference' | 'local'

const reference: readonly string[] = ['tenants']

/** Tables whose rows belong to no tenant, or are read across tenants. No statement joins them with a tenant's rows. */
const local: readonly string[] = ['schema_migrations', 'installation', 'leases', 'budgets']

export type Placed = { table: string; place: Place | null }

/**
 * Every table and its place. A table whose primary key begins with `tenant_id` is distributed; any other one has to be
 * named above, or has no place.
 */
export async function listPlaces(db: Sql): Promise<Placed[]> {
  const tables = await db<{ table: string; isKeyedByTenant: boolean }[]>`
    select c.relname::text as table, exists (
      select 1 from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisprimary and a.attname = 'tenant_id') as "isKeyedByTenant"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`
  return tables.map(({ table, isKeyedByTenant }) => ({ table, place: placeOf(table, isKeyedByTenant) }))
}

function placeOf(table: string, isKeyedByTenant: boolean): Place | null {
  if (reference.includes(table)) return 'reference'
  if (local.includes(table)) return 'local'
  return isKeyedByTenant ? 'distributed' : null
}
