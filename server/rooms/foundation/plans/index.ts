export { expiredBefore, planDays } from './expiry.ts'
export { canonicalJson, fingerprintOf, planOutdated, refuseOutdated } from './fingerprint.ts'
export { rehearse } from './rehearse.ts'
export { notUndoable, notUndone, type Undoing, type Undone, undoneColumns, undoneSet } from './undone.ts'
