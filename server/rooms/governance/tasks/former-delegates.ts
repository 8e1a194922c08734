import { may } from '#authority/may.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Facts } from './facts/facts.ts'
import type { ActionName } from './machine/action.ts'
import type { Instance } from './machine/task.ts'

/** What one may do because a step is assigned to one; the second also as an administrator. */
const ofAssignees = new Set<ActionName>([
  'approve',
  'deny',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
])
const ofAdministratorsToo = new Set<ActionName>(['reassign', 'update-grant-duration'])

/**
 * Who decides in someone's place may do so as long as they are named: not once the time is over or another is named, even
 * before the task has been given back.
 */
export async function refuseFormerDelegate(
  facts: Facts,
  { actor }: Call,
  now: Instance | null,
  action: ActionName,
): Promise<void> {
  const isByAssignment = ofAssignees.has(action) || (ofAdministratorsToo.has(action) && !may(actor, 'tasks.manage'))
  if (!isByAssignment) return
  const own = now?.assignees.find(({ userId }) => userId === actor.userId)
  if (own?.for === undefined) return
  const [person] = await facts.people([own.for])
  if (person?.isEnabled && person.delegateId === actor.userId) return
  throw new Refusal('DELEGATION_ENDED', 'You are no longer the delegate of the person to whom this step is assigned.', {
    metadata: { userId: own.for },
  })
}
