import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

/** The attributes of a user from directories, by column. */
export type DescribedRow = { readonly user_id: string; readonly email: string; readonly [column: string]: unknown }

/**
 * Writes attributes of people from directories. Addresses may be swapped: for a moment, users whose address changes
 * have none.
 */
export async function updateDescribed(
  tx: Tx,
  tenantId: number,
  rows: readonly DescribedRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const names = Object.keys(rows[0] as object).filter((name) => name !== 'user_id')
  const types: Record<string, string> = { profile: 'jsonb', sources: 'jsonb' }
  for (const name of ['emails', 'usernames', 'employee_ids', 'manager_ids']) types[name] = 'text[]'
  const from = tx`jsonb_to_recordset(${tx.json(rows)}) as w (user_id text, ${tx.unsafe(
    names.map((name) => `${name} ${types[name] ?? 'text'}`).join(', '),
  )})`
  await updateRecords(tx, tenantId, 'users', {
    set: { email: '' },
    from,
    where: tx`x.user_id = w.user_id and x.email <> '' and lower(x.email) <> lower(w.email)`,
  })
  await updateRecords(tx, tenantId, 'users', {
    set: {
      ...Object.fromEntries(names.map((name) => [name, tx.unsafe(`w.${name}`)])),
      origin: tx`case when x.origin = 'USER_ORIGIN_LOCAL' then 'USER_ORIGIN_DIRECTORY' else x.origin end`,
      updated_at: at,
    },
    from,
    where: tx`x.user_id = w.user_id`,
  })
}

/** Disables users for a directory; returns which. */
export async function disableMany(
  tx: Tx,
  tenantId: number,
  userIds: readonly string[],
  appId: string,
  at: Date,
): Promise<void> {
  await updateRecords(tx, tenantId, 'users', {
    set: { status: 'DISABLED', disabled_by: appId, updated_at: at },
    where: tx`x.user_id = any(${userIds}::text[]) and x.status = 'ENABLED'`,
  })
}

export async function enableMany(tx: Tx, tenantId: number, userIds: readonly string[], at: Date): Promise<void> {
  await updateRecords(tx, tenantId, 'users', {
    set: { status: 'ENABLED', disabled_by: '', updated_at: at },
    where: tx`x.user_id = any(${userIds}::text[]) and x.status = 'DISABLED' and x.disabled_by <> ''`,
  })
}

/** Assigns the users of one manager to another. */
export async function moveReports(
  tx: Tx,
  tenantId: number,
  reports: readonly string[],
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<void> {
  if (reports.length === 0) return
  await updateRecords(tx, tenantId, 'users', {
    set: { manager_ids: tx`array_replace(x.manager_ids, ${from}::text, ${to}::text)`, updated_at: at },
    where: tx`x.user_id = any(${reports}::text[]) and x.manager_ids @> array[${from}]::text[] and x.user_id <> ${to}`,
  })
}
