import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { Step, WireStep } from '#rooms/governance/policies/index.ts'

export type TaskKind = 'grant' | 'revoke' | 'certify' | 'offboarding' | 'change'

/** How a task ended. The API has a separate name for each kind: see view.ts. */
export type TaskOutcome = 'done' | 'denied' | 'failed' | 'cancelled' | 'timed out'

/** Someone who can decide a step, and why: named by the policy, as a fallback, as a delegate… */
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

/**
 * Why a step was assigned to its people, in addition to each one's reason: what was tried before them, and who was left out.
 */
export type Explained = {
  tried: readonly { by: string; because: string; error?: string }[]
  leftOut: readonly { userId: string; why: string }[]
}

/** One execution of a step of the route. Past ones remain unchanged. */
export type Instance = {
  id: string
  generation: number
  place: number
  step: Step
  /** The step as it was sent: this is shown to clients. */
  wire: WireStep
  startedAt: Date
  /** When it is escalated, or the wait ends; null if there is no limit. */
  expiresAt: Date | null
  isEscalated: boolean
  assignees: readonly Assignee[]
  /** Absent if the policy's first choice could decide. */
  explained?: Explained
  end: {
    outcome: StepOutcome
    by: string
    at: Date
    comment: string
    nextId: string
    /** Set if its answer decided, not a person. */
    webhook?: WebhookNamed
    /** Reassigned because the webhook did not decide it. */
    isError?: boolean
  } | null
}

/** The state of a task: computed from its events. */
export type TaskState = {
  isOpen: boolean
  outcome: TaskOutcome | null
  /** Counts how often the route was started. */
  generation: number
  /** Counts changes of what a decision depends on: duration and answers. A decision applies to what was seen. */
  revision: number
  policyId: string
  route: readonly Step[]
  wire: readonly WireStep[]
  /** The index of the current or next step of the route. */
  place: number
  instances: readonly Instance[]
  durationSeconds: number | null
  answers: { readonly [name: string]: unknown } | null
  isEmergency: boolean
  /** Why nobody can continue it; null if someone can, or a timer will. */
  stuckWhy: string | null
}
