import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { Step, WireStep } from '#rooms/governance/policies/index.ts'

export type TaskKind = 'grant' | 'revoke' | 'certify' | 'offboarding' | 'change'

/** How a task ended. The wire has a name of its own for each kind: see view.ts. */
export type TaskOutcome = 'done' | 'denied' | 'failed' | 'cancelled' | 'timed out'

/** Someone who can decide a step, and why: by what the policy says, as a fallback, as a delegate… */
export type Assignee = { userId: string; why: AssignedWhy; for?: string }
export type AssignedWhy =
  | 'users'
  | 'manager'
  | 'appOwners'
  | 'group'
  | 'self'
  | 'entitlementOwners'
  | 'resourceOwners'
  | 'expression'
  | 'delegate'
  | 'fallback'
  | 'superAdministrator'
  | 'reassigned'
  | 'escalated'
  | 'requester'
  | 'provisioner'

export type StepOutcome =
  | 'approved'
  | 'denied'
  | 'skipped'
  | 'reassigned'
  | 'restarted'
  | 'accepted'
  | 'rejected'
  | 'waited'
  | 'timed out'
  | 'answered'
  | 'provisioned'
  | 'failed'
  | 'not done'
  | 'cancelled'
  | 'undone'

/** Why a step came to its people, beyond what each is: what was tried before them, and who was left out. */
export type Explained = {
  tried: readonly { by: string; because: string; error?: string }[]
  leftOut: readonly { userId: string; why: string }[]
}

/** One time that a step of the route was taken. Past ones stay as they were. */
export type Instance = {
  id: string
  generation: number
  place: number
  step: Step
  /** The same as it was sent: what clients are shown. */
  wire: WireStep
  startedAt: Date
  /** When it is escalated, or is no longer waited for; null where it waits for as long as it takes. */
  expiresAt: Date | null
  isEscalated: boolean
  assignees: readonly Assignee[]
  /** Absent where the first who were asked for could decide. */
  explained?: Explained
  end: {
    outcome: StepOutcome
    by: string
    at: Date
    comment: string
    nextId: string
    /** By whose answer, where it was not somebody's decision. */
    webhook?: WebhookNamed
    /** Reassigned because the webhook did not decide it. */
    isError?: boolean
  } | null
}

/** What became of a task so far: all of it follows from its events. */
export type TaskState = {
  isOpen: boolean
  outcome: TaskOutcome | null
  /** Counts how often the route was begun anew. */
  generation: number
  /** Counts what a decision depends on: duration and answers. A decision is about what was seen. */
  revision: number
  policyId: string
  route: readonly Step[]
  wire: readonly WireStep[]
  /** The step of the route that is taken now, or next. */
  place: number
  instances: readonly Instance[]
  durationSeconds: number | null
  answers: { readonly [name: string]: unknown } | null
  isEmergency: boolean
  /** Why nobody can go on; null where somebody can, or a timer will. */
  stuckWhy: string | null
}
