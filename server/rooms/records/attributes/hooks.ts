import { hook } from '#kernel/hook.ts'
import type { Tx } from '#kernel/sql.ts'

/** Removes a deleted value from the objects that refer to it; returns from how many. */
export const valueDeleted = hook<[tx: Tx, tenantId: number, valueId: string, at: Date], number>('valueDeleted')
