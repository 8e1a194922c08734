import type { May } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import { openTask } from '../creating/open.ts'
import { addressField, neededSinceField } from '../facts/conditions.ts'
import { Facts } from '../facts/facts.ts'
import type { Task, TaskAbout } from '../machine/record.ts'
import { routeBy, unprovisioned } from '../route.ts'
import { openingFor } from '../verdict.ts'

export type ChangeAsked = { displayName: string; description: string; policyId: string; neededSince: Date }

/** Creates the task in which a change waits. Its subject is its author, who is excluded from its approvers. */
export async function createChangeTask(
  tx: Tx,
  call: May<'tasks.act'>,
  number: number,
  { displayName, description, policyId, neededSince }: ChangeAsked,
): Promise<Task> {
  const { userId, sessionId } = call.actor
  const about: TaskAbout = {
    kind: 'change',
    displayName,
    description,
    subjectUserId: userId,
    createdBy: userId,
    origin: sessionId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_WEBAPP',
    appId: '',
    entitlementId: '',
    accountId: '',
    resourceTypeId: '',
    resourceId: '',
    parentId: '',
    source: { [addressField]: call.sourceAddress, [neededSinceField]: neededSince.toISOString() },
  }
  const facts = new Facts(tx, call)
  const route = (task: Task) => routeBy(facts, task, { policyId, terms: unprovisioned })
  const opened = await openTask(facts, openingFor(call), { number, about, by: userId, route })
  // Only requests for access can be the same as one that is open.
  if ('twin' in opened) throw new Error('a change cannot be open twice')
  return opened.task
}
