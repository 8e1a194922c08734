import { type Db, type Tx, transact } from '#kernel/sql.ts'

class RolledBack extends Error {
  override name = 'RolledBack'
}

/**
 * Carries something out and rolls it back; returns the result, and refuses what would be refused. So a plan cannot
 * differ from what follows. `isKept`: whether it is committed after all.
 */
export async function rehearse<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { isKept = () => false, begin = transact }: { isKept?: (found: T) => boolean; begin?: typeof transact } = {},
): Promise<T> {
  let found: { result: T } | undefined
  try {
    await begin(db, async (tx) => {
      const result = await work(tx)
      found = { result }
      if (!isKept(result)) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return (found as { result: T }).result
}
