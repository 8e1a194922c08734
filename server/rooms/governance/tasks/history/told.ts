import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import type { Happened } from '../machine/event.ts'
import { replay } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { AssignedWhy, Instance, StepOutcome, TaskState } from '../machine/task.ts'
import { getTask } from '../sight.ts'
import { findTask, listTaskEvents } from '../store.ts'
import { connectorIn } from './by-connector.ts'

type Named = { id: string; name: string }
export type Decision = { at: Date; by: Named | null; what: string; comment: string; counts: boolean }

/** Who said that access exists in the app, and when they were asked. */
export type Provisioned = { is: 'connector' | 'person' | 'webhook'; by: Named; from: Date; at: Date }

/** What was decided about a request, for evidence. */
export type ToldRequest = {
  id: string
  createdAt: Date
  /** When something happened to it: its events in the system log are of these times. */
  times: Date[]
  provisioned: Provisioned | null
  /** Null for callers who do not see the request. */
  seen:
    | (Pick<Task, 'number' | 'displayName' | 'description' | 'outcome' | 'outcomeAt'> & {
        createdBy: Named
        decisions: Decision[]
      })
    | null
}

const asWhom: { readonly [why in AssignedWhy]: string } = {
  users: 'as an approver whom the policy names',
  manager: 'as the manager',
  appOwners: 'as an owner of the app',
  group: 'as a member of the group that approves',
  self: 'as the person concerned',
  entitlementOwners: 'as an owner of the entitlement',
  resourceOwners: 'as an owner of the resource',
  expression: 'as an approver by an expression',
  delegate: 'as a delegate',
  fallback: 'as a fallback',
  superAdministrator: 'as a Super Administrator',
  reassigned: 'after a reassignment',
  escalated: 'after an escalation',
  requester: 'as the requester',
  provisioner: '',
}

const outcomeWords: { readonly [outcome in StepOutcome]?: string } = {
  approved: 'approved',
  denied: 'denied',
  skipped: 'skipped the approval',
  accepted: 'accepted by the policy',
  rejected: 'rejected by the policy',
  provisioned: 'provisioned',
  failed: 'could not be provisioned',
  'not done': 'said that it was not done',
  'timed out': 'not decided in time',
}

/** A request by its id, with as much as the caller may know; null if there is none. */
export async function findToldRequest(call: Call, id: string): Promise<ToldRequest | null> {
  const task = await findTask(call.db, call.tenant.id, id)
  if (!task) return null
  const events = await listTaskEvents(call.db, call.tenant.id, id)
  const state = replay(events)
  const ids = events
    .flatMap((event) => ['assignees' in event ? event.assignees.map(({ userId }) => userId) : [], event.by])
    .flat()
  const users = await findUsers(call.db, call.tenant.id, [...new Set([task.createdBy, ...ids])], call.now())
  const names = new Map(users.map((user) => [user.id, user.displayName]))
  const named = (userId: string): Named => ({ id: userId, name: names.get(userId) ?? '' })
  const isSeen = await getTask(call.db, call, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
  const { number, displayName, description, outcome, outcomeAt, createdAt, createdBy } = task
  return {
    id,
    createdAt,
    times: events.map(({ at }) => at),
    provisioned: provisionedIn(state, named),
    seen: isSeen
      ? {
          ...{ number, displayName, description, outcome, outcomeAt },
          createdBy: named(createdBy),
          decisions: events.flatMap((event) => decisionOf(event, state, named)),
        }
      : null,
  }
}

type NamedBy = (userId: string) => Named

const isCounted = ({ generation }: TaskState, instance: Instance | undefined): boolean =>
  instance !== undefined && instance.generation === generation && instance.end?.outcome !== 'undone'

/** The last step of provisioning that counts, if a connector, a person or a webhook said that it is done. */
function provisionedIn(state: TaskState, named: NamedBy): Provisioned | null {
  const last = state.instances.findLast(
    (each) => each.step.kind === 'provision' && isCounted(state, each) && each.end?.outcome === 'provisioned',
  )
  if (!last?.end) return null
  const { by, at, webhook, comment } = last.end
  const when = { from: last.startedAt, at }
  if (webhook) return { is: 'webhook', by: { id: webhook.id, name: webhook.name }, ...when }
  if (by !== '') return { is: 'person', by: named(by), ...when }
  const name = connectorIn(comment)
  return name === null ? null : { is: 'connector', by: { id: '', name }, ...when }
}

function decisionOf(event: Happened, state: TaskState, named: NamedBy): Decision[] {
  const said = {
    at: event.at,
    by: event.by === '' ? null : named(event.by),
    comment: 'comment' in event ? event.comment : '',
  }
  if (event.is === 'ended') {
    const instance = state.instances.find(({ id }) => id === event.stepId)
    const word = outcomeWords[event.outcome]
    if (word === undefined) return []
    return [{ ...said, what: wordsOf(event, word, instance), counts: isCounted(state, instance) }]
  }
  const what = otherWords(event, named)
  return what === null ? [] : [{ ...said, what, counts: true }]
}

/** What happened that is no decision, but explains one; null for everything else. */
function otherWords(event: Happened, named: NamedBy): string | null {
  if (event.is === 'created') return event.isEmergency ? 'requested as emergency access' : 'requested'
  if (event.is === 'reassigned')
    return `reassigned to ${event.assignees.map(({ userId }) => named(userId).name || userId).join(', ')}`
  if (event.is === 'undone') return 'undid a decision'
  if (event.is === 'restarted') return 'restarted the request'
  if (event.is === 'escalated') return 'escalated'
  return event.is === 'closed' ? `closed: ${event.outcome}` : null
}

function wordsOf(event: Extract<Happened, { is: 'ended' }>, word: string, instance: Instance | undefined): string {
  if (event.webhook) return `${word} by the webhook ${event.webhook.name}`
  if (event.outcome === 'provisioned' && event.by === '' && connectorIn(event.comment) === null) return 'recorded'
  const assignee = instance?.assignees.find(({ userId }) => userId === event.by)
  const role = instance?.step.kind === 'approval' && assignee ? asWhom[assignee.why] : ''
  return role === '' ? word : `${word} ${role}`
}
