import { profilesAppId } from '#authority/profiles-app.ts'
import type { Fragment, Tx } from '#kernel/sql.ts'
import type { Table } from '../tables.ts'

/** More ids than this are not listed: when so many change, the rules are run over everyone anyway. */
const idsMax = 2000

// Whether a rule reads what changed is not checked here: one that is saved while this transaction is open would not be
// seen. The reader of the changes checks it (rules/automation/changes), after the commit.

// A scalar subquery, which is computed once. As a table beside the rows it was computed again for each of them.
const isMany = (tx: Tx): Fragment => tx`(select count(*) > ${idsMax} from written)`

type Recorded = {
  kind: 'user' | 'manager' | 'account_new' | 'account'
  /** A column of a row `w` that was written. */
  id: Fragment
  /** The app by which the rows are grouped. */
  app?: Fragment
  fields?: readonly string[] | null
  /** Further FROM items, beside the written rows `w`. */
  from?: Fragment
  where?: Fragment
}

/** One row for everything that a statement wrote, or one per app. */
const record = (tx: Tx, tenantId: number, { kind, id, app, fields = null, from, where }: Recorded): Fragment => tx`
  insert into automation_changes (tenant_id, kind, app_id, ids, is_everyone, fields)
  select ${tenantId}::int, ${kind}, c.app_id, coalesce(array_agg(distinct c.id) filter (where not c.is_many), '{}'),
    c.is_many, ${fields}::text[]
  from (
    select ${app ?? tx`''::text`} as app_id, ${id}::text as id, ${isMany(tx)} as is_many
    from written w ${from ?? tx``}
    where ${id} is not null ${where ?? tx``}
  ) c
  group by c.app_id, c.is_many`

/** One row for each entitlement; one for each app if there are many. */
const recordHoldings = (tx: Tx, tenantId: number, isByRule: boolean): Fragment => tx`
  insert into automation_changes (tenant_id, kind, app_id, entitlement_id, ids, is_everyone, is_by_rule)
  select ${tenantId}::int, 'holding', w.app_id, w.entitlement_id,
    coalesce(array_agg(distinct w.account_id) filter (where not w.is_many), '{}'), w.is_many, ${isByRule}
  from (
    select w.app_id::text, case when ${isMany(tx)} then '' else w.entitlement_id::text end as entitlement_id,
      w.account_id::text, ${isMany(tx)} as is_many
    from written w
  ) w
  group by w.is_many, w.app_id, w.entitlement_id`

/** Records that somebody was enrolled in an access profile, or is no longer. */
const recordProfiles = (tx: Tx, tenantId: number): Fragment => tx`
  insert into profile_changes (tenant_id, profile_id)
  select distinct ${tenantId}::int, w.entitlement_id::text from written w where w.app_id = ${profilesAppId}`

/** Records, for rules, the rows that the statement has just inserted, as `written`: further parts of its WITH. */
export function recordInserted(tx: Tx, tenantId: number, table: Table, isByRule: boolean): Fragment {
  if (table === 'users') return tx`, told as (${record(tx, tenantId, { kind: 'user', id: tx`w.user_id` })})`
  if (table === 'accounts')
    return tx`, told as (${record(tx, tenantId, { kind: 'account_new', id: tx`w.user_id`, app: tx`w.app_id::text` })})`
  if (table === 'grants')
    return tx`, told as (${recordHoldings(tx, tenantId, isByRule)}), told_of_profiles as (${recordProfiles(tx, tenantId)})`
  return tx``
}

export type Updated = {
  columns: readonly string[]
  /** The fields of users that may have changed; null is any. */
  fields: readonly string[] | null
  isByRule: boolean
}

/** The same for rows that it has updated; `before` has their previous values if they are needed. */
export function recordUpdated(
  tx: Tx,
  tenantId: number,
  table: Table,
  { columns, fields, isByRule }: Updated,
): Fragment {
  if (table === 'users') {
    if (fields?.length === 0) return tx``
    const told = record(tx, tenantId, { kind: 'user', id: tx`w.user_id`, fields })
    if (!columns.includes('email')) return tx`, told as (${told})`
    const ofManagers = record(tx, tenantId, {
      kind: 'manager',
      id: tx`w.user_id`,
      where: tx`and w.email is distinct from w.before`,
    })
    return tx`, told as (${told}), told_of_managers as (${ofManagers})`
  }
  if (table === 'accounts') {
    if (!columns.includes('user_id') && !columns.includes('deleted_at')) return tx``
    const app = tx`w.app_id::text`
    if (!columns.includes('user_id'))
      return tx`, told as (${record(tx, tenantId, { kind: 'account', id: tx`w.user_id`, app })})`
    // Its previous and its present user.
    const both = { from: tx`cross join lateral (values (w.before), (w.user_id)) as h (user_id)`, id: tx`h.user_id` }
    const isMoved = tx`and (w.before is distinct from w.user_id or w.was_deleted <> (w.deleted_at is not null))`
    return tx`, told as (${record(tx, tenantId, { kind: 'account', ...both, app, where: isMoved })})`
  }
  // Rules do not read which connectors report a grant.
  if (table === 'grants' && columns.includes('ended_at'))
    return tx`, told as (${recordHoldings(tx, tenantId, isByRule)}), told_of_profiles as (${recordProfiles(tx, tenantId)})`
  return tx``
}
