import type { KindName } from './kinds.ts'

/** How many of a kind came by import, of those that are looked at, and how many of them are to go. */
export type Going = { kind: KindName; total: number; gone: number }

const membersMin = 20
const shareMax = 0.2

/**
 * Against a file that was cut off: the kinds of which a full import would remove more than a fifth, where there are at
 * least 20.
 */
export const tooMuchGoing = (going: readonly Going[]): Going[] =>
  going.filter(({ total, gone }) => total >= membersMin && gone > total * shareMax)
