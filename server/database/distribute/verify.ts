import type { Reserved } from '#kernel/sql.ts'
import { listDistributed } from './citus.ts'
import { tryGuards } from './guards.ts'
import type { Place } from './places.ts'

type Wanted = { table: string; place: Place }

/** Checks every shard of every table. Returns what is wrong, one sentence each. */
export async function verify(
  connection: Reserved,
  wanted: readonly Wanted[],
): Promise<{ distributed: number; shards: number; findings: string[] }> {
  const there = await listDistributed(connection)
  const findings = wanted
    .filter(({ table, place }) => there.get(table) !== place)
    .map(
      ({ table, place }) => `the table ${table} is not ${place === 'reference' ? 'a reference table' : 'distributed'}`,
    )
  const distributed = wanted.map(({ table }) => table).filter((table) => there.get(table) === 'distributed')
  findings.push(...(await findApart(connection)))
  let shards = 0
  for (const table of distributed) {
    const found = await findIncomplete(connection, table)
    shards = found.shards
    findings.push(...found.findings)
  }
  findings.push(...(await tryGuards(connection)))
  return { distributed: distributed.length, shards, findings }
}

/** A tenant's rows are on one node only if all tables are in one colocation group. */
async function findApart(connection: Reserved): Promise<string[]> {
  const groups = await connection<{ group: number; column: string; tables: string[] }[]>`
    select p.colocationid as group, column_to_column_name(p.logicalrelid, p.partkey) as column,
      array_agg(c.relname::text order by c.relname) as tables
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relnamespace = current_schema()::regnamespace
    group by 1, 2 order by count(*) desc`
  return groups
    .filter(({ column }, index) => index > 0 || column !== 'tenant_id')
    .map(({ column, tables }) => `distributed by ${column}, apart from the others: ${tables.join(', ')}`)
}

/** The foreign keys and triggers that the table has on the coordinator have to be on each of its shards. */
async function findIncomplete(connection: Reserved, table: string): Promise<{ shards: number; findings: string[] }> {
  // Those against TRUNCATE too: `guardShards` adds them, and so does Citus when it splits a shard, under another name.
  const counts = `
    (select count(*) from pg_constraint where conrelid = '%1$s'::regclass and contype = 'f') || ' foreign keys, ' ||
    (select count(distinct (tgfoid, tgtype, tgqual)) from pg_trigger where tgrelid = '%1$s'::regclass and not tgisinternal and tgenabled = 'O') || ' triggers'`
  const [own] = await connection.unsafe<{ counts: string }[]>(
    `select ${counts.replaceAll('%1$s', `"${table}"`)} as counts`,
  )
  const shards = await connection<{ shard: string; success: boolean; result: string }[]>`
    select shardid::text as shard, success, result
    from run_command_on_shards(${table}::text::regclass, ${`select ${counts}`}) order by shardid`
  const findings = shards
    .filter(({ success, result }) => !success || result !== own?.counts)
    .map(({ shard, result }) => `shard ${shard} of ${table} has ${result}, and should have ${own?.counts}`)
  return { shards: shards.length, findings }
}
