import { expect } from 'vitest'
import type { Db, Tx } from '#kernel/sql.ts'
import { fieldsOf, type Searched, tables } from '#rooms/foundation/writes/tables.ts'

/** As of one moment: rules run meanwhile. */
const asOfNow = <T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read read only', read)

/** Sees that search keys are what the records say, of all tenants: neither one too many nor one too few. */
export async function expectKeys(db: Db, when = ''): Promise<void> {
  const searched = Object.entries(tables).flatMap(([table, { key, searched: by }]) => (by ? [{ table, key, by }] : []))
  // Compared here: a cluster takes no difference of what is on several shards.
  const { wanted, there } = await asOfNow(db, (tx) => readKeys(tx, searched))
  const differing = [
    ...[...wanted.difference(there)].map((row) => `missing ${row}`),
    ...[...there.difference(wanted)].map((row) => `left over ${row}`),
  ]
  expect(differing.slice(0, 20), when).toEqual([])
}

async function readKeys(
  tx: Tx,
  searched: readonly { table: string; key: readonly string[]; by: Searched }[],
): Promise<Record<'wanted' | 'there', Set<string>>> {
  const wanted = new Set<string>()
  for (const { table, key, by } of searched)
    for (const row of await tx.unsafe(`
      select x.tenant_id, living_or_deleted('${by.kind}', x.deleted_at) as kind, k.key, x.${key.at(-1)} as object_id,
        ${key.includes('app_id') ? 'x.app_id' : `''`} as app_id, k.previous_key
      from ${table} x, lateral keys_of(x.display_name, ${by.others}) k
      ${by.keepsDeleted ? '' : 'where x.deleted_at is null'}`))
      wanted.add(JSON.stringify(Object.values(row)))
  const there = new Set(
    (await tx`select tenant_id, kind, key, object_id, app_id, previous_key from search_keys`).map((row) =>
      JSON.stringify(Object.values(row)),
    ),
  )
  return { wanted, there }
}

type Entry = Record<string, unknown> & { deleted: boolean }
export type Snapshot = Record<'users' | 'accounts' | 'grants', Map<string, Entry>>

/** The records whose changes rules hear of. */
export const snapshot = (db: Db, tenantId: number): Promise<Snapshot> => asOfNow(db, (tx) => readRecords(tx, tenantId))

async function readRecords(tx: Tx, tenantId: number): Promise<Snapshot> {
  const of = async (table: keyof Snapshot, id: string, isGone: string): Promise<Map<string, Entry>> => {
    const rows = await tx.unsafe<Record<string, unknown>[]>(
      `select *, ${isGone} is not null as deleted from ${table} where tenant_id = ${tenantId}`,
    )
    return new Map(rows.map((row) => [row[id] as string, row as Entry]))
  }
  return {
    users: await of('users', 'user_id', 'deleted_at'),
    accounts: await of('accounts', 'account_id', 'deleted_at'),
    grants: await of('grants', 'grant_id', 'ended_at'),
  }
}

type Told = {
  kind: string
  app_id: string
  entitlement_id: string
  ids: string[]
  is_everyone: boolean
  fields: string[] | null
}

/** Sees that all that changed between two snapshots was told, as the rows of `automation_changes` now say. */
export async function expectTold(
  db: Db,
  tenantId: number,
  before: Snapshot,
  after: Snapshot,
  when = '',
): Promise<void> {
  const told = [...(await db<Told[]>`select * from automation_changes where tenant_id = ${tenantId}`)]
  const missing: string[] = []
  const need = (what: string, id: unknown, isIt: (row: Told) => boolean): void => {
    if (!told.some((row) => isIt(row) && (row.is_everyone || row.ids.includes(id as string))))
      missing.push(`${what} of ${String(id)}`)
  }
  for (const [id, user] of after.users) {
    const old = before.users.get(id)
    if (!old || old.deleted !== user.deleted) {
      need('user', id, ({ kind, fields }) => kind === 'user' && fields === null)
      continue
    }
    const changed = Object.keys(user).filter((column) => JSON.stringify(user[column]) !== JSON.stringify(old[column]))
    for (const field of fieldsOf(changed) ?? [])
      need(field, id, ({ kind, fields }) => kind === 'user' && (fields === null || fields.includes(field)))
    if (changed.includes('email')) need('address', id, ({ kind }) => kind === 'manager')
  }
  for (const [id, account] of after.accounts) {
    const old = before.accounts.get(id)
    const isIn = ({ app_id }: Told): boolean => app_id === account['app_id']
    if (!old && account['user_id'])
      need('new account', account['user_id'], (row) => row.kind === 'account_new' && isIn(row))
    if (!old || (old['user_id'] === account['user_id'] && old.deleted === account.deleted)) continue
    for (const userId of [old['user_id'], account['user_id']])
      if (userId) need('account', userId, (row) => row.kind === 'account' && isIn(row))
  }
  for (const [id, grant] of after.grants) {
    if (before.grants.get(id)?.deleted === grant.deleted) continue
    need('holding', grant['account_id'], ({ kind, app_id, entitlement_id }) => {
      const isOf = entitlement_id === grant['entitlement_id'] || entitlement_id === ''
      return kind === 'holding' && app_id === grant['app_id'] && isOf
    })
  }
  expect(missing, when).toEqual([])
}
