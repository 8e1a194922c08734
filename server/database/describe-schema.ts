import type { Fragment, Reads } from '#kernel/sql.ts'

/**
 * The schema as plain SQL, from the catalogs of PostgreSQL. The same schema gives the same text, regardless of the
 * migrations that created it, and the text creates the same schema again, regardless of its name (`schema.sql`).
 * Objects of an extension are left to the extension.
 */
export async function describeSchema(db: Reads): Promise<string> {
  const sections = [
    await listExtensions(db),
    await listTypes(db),
    await listDomains(db),
    await listSequences(db),
    await listTables(db),
    await listForeignKeys(db),
    await listViews(db),
    await listRoutines(db),
    await listTriggers(db),
    await listPolicies(db),
    await listComments(db),
  ]
  return `-- Generated: do not edit. CONTRIBUTING.md, "Migrations", says how to change the schema.\n\n${sections.flat().join('\n\n')}\n`
}

type Line = { line: string }
/** A definition without the schema, which PostgreSQL puts before the name of the table or function. */
const bare = (db: Reads, definition: Fragment): Fragment => db`
  regexp_replace(${definition}, ' ' || quote_ident(current_schema()) || '[.]', ' ')`
const lines = (rows: readonly Line[]): string[] => rows.map(({ line }) => line)

const listExtensions = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('create extension %I;', extname) as line
    from pg_extension where extname <> 'plpgsql' order by extname collate "C"`,
  )

const listTypes = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format(E'create type %I as enum (\n  %s\n);', t.typname,
      (select string_agg(quote_literal(e.enumlabel), E',\n  ' order by e.enumsortorder)
       from pg_enum e where e.enumtypid = t.oid)) as line
    from pg_type t
    where t.typnamespace = current_schema()::regnamespace and t.typtype = 'e'
      and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    union all
    select format(E'create type %I as (\n  %s\n);', t.typname,
      (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\n  ' order by a.attnum)
       from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped))
    from pg_type t join pg_class c on c.oid = t.typrelid
    where t.typnamespace = current_schema()::regnamespace and t.typtype = 'c' and c.relkind = 'c'
      and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    order by 1`,
  )

const listDomains = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('create domain %I as %s', t.typname, format_type(t.typbasetype, t.typtypmod))
      || case when t.typcollation <> b.typcollation
           then ' collate ' || (select quote_ident(collname) from pg_collation where oid = t.typcollation) else '' end
      || coalesce(' default ' || t.typdefault, '')
      || case when t.typnotnull then ' not null' else '' end
      || coalesce((select string_agg(format(E'\n  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), ''
           order by k.conname collate "C") from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '')
      || ';' as line
    from pg_type t join pg_type b on b.oid = t.typbasetype
    where t.typnamespace = current_schema()::regnamespace and t.typtype = 'd'
      and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    order by t.typname collate "C"`,
  )

/**
 * Sequences that belong to no column: that of an identity column ('i') is excluded, that of a serial is named in its
 * default.
 */
const listSequences = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('create sequence %I as %s increment by %s minvalue %s maxvalue %s start with %s cache %s%s;',
      c.relname, format_type(s.seqtypid, null), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
      case when s.seqcycle then ' cycle' else '' end) as line
    from pg_sequence s join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'e'))
    order by c.relname collate "C"`,
  )

type Table = { oid: number; name: string; options: string; ending: string }

async function listTables(db: Reads): Promise<string[]> {
  const tables = await db<Table[]>`
    select c.oid::int8 as oid, quote_ident(c.relname) as name,
      case when c.relpersistence = 'u' then 'unlogged ' else '' end as options,
      coalesce((select format(E'\npartition of %s %s', i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid))
        from pg_inherits i where i.inhrelid = c.oid and c.relispartition), '')
      || coalesce(E'\npartition by ' || pg_get_partkeydef(c.oid), '')
      || coalesce(E'\nwith (' || array_to_string(c.reloptions, ', ') || ')', '') as ending
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`
  const described: string[] = []
  for (const table of tables) {
    const inside = [...(await listColumns(db, table)), ...(await listConstraints(db, table))]
    const create = `create ${table.options}table ${table.name} (\n  ${inside.join(',\n  ')}\n)${table.ending};`
    described.push([create, ...(await listIndexes(db, table)), ...(await listSecurity(db, table))].join('\n'))
  }
  return described
}

const listColumns = async (db: Reads, { oid }: Table): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
      || case when a.attcollation <> t.typcollation
           then ' collate ' || (select quote_ident(collname) from pg_collation where oid = a.attcollation) else '' end
      || case a.attgenerated
           when 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
           when 'v' then format(' generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid))
           else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end
      || case a.attidentity when 'a' then ' generated always as identity'
           when 'd' then ' generated by default as identity' else '' end
      || case when a.attnotnull then ' not null' else '' end as line
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${oid}::int8::oid and a.attnum > 0 and not a.attisdropped
    order by a.attnum`,
  )

/** All but foreign keys. 'n' is how PostgreSQL 18 stores "not null", which the columns already have. */
const listConstraints = async (db: Reads, { oid }: Table): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
    from pg_constraint
    where conrelid = ${oid}::int8::oid and contype not in ('f', 'n', 't')
    order by array_position(array['p', 'u', 'c', 'x'], contype::text), conname collate "C"`,
  )

const listForeignKeys = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format(E'alter table %s add constraint %I\n  %s;', k.conrelid::regclass, k.conname,
      pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = current_schema()::regnamespace and k.contype = 'f' and k.conparentid = 0
    order by c.relname collate "C", k.conname collate "C"`,
  )

const listIndexes = async (db: Reads, { oid }: Table): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select ${bare(db, db`pg_get_indexdef(i.indexrelid)`)} || case when i.indisvalid then '' else ' -- invalid' end || ';' as line
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${oid}::int8::oid
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by c.relname collate "C"`,
  )

const listSecurity = async (db: Reads, { oid }: Table): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('alter table %s enable row level security;', oid::regclass) as line
    from pg_class where oid = ${oid}::int8::oid and relrowsecurity
    union all
    select format('alter table %s force row level security;', oid::regclass)
    from pg_class where oid = ${oid}::int8::oid and relforcerowsecurity`,
  )

const listViews = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format(E'create %sview %I%s as\n%s', case when c.relkind = 'm' then 'materialized ' else '' end, c.relname,
        coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''), pg_get_viewdef(c.oid))
      || coalesce((select string_agg(E'\n' || ${bare(db, db`pg_get_indexdef(i.indexrelid)`)} || ';', ''
           order by i.indexrelid::regclass::text collate "C") from pg_index i where i.indrelid = c.oid), '') as line
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('v', 'm')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`,
  )

/** Functions that others call come before them: PostgreSQL checks their bodies. Aggregates have no `pg_get_functiondef`. */
async function listRoutines(db: Reads): Promise<string[]> {
  const routines = await db<{ name: string; body: string; line: string }[]>`
    select p.proname::text as name, p.prosrc as body, rtrim(${bare(db, db`pg_get_functiondef(p.oid)`)}, E'\n') || ';' as line
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prokind <> 'a'
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`
  const ordered = new Set<string>()
  const add = ({ name, body, line }: (typeof routines)[number], callers: readonly string[]): void => {
    if (ordered.has(line) || callers.includes(name)) return
    for (const called of routines) if (body.includes(`${called.name}(`)) add(called, [...callers, name])
    ordered.add(line)
  }
  for (const routine of routines) add(routine, [])
  return [...ordered]
}

const listTriggers = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select ${bare(db, db`pg_get_triggerdef(t.oid)`)} || ';'
      || case t.tgenabled when 'O' then '' else ' -- enabled: ' || t.tgenabled::text end as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgparentid = 0
    order by c.relname collate "C", t.tgname collate "C"`,
  )

const listPolicies = async (db: Reads): Promise<string[]> =>
  lines(
    await db<Line[]>`
    select format('create policy %I on %I as %s for %s to %s', policyname, tablename, lower(permissive), lower(cmd),
        array_to_string(roles, ', '))
      || coalesce(E'\n  using (' || qual || ')', '') || coalesce(E'\n  with check (' || with_check || ')', '')
      || ';' as line
    from pg_policies where schemaname = current_schema()
    order by tablename collate "C", policyname collate "C"`,
  )

const listComments = async (db: Reads): Promise<string[]> => {
  const rows = lines(
    await db<Line[]>`
    select format('comment on %s is %L;', ${bare(db, db`o.type || ' ' || o.identity`)}, d.description) as line
    from pg_description d
    cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) o
    where o.schema = current_schema() or o.identity like '% on ' || quote_ident(current_schema()) || '.%'
      or o.identity like quote_ident(current_schema()) || '.%'
    order by o.type collate "C", o.identity collate "C"`,
  )
  // `pg_identify_object` uses a different word for a few kinds.
  return rows.map((line) => line.replace(/^comment on (table|view|domain) (column|constraint) /, 'comment on $2 '))
}
