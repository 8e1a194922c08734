import type { Sql } from '#kernel/sql.ts'
import { DistributionRefused } from './refused.ts'

const oldestCitus = 13

export async function hasCitus(db: Sql): Promise<boolean> {
  const [row] = await db<{ isThere: boolean }[]>`
    select exists (select 1 from pg_extension where extname = 'citus') as "isThere"`
  return row?.isThere === true
}

/** Refuses any database except that of a coordinator whose cluster can hold shards. */
export async function refuseUnlessCoordinator(db: Sql): Promise<void> {
  const [extension] = await db<{ version: string }[]>`
    select extversion as version from pg_extension where extname = 'citus'`
  if (!extension)
    throw new DistributionRefused(
      'This database does not have the Citus extension, so it cannot be distributed. A plain PostgreSQL needs no distribution. ' +
        'On a Citus cluster, run "create extension citus" in this database on every node first; see docs/scale.md.',
    )
  if (Number.parseInt(extension.version, 10) < oldestCitus)
    throw new DistributionRefused(`Citus ${oldestCitus} or newer is required; this is Citus ${extension.version}.`)
  const [node] = await db<{ isCoordinator: boolean; withShards: number }[]>`
    select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      (select count(*)::int from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards) as "withShards"`
  if (!node?.isCoordinator)
    throw new DistributionRefused('This is a worker of a Citus cluster: --database-url must name the coordinator.')
  if (node.withShards === 0)
    throw new DistributionRefused(
      'The Citus cluster has no node that can hold shards. Add the workers with citus_add_node(); see docs/scale.md.',
    )
}

/** How Citus manages the tables, by name. Tables that it does not know are not included. */
export async function listDistributed(db: Sql): Promise<Map<string, 'distributed' | 'reference' | 'local'>> {
  const rows = await db<{ table: string; kind: 'distributed' | 'reference' | 'local' }[]>`
    select c.relname::text as table,
      case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference' else 'local' end as kind
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`
  return new Map(rows.map(({ table, kind }) => [table, kind]))
}

/** Whether the tables of tenants are distributed, or are being so. */
export async function isDistributed(db: Sql): Promise<boolean> {
  return (await hasCitus(db)) && (await listDistributed(db)).get('tenants') === 'reference'
}
