import type { Step, StepKind, Steps, WireStep } from '#rooms/governance/policies/index.ts'
import type { AskedKind, Fact, FactOf } from '../machine/advance.ts'
import type { Assignee, Explained, StepOutcome } from '../machine/task.ts'
import { askedOf } from './decide.ts'

/** How a step is passed: automatically, by people, by time, by the answer of a webhook, or not at all. */
export type Happens = 'automatic' | 'people' | 'time' | 'webhook' | 'stuck'
export type Provisions = '' | 'records' | 'delegated' | 'manual' | 'connector' | 'webhook' | 'none'

export type PlannedStep = {
  place: number
  step: Step
  wire: WireStep
  happens: Happens
  /** Who can decide or provision it. */
  assignees: readonly Assignee[]
  explained: Explained
  /** Who decides it by requesting; empty if nobody does. */
  approvedBy: string
  until: Date | null
  /** Why nobody can continue. */
  error: string
  provisions: Provisions
  /** Whether people who approve an earlier step may not decide this one. */
  isWithoutEarlier: boolean
}

export type Passing = Omit<PlannedStep, 'place' | 'step' | 'wire' | 'isWithoutEarlier'>

const nothing: Explained = { tried: [], leftOut: [] }

export const passes = (happens: Happens, more: Partial<Passing> = {}): Passing => ({
  happens,
  assignees: [],
  explained: nothing,
  approvedBy: '',
  until: null,
  error: '',
  provisions: '',
  ...more,
})

export const byPeople = (assignees: readonly Assignee[], error: string, more: Partial<Passing> = {}): Passing =>
  assignees.length === 0 ? passes('stuck', { error, ...more }) : passes('people', { assignees, ...more })

type Rules<K extends StepKind> = {
  /** A short description. */
  words(step: Steps[K]): string
  passedAs: StepOutcome
}

/** The texts of each kind of step in plans and explanations. */
const stepKinds: { readonly [K in StepKind]: Rules<K> } = {
  approval: { words: ({ approvers }) => `Approval by ${askedOf(approvers.by)}.`, passedAs: 'approved' },
  accept: { words: () => 'The policy approves automatically.', passedAs: 'accepted' },
  reject: { words: () => 'The policy denies automatically.', passedAs: 'rejected' },
  form: { words: () => 'The requester fills in a form.', passedAs: 'answered' },
  provision: { words: () => 'Provisioning of the approved access.', passedAs: 'provisioned' },
  wait: {
    words({ until }) {
      if (until.by === 'condition') return 'Waits until a condition is true.'
      return until.by === 'duration' ? `Waits for ${lengthWords(until.seconds)}.` : 'Waits until a time of day.'
    },
    passedAs: 'waited',
  },
}

/** How a step is passed, by its fact. */
const passings: { readonly [K in AskedKind]: (fact: FactOf<K>) => Passing } = {
  approval({ assignees, approvedBy, explained = nothing, isByWebhook = false }) {
    if (isByWebhook) return passes('webhook')
    return approvedBy === null
      ? byPeople(assignees, 'Nobody can decide this step.', { explained })
      : passes('automatic', { assignees, approvedBy, explained })
  },
  form: ({ isAnswered, assignees }) =>
    isAnswered ? passes('automatic') : byPeople(assignees, 'Nobody can fill in the form.'),
  // Provisioning is planned separately: see rehearse.ts.
  provision: () => passes('automatic'),
  wait({ isOver, until, error }) {
    if (error !== null) return passes('stuck', { error: `The condition of this step fails: ${error}` })
    return isOver ? passes('automatic') : passes('time', { until })
  },
}

const wordsOf = <K extends StepKind>(kind: K, step: Steps[K]): string => stepKinds[kind].words(step)
export const stepWords = (step: Step): string => wordsOf(step.kind, step)

export const passedAs = ({ kind }: Step): StepOutcome => stepKinds[kind].passedAs

const passingOf = <K extends AskedKind>(kind: K, fact: FactOf<K>): Passing => passings[kind](fact)
/** Steps that need no fact pass automatically. */
export const passing = (fact: Fact | null): Passing => (fact ? passingOf(fact.for, fact) : passes('automatic'))

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `2 hours`: in the largest unit that gives a whole number. */
function lengthWords(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? (['second', 1] as const)
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}
