/** By what the people of a heat map are grouped. */
export const groupings = ['department', 'job title', 'manager', 'attribute'] as const
export type Grouping = { by: (typeof groupings)[number]; attribute: string }

export type Cell = { entitlementId: string; group: string; count: number }
export type Group = { group: string; holders: number; size: number | null }

export const columnsMax = 30
export const rowsMax = 30
