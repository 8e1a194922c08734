import type { Tx } from '#kernel/sql.ts'

/**
 * The purpose of a lock on a row. Changing it does not block those who only attach something to it, as an import does
 * throughout; deleting it waits for them.
 */
export type Purpose = 'change' | 'delete'
export const strength = (tx: Tx, purpose: Purpose) => (purpose === 'delete' ? tx`update` : tx`no key update`)
