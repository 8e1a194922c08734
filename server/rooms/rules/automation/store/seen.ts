import type { Db, Tx } from '#kernel/sql.ts'

/**
 * The users whom plans have named to a reader since then. Locked, so that two plans at the same time do not name too many
 * together.
 */
export async function lockShown(tx: Tx, tenantId: number, readerId: string, since: Date): Promise<Set<string>> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`names shown ${tenantId} ${readerId}`}, 0))`
  const rows = await tx<{ userId: string }[]>`
    select user_id as "userId" from automation_names_shown
    where tenant_id = ${tenantId} and reader_id = ${readerId} and shown_at > ${since}
    limit 10000`
  return new Set(rows.map(({ userId }) => userId))
}

export async function insertShown(
  tx: Tx,
  tenantId: number,
  { readerId, userIds, at }: { readerId: string; userIds: readonly string[]; at: Date },
): Promise<void> {
  await tx`
    insert into automation_names_shown (tenant_id, reader_id, user_id, shown_at)
    select ${tenantId}, ${readerId}, id, ${at} from unnest(${[...userIds]}::text[]) as new (id)
    on conflict (tenant_id, reader_id, user_id) do update set shown_at = excluded.shown_at`
}

export async function deleteShown(db: Db, tenantId: number, before: Date): Promise<void> {
  await db`delete from automation_names_shown where tenant_id = ${tenantId} and shown_at < ${before}`
}
