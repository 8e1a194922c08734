import type { PolicyStepInstance, TaskAuditView } from '#client/api/types.ts'
import type { EnforcedBy } from '../../client/enforcement.ts'
import type { SeenTask } from './seen-task.ts'

// What the API says of every provision step that begins, of one that a connector carried out, and of one that nothing but the
// record did.
const began = 'Provisioning began.'
const byConnector = /^Provisioned by the connector (.+)\.$/
const onlyRecorded = /^(?:Recorded in Bailiwick|Access was provisioned)\./

/** Whether nothing but the record carried out a step, by the comment at its end, or as long as that is not read. */
const isOnlyRecorded = (said: string | undefined): boolean => said === undefined || onlyRecorded.test(said)

/** What the history says at the end of provision steps, by step, and what makes changes of the entitlement now. */
export type ProvisionTold = { comments: ReadonlyMap<string, string>; by: EnforcedBy | undefined }

/** What happened, and what follows from it for people. */
type Words = { what: string; after?: string }

const stepsOf = ({ task: { policy } }: SeenTask): PolicyStepInstance[] => [
  ...(policy?.history ?? []),
  ...(policy?.current ? [policy.current] : []),
]

const appName = ({ app }: Pick<SeenTask, 'app'>): string => app?.displayName || 'the app'

/** What happened if nothing but the record carried it out. */
function recordedWords(seen: SeenTask, step: PolicyStepInstance, by: EnforcedBy | undefined): Words {
  if (seen.kind === 'change' || seen.kind === 'offboarding') return { what: 'Done in Bailiwick' }
  if (by === 'ENFORCED_BY_BAILIWICK') return { what: 'In effect: Bailiwick itself enforces it' }
  if (step.provision?.provision?.provisionPolicy?.delegated)
    return { what: 'Recorded in Bailiwick together with the entitlement that includes it' }
  const what = 'Recorded in Bailiwick'
  return by === 'ENFORCED_BY_NOBODY'
    ? { what, after: `Nothing is connected to ${appName(seen)}: somebody must make the change there.` }
    : { what, after: `Nobody was asked to change ${appName(seen)}.` }
}

/** Who or what made the change of a step that is over, or that it was only recorded. */
export function provisionedWords(seen: SeenTask, step: PolicyStepInstance, { comments, by }: ProvisionTold): Words {
  const { completed, webhookInstanceId } = step.provision ?? {}
  if (completed?.userId) return { what: `${seen.nameOf(completed.userId)} said that it is done` }
  if (webhookInstanceId) return { what: 'Confirmed by the webhook' }
  const said = comments.get(step.id)
  const [, connector] = byConnector.exec(said ?? '') ?? []
  if (connector) return { what: `Confirmed by ${appName(seen)} through the connector ${connector}` }
  return said === undefined || isOnlyRecorded(said) ? recordedWords(seen, step, by) : { what: said.replace(/\.$/, '') }
}

/** What the API said at the end of each step. */
export const provisionComments = (events: readonly TaskAuditView[]): Map<string, string> =>
  new Map(
    events.flatMap(({ policyStepId, policyEvaluationStep: said }) =>
      said && policyStepId && said.stepComment !== began ? [[policyStepId, said.stepComment] as const] : [],
    ),
  )

/** An event of a provision step, as a sentence; null if the end of the step says all of it. */
export function provisionEvent(event: TaskAuditView, seen: SeenTask, told: ProvisionTold): string | null {
  const said = event.policyEvaluationStep?.stepComment ?? ''
  const step = stepsOf(seen).find(({ id }) => id === event.policyStepId)
  if (!step?.provision) return said
  if (said !== began) {
    const { what, after } = provisionedWords(seen, step, told)
    return after ? `${what}. ${after}` : what
  }
  const { provision, completed, errored, webhookId } = step.provision
  if (provision?.assigned) return `People were asked to make the change in ${appName(seen)}`
  if (webhookId || errored) return said
  return completed && isOnlyRecorded(told.comments.get(step.id)) ? null : `Sent to the connector of ${appName(seen)}`
}
