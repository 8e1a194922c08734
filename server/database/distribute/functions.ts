import type { Sql } from '#kernel/sql.ts'

/**
 * Functions that statements call on shards have to be on every node. Citus creates those there that are created after
 * its extension, and those that triggers call; a database that was not distributed before has others.
 */
export async function distributeFunctions(db: Sql): Promise<void> {
  const missing = await db<{ name: string }[]>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and not exists (select 1 from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
    order by 1`
  for (const { name } of missing) await db`select create_distributed_function(${name}::text::regprocedure)`
}
