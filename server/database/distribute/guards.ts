import type { Sql } from '#kernel/sql.ts'

type Guard = { table: string; name: string; definition: string }

/** Triggers against TRUNCATE. Citus keeps those on the coordinator, and does not copy them to the shards. */
const listGuards = (db: Sql): Promise<Guard[]> => db<Guard[]>`
  select c.relname::text as table, t.tgname::text as name, pg_get_triggerdef(t.oid) as definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  join pg_dist_partition p on p.logicalrelid = c.oid and p.partmethod = 'h'
  where not t.tgisinternal and (t.tgtype & 32) <> 0 and c.relnamespace = current_schema()::regnamespace
  order by 1, 2`

/**
 * Adds them to every shard too, for those who connect to a worker. A shard that is moved or split loses them: do it
 * again.
 */
export async function guardShards(db: Sql): Promise<void> {
  for (const { table, definition } of await listGuards(db)) {
    const onShard = definition
      .replace(/^CREATE TRIGGER/, 'create trigger')
      .replace(/ ON (\S+) FOR EACH STATEMENT /, ' on %1$s for each statement ')
    const once = `
      do $once$
      begin
        if not exists (select 1 from pg_trigger
          where tgrelid = '%1$s'::regclass and not tgisinternal and (tgtype & 32) <> 0) then
          ${onShard};
        end if;
      end
      $once$`
    const failures = await db<{ result: string }[]>`
      select result from run_command_on_shards(${table}::text::regclass, ${once}) where not success`
    if (failures[0]) throw new Error(`cannot guard the shards of ${table}: ${failures[0].result}`)
  }
}

/**
 * Tries to change, delete and truncate on every shard, and returns where that was not refused. All of it is rolled
 * back: each attempt ends in an error.
 */
export async function tryGuards(db: Sql): Promise<string[]> {
  const findings: string[] = []
  for (const table of new Set((await listGuards(db)).map((guard) => guard.table))) {
    const answers = await db<{ shard: string; success: boolean; result: string }[]>`
      select shardid::text as shard, success, result
      from run_command_on_shards(${table}::text::regclass, ${attempt}) order by shardid`
    for (const { shard, result } of answers) {
      const open = /tried; not refused: ?([a-z, ]*)/.exec(result)?.[1]
      if (open === undefined) findings.push(`shard ${shard} of ${table} cannot be tried: ${result}`)
      else if (open !== '') findings.push(`shard ${shard} of ${table} does not refuse ${open}`)
    }
  }
  return findings
}

// In a shard without rows, the triggers for rows cannot refuse anything: that they exist is checked elsewhere.
const attempt = `
  do $attempt$
  declare
    n bigint;
    open text[] := '{}';
  begin
    set local citus.enable_manual_changes_to_shards = on;
    begin
      delete from %1$s where ctid = any(array(select ctid from %1$s limit 1));
      get diagnostics n = row_count;
      if n > 0 then open := open || 'delete'; end if;
    exception when raise_exception then null;
    end;
    begin
      update %1$s set tenant_id = tenant_id where ctid = any(array(select ctid from %1$s limit 1));
      get diagnostics n = row_count;
      if n > 0 then open := open || 'update'; end if;
    exception when raise_exception then null;
    end;
    begin
      truncate %1$s;
      open := open || 'truncate';
    exception when raise_exception then null;
    end;
    raise exception 'tried; not refused: %%', array_to_string(open, ', ');
  end
  $attempt$`
