import type { Call } from '#kernel/routes.ts'
import { budgetUnits, type ClaimsExpression, evaluateClaims } from '#rooms/rules/expressions/index.ts'
import type { Attempt } from './attempts/attempt.ts'
import { attemptNotes } from './attempts/notes.ts'
import { keptDays, listReplayable } from './attempts/store.ts'
import type { Trust } from './trust.ts'
import { askerOf, prepareCondition } from './trusts-actions.ts'

const dayMs = 86_400_000

export type Replayed = {
  attempt: Attempt
  /** The result then, as far as the condition decides it; and the result now. */
  was: 'admitted' | 'refused'
  becomes: 'admitted' | 'refused' | 'unknown'
  detail: string
}

export type Plan = {
  expression: ClaimsExpression
  days: number
  replayed: number
  unchanged: number
  /** Attempts whose result changes, and those whose result is unknown. */
  changes: Replayed[]
}

/** What all evaluations of a plan may cost together: some seconds of one thread. */
const unitsOfPlan = budgetUnits * 20

/**
 * Evaluates a condition for the tokens of the last days, before it is saved: which would be refused from now on, and which
 * accepted. Of refused tokens, only those are replayed that the condition refused: the others fail another step with any
 * condition.
 */
export async function planCondition(call: Call, trust: Trust, condition: string, days: number): Promise<Plan> {
  const expression = await prepareCondition(call, condition)
  await call.memory(attemptNotes).write()
  const since = new Date(call.now().getTime() - Math.min(days, keptDays) * dayMs)
  const { id: credentialId } = trust.credential
  const [admitted, refused] = await Promise.all(
    [true, false].map((isAdmitted) => listReplayable(call.db, call.tenant.id, { credentialId, isAdmitted, since })),
  )
  const attempts = [...(admitted ?? []), ...(refused ?? []).filter(({ step }) => step === 'celEvaluation')]
  const told = await evaluateClaims(
    call,
    askerOf(call),
    attempts.map(({ claims }) => ({ source: condition, claims: claims ?? '{}' })),
    unitsOfPlan,
  )
  const replayed = attempts.map((attempt, at): Replayed => {
    const was = attempt.isAdmitted ? 'admitted' : 'refused'
    const missing = attempt.omitted.filter((name) => expression.reads === null || expression.reads.includes(name))
    if (expression.reads !== null && missing.length > 0)
      return {
        attempt,
        was,
        becomes: 'unknown',
        detail: `The condition reads ${missing.join(', ')}, which is not stored.`,
      }
    const result = told[at]
    if (result && 'value' in result) return { attempt, was, becomes: result.value ? 'admitted' : 'refused', detail: '' }
    return { attempt, was, becomes: 'refused', detail: `The condition cannot be evaluated: ${result?.error ?? ''}.` }
  })
  const changes = replayed.filter(({ was, becomes }) => was !== becomes)
  return { expression, days, replayed: replayed.length, unchanged: replayed.length - changes.length, changes }
}
