import type { Tx } from '#kernel/sql.ts'

/**
 * What a row is locked for. A change of it leaves alone whoever only hangs something on it, as an import does for all of
 * its time; deleting it waits for them.
 */
export type Purpose = 'change' | 'delete'
export const strength = (tx: Tx, purpose: Purpose) => (purpose === 'delete' ? tx`update` : tx`no key update`)
