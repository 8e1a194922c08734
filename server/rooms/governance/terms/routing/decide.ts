import type { FieldViolation } from '#kernel/refusals.ts'

const listed = (ids: readonly string[]): string => ids.slice(0, 5).join(', ') + (ids.length > 5 ? ', …' : '')

/** The place of a new rule: its priority, or last if that is 0. */
export function placeOf(priority: number, count: number): number | FieldViolation {
  if (priority === 0) return count + 1
  return priority >= 1 && priority <= count + 1
    ? priority
    : { field: 'priority', description: `must be between 1 and ${count + 1}, or 0 for the last position` }
}

/** What is wrong with a new order: it must name every rule of the app, once. */
export function orderProblem(ids: readonly string[], known: readonly string[]): FieldViolation | null {
  const field = 'ruleIds'
  const [asked, all] = [new Set(ids), new Set(known)]
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place)
  if (twice.length > 0) return { field, description: `names rules more than once: ${listed(twice)}` }
  const unknown = ids.filter((id) => !all.has(id))
  if (unknown.length > 0) return { field, description: `names rules that the app does not have: ${listed(unknown)}` }
  const missing = known.filter((id) => !asked.has(id))
  if (missing.length > 0) return { field, description: `must name every rule of the app; missing: ${listed(missing)}` }
  return null
}
