import type { Resource } from '../../resource.ts'

export const isActive = (resource: Resource): boolean => resource['active'] !== false

/** Deactivations are counted over a day. */
export const windowMs = 24 * 60 * 60 * 1000
const holdsFrom = 20
const percentMax = 20

/**
 * Whether one more deactivation is held: there were so many within a day that something may be wrong with the identity
 * provider. As for automation rules: more than 20% of at least 20.
 */
export const isHeldBack = (deactivated: number, stillActive: number): boolean =>
  deactivated + stillActive >= holdsFrom && (deactivated + 1) * 100 > (deactivated + stillActive) * percentMax
