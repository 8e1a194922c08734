import type { FieldViolation } from '#kernel/refusals.ts'

type Problem = FieldViolation | null

export const nameProblem = (field: string, name: string): Problem =>
  name.trim() === '' ? { field, description: 'must not be empty' } : null

const costMax = 1_000_000_000
export const costProblem = (field: string, usd: number): Problem =>
  usd < 0 || usd > costMax ? { field, description: `must be between 0 and ${costMax}` } : null

const day = 86_400
const durationMax = 36_500 * day

/** A grant lasts for whole seconds, or never expires: exactly one of the two. */
export function durationProblem(
  field: string,
  { durationGrant, durationUnset }: { durationGrant: number | null; durationUnset: object | null },
): Problem {
  if (durationGrant === null) return null
  if (durationUnset !== null) return { field, description: 'must be absent if durationUnset is set' }
  return Number.isInteger(durationGrant) && durationGrant > 0 && durationGrant <= durationMax
    ? null
    : { field, description: `must be whole seconds, more than 0s and at most ${durationMax}s (36500 days)` }
}

const daysMax = 36_500
export const daysProblem = (field: string, days: number): Problem =>
  days < 0 || days > daysMax ? { field, description: `must be between 0 and ${daysMax}` } : null

/** An entitlement belongs to a resource, which is named by both ids, or to the app itself. */
export const resourceProblem = (typeId: string, resourceId: string): Problem =>
  (typeId === '') === (resourceId === '')
    ? null
    : {
        field: typeId === '' ? 'appResourceTypeId' : 'appResourceId',
        description: 'is required: a resource is identified by appResourceTypeId and appResourceId',
      }
