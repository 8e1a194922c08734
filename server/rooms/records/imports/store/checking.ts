import type { Tx } from '#kernel/sql.ts'
import { type KindName, kindNames } from '../kinds.ts'
import type { Refused } from '../reading/records.ts'
import { stagedTables } from './staging.ts'

/** What identifies a line: no two lines of a file may have the same. */
const keys: { readonly [K in KindName]: readonly string[] } = {
  user: ['external_id'],
  app: ['external_id'],
  resource_type: ['app', 'external_id'],
  resource: ['app', 'resource_type', 'external_id'],
  entitlement: ['app', 'external_id'],
  account: ['app', 'external_id'],
  grant: ['app', 'entitlement', 'account'],
}
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Refuses lines that repeat an earlier one; returns how many. */
export async function refuseDuplicates(tx: Tx, kind: KindName): Promise<number> {
  const columns = tx(keys[kind] as string[])
  const field = keys[kind].map(camel).join(' and ')
  const { count } = await tx`
    insert into refused_lines
    select s.line, ${kind}, format('%s: the same as on line %s', ${field}::text, twice.first_line)
    from (select ${columns}, min(line) as first_line from ${tx(stagedTables[kind])} group by ${columns} having count(*) > 1)
      as twice
    join ${tx(stagedTables[kind])} s using (${columns})
    where s.line > twice.first_line`
  if (kind !== 'user') return count
  const { count: ofEmails } = await tx`
    insert into refused_lines
    select s.line, 'user', format('email: the same as on line %s', twice.first_line)
    from (select lower(email) as email, min(line) as first_line from staged_users where email <> ''
      group by lower(email) having count(*) > 1) as twice
    join staged_users s on lower(s.email) = twice.email
    where s.line > twice.first_line`
  return count + ofEmails
}

/** A field that names a parent: the resolved column with its id, and the table of those that are to be removed. */
type Reference = { field: string; column: string; id: string; gone: string; noun: string }
const app: Reference = { field: 'app', column: 'app', id: 'app_id', gone: 'gone_apps', noun: 'app' }
const resourceType: Reference = {
  field: 'resourceType',
  column: 'resource_type',
  id: 'resource_type_id',
  gone: 'gone_resource_types',
  noun: 'resource type',
}
const resource: Reference = {
  field: 'resource',
  column: 'resource',
  id: 'resource_id',
  gone: 'gone_resources',
  noun: 'resource',
}
const references: { readonly [K in KindName]: readonly Reference[] } = {
  user: [],
  app: [],
  resource_type: [app],
  resource: [app, resourceType],
  entitlement: [app, resourceType, resource],
  account: [app, { field: 'user', column: 'user', id: 'user_id', gone: 'gone_users', noun: 'user' }],
  grant: [
    app,
    {
      field: 'entitlement',
      column: 'entitlement',
      id: 'entitlement_id',
      gone: 'gone_entitlements',
      noun: 'entitlement',
    },
    { field: 'account', column: 'account', id: 'account_id', gone: 'gone_accounts', noun: 'account' },
  ],
}

/** Refuses lines whose parents do not exist, or would be removed by the same import if it is a full one. */
export async function refuseOrphans(tx: Tx, tenantId: number, kind: KindName, isFull: boolean): Promise<void> {
  const table = stagedTables[kind]
  const resolved = table.replace('staged_', 'resolved_')
  for (const [place, { field, column, id, gone, noun }] of references[kind].entries()) {
    // If the app is unknown, so is everything in it: one reason is enough.
    const known = tx.unsafe(
      references[kind]
        .slice(0, place)
        .map((earlier) => `and (s."${earlier.column}" = '' or r.${earlier.id} is not null)`)
        .join(' '),
    )
    await tx`
      insert into refused_lines
      select s.line, ${kind}, format('%s: there is no %s %s%s', ${field}::text, ${noun}::text, to_json(s.${tx(column)}), ${place > 0 && id !== 'user_id' ? ' in this app' : ''}::text)
      from ${tx(resolved)} r join ${tx(table)} s using (line)
      where r.${tx(id)} is null and s.${tx(column)} <> '' ${known}`
    if (!isFull) continue
    await tx`
      insert into refused_lines
      select s.line, ${kind},
        format('%s: the %s %s is not in the file, and would be removed', ${field}::text, ${noun}::text,
          to_json(s.${tx(column)}))
      from ${tx(gone)} g join ${tx(resolved)} r using (${tx(id)}) join ${tx(table)} s using (line)`
  }
  if (kind === 'user') await refuseWrongPeople(tx, tenantId)
  if (kind === 'resource')
    await tx`
      insert into refused_lines
      select s.line, 'resource', format('parentResource: there is no resource %s', to_json(s.parent_resource))
      from resolved_parents r join staged_resources s using (line)
      where r.resource_id is null or exists (select 1 from gone_resources g where g.resource_id = r.resource_id)`
}

async function refuseWrongPeople(tx: Tx, tenantId: number): Promise<void> {
  await tx`
    insert into refused_lines
    select line, 'user', format('manager: there is no user %s', to_json(manager)) from resolved_managers
    where user_id is null`
  await tx`
    insert into refused_lines
    select m.line, 'user', format('manager: the user %s is not in the file, and would be removed', to_json(m.manager))
    from resolved_managers m join gone_users using (user_id)`
  // Two people may not sign in with the same email address; that of someone who gets another one, or is removed, is
  // available.
  await tx`
    with taken as materialized (
      select s.line, u.external_id, u.user_id
      from staged_users s
      join resolved_users r using (line)
      join users u on u.tenant_id = ${tenantId} and lower(u.email) = lower(s.email) and u.email <> ''
        and u.deleted_at is null
      where s.email <> '' and u.user_id <> r.user_id
    )
    insert into refused_lines
    select t.line, 'user', format('email: is that of the user %s', coalesce(to_json(t.external_id)::text, t.user_id))
    from taken t
    left join resolved_users other on other.user_id = t.user_id
    left join gone_users g on g.user_id = t.user_id
    where other.user_id is null and g.user_id is null`
}

export type RefusedLines = { count: number; byKind: Partial<Record<KindName, number>>; first: readonly Refused[] }

export async function listRefused(tx: Tx, limit: number): Promise<RefusedLines> {
  const counts = await tx<{ kind: KindName | null; count: number }[]>`
    select kind, count(distinct line) as count from refused_lines group by kind limit ${kindNames.length + 1}`
  const first = await tx<Refused[]>`
    select line, min(kind) as kind, string_agg(distinct reason, '; ') as reason from refused_lines
    group by line order by line limit ${limit}`
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    byKind: Object.fromEntries(counts.flatMap(({ kind, count }) => (kind ? [[kind, count]] : []))),
    first,
  }
}

/** Locks the apps that the lines refer to until the import ends: they may be changed meanwhile, but not deleted. */
export async function keepApps(tx: Tx, tenantId: number): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select app_id as id from resolved_resource_types union select app_id from resolved_resources
    union select app_id from resolved_entitlements union select app_id from resolved_accounts
    union select app_id from resolved_grants`
  await tx`
    with held as (
      select 1 from apps
      where tenant_id = ${tenantId} and app_id = any(${rows.map(({ id }) => id)}::text[])
      order by app_id for key share)
    select count(*) from held`
}

/** Whether anything that the lines refer to was deleted since it was found. */
export async function isAnyParentLost(tx: Tx, tenantId: number): Promise<boolean> {
  const [row] = await tx`
    select 1 from (
      select app_id from resolved_resource_types union select app_id from resolved_resources
      union select app_id from resolved_entitlements union select app_id from resolved_accounts
    ) r join apps a on a.tenant_id = ${tenantId} and a.app_id = r.app_id and a.deleted_at is not null
    union all
    select 1 from (
      select app_id, resource_type_id from resolved_resources union
      select app_id, resource_type_id from resolved_entitlements
    ) r join resource_types t on t.tenant_id = ${tenantId} and t.app_id = r.app_id
      and t.resource_type_id = r.resource_type_id and t.deleted_at is not null
    union all
    select 1 from (select distinct app_id, resource_type_id, resource_id from resolved_entitlements) r
    join resources e on e.tenant_id = ${tenantId} and e.app_id = r.app_id and e.resource_type_id = r.resource_type_id
      and e.resource_id = r.resource_id and e.deleted_at is not null
    union all
    select 1 from (select distinct app_id, entitlement_id from resolved_grants) r
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = r.app_id and e.entitlement_id = r.entitlement_id
      and e.deleted_at is not null
    union all
    select 1 from (select distinct app_id, account_id from resolved_grants) r
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = r.app_id and a.account_id = r.account_id
      and a.deleted_at is not null
    limit 1`
  return row !== undefined
}
