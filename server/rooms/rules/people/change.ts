import type { MatchCase } from '#rooms/records/directories/index.ts'

/** A change of directories, which can be planned and then carried out. */
export type Change =
  | { is: 'directory'; appId: string; accountFilter: string; matchCases: readonly MatchCase[] }
  | { is: 'deletion'; appId: string }
  | { is: 'order'; order: readonly string[]; attributes: readonly AttributeOrder[] }

/** The directories that come first for one attribute. */
export type AttributeOrder = { attribute: string; appIds: readonly string[] }
