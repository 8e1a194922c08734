import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { described, duration, flag, text } from '#kernel/wire.ts'
import { holdForm } from '#rooms/governance/forms/index.ts'
import { policyUseProblems } from '#rooms/governance/policies/index.ts'

/** The settings that routing rules and the defaults of an app have in common. '' and null mean not set. */
export type RequestTerms = {
  requestPolicyId: string
  requestSchemaId: string
  emergencyGrantEnabled: boolean
  emergencyGrantPolicyId: string
}

export const requestTermShapes = {
  requestPolicyId: described(text(), 'The policy that decides requests.'),
  requestSchemaId: described(text(), 'The form that requesters fill in.'),
  emergencyGrantEnabled: described(flag(), 'Whether access can be requested in an emergency.'),
  emergencyGrantPolicyId: described(
    text(),
    'The policy that decides such requests; without one, they are not possible.',
  ),
}

export const maxDurationShape = described(duration(), 'The maximum duration that can be requested, as in "3600s".')

/**
 * What is wrong with the policies and the form that are named. Existing ones cannot be deleted until the transaction ends.
 */
export async function namingProblems(
  tx: Tx,
  call: Call,
  appId: string,
  { requestPolicyId, requestSchemaId, emergencyGrantPolicyId }: RequestTerms,
  prefix: string,
): Promise<FieldViolation[]> {
  const use = { appId, entitlementId: '' }
  const named = [
    { field: `${prefix}requestPolicyId`, id: requestPolicyId, isEmergency: false },
    { field: `${prefix}emergencyGrantPolicyId`, id: emergencyGrantPolicyId, isEmergency: true },
  ].filter(({ id }) => id !== '')
  const problems = await policyUseProblems(
    tx,
    call,
    named.map(({ field, id, isEmergency }) => ({ field, id, type: 'POLICY_TYPE_GRANT', use: { ...use, isEmergency } })),
  )
  if (requestSchemaId !== '' && !(await holdForm(tx, call.tenant.id, requestSchemaId)))
    problems.push({
      field: `${prefix}requestSchemaId`,
      description: `names a request schema that does not exist: ${requestSchemaId}`,
    })
  return problems
}

export function refuseProblems(...problems: (FieldViolation | null)[]): void {
  const [first, ...others] = problems.filter((problem) => problem !== null)
  if (first) throw invalid(first, ...others)
}
