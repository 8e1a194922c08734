import type { Sql } from '#kernel/sql.ts'
import { DistributionRefused } from './refused.ts'

/**
 * What a transaction that changes tables on a cluster needs. PostgreSQL without Citus takes these settings for custom
 * ones, and ignores them.
 * - Citus refuses to change, over several connections, shards that one connection has changed in the same transaction.
 * - It allows triggers only as "unsafe": it cannot know what they do. Ours refuse, and write nothing.
 * - A new table is distributed after it was created. Until then its foreign keys are ignored.
 */
export async function prepareDdl(tx: Sql): Promise<void> {
  // One at a time: statements that are sent together are passed on to the workers together, which refuse them.
  await tx`set local lock_timeout = 0`
  await tx`set local citus.multi_shard_modify_mode = 'sequential'`
  await tx`set local citus.enable_unsafe_triggers = on`
  await tx`set local citus.enable_local_reference_table_foreign_keys = off`
}

export type ForeignKey = { table: string; name: string; referenced: string; definition: string }

/** The foreign keys from or to these tables. */
export const listForeignKeys = (tx: Sql, tables: readonly string[]): Promise<ForeignKey[]> => tx<ForeignKey[]>`
  select c.relname::text as table, k.conname::text as name, r.relname::text as referenced,
    pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and k.connamespace = current_schema()::regnamespace
    and (c.relname = any(${tables}::text[]) or r.relname = any(${tables}::text[]))
  order by c.relname collate "C", k.conname collate "C"`

export const dropForeignKey = async (tx: Sql, { table, name }: ForeignKey): Promise<void> => {
  await tx`alter table ${tx(table)} drop constraint if exists ${tx(name)}`
}

export const addForeignKey = async (tx: Sql, { table, name, definition }: ForeignKey): Promise<void> => {
  // As text: PostgreSQL wrote the name in the definition.
  await tx.unsafe(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`)
}

export async function makeReference(tx: Sql, table: string): Promise<void> {
  await withoutTriggers(tx, table, async () => {
    await tx`select create_reference_table(${table}::text::regclass)`
    await tx`select truncate_local_data_after_distributing_table(${table}::text::regclass)`
  })
}

/** Distributes by tenant, with the same placement as another table: a tenant's rows of both are on one node. */
export async function makeDistributed(tx: Sql, table: string, beside: string | null, shards: number): Promise<void> {
  await withoutTriggers(tx, table, async () => {
    if (beside === null)
      await tx`
        select create_distributed_table(${table}::text::regclass, 'tenant_id', colocate_with => 'none',
          shard_count => ${shards}::int)`
    else
      await tx`
        select create_distributed_table(${table}::text::regclass, 'tenant_id', colocate_with => ${beside}::text)`
    // Otherwise the rows would stay on the coordinator as well, where nobody sees or deletes them.
    await tx`select truncate_local_data_after_distributing_table(${table}::text::regclass)`
  })
}

/** Citus does not distribute a table that has triggers. They are restored in the same transaction: no guard is ever off. */
async function withoutTriggers(tx: Sql, table: string, work: () => Promise<void>): Promise<void> {
  const triggers = await tx<{ name: string; definition: string; enabled: string }[]>`
    select tgname::text as name, pg_get_triggerdef(oid) as definition, tgenabled::text as enabled
    from pg_trigger where tgrelid = ${table}::text::regclass and not tgisinternal order by tgname collate "C"`
  const disabled = triggers.find(({ enabled }) => enabled !== 'O')
  if (disabled)
    throw new DistributionRefused(
      `The trigger ${disabled.name} of the table ${table} is disabled. Enable it first: alter table ${table} enable trigger ${disabled.name}.`,
    )
  for (const { name } of triggers) await tx`drop trigger ${tx(name)} on ${tx(table)}`
  await work()
  for (const { definition } of triggers) await tx.unsafe(definition)
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
