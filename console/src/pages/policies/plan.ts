import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { policyPlansPlan } from '#client/api/operations.ts'
import type { PlanPolicyResponse } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { read } from '../../client/queries.ts'
import { baselineKey, type Draft, ruleKeys, termsOf } from './draft.ts'

export type PolicyPlan = {
  reply: PlanPolicyResponse | undefined
  /** What is shown is of a draft before this one. */
  isStale: boolean
  error: unknown
  /** What keeps the draft from being saved, in words; empty where it can be. */
  problems: readonly string[]
  retry: () => void
}

const typingMs = 800

/**
 * A draft, replayed over the requests of some days, a moment after it was last changed. `replaces` is the policy whose requests
 * are replayed; without it, all of the draft's type are. Whoever changes the draft or leaves the page cancels the replay.
 */
export function usePolicyPlan(draft: Draft, replaces: string, days: number, isOn: boolean): PolicyPlan {
  // The name does not change the result: editing it does not start a new plan.
  const asked = JSON.stringify({ ...termsOf(draft), displayName: 'Draft', description: '' })
  const [settledFor] = useDebouncedValue(asked, typingMs)
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...read(policyPlansPlan, {
      body: { policyId: replaces, policy: JSON.parse(settledFor) as ReturnType<typeof termsOf>, days },
    }),
    enabled: isOn,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    // A draft that was seen a moment ago, before something was typed and removed again, is not replayed twice.
    gcTime: 30_000,
  })
  const isBehind = settledFor !== asked
  const violations = error instanceof ApiError && !isBehind ? error.violations : []
  return {
    reply: data,
    isStale: isOn && (isBehind || isPlaceholderData || isFetching),
    error: isBehind ? null : error,
    problems: violations.map(({ field, description }) => `${placeOf(field, draft)} ${description}.`),
    retry: () => void refetch(),
  }
}

/** `policy.policySteps.grant.steps[1].approval` as the page shows it. */
function placeOf(field: string, draft: Draft): string {
  const steps = /^(?:policy\.)?policySteps\.(.+?)\.steps(?:\[(\d+)\])?/.exec(field)
  const rule = /^(?:policy\.)?rules\[(\d+)\]/.exec(field)
  if (rule) return `Rule ${Number(rule[1]) + 1}:`
  if (steps) {
    const [, key = '', place] = steps
    const step = place === undefined ? 'The steps' : `Step ${Number(place) + 1}`
    const of = ruleKeys(draft).indexOf(key)
    return of === -1 || key === baselineKey(draft.policyType) ? `${step}:` : `${step} of rule ${of + 1}:`
  }
  return `${field.replace(/^policy\./, '')}:`
}
