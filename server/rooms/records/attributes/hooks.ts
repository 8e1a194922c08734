import { hook } from '#kernel/hook.ts'
import type { Tx } from '#kernel/sql.ts'

/** Removes a value that is deleted from what points at it; told is from how much. */
export const valueDeleted = hook<[tx: Tx, tenantId: number, valueId: string, at: Date], number>('valueDeleted')
