import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { findApprovers } from '../facts/approvers.ts'
import { carriersOf, carrying } from '../facts/carriers.ts'
import type { Facts } from '../facts/facts.ts'
import { askersOf } from '../facts/find.ts'
import { isAsked } from '../machine/asked.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf } from '../machine/fold.ts'
import type { Snapshot } from '../machine/snapshot.ts'
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
