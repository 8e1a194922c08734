import type { FieldViolation } from '#kernel/refusals.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { baselineKey, type PolicyTerms, type PolicyType, type WireStep, type WireSteps } from './policy.ts'
import { readStep, stepKinds } from './read.ts'
import { PolicyStepMessage } from './shapes.ts'
import type { EntitlementRef, Step } from './steps.ts'

const annotationsMax = 16

/** Everything that is wrong with the content of a policy: what it refers to is checked elsewhere. */
export function policyProblems(type: PolicyType, terms: PolicyTerms): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (terms.displayName.trim() === '') problems.push({ field: 'displayName', description: 'must not be empty' })
  checkLists(type, terms, problems)
  for (const [place, { condition, stepKey, policyId }] of terms.rules.entries()) {
    const at = `rules[${place}]`
    if (condition.trim() === '') problems.push({ field: `${at}.condition`, description: 'must not be empty' })
    if ((stepKey === '') === (policyId === ''))
      problems.push({ field: at, description: 'must have either stepKey or policyId' })
    else if (stepKey !== '' && !Object.hasOwn(terms.policySteps, stepKey))
      problems.push({ field: `${at}.stepKey`, description: `names no list in policySteps: ${stepKey}` })
  }
  if (Object.keys(terms.annotations).length > annotationsMax)
    problems.push({ field: 'annotations', description: `must have at most ${annotationsMax} entries` })
  if (terms.remediatesImmediately && type !== 'POLICY_TYPE_CERTIFY')
    problems.push({ field: 'postActions', description: 'are for policies of the type POLICY_TYPE_CERTIFY only' })
  return problems
}

function checkLists(
  type: PolicyType,
  { policySteps, baselinePolicyId }: PolicyTerms,
  problems: FieldViolation[],
): void {
  const baseline = baselineKey(type)
  const hasBaseline = Object.hasOwn(policySteps, baseline)
  if (hasBaseline && baselinePolicyId !== '')
    problems.push({
      field: 'baselinePolicyId',
      description: `must be absent if policySteps has the key ${baseline}`,
    })
  if (!hasBaseline && baselinePolicyId === '')
    problems.push({
      field: 'policySteps',
      description: `must have the key ${baseline}, or baselinePolicyId must be given`,
    })
  for (const [key, { steps }] of Object.entries(policySteps)) {
    const at = `policySteps.${key}.steps`
    if (steps.length === 0) problems.push({ field: at, description: 'must not be empty' })
    const read = steps.map((step, place) => readStep(step, `${at}[${place}]`, problems))
    for (const [place, step] of read.entries())
      if (step) problems.push(...placeProblems(type, step, read.slice(place + 1), `${at}[${place}]`))
  }
}

/**
 * Steps after a step that ends everything would never be taken, and steps that may withhold access have to come before it is
 * granted.
 */
function placeProblems(type: PolicyType, step: Step, after: readonly (Step | null)[], at: string): FieldViolation[] {
  if (step.kind === 'reject' && after.length > 0)
    return [{ field: `${at}.reject`, description: 'must be the last step: nothing follows a rejection' }]
  if (step.kind === 'provision' && type === 'POLICY_TYPE_CERTIFY')
    return [{ field: `${at}.provision`, description: 'is not a step of a policy of the type POLICY_TYPE_CERTIFY' }]
  const later = after.find((each) => each && stepKinds[each.kind].mayKeepBack)
  if (step.kind === 'provision' && later)
    return [
      {
        field: `${at}.provision`,
        description: `must not come before a step of the kind ${later.kind}: access would be granted first`,
      },
    ]
  return []
}

/** The stored form: an escalation that is turned off has no effect, and is left out. */
export const normalSteps = (lists: WireSteps): WireSteps =>
  Object.fromEntries(Object.entries(lists).map(([key, { steps }]) => [key, { steps: steps.map(normalStep) }]))

const normalStep = (step: WireStep): WireStep =>
  step.approval && !step.approval.escalationEnabled && step.approval.escalation
    ? { ...step, approval: { ...step.approval, escalation: null } }
    : step

/** The steps of a list that was checked when it was saved. */
export function stepsOf(wire: readonly WireStep[]): Step[] {
  const problems: FieldViolation[] = []
  const steps = wire.map((step, place) => readStep(step, `steps[${place}]`, problems))
  // Not a refusal: stored steps were checked, so this is a bug or a damaged row, and must not be treated as "no steps".
  if (problems.length > 0) throw new Error(`a stored policy is wrong: ${problems.map(({ field }) => field).join(', ')}`)
  return steps.filter((step) => step !== null)
}

/** Reads steps from outside a policy; returns them, or what is wrong with them. */
export function readSteps(
  sent: readonly unknown[],
  at: string,
): { route: Step[]; wire: WireStep[] } | { problems: FieldViolation[] } {
  const problems: FieldViolation[] = []
  const wire = sent.map((step, place) => PolicyStepMessage.read(step, `${at}[${place}]`, problems))
  if (problems.length > 0) return { problems }
  const route = wire.map((step, place) => readStep(step, `${at}[${place}]`, problems)).filter((step) => step !== null)
  return problems.length > 0 ? { problems } : { route, wire: wire.map(normalStep) }
}

/** Everything that a policy refers to, for checks and for listing dependents. */
export function referencesOf(terms: PolicyTerms): {
  policyIds: string[]
  userIds: string[]
  conditions: [at: string, text: string][]
  approvers: [at: string, text: string][]
  provisions: [at: string, policy: ProvisionPolicy][]
  groups: [at: string, ref: EntitlementRef][]
  webhooks: [at: string, id: string][]
} {
  const policyIds = new Set<string>([terms.baselinePolicyId, ...terms.rules.map(({ policyId }) => policyId)])
  const userIds = new Set<string>()
  const conditions: [string, string][] = terms.rules.map(({ condition }, place) => [
    `rules[${place}].condition`,
    condition,
  ])
  const approvers: [string, string][] = []
  const provisions: [string, ProvisionPolicy][] = []
  const groups: [string, EntitlementRef][] = []
  const webhooks: [string, string][] = []
  for (const [key, { steps }] of Object.entries(terms.policySteps))
    for (const [place, step] of stepsOf(steps).entries()) {
      const at = `policySteps.${key}.steps[${place}]`
      if (step.kind === 'wait' && step.until.by === 'condition')
        conditions.push([`${at}.wait.condition.condition`, step.until.condition])
      if (step.kind === 'provision' && step.provision)
        provisions.push([`${at}.provision.provisionPolicy`, step.provision])
      if (step.kind !== 'approval') continue
      if (step.approvers.by === 'webhook') webhooks.push([`${at}.approval.webhook.webhookId`, step.approvers.webhookId])
      if (step.approvers.by === 'group') groups.push([`${at}.approval.group`, step.approvers.entitlement])
      for (const ref of step.fallback?.groups ?? [])
        groups.push([`${at}.approval.${step.approvers.by}.fallbackGroupIds`, ref])
      if (step.approvers.by === 'users') for (const id of step.approvers.userIds) userIds.add(id)
      if (step.approvers.by === 'expression')
        for (const [index, text] of step.approvers.expressions.entries())
          approvers.push([`${at}.approval.expression.expressions[${index}]`, text])
      for (const id of [...(step.fallback?.userIds ?? []), ...step.reassignment.to]) userIds.add(id)
      if (step.escalation?.response.do === 'replacePolicy') policyIds.add(step.escalation.response.policyId)
      if (step.escalation?.response.do === 'reassign')
        for (const id of step.escalation.response.userIds) userIds.add(id)
    }
  policyIds.delete('')
  return { policyIds: [...policyIds], userIds: [...userIds], conditions, approvers, provisions, groups, webhooks }
}
