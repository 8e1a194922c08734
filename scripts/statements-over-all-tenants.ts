import type { Allowance } from './statement-rules.ts'

/** Statements that may go over all tenants: each says which tenants have something to do, or is rare. */
export const allTenants: readonly Allowance[] = []
