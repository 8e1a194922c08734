import { isDatabaseError, type Tx } from '#kernel/sql.ts'

// 'anal'
const lockKey = 0x616e616c

/**
 * Has PostgreSQL analyze what was imported, including what this transaction has not committed yet. Autovacuum does so a
 * minute later or more; until then PostgreSQL plans as if there were next to nothing: with 100,000 rows lists of who
 * has access took 2 to 3 s rather than less than one, and 10,000 users who became people of a directory took 22 s
 * rather than 14.
 * One at a time, and nobody waits: ANALYZE blocks others of the same tables until its transaction ends, which may be
 * minutes.
 */
export async function analyzeRecords(tx: Tx): Promise<void> {
  const [row] = await tx<{ isOurs: boolean }[]>`select pg_try_advisory_xact_lock(${lockKey}::int, 0) as "isOurs"`
  if (!row?.isOurs) return
  try {
    await tx.savepoint(async (inner) => {
      await inner`
        analyze users, apps, resource_types, resources, entitlements, accounts, grants, search_keys, directory_users`
    })
  } catch (error) {
    // Everything else works without it. On a Citus cluster, for one, not every transaction can reach all nodes.
    if (!isDatabaseError(error)) throw error
  }
}
