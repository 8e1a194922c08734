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

/** Those whom people named, rather than the policy. They stay, as long as they can. */
const byHandIn = ({ assignees }: Instance): string[] =>
  assignees.filter(({ why }) => why === 'reassigned' || why === 'escalated').map((each) => each.for ?? each.userId)

/** Who can decide, carry out or answer the current step as the world is now; null where it waits for no person. */
async function peopleNow(facts: Facts, of: Snapshot, now: Instance): Promise<readonly Assignee[] | null> {
  const { task, state } = of
  if (now.step.kind === 'form') return askersOf(facts, task)
  const byHand = byHandIn(now)
  const named = { by: 'users', userIds: byHand } as const
  const find = async (step: ApprovalStep): Promise<readonly Assignee[]> =>
    (await findApprovers(facts, of, step)).assignees.map((each) =>
      byHand.includes(each.userId) ? { ...each, why: 'reassigned' } : each,
    )
  // A webhook decides: while it does, nobody is missing.
  if (isAsked(now) && state.stuckWhy === null) return null
  if (now.step.kind === 'approval') return find(byHand.length > 0 ? { ...now.step, approvers: named } : now.step)
  // Nobody carries it out, and none is missing: something else does.
  const isByPeople = now.step.kind === 'provision' && (now.assignees.length > 0 || state.stuckWhy !== null)
  if (!isByPeople || task.kind === 'offboarding') return null
  if (byHand.length > 0) return find(carrying(named))
  return carriersOf(facts, of, (now.step.kind === 'provision' && now.step.provision?.manual) || null)
}

const nobodyLeft = 'Nobody is left who can decide this step.'

/** What changes in who decides the current step; nothing where the same people still can. */
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
