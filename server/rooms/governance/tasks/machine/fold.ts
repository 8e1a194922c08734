import type { Happened } from './event.ts'
import type { Instance, TaskState } from './task.ts'

/** The state of a task without events. */
export const emptyState: TaskState = {
  isOpen: true,
  outcome: null,
  generation: 0,
  revision: 0,
  policyId: '',
  route: [],
  wire: [],
  place: 0,
  instances: [],
  durationSeconds: null,
  answers: null,
  isEmergency: false,
  stuckWhy: null,
}

/** The current step; null between steps, and when the task is over. */
export const currentOf = ({ instances }: TaskState): Instance | null => {
  const last = instances.at(-1)
  return last && last.end === null ? last : null
}

/** Outcomes of steps after which the route continues. */
const goesOn = new Set(['approved', 'skipped', 'accepted', 'waited', 'answered', 'provisioned'])

/** Whether no later step of the route provisions anything. */
export const isLastProvision = ({ route }: TaskState, place: number): boolean =>
  !route.slice(place + 1).some(({ kind }) => kind === 'provision')

/** Applies an event to a task. Nothing else changes its state. */
export function fold(task: TaskState, event: Happened): TaskState {
  switch (event.is) {
    case 'created':
      return { ...task, durationSeconds: event.durationSeconds, answers: event.answers, isEmergency: event.isEmergency }
    case 'routed':
      return { ...restarted(task, event), policyId: event.policyId, route: event.route, wire: event.wire }
    case 'restarted':
      return restarted(task, event)
    case 'begun':
      return { ...task, stuckWhy: null, instances: [...task.instances, begun(task, event)] }
    case 'ended': {
      const place = goesOn.has(event.outcome) ? task.place + 1 : task.place
      return { ...task, place, stuckWhy: null, instances: withCurrent(task, (now) => ended(now, event)) }
    }
    case 'reassigned':
      return reassigned(task, event)
    case 'recalculated':
      return {
        ...task,
        stuckWhy: null,
        instances: withCurrent(task, (now) => ({ ...now, assignees: event.assignees })),
      }
    case 'escalated':
      return { ...task, instances: withCurrent(task, (now) => ({ ...now, isEscalated: true })) }
    case 'duration changed':
      return { ...task, durationSeconds: event.durationSeconds, revision: task.revision + 1 }
    case 'answers changed':
      return { ...task, answers: event.answers, revision: task.revision + 1 }
    case 'steps added':
      return {
        ...task,
        route: [...task.route.slice(0, task.place), ...event.route, ...task.route.slice(task.place)],
        wire: [...task.wire.slice(0, task.place), ...event.wire, ...task.wire.slice(task.place)],
      }
    case 'undone':
      return undone(task, event)
    case 'retried':
      return { ...task, isOpen: true, outcome: null, stuckWhy: null }
    case 'acted':
    case 'commented':
    case 'settings applied':
    case 'webhook asked':
    case 'webhook attempted':
    case 'webhook failed':
      return task
    case 'resumed':
      return { ...task, stuckWhy: null }
    case 'stuck':
      return { ...task, stuckWhy: event.why }
    case 'closed':
      return { ...endCurrent(task, event, 'cancelled'), isOpen: false, outcome: event.outcome, stuckWhy: null }
  }
}

/** The state of a task, from its events. */
export const replay = (events: readonly Happened[]): TaskState => events.reduce(fold, emptyState)

/** At the first step of its route, in a new generation. */
const restarted = (task: TaskState, event: Happened): TaskState => ({
  ...endCurrent(task, event),
  isOpen: true,
  outcome: null,
  stuckWhy: null,
  place: 0,
  generation: task.generation + 1,
})

const begun = (task: TaskState, event: Extract<Happened, { is: 'begun' }>): Instance => ({
  id: event.stepId,
  generation: task.generation,
  place: task.place,
  step: task.route[task.place] as Instance['step'],
  wire: task.wire[task.place] as Instance['wire'],
  startedAt: event.at,
  expiresAt: event.expiresAt,
  isEscalated: false,
  assignees: event.assignees,
  ...(event.explained && { explained: event.explained }),
  end: null,
})

/** The current step ends, and another one of the same kind takes its place. */
function reassigned(task: TaskState, event: Extract<Happened, { is: 'reassigned' }>): TaskState {
  const old = currentOf(task)
  if (!old) return task
  const { newStepId, by, at, comment, webhook, isError, assignees, expiresAt } = event
  const end = {
    outcome: 'reassigned' as const,
    by,
    at,
    comment,
    nextId: newStepId,
    ...(webhook && { webhook }),
    ...(isError && { isError: true }),
  }
  const next: Instance = { ...old, id: newStepId, assignees, startedAt: at, expiresAt }
  return { ...task, stuckWhy: null, instances: [...withCurrent(task, (now) => ({ ...now, end })), next] }
}

/** The step whose decision was undone, and all later ones, no longer count: neither approvals nor grants. */
function undone(task: TaskState, { stepId, by, at, comment }: Extract<Happened, { is: 'undone' }>): TaskState {
  const from = task.instances.findIndex(({ id }) => id === stepId)
  const first = task.instances[from]
  if (!first) return task
  const end = { outcome: 'undone' as const, by, at, comment, nextId: '' }
  return {
    ...task,
    isOpen: true,
    outcome: null,
    stuckWhy: null,
    place: first.place,
    instances: task.instances.map((each, place) =>
      place < from || each.end?.outcome === 'reassigned' ? each : { ...each, end },
    ),
  }
}

const ended = (now: Instance, { outcome, by, at, comment, webhook }: Extract<Happened, { is: 'ended' }>): Instance => ({
  ...now,
  end: { outcome, by, at, comment, nextId: '', ...(webhook && { webhook }) },
})

const withCurrent = (task: TaskState, change: (now: Instance) => Instance): Instance[] =>
  task.instances.map((each, place) => (place === task.instances.length - 1 && each.end === null ? change(each) : each))

const endCurrent = (
  task: TaskState,
  { by, at }: Happened,
  outcome: 'restarted' | 'cancelled' = 'restarted',
): TaskState => ({
  ...task,
  instances: withCurrent(task, (now) => ({ ...now, end: { outcome, by, at, comment: '', nextId: '' } })),
})

/** The webhook that a step waits for; null if people decide or provision it, or it is over. */
export function webhookOf({ step, assignees, end }: Pick<Instance, 'step' | 'assignees' | 'end'>): string | null {
  if (end || assignees.length > 0) return null
  if (step.kind === 'approval') return step.approvers.by === 'webhook' ? step.approvers.webhookId : null
  return step.kind === 'provision' ? (step.provision?.webhook?.webhookId ?? null) : null
}

export const isAsked = (instance: Pick<Instance, 'step' | 'assignees' | 'end'>): boolean => webhookOf(instance) !== null
