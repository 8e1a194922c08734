import { type Tx, transact } from '#kernel/sql.ts'
import { holdDirectory } from '../store.ts'
import { notOfDirectory } from '../tokens/bearer.ts'
import type { ScimCall } from './serving.ts'

/**
 * Changes something of a directory, which is locked until that is done. If it was deleted after the request was admitted,
 * the request is refused like any later one.
 */
export const write = <T>({ call, directory: { appId } }: ScimCall, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(call.db, async (tx) => {
    if (!(await holdDirectory(tx, call.tenant.id, appId))) throw notOfDirectory()
    return work(tx)
  })
