import type { Task } from '../../machine/record.ts'
import type { Instance, TaskState } from '../../machine/task.ts'

/** How long people may undo their own decision. Request administrators may at any time. */
const undoWithinMs = 60 * 60_000

export type Decision = { instance: Instance; outcome: 'approved' | 'denied' | 'skipped'; by: string; at: Date }

const decisive = new Set(['approved', 'denied', 'skipped'])

/** The decisions of people and webhooks in the current round, earliest first. Approval by requesting is not a decision. */
function decisionsOf({ createdBy }: Pick<Task, 'createdBy'>, { instances, generation }: TaskState): Decision[] {
  return instances.flatMap((instance) => {
    const { end, startedAt, step } = instance
    if (instance.generation !== generation || !end || (end.by === '' && !end.webhook) || !decisive.has(end.outcome))
      return []
    if (step.kind !== 'approval' && end.outcome !== 'skipped') return []
    const isByAsking = end.by === createdBy && end.outcome === 'approved' && +end.at === +startedAt
    return isByAsking ? [] : [{ instance, outcome: end.outcome as Decision['outcome'], by: end.by, at: end.at }]
  })
}

export type Asking = { userId: string; isAdministrator: boolean; now: Date }
export type Undoable = { decision: Decision; later: readonly Decision[]; until: Date | null }

/**
 * The decision that someone may undo: the one they name, else the last. People may undo their own for an hour, while nobody
 * else has decided after them; request administrators may at any time, and then undo later decisions too.
 */
export function undoable(
  task: Pick<Task, 'createdBy' | 'kind'>,
  state: TaskState,
  stepId: string,
  { userId, isAdministrator, now }: Asking,
): Undoable | { whyNot: string } {
  if (task.kind === 'offboarding') return { whyNot: 'Offboarding has no decision to undo.' }
  if (task.kind === 'change' && !state.isOpen)
    return { whyNot: 'A change that was applied cannot be undone here: request the opposite change.' }
  const all = decisionsOf(task, state)
  const at = stepId === '' ? all.length - 1 : all.findIndex(({ instance }) => instance.id === stepId)
  const decision = all[at]
  if (!decision) return { whyNot: 'There is no decision to undo.' }
  if (!state.isOpen && (state.outcome === 'cancelled' || state.outcome === 'timed out'))
    return { whyNot: 'The task was closed after the decision.' }
  const later = all.slice(at + 1)
  if (isAdministrator) return { decision, later, until: null }
  if (decision.by !== userId)
    return { whyNot: 'Only the person who decided, or a request administrator, can undo a decision.' }
  if (later.some(({ by }) => by !== userId))
    return { whyNot: 'Someone else decided a later step. A request administrator can undo both.' }
  const until = new Date(decision.at.getTime() + undoWithinMs)
  return now < until
    ? { decision, later, until }
    : { whyNot: 'The decision was made more than an hour ago. A request administrator can undo it.' }
}

/** A grant that a task ended, as it was. */
export type EndedRow = {
  id: string
  appId: string
  appName: string
  entitlementId: string
  entitlementName: string
  accountId: string
  source: string
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
  isThere: boolean
  /** Whether the person can have access: not if they are disabled or deleted. */
  isAble: boolean
  isChangedSince: boolean
}

const bySource: { readonly [source: string]: string } = {
  rule: 'It was granted by an automation rule, which grants it again automatically if it still matches.',
  profile: 'It came with an access profile, which grants it again automatically if it still applies.',
}

/** Why access that a task ended cannot be restored; null if it can. */
export function whyNotGivenBack(row: EndedRow, { isOverdue, now }: { isOverdue: boolean; now: Date }): string | null {
  if (!row.isThere) return 'The account, the entitlement or its app was deleted.'
  if (!row.isAble) return 'The person is disabled or deleted.'
  if (row.isChangedSince) return 'It has since been granted or revoked again.'
  if (row.expiresAt !== null && row.expiresAt <= now) return 'It has expired.'
  if (isOverdue && row.expiresAt === null && row.source === 'request') return 'It had expired before the decision.'
  return bySource[row.source] ?? null
}
