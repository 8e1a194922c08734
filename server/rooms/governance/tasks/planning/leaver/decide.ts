import { type Policy, type Step, stepsOf } from '#rooms/governance/policies/index.ts'

export type PolicyUse = {
  policyId: string
  policyName: string
  stepKey: string
  /** From 1. */
  place: number
  use: 'approver' | 'fallback' | 'reassignee' | 'escalation' | 'provisioner'
  /** The others who are named for the same purpose. */
  others: readonly string[]
  hasFallback: boolean
}

type Named = Pick<PolicyUse, 'use' | 'others' | 'hasFallback'>

/** Where a policy names someone, and who else it names there. */
export function usesOf({ id, displayName, policySteps }: Policy, userId: string): PolicyUse[] {
  return Object.entries(policySteps).flatMap(([stepKey, { steps }]) =>
    stepsOf(steps).flatMap((step, place) =>
      namedIn(step, userId).map((named) => ({
        ...named,
        policyId: id,
        policyName: displayName,
        stepKey,
        place: place + 1,
      })),
    ),
  )
}

function namedIn(step: Step, userId: string): Named[] {
  const found: Named[] = []
  const look = (use: Named['use'], ids: readonly string[], hasFallback = false): void => {
    if (ids.includes(userId)) found.push({ use, others: ids.filter((id) => id !== userId), hasFallback })
  }
  if (step.kind === 'provision') look('provisioner', usersIn(step.provision))
  if (step.kind !== 'approval') return found
  const { approvers, fallback, reassignment, escalation } = step
  const hasFallback = fallback !== null && fallback.userIds.length + fallback.groups.length > 0
  if (approvers.by === 'users') look('approver', approvers.userIds, hasFallback)
  look('fallback', fallback?.userIds ?? [], (fallback?.groups.length ?? 0) > 0)
  look('reassignee', reassignment.to)
  if (escalation?.response.do === 'reassign') look('escalation', escalation.response.userIds)
  return found
}

/** Every user whom a provisioner names, in any of its steps. */
export function usersIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(usersIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    (name === 'userIds' || name === 'fallbackUserIds') && Array.isArray(each) ? (each as string[]) : usersIn(each),
  )
}

/** What happens to a use when the person is disabled. `able`: how many of the others could decide. */
export function thenOf({ use, hasFallback }: Pick<PolicyUse, 'use' | 'hasFallback'>, able: number): string {
  if (able > 0) return `${able} other ${able === 1 ? 'person' : 'people'} named there can act.`
  if (use === 'reassignee') return 'Steps can no longer be reassigned to anyone whom the policy allows.'
  if (use === 'escalation') return 'The escalation reaches the fallback of the step, or Super Administrators.'
  if (use === 'provisioner') return 'Super Administrators are asked to provision it.'
  return hasFallback ? 'The fallback of the step decides.' : 'Super Administrators decide.'
}
