import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { DraftPolicy } from '#rooms/governance/policies/index.ts'
import { planTurns } from '#rooms/rules/automation/index.ts'
import { Facts } from '../../facts/facts.ts'
import type { TaskEvent } from '../../machine/event.ts'
import { replay } from '../../machine/fold.ts'
import type { Task } from '../../machine/record.ts'
import type { TaskKind, TaskState } from '../../machine/task.ts'
import { routeBy } from '../../route.ts'
import { listEventsOf } from '../../store.ts'
import { type Rehearsed, rehearse, stateAfter } from '../rehearse.ts'
import { askedIn, type Change, differenceOf, Load } from './decide.ts'
import { listLatestTasks } from './store.ts'

export const daysMax = 90
export const tasksMax = 10_000
/** The maximum number of tasks to read, including those of other kinds and policies. */
const lookedMax = 100_000
const sliceSize = 200
/** As long as a plan of a rule may take; the plan shows if not everything was reached. */
const planMs = 12_000

export type Differs = { task: Task; changes: readonly Change[]; why: string; end: Rehearsed['end'] | 'refused' }
export type PolicyPlan = {
  replayed: number
  isComplete: boolean
  same: number
  differs: readonly Differs[]
  differsCount: number
  stuckCount: number
  refusedCount: number
  load: Load
}
const listedMax = 100

const kindOf: Record<DraftPolicy['policyType'], TaskKind> = {
  POLICY_TYPE_GRANT: 'grant',
  POLICY_TYPE_REVOKE: 'revoke',
  POLICY_TYPE_CERTIFY: 'certify',
}

/**
 * Replays the tasks of some days with a draft: those of the policy that it would replace, or all of its type. Both the old
 * and the new course use the people of today, so that all differences are caused by the draft. As for plans of rules, at
 * most two per tenant are computed at once.
 */
export function planPolicy(
  call: Call,
  draft: DraftPolicy,
  { replaces, days }: { replaces: string; days: number },
): Promise<PolicyPlan> {
  return call
    .memory(planTurns)
    .take(`${call.tenant.id}`, call.signal, () =>
      transact(call.db, (tx) => replayAll(tx, call, draft, { replaces, days })),
    )
}

async function replayAll(
  tx: Tx,
  call: Call,
  draft: DraftPolicy,
  { replaces, days }: { replaces: string; days: number },
): Promise<PolicyPlan> {
  const until = performance.now() + planMs
  const now = call.now()
  const since = new Date(+now - days * 86_400_000)
  const load = new Load(now, days)
  const differs: Differs[] = []
  const plan = { replayed: 0, isComplete: false, same: 0, differsCount: 0, stuckCount: 0, refusedCount: 0 }
  const replayer = new Replayer(new Facts(tx, call), draft)
  const isMeant = (task: Task): boolean =>
    task.createdAt >= since &&
    task.kind === kindOf[draft.policyType] &&
    (replaces === '' ? task.policyId !== '' : task.policyId === replaces)
  for (let looked = 0, before = ''; looked < lookedMax; looked += sliceSize) {
    const tasks = await listLatestTasks(tx, call.tenant.id, before, sliceSize)
    const meant = tasks.filter(isMeant).slice(0, tasksMax - plan.replayed)
    const events = await listEventsOf(
      tx,
      call.tenant.id,
      meant.map(({ id }) => id),
    )
    for (const task of meant) {
      call.signal.throwIfAborted()
      if (performance.now() > until) return { ...plan, differs, load }
      const found = await replayer.replay(task, events.get(task.id) ?? [])
      plan.replayed++
      load.count(task.createdAt, found.askedBefore, found.askedAfter)
      if (found.end === 'stuck') plan.stuckCount++
      if (found.end === 'refused') plan.refusedCount++
      const isSame = found.changes.length === 0 && !found.isOtherEnd
      if (isSame) plan.same++
      else {
        plan.differsCount++
        const { changes, why, end } = found
        if (differs.length < listedMax) differs.push({ task, changes, why, end })
      }
    }
    const last = tasks.at(-1)
    const isOver = tasks.length < sliceSize || !last || last.createdAt < since
    if (isOver || plan.replayed === tasksMax) return { ...plan, isComplete: isOver, differs, load }
    before = last.id
  }
  return { ...plan, differs, load }
}

type Replayed = {
  changes: Change[]
  why: string
  end: Rehearsed['end'] | 'refused'
  isOtherEnd: boolean
  askedBefore: string[]
  askedAfter: string[]
}

/**
 * Replays the course of a task, and its course with a draft. The people whom steps name are looked up once for all tasks.
 */
class Replayer {
  readonly #facts: Facts
  readonly #draft: DraftPolicy

  constructor(facts: Facts, draft: DraftPolicy) {
    this.#facts = facts
    this.#draft = draft
  }

  async replay(task: Task, events: Parameters<typeof replay>[0]): Promise<Replayed> {
    const { policyId, wire, route, answers } = replay(events)
    const went = await this.#go(task, { is: 'routed', policyId, wire, route, why: [] }, answers)
    const askedBefore = askedIn(went)
    const routed = await this.#route(task)
    if ('why' in routed && !('wire' in routed))
      return { changes: [], why: routed.why, end: 'refused', isOtherEnd: true, askedBefore, askedAfter: [] }
    const would = await this.#go(task, routed, answers)
    const stuck = would.steps.find(({ happens }) => happens === 'stuck')
    return {
      changes: differenceOf(went, would),
      why: stuck?.error ?? '',
      end: would.end,
      isOtherEnd: went.end !== would.end,
      askedBefore,
      askedAfter: askedIn(would),
    }
  }

  async #route(task: Task): Promise<Extract<TaskEvent, { is: 'routed' }> | { why: string }> {
    const terms = await this.#facts.terms(task)
    if (!terms) return { why: 'The entitlement has since been deleted.' }
    try {
      return await routeBy(this.#facts, task, { policyId: this.#draft.id, terms, draft: this.#draft })
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return { why: error.message }
      throw error
    }
  }

  #go(task: Task, routed: Extract<TaskEvent, { is: 'routed' }>, answers: TaskState['answers']): Promise<Rehearsed> {
    const at = this.#facts.world.now()
    const { durationSeconds, isEmergency } = task
    const created = { is: 'created', durationSeconds, answers, isEmergency } as const
    const state = stateAfter([created, routed], task.createdBy, at)
    // Today's delegates count, including those who were named after the task was created.
    return rehearse(this.#facts, { task: { ...task, createdAt: at }, state })
  }
}
