import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { PolicyChoice, Step, WireStep } from '#rooms/governance/policies/index.ts'
import type { Source } from '#rooms/governance/terms/index.ts'
import type { ActionName } from './action.ts'
import type { Assignee, Explained, StepOutcome, TaskOutcome } from './task.ts'

type Answers = { readonly [name: string]: unknown }

/** What happened to a task, in order. The events are its history for people, and its state is computed from them alone. */
export type TaskEvent =
  | { is: 'created'; durationSeconds: number | null; answers: Answers | null; isEmergency: boolean }
  /** The source of the policy of the following route, and of the other settings of the request. */
  | { is: 'settings applied'; appId: string; source: Source; routingRuleId: string; why: readonly string[] }
  /** The route was chosen, or chosen again: earlier steps of this task no longer count. */
  | {
      is: 'routed'
      policyId: string
      route: readonly Step[]
      /** The same steps as they were sent: this is stored and shown to clients. `route` is read from it. */
      wire: readonly WireStep[]
      why: readonly string[]
      /** Absent if the route was made without a policy. */
      choices?: readonly PolicyChoice[]
    }
  | {
      is: 'begun'
      stepId: string
      assignees: readonly Assignee[]
      expiresAt: Date | null
      /** What was tried before these people, and who was left out; absent if there is nothing to explain. */
      explained?: Explained
    }
  /** `webhook`: set if its answer decided, not a person. */
  | { is: 'ended'; stepId: string; outcome: StepOutcome; comment: string; webhook?: WebhookNamed }
  /** A webhook is called about a step. */
  | { is: 'webhook asked'; stepId: string; webhook: WebhookNamed }
  /** A request was sent to it, with this result; `status` is 0 if there was no response. */
  | { is: 'webhook attempted'; stepId: string; webhook: WebhookNamed; attempt: number; status: number; error: string }
  /** It could not be reached, or its answer cannot be followed: the consequences follow as events. */
  | { is: 'webhook failed'; stepId: string; webhook: WebhookNamed; error: string; isBadAnswer?: boolean }
  /** A webhook has replaced its step by others; the remaining steps of the policy follow them. */
  | { is: 'steps added'; stepId: string; route: readonly Step[]; wire: readonly WireStep[]; webhook: WebhookNamed }
  /** A step continues with other people, with a new id. */
  | {
      is: 'reassigned'
      stepId: string
      newStepId: string
      assignees: readonly Assignee[]
      comment: string
      expiresAt: Date | null
      webhook?: WebhookNamed
      /** The webhook did not decide it. */
      isError?: boolean
    }
  /** The people of a step changed because of other changes: someone was disabled, a manager changed. */
  | { is: 'recalculated'; stepId: string; assignees: readonly Assignee[] }
  | { is: 'escalated'; stepId: string; comment: string }
  | { is: 'duration changed'; durationSeconds: number | null }
  | { is: 'answers changed'; answers: Answers }
  /** The same route again, from its first step. */
  | { is: 'restarted'; comment: string }
  /** Failed provisioning is tried again; approvals remain valid. */
  | { is: 'retried'; comment: string }
  | { is: 'commented'; comment: string }
  /** Someone performed an action; its consequences follow. */
  | { is: 'acted'; action: ActionName; stepId: string }
  | { is: 'stuck'; why: string }
  /** A task that was stuck is checked again. */
  | { is: 'resumed' }
  | { is: 'closed'; outcome: TaskOutcome; comment: string }
  /** A decision was undone: its step and later ones no longer count, and it is asked again. */
  | { is: 'undone'; stepId: string; comment: string }

/** With the user (empty for the service itself) and the time. */
export type Happened = TaskEvent & { by: string; at: Date }
