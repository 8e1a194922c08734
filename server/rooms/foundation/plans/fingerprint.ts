import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'

/** Kinds of plans: those of different kinds never have the same fingerprint. */
export type PlanKind = 'automation' | 'bulk' | 'change' | 'directories' | 'drift' | 'merge' | 'removal' | 'request'

/**
 * Identifies the whole content of a plan: another fingerprint means another plan. Computed with the secret key: with a
 * plain hash, a caller could find out who is in the plan by trying (docs/decisions/0038-what-a-caller-may-know.md).
 */
export const fingerprintOf = (
  { seals, tenant }: Pick<World, 'seals'> & { tenant: Tenancy },
  kind: PlanKind,
  plan: unknown,
): string => seals.mac(`plan: ${kind}`, tenant.publicId, canonicalJson(plan)).toString('base64url')

/** The same text for the same JSON, regardless of the order of its fields: the database stores them in a different order. */
export const canonicalJson = (json: unknown): string =>
  JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  ) ?? 'null'

export type Outdated = {
  reason?: 'PLAN_OUTDATED' | 'PLAN_CHANGED'
  /** What has changed, and what to do. */
  message?: string
  metadata?: { readonly [name: string]: string }
}

const usual = 'The plan is outdated: something has changed. Create a new plan and review it.'

export const planOutdated = ({ reason = 'PLAN_OUTDATED', message = usual, metadata }: Outdated = {}): Refusal =>
  new Refusal(reason, message, metadata && { metadata })

/** Refuses to carry out what differs from the plan that was reviewed or approved. */
export function refuseOutdated(now: string, planned: string, told?: Outdated): void {
  if (now !== planned) throw planOutdated(told)
}
