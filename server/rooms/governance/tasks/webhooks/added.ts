import type { FieldViolation } from '#kernel/refusals.ts'
import { readSteps, type Step, type WireStep } from '#rooms/governance/policies/index.ts'

/** A webhook that is called again after a restart may add steps again. */
const routeMax = 64

type Added = { route: Step[]; wire: WireStep[] } | { error: string }

/**
 * The steps by which a webhook replaces its own, as far as it may. It decides one step of a policy: it can require more than
 * the policy does, but not less. So it cannot remove steps, allow self-approval, use another webhook, or choose how access
 * is provisioned.
 */
export function addedSteps(sent: readonly unknown[], routeLength: number): Added {
  const read = readSteps(sent, 'replacePolicy.policySteps')
  if ('problems' in read) return { error: textOf(read.problems) }
  const kept = read.route.flatMap((step, place) => {
    const wire = read.wire[place] as WireStep
    // The route has its own provisioning step.
    const isPlain = step.kind === 'provision' && step.provision === null
    return isPlain ? [] : [{ step, wire, place }]
  })
  const problems = kept.flatMap(({ step, place }) => {
    const why = whyNot(step)
    return why === null ? [] : [{ field: `replacePolicy.policySteps[${place}]`, description: why }]
  })
  if (kept.length === 0)
    problems.push({ field: 'replacePolicy.policySteps', description: 'must contain a step that decides something' })
  if (kept.length + routeLength > routeMax)
    problems.push({ field: 'replacePolicy.policySteps', description: `would make more than ${routeMax} steps` })
  if (problems.length > 0) return { error: textOf(problems) }
  return { route: kept.map(({ step }) => step), wire: kept.map(({ wire }) => wire) }
}

function whyNot(step: Step): string | null {
  if (step.kind === 'provision') return 'must not choose how access is carried out'
  if (step.kind !== 'approval') return null
  if (step.approvers.by === 'webhook') return 'must not use a webhook'
  return step.allowSelfApproval ? 'must not allow self-approval' : null
}

const textOf = (problems: readonly FieldViolation[]): string =>
  `The answer cannot be applied: ${problems
    .slice(0, 5)
    .map(({ field, description }) => `${field} ${description}`)
    .join('; ')}.`
