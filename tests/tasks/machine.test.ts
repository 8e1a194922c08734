import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApprovalStep, Step } from '#rooms/governance/policies/index.ts'
import { advance, type Fact, needOf } from '#rooms/governance/tasks/machine/advance.ts'
import { changed, decided } from '#rooms/governance/tasks/machine/decide.ts'
import type { Happened, TaskEvent } from '#rooms/governance/tasks/machine/event.ts'
import { currentOf, emptyState, fold, replay } from '#rooms/governance/tasks/machine/fold.ts'
import type { Assignee, TaskState } from '#rooms/governance/tasks/machine/task.ts'
import { fewOrMany } from '../fixture/long.ts'

const people = ['ann', 'bob', 'cay', 'dan'] as const
const approval = (of: Partial<ApprovalStep> = {}): ApprovalStep => ({
  kind: 'approval',
  approvers: { by: 'manager' },
  allowSelfApproval: false,
  requireDistinctApprovers: false,
  fallback: null,
  allowDelegation: false,
  reassignment: { isAllowed: true, to: [], needsReason: false },
  needsReason: { toApprove: false, toDeny: false },
  escalation: null,
  ...of,
})
const anyApproval = fc
  .record({ toApprove: fc.boolean(), toDeny: fc.boolean() })
  .map((needsReason): Step => approval({ needsReason }))
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: anyApproval },
  fc.constant<Step>({ kind: 'accept', message: '' }),
  fc.constant<Step>({
    kind: 'wait',
    name: '',
    commentOnFirstWait: '',
    commentOnTimeout: '',
    timeoutSeconds: 3600,
    until: { by: 'condition', condition: 'true' },
  }),
)
const anyRoute = fc
  .tuple(
    fc.array(anyStep, { maxLength: 4 }),
    fc.nat(4).map((n) => n === 0),
  )
  .map(([steps, rejects]): Step[] => [
    ...steps,
    rejects ? { kind: 'reject', message: '' } : { kind: 'provision', provision: null },
  ])

/** One thing that somebody, or time, does to a task. */
type Doing =
  | { do: 'decide'; isApproval: boolean; comment: string; stale: boolean; unseen: boolean }
  | { do: 'change duration'; seconds: number }
  | { do: 'restart' | 'skip' | 'close' | 'end wait' | 'finish provisioning' }
const often = fc.integer({ min: 0, max: 24 }).map((n) => n > 0)
const seldom = often.map((is) => !is)
const anyDoing: fc.Arbitrary<Doing> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      // Mostly what takes a task further: else hardly one of them would ever be done.
      isApproval: often,
      comment: fc.constantFrom('because', 'because', ''),
      stale: seldom,
      unseen: seldom,
    }),
  },
  fc.record({ do: fc.constant('change duration' as const), seconds: fc.integer({ min: 1, max: 9 }) }),
  {
    weight: 12,
    arbitrary: fc
      .constantFrom<'end wait' | 'finish provisioning'>('end wait', 'finish provisioning')
      .map((what) => ({ do: what })),
  },
  fc.constantFrom<'restart' | 'skip' | 'close'>('restart', 'skip', 'close').map((what) => ({ do: what })),
)

/** A task in a small world: who can decide is chosen by dice, and some of it fails. */
function live(route: readonly Step[], doings: readonly Doing[], dice: () => number) {
  const events: Happened[] = []
  let state: TaskState = emptyState
  let ids = 0
  const newId = (): string => `step ${++ids}`
  const at = new Date(0)
  const append = (event: TaskEvent, by = ''): void => {
    const happened = { ...event, by, at }
    events.push(happened)
    state = fold(state, happened)
  }
  const fact = (): Fact | null => {
    const need = needOf(state)
    if (!need) return null
    const assignees: Assignee[] = people.filter(() => dice() < 0.7).map((userId) => ({ userId, why: 'manager' }))
    if (need.for === 'approval')
      return { for: 'approval', assignees, approvedBy: dice() < 0.1 ? (assignees[0]?.userId ?? null) : null }
    if (need.for === 'wait')
      return { for: 'wait', isOver: dice() < 0.5, until: null, error: dice() < 0.1 ? 'no such thing' : null }
    if (need.for === 'form') return { for: 'form', isAnswered: dice() < 0.5, assignees }
    const result = dice()
    if (result < 0.1) return { for: 'provision', result: { is: 'failed', error: 'no' } }
    return { for: 'provision', result: result < 0.6 ? { is: 'done' } : { is: 'assigned', assignees } }
  }
  const settle = (): void => {
    for (let round = 0; round < 100 && state.isOpen && !currentOf(state) && state.stuckWhy === null; round++)
      for (const event of advance(state, fact(), at, newId)) append(event, event.is === 'ended' ? 'auto' : '')
  }
  append({ is: 'created', durationSeconds: null, answers: null, isEmergency: false })
  append({ is: 'routed', policyId: 'policy', route, wire: [], why: [] })
  settle()
  for (const doing of doings) {
    const now = currentOf(state)
    if (!state.isOpen) break
    if (doing.do === 'decide') {
      const decision = {
        stepId: doing.stale ? 'step 0' : (now?.id ?? ''),
        isApproval: doing.isApproval,
        comment: doing.comment,
        revision: doing.unseen ? state.revision - 1 : state.revision,
      }
      const outcome = decided(state, decision)
      if (Array.isArray(outcome)) {
        if (doing.stale || doing.unseen) throw new Error('a decision about something else was taken')
        for (const event of outcome) append(event, now?.assignees[0]?.userId ?? '')
      }
    } else if (doing.do === 'change duration') {
      for (const event of changed(state, { is: 'duration changed', durationSeconds: doing.seconds }, { by: '', newId }))
        append(event, 'ann')
    } else if (doing.do === 'restart') append({ is: 'restarted', comment: '' }, 'admin')
    else if (doing.do === 'close') append({ is: 'closed', outcome: 'cancelled', comment: '' }, 'ann')
    else if (doing.do === 'skip' && now && now.step.kind !== 'provision')
      append({ is: 'ended', stepId: now.id, outcome: 'skipped', comment: '' }, 'admin')
    else if (doing.do === 'end wait' && now?.step.kind === 'wait')
      append({ is: 'ended', stepId: now.id, outcome: 'waited', comment: '' })
    else if (doing.do === 'finish provisioning' && now?.step.kind === 'provision')
      append({ is: 'ended', stepId: now.id, outcome: 'provisioned', comment: '' }, now.assignees[0]?.userId ?? '')
    settle()
  }
  return { state, events }
}

const dicesOf = (values: readonly number[]) => {
  let place = 0
  return (): number => values[place++ % values.length] ?? 0.5
}
const anyLife = fc.tuple(
  anyRoute,
  fc.array(anyDoing, { minLength: 8, maxLength: 24, size: 'max' }),
  fc.array(
    fc.integer({ min: 0, max: 999 }).map((n) => n / 1000),
    { minLength: 30, maxLength: 30 },
  ),
)

test('nobody gets access without every step that the policy demands, taken in its last round', () => {
  let done = 0
  fc.assert(
    fc.property(anyLife, ([route, doings, dice]) => {
      const { state } = live(route, doings, dicesOf(dice))
      if (state.outcome !== 'done') return
      done += 1
      expect(route.at(-1)?.kind).toBe('provision')
      const left = route.filter((step, place) => {
        const taken = state.instances.filter((each) => each.generation === state.generation && each.place === place)
        const end = taken.at(-1)?.end
        if (step.kind === 'provision') return end?.outcome !== 'provisioned'
        if (step.kind !== 'approval') return !end
        if (end?.outcome === 'approved') return step.needsReason.toApprove && end.by !== 'auto' && end.comment === ''
        return end?.outcome !== 'skipped'
      })
      expect(left).toEqual([])
    }),
    { numRuns: fewOrMany(300, 1000) },
  )
  expect(done).toBeGreaterThan(50)
})

test('every approval that counts was given for what the task says now', () => {
  let done = 0
  fc.assert(
    fc.property(anyLife, ([route, doings, dice]) => {
      const { state, events } = live(route, doings, dicesOf(dice))
      if (state.outcome !== 'done') return
      done += 1
      const lastChange = events.findLastIndex(({ is }) => is === 'duration changed')
      const lastStart = events.findLastIndex(({ is }) => is === 'restarted' || is === 'routed')
      const approved = events.findIndex(
        (event, at) => at > lastStart && event.is === 'ended' && event.outcome === 'approved',
      )
      expect(approved === -1 ? Infinity : approved).toBeGreaterThan(lastChange)
    }),
    { numRuns: fewOrMany(300, 1000) },
  )
  expect(done).toBeGreaterThan(50)
})

test('an open task is with somebody, waits for a time, or says why it is stuck', () => {
  fc.assert(
    fc.property(anyLife, ([route, doings, dice]) => {
      const { state } = live(route, doings, dicesOf(dice))
      const now = currentOf(state)
      const isWithSomebody = now !== null && now.assignees.length > 0
      const waits = now?.step.kind === 'wait' && now.expiresAt !== null
      expect(isWithSomebody || waits || state.stuckWhy !== null).toBe(state.isOpen)
    }),
    { numRuns: fewOrMany(200, 500) },
  )
})

test("replaying a task's events, also as JSON, yields its state", () => {
  fc.assert(
    fc.property(anyLife, ([route, doings, dice]) => {
      const { state, events } = live(route, doings, dicesOf(dice))
      expect(replay(events)).toEqual(state)
      expect(JSON.parse(JSON.stringify(replay(events)))).toEqual(JSON.parse(JSON.stringify(state)))
    }),
    { numRuns: 300 },
  )
})
