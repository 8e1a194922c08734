import type { Fragment, Tx } from '#kernel/sql.ts'
import { insertRecords, type Table, updateRecords } from '#rooms/foundation/writes/index.ts'
import { addBasicRole } from '#rooms/identity/roles/index.ts'
import type { KindName } from '../kinds.ts'
import { idsWith, isUnreported, newIds, type Origin } from './origin.ts'

export type Merging = { tx: Tx; tenantId: number; importId: string; at: Date; origin: Origin }
export type Merged = { added: number; changed: number }

/** How the lines of a kind become rows: `s` is the line, `r` what it was resolved to, `x` the existing row. */
type Merge = {
  table: Table
  staged: string
  resolved: string
  /** The tables that the line needs besides these two. */
  joins?: (tx: Tx, from: number, to: number, tenantId: number) => Fragment
  /** The row's key within the tenant. */
  key: Record<string, string>
  columns: Record<string, string>
  /** If an existing row is changed differently from how a new one is written. */
  changes?: Record<string, string>
  /** What only a new row gets. */
  onlyAdded?: Record<string, string>
}

// An administrator's decision on whether someone may sign in stands, until the directory says that they may not.
const status = `case when x.merged_into <> '' then x.status when x.deleted_at is not null or x.status = x.directory_status
  or (s.status = 'DISABLED' and x.directory_status = 'ENABLED') then s.status else x.status end`

// Someone whom an import enables or disables no longer counts as disabled by a directory, which could enable them again.
const disabledBy = `case when (${status}) is distinct from x.status then '' else x.disabled_by end`

const merges: { readonly [K in Exclude<KindName, 'grant'>]: Merge } = {
  user: {
    table: 'users',
    staged: 'staged_users',
    resolved: 'resolved_users',
    joins: (tx, from, to) => tx`
      left join (select line, array_agg(user_id order by place) as manager_ids from resolved_managers
        where line > ${from} and line <= ${to} group by line) m using (line)`,
    key: { user_id: 'r.user_id' },
    columns: {
      external_id: 's.external_id',
      type: 's.type',
      origin: `'USER_ORIGIN_DIRECTORY'`,
      status: 's.status',
      disabled_by: `''`,
      directory_status: 's.status',
      display_name: 's.display_name',
      email: 's.email',
      emails: 's.emails',
      username: 's.username',
      usernames: 's.usernames',
      employee_ids: 's.employee_ids',
      department: 's.department',
      job_title: 's.job_title',
      employment_type: 's.employment_type',
      employment_status: 's.employment_status',
      manager_ids: `coalesce(m.manager_ids, '{}')`,
      profile: 's.profile',
    },
    changes: { status, disabled_by: disabledBy },
  },
  app: {
    table: 'apps',
    staged: 'staged_apps',
    resolved: 'resolved_apps',
    key: { app_id: 'r.app_id' },
    columns: { external_id: 's.external_id', display_name: 's.display_name', description: 's.description' },
    // Whether people are asked is theirs to change.
    onlyAdded: { without_connector: `'manual'` },
  },
  resource_type: {
    table: 'resource_types',
    staged: 'staged_resource_types',
    resolved: 'resolved_resource_types',
    key: { app_id: 'r.app_id', resource_type_id: 'r.resource_type_id' },
    columns: { external_id: 's.external_id', display_name: 's.display_name' },
  },
  resource: {
    table: 'resources',
    staged: 'staged_resources',
    resolved: 'resolved_resources',
    key: { app_id: 'r.app_id', resource_type_id: 'r.resource_type_id', resource_id: 'r.resource_id' },
    columns: {
      external_id: 's.external_id',
      display_name: 's.display_name',
      description: 's.description',
      profile: 's.profile',
    },
  },
  entitlement: {
    table: 'entitlements',
    staged: 'staged_entitlements',
    resolved: 'resolved_entitlements',
    key: { app_id: 'r.app_id', entitlement_id: 'r.entitlement_id' },
    columns: {
      external_id: 's.external_id',
      resource_type_id: 'r.resource_type_id',
      resource_id: 'r.resource_id',
      display_name: 's.display_name',
      description: 's.description',
      slug: 's.slug',
      alias: 's.alias',
      purpose: 's.purpose',
    },
  },
  account: {
    table: 'accounts',
    staged: 'staged_accounts',
    resolved: 'resolved_accounts',
    // Only the keys of a directory decide which user an account of it belongs to.
    joins: (tx, _from, _to, tenantId) => tx`
      left join matches m using (account_id)
      left join users ru on ru.tenant_id = ${tenantId} and ru.user_id = r.user_id and ru.merged_into <> ''
      left join directory_users du on du.tenant_id = ${tenantId} and du.app_id = r.app_id
        and du.account_id = r.account_id and du.deleted_at is null
      left join directories d on d.tenant_id = ${tenantId} and d.app_id = r.app_id and d.kind = 'app'
        and d.deleted_at is null`,
    key: { app_id: 'r.app_id', account_id: 'r.account_id' },
    columns: {
      external_id: 's.external_id',
      user_id: `case when d.app_id is null then coalesce(nullif(ru.merged_into, ''), r.user_id, m.user_id) else du.user_id end`,
      type: 's.type',
      status: 's.status',
      display_name: 's.display_name',
      email: 's.email',
      emails: 's.emails',
      username: 's.username',
      usernames: 's.usernames',
      employee_ids: 's.employee_ids',
      profile: 's.profile',
      is_manually_managed: 'false',
    },
  },
}

// One statement for so many lines: this limits the memory that the database needs, and allows progress to be reported.
const linesPerStatement = 50_000

/** The lines of a kind, in ranges `(from, to]` of line numbers. */
async function rangesOf(tx: Tx, resolved: string): Promise<[from: number, to: number][]> {
  const [row] = await tx<{ from: number; to: number }[]>`
    select min(line) - 1 as from, max(line) as to from ${tx(resolved)}`
  const ranges: [number, number][] = []
  if (row)
    for (let from = row.from; from < row.to; from += linesPerStatement)
      ranges.push([from, Math.min(from + linesPerStatement, row.to)])
  if (ranges.length > 1) await tx`create index on ${tx(resolved)} (line)`
  if (ranges.length > 1) await tx`create index on ${tx(resolved.replace('resolved_', 'staged_'))} (line)`
  return ranges
}

/** Writes the lines of a kind that are new, and changes the rows that differ from their lines; others stay unchanged. */
export async function merge(
  { tx, tenantId, at, origin }: Merging,
  kind: keyof typeof merges,
  onMerged: (upToLine: number) => void,
): Promise<Merged> {
  const { table, staged, resolved, joins = () => tx``, key, columns, changes = {}, onlyAdded = {} } = merges[kind]
  const named = Object.keys(columns)
  const next = named.map((column) => changes[column] ?? columns[column])
  const merged: Merged = { added: 0, changed: 0 }
  const isReported = kind !== 'user' && kind !== 'app'
  const connectorIds = newIds(tx, origin)
  if (kind === 'user') await freeEmails(tx, tenantId)
  for (const [from, to] of await rangesOf(tx, resolved)) {
    const lines = tx`${tx(staged)} s join ${tx(resolved)} r using (line) ${joins(tx, from, to, tenantId)}`
    const isInRange = tx`r.line > ${from} and r.line <= ${to}`
    const isSame = tx.unsafe(
      Object.entries(key)
        .map(([column, of]) => `x.${column} = ${of}`)
        .join(' and '),
    )
    const changed = await updateRecords(tx, tenantId, table, {
      set: {
        ...Object.fromEntries(named.map((column, place) => [column, tx.unsafe(next[place] as string)])),
        ...(isReported && {
          connector_ids: tx`case when x.deleted_at is null then x.connector_ids else ${connectorIds} end`,
        }),
        deleted_at: null,
        updated_at: at,
      },
      from: lines,
      where: tx`${isSame} and not r.is_new and ${isInRange} and (x.deleted_at is not null
        or (${tx.unsafe(named.map((column) => `x.${column}`).join(', '))})
          is distinct from (${tx.unsafe(next.join(', '))}))`,
    })
    merged.changed += changed.count
    const added = await insertRecords(
      tx,
      tenantId,
      table,
      tx`(tenant_id, ${tx.unsafe(Object.keys({ ...key, ...columns, ...onlyAdded }).join(', '))}, created_at, updated_at
        ${isReported ? tx`, connector_ids` : tx``})
      select ${tenantId}::int, ${tx.unsafe(Object.values({ ...key, ...columns, ...onlyAdded }).join(', '))},
        ${at}::timestamptz, ${at}::timestamptz ${isReported ? tx`, ${connectorIds}` : tx``}
      from ${lines} where r.is_new and ${isInRange} order by r.line`,
    )
    merged.added += added.count
    onMerged(to)
  }
  return merged
}

/** Notes that the connector reports the rows of its lines, which came in a file or from another connector. */
export async function report({ tx, tenantId, origin }: Merging, kind: KindName): Promise<void> {
  if (origin.connectorId === '' || kind === 'user' || kind === 'app') return
  const { table, resolved, key } =
    kind === 'grant'
      ? { table: 'grants' as const, resolved: 'resolved_grants', key: { ...grantKey, grant_id: 'r.open_grant_id' } }
      : merges[kind]
  const isSame = Object.entries(key).map(([column, of]) => `x.${column} = ${of}`)
  await updateRecords(tx, tenantId, table, {
    set: { connector_ids: idsWith(tx, origin, 'x.connector_ids') },
    from: tx`${tx(resolved)} r`,
    where: tx`${tx.unsafe(isSame.join(' and '))} and ${isUnreported(tx, origin, 'x')}
      ${kind === 'grant' ? tx`and x.ended_at is null` : tx``}`,
  })
}

const grantKey = { app_id: 'r.app_id', entitlement_id: 'r.entitlement_id', account_id: 'r.account_id' }

/** Two people may exchange their email addresses; for a moment, neither has one. */
async function freeEmails(tx: Tx, tenantId: number): Promise<void> {
  await updateRecords(tx, tenantId, 'users', {
    set: { email: '' },
    from: tx`staged_users s join resolved_users r using (line)`,
    where: tx`x.user_id = r.user_id and not r.is_new and x.deleted_at is null
      and x.email <> '' and lower(x.email) <> lower(s.email)`,
  })
}

/** Sets the parents of resources, once all are there. Returns how many resources were changed by this alone. */
export async function mergeParents({ tx, tenantId, at }: Merging): Promise<number> {
  const lines = tx`resolved_resources r left join resolved_parents p using (line)`
  const isDiffering = tx`
    x.app_id = r.app_id and x.resource_type_id = r.resource_type_id and x.resource_id = r.resource_id
      and (x.parent_resource_type_id, x.parent_resource_id) is distinct from (p.resource_type_id, p.resource_id)`
  const [row] = await tx<{ count: number }[]>`
    select count(*) from resources x, ${lines}
    where x.tenant_id = ${tenantId} and ${isDiffering} and not r.is_new and x.updated_at <> ${at}`
  await updateRecords(tx, tenantId, 'resources', {
    set: {
      parent_resource_type_id: tx`p.resource_type_id`,
      parent_resource_id: tx`p.resource_id`,
      updated_at: at,
    },
    from: lines,
    where: isDiffering,
  })
  return row?.count ?? 0
}

/** Every imported person becomes a basic user; machines do not, unless they turn out to be people. */
export async function makeBasicUsers({ tx, tenantId, at }: Merging): Promise<void> {
  await addBasicRole(
    tx,
    tenantId,
    tx`select r.user_id from staged_users s join resolved_users r using (line)
      where r.is_new and s.type = 'USER_TYPE_HUMAN' order by r.line`,
    at,
  )
  await addBasicRole(
    tx,
    tenantId,
    tx`select r.user_id from resolved_users r
      join users x on x.tenant_id = ${tenantId} and x.user_id = r.user_id
      where not r.is_new and x.updated_at = ${at} and x.type = 'USER_TYPE_HUMAN'`,
    at,
  )
}

/**
 * Adds the grants that are in the file and not in the database, and restates those whose terms differ: the row ends, and one
 * with the new terms begins. Manual grants, and those from rules and requests, are separate, and stay.
 */
export async function mergeGrants(
  { tx, tenantId, at, importId, origin }: Merging,
  idPrefix: string,
  onMerged: (upToLine: number) => void,
): Promise<Merged> {
  const merged: Merged = { added: 0, changed: 0 }
  for (const [from, to] of await rangesOf(tx, 'resolved_grants')) {
    // An expired grant is not granted again; it was, or will be, ended by the engine.
    const isHeld = tx`r.line > ${from} and r.line <= ${to} and (r.expires_at is null or r.expires_at > ${at})`
    const { count: restated } = await updateRecords(tx, tenantId, 'grants', {
      set: { ended_at: tx`greatest(${at}::timestamptz, x.began_at)`, ended_by: importId, ended_why: 'restated' },
      from: tx`resolved_grants r`,
      where: tx`x.app_id = r.app_id and x.entitlement_id = r.entitlement_id and x.account_id = r.account_id
        and x.grant_id = r.open_grant_id and ${isHeld} and r.is_restated`,
    })
    const opened = await insertRecords(
      tx,
      tenantId,
      'grants',
      tx`(tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, expires_at, began_at,
        connector_ids)
      select ${tenantId}::int, r.app_id, r.entitlement_id, r.account_id,
        ${idPrefix} || lpad(to_hex(r.line), 8, '0') || lpad(to_hex((random() * 4294967295)::bigint), 8, '0'),
        'import', ${importId}, coalesce(r.granted_at, r.open_granted_at, ${at}), r.expires_at, ${at}::timestamptz,
        case when r.open_grant_id is null then ${newIds(tx, origin)} else ${idsWith(tx, origin, 'r.open_connector_ids')} end
      from resolved_grants r
      where ${isHeld} and (r.open_grant_id is null or r.is_restated)
      order by r.app_id, r.entitlement_id, r.account_id`,
    )
    merged.changed += restated
    merged.added += opened.count - restated
    onMerged(to)
  }
  return merged
}
