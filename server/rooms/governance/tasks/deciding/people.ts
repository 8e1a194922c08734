import { may } from '#authority/may.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { findApprovers } from '../facts/approvers.ts'
import { carriersOf, carrying } from '../facts/carriers.ts'
import type { Facts } from '../facts/facts.ts'
import { askersOf } from '../facts/find.ts'
import type { ActionName } from '../machine/action.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, isAsked } from '../machine/fold.ts'
import type { Snapshot } from '../machine/record.ts'
import type { Assignee, Instance } from '../machine/task.ts'

/** Assignees who were named by people, not by the policy. They stay assigned as long as they can decide. */
const byHandIn = ({ assignees }: Instance): string[] =>
  assignees.filter(({ why }) => why === 'reassigned' || why === 'escalated').map((each) => each.for ?? each.userId)

/** The people who can decide, provision or answer the current step now; null if it does not wait for people. */
async function peopleNow(facts: Facts, of: Snapshot, now: Instance): Promise<readonly Assignee[] | null> {
  const { task, state } = of
  if (now.step.kind === 'form') return askersOf(facts, task)
  const byHand = byHandIn(now)
  const named = { by: 'users', userIds: byHand } as const
  const find = async (step: ApprovalStep): Promise<readonly Assignee[]> =>
    (await findApprovers(facts, of, step)).assignees.map((each) =>
      byHand.includes(each.userId) ? { ...each, why: 'reassigned' } : each,
    )
  // A webhook decides: until it fails, no people are needed.
  if (isAsked(now) && state.stuckWhy === null) return null
  if (now.step.kind === 'approval') return find(byHand.length > 0 ? { ...now.step, approvers: named } : now.step)
  // Something other than people provisions it: no people are needed.
  const isByPeople = now.step.kind === 'provision' && (now.assignees.length > 0 || state.stuckWhy !== null)
  if (!isByPeople || task.kind === 'offboarding') return null
  if (byHand.length > 0) return find(carrying(named))
  return carriersOf(facts, of, (now.step.kind === 'provision' && now.step.provision?.manual) || null)
}

const nobodyLeft = 'Nobody is left who can decide this step.'

/** The events that assign the current step to other people; none if the same people can still decide. */
export async function recalculated(facts: Facts, of: Snapshot): Promise<readonly TaskEvent[]> {
  const now = currentOf(of.state)
  const people = now && (await peopleNow(facts, of, now))
  if (!now || people === null) return []
  const before = new Set(now.assignees.map(({ userId }) => userId))
  const isSame = people.length === before.size && people.every(({ userId }) => before.has(userId))
  const stuck: TaskEvent[] = people.length > 0 || of.state.stuckWhy !== null ? [] : [{ is: 'stuck', why: nobodyLeft }]
  return isSame ? stuck : [{ is: 'recalculated', stepId: now.id, assignees: people }, ...emptied(people)]
}

const emptied = (people: readonly Assignee[]): TaskEvent[] =>
  people.length > 0 ? [] : [{ is: 'stuck', why: nobodyLeft }]

export const isAmong = (events: readonly TaskEvent[], userId: string): boolean =>
  events.every((event) => event.is !== 'recalculated' || event.assignees.some((each) => each.userId === userId))

/** Actions that require the assignment of the step; the second set is also available to administrators. */
const ofAssignees = new Set<ActionName>([
  'approve',
  'deny',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
])
const ofAdministratorsToo = new Set<ActionName>(['reassign', 'update-grant-duration'])

/**
 * A delegate may decide only as long as they are the delegate: not after the delegation has ended or another delegate is
 * named, even if the task has not been reassigned yet.
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
