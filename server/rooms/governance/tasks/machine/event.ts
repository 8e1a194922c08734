import type { WebhookNamed } from '#rooms/events/webhooks/index.ts'
import type { PolicyChoice, Step, WireStep } from '#rooms/governance/policies/index.ts'
import type { Source } from '#rooms/governance/terms/index.ts'
import type { ActionName } from './action.ts'
import type { Assignee, Explained, StepOutcome, TaskOutcome } from './task.ts'

type Answers = { readonly [name: string]: unknown }

/** What happened to a task, in order. They are its history for people, and all that its state is made of. */
export type TaskEvent =
  | { is: 'created'; durationSeconds: number | null; answers: Answers | null; isEmergency: boolean }
  /** Where the policy of the route that follows comes from, and the other settings of the request. */
  | { is: 'settings applied'; appId: string; source: Source; routingRuleId: string; why: readonly string[] }
  /** The route was chosen, or chosen anew: what came before in this task counts no more. */
  | {
      is: 'routed'
      policyId: string
      route: readonly Step[]
      /** The same steps as they were sent: what is kept, and what clients are shown. `route` is read from them. */
      wire: readonly WireStep[]
      why: readonly string[]
      /** Absent where the route was made without a policy. */
      choices?: readonly PolicyChoice[]
    }
  | {
      is: 'begun'
      stepId: string
      assignees: readonly Assignee[]
      expiresAt: Date | null
      /** What was tried before these people, and who was left out; absent where there is nothing to tell. */
      explained?: Explained
    }
  /** `webhook`: by whose answer, where it was not somebody's decision. */
  | { is: 'ended'; stepId: string; outcome: StepOutcome; comment: string; webhook?: WebhookNamed }
  /** A webhook is asked about a step. */
  | { is: 'webhook asked'; stepId: string; webhook: WebhookNamed }
  /** A request was sent to it, with this result; `status` is 0 where no reply came. */
  | { is: 'webhook attempted'; stepId: string; webhook: WebhookNamed; attempt: number; status: number; error: string }
  /** It could not be asked, or its answer cannot be followed: what comes of that follows. */
  | { is: 'webhook failed'; stepId: string; webhook: WebhookNamed; error: string; isBadAnswer?: boolean }
  /** A webhook has put steps in the place of its own; those that the policy has after it follow them. */
  | { is: 'steps added'; stepId: string; route: readonly Step[]; wire: readonly WireStep[]; webhook: WebhookNamed }
  /** A step goes on with other people, under a new id. */
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
  /** The people of a step changed because the world did: someone was disabled, a manager changed. */
  | { is: 'recalculated'; stepId: string; assignees: readonly Assignee[] }
  | { is: 'escalated'; stepId: string; comment: string }
  | { is: 'duration changed'; durationSeconds: number | null }
  | { is: 'answers changed'; answers: Answers }
  /** The same route from its first step. */
  | { is: 'restarted'; comment: string }
  /** What failed when it was carried out is carried out again; what was approved stays so. */
  | { is: 'retried'; comment: string }
  | { is: 'commented'; comment: string }
  /** Somebody did something with the task; what came of it follows. */
  | { is: 'acted'; action: ActionName; stepId: string }
  | { is: 'stuck'; why: string }
  /** What was stuck is looked at again. */
  | { is: 'resumed' }
  | { is: 'closed'; outcome: TaskOutcome; comment: string }
  /** A decision was undone: its step, and what came after it, count no more, and it is asked again. */
  | { is: 'undone'; stepId: string; comment: string }

/** By whom (empty for the service itself) and when. */
export type Happened = TaskEvent & { by: string; at: Date }
