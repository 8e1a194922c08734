import type { Tx } from '#kernel/sql.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import type { Doing } from '../doing.ts'
import { findApprovers, type Looking } from '../facts/approvers.ts'
import { askersOf } from '../facts/find.ts'
import { isAsked } from '../machine/asked.ts'
import type { TaskEvent } from '../machine/event.ts'
import type { Task } from '../machine/record.ts'
import type { Assignee, Instance, TaskState } from '../machine/task.ts'
import { carriersOf, carrying } from '../provisioning/manual.ts'

export type Looked = { tx: Tx; doing: Doing; task: Task; state: TaskState } & Pick<Looking, 'subject'>

/** Those whom people named, rather than the policy. They stay, as long as they can. */
const byHandIn = ({ assignees }: Instance): string[] =>
  assignees.filter(({ why }) => why === 'reassigned' || why === 'escalated').map((each) => each.for ?? each.userId)

/** Who can decide, carry out or answer the current step as the world is now; null where it waits for no person. */
async function peopleNow(looked: Looked, now: Instance): Promise<readonly Assignee[] | null> {
  const { tx, doing, task, state, subject = null } = looked
  if (now.step.kind === 'form') return askersOf(tx, doing, task)
  const byHand = byHandIn(now)
  const named = { by: 'users', userIds: byHand } as const
  const asReassigned = (found: readonly Assignee[]): Assignee[] =>
    found.map((each) => (byHand.includes(each.userId) ? { ...each, why: 'reassigned' } : each))
  // A webhook decides: while it does, nobody is missing.
  if (isAsked(now) && state.stuckWhy === null) return null
  if (now.step.kind === 'approval') {
    const step: ApprovalStep = byHand.length > 0 ? { ...now.step, approvers: named } : now.step
    return asReassigned((await findApprovers(tx, doing, doing.tenant.id, task, state, step, { subject })).assignees)
  }
  // Nobody carries it out, and none is missing: something else does.
  const isByPeople = now.step.kind === 'provision' && (now.assignees.length > 0 || state.stuckWhy !== null)
  if (!isByPeople || task.kind === 'offboarding') return null
  if (byHand.length > 0)
    return asReassigned((await findApprovers(tx, doing, doing.tenant.id, task, state, carrying(named))).assignees)
  const policy = now.step.kind === 'provision' ? now.step.provision : null
  return carriersOf({ tx, call: doing, task, state }, policy?.manual ?? null)
}

const nobodyLeft = 'Nobody is left who can decide this step.'

/** What changes in who decides the current step; nothing where the same people still can. */
export async function recalculated(looked: Looked, now: Instance | null): Promise<readonly TaskEvent[]> {
  const people = now && (await peopleNow(looked, now))
  if (!now || people === null) return []
  const before = new Set(now.assignees.map(({ userId }) => userId))
  const isSame = people.length === before.size && people.every(({ userId }) => before.has(userId))
  const stuck: TaskEvent[] =
    people.length > 0 || looked.state.stuckWhy !== null ? [] : [{ is: 'stuck', why: nobodyLeft }]
  return isSame ? stuck : [{ is: 'recalculated', stepId: now.id, assignees: people }, ...emptied(people)]
}

const emptied = (people: readonly Assignee[]): TaskEvent[] =>
  people.length > 0 ? [] : [{ is: 'stuck', why: nobodyLeft }]

export const isAmong = (events: readonly TaskEvent[], userId: string): boolean =>
  events.every((event) => event.is !== 'recalculated' || event.assignees.some((each) => each.userId === userId))
