import type { KindName } from './kinds.ts'

/** How many of the searched records of a kind were imported, and how many of them would be removed. */
export type Going = { kind: KindName; total: number; gone: number }

const membersMin = 20
const shareMax = 0.2

/**
 * A protection against truncated files: the kinds of which a full import would remove more than a fifth, if there are at
 * least 20.
 */
export const tooMuchGoing = (going: readonly Going[]): Going[] =>
  going.filter(({ total, gone }) => total >= membersMin && gone > total * shareMax)
