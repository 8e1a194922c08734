import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { NamedPolicy, PolicyChecks } from '#rooms/records/apps/index.ts'
import type { Policy } from './policy.ts'
import { provisionProblems } from './provision-problems.ts'
import { holdPolicies } from './store.ts'

/** What is wrong with the policies that something names. Existing ones cannot be deleted until the transaction ends. */
export async function policyUseProblems(tx: Tx, call: Call, named: readonly NamedPolicy[]): Promise<FieldViolation[]> {
  const ids = [...new Set(named.map(({ id }) => id))]
  const found = new Map((await holdPolicies(tx, call.tenant.id, ids)).map((policy) => [policy.id, policy]))
  return named.flatMap((use) => {
    const problem = useProblem(use, found.get(use.id))
    return problem === null ? [] : [{ field: use.field, description: problem }]
  })
}

function useProblem({ id, type, use }: NamedPolicy, policy: Policy | undefined): string | null {
  if (!policy) return `names a policy that does not exist: ${id}`
  if (policy.policyType !== type)
    return `must name a policy of the type ${type}: ${id} is of the type ${policy.policyType}`
  const { scope } = policy
  if (scope === null) return null
  if (!use.isEmergency) return `names ${id}, which is for emergencies only`
  const isHere = scope.appId === use.appId && ['', use.entitlementId].includes(scope.appEntitlementId)
  return isHere ? null : `names ${id}, which is for another app or entitlement`
}

/** For the rooms above policies: see server/registry/routes.ts. */
export const policyChecks: PolicyChecks = { policyProblems: policyUseProblems, provisionProblems }
