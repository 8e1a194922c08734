import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { deleteAccountsOf } from '#rooms/records/connectors/index.ts'
import { carry } from '../carry.ts'
import { openTask } from '../creating/open.ts'
import { continueOffboarding } from '../effects/carry-out.ts'
import { offboardTask } from '../effects/job-names.ts'
import { Facts } from '../facts/facts.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { Instance } from '../machine/task.ts'
import { nextNumber } from '../numbers.ts'
import { routeBy } from '../route.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { adoptTask, countChildren, findOpenRevocation, listToRevoke, type ToRevoke } from './store.ts'

const batchSize = 20

type Offboarding = JobCall<{ taskId: string }>

/** Opens revocations, a few per transaction, and ends the offboarding when none is left to open and none is open. */
export const goOnOffboarding = jobKind(offboardTask, {
  title: 'Offboarding',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 120_000,
  async handle(call) {
    // Reserved before the transaction: a block of numbers is a separate transaction.
    const numbers: number[] = []
    for (let i = 0; i < batchSize; i++) numbers.push(await nextNumber(call, call.tenant.id))
    await transact(call.db, async (tx) => {
      const task = await lockTask(tx, call.tenant.id, call.job.payload.taskId)
      if (task?.isOpen) await goOn(tx, call, task, numbers)
      await call.finishIn(tx)
    })
  },
})

async function goOn(tx: Tx, call: Offboarding, task: Task, numbers: readonly number[]): Promise<void> {
  const facts = new Facts(tx, call)
  const state = replay(await listTaskEvents(tx, call.tenant.id, task.id))
  const now = currentOf(state)
  if (now?.step.kind !== 'provision') return
  const cause = serviceCause(call.tenant, offboardTask.kind)
  const left = await listToRevoke(tx, call.tenant.id, task, call.now(), batchSize)
  const problems: string[] = []
  for (const [place, each] of left.entries()) {
    const problem = await openRevocation(facts, task, each, numbers[place] as number)
    if (problem) problems.push(problem)
  }
  const [problem] = problems
  if (problem !== undefined) {
    // The problem stays visible, and is retried when open tasks are checked again.
    const events = [{ is: 'stuck', why: problem }] as const
    if (state.stuckWhy !== problem) await carry(facts, cause, { task, state }, { events, by: '', verb: 'Stopped' })
    return
  }
  if (left.length > 0) return continueOffboarding(facts, task.id)
  const events = await endOf(tx, call, { task, state }, now)
  if (events.length > 0) await carry(facts, cause, { task, state }, { events, by: '', verb: 'Carried on' })
}

/** Nothing is left to open: the offboarding ends once no revocation is open. */
async function endOf(
  tx: Tx,
  call: Offboarding,
  { task: { id, subjectUserId }, state: { stuckWhy } }: Snapshot,
  { id: stepId }: Instance,
): Promise<TaskEvent[]> {
  const counts = new Map((await countChildren(tx, call.tenant.id, id)).map(({ outcome, count }) => [outcome, count]))
  const resumed: TaskEvent[] = stuckWhy === null ? [] : [{ is: 'resumed' }]
  if (counts.has('open')) return resumed
  const told = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  const comment = told === '' ? 'There were no requested or manual grants.' : `Revocations: ${told}.`
  if (counts.has('failed'))
    return [
      ...resumed,
      { is: 'ended', stepId, outcome: 'failed', comment },
      { is: 'closed', outcome: 'failed', comment },
    ]
  // Last: everything to revoke in these accounts has been revoked, or is deleted with them.
  const deleted = await deleteAccountsOf(tx, call, subjectUserId)
  const also = deleted === 0 ? '' : ` Accounts to be deleted in their apps: ${deleted}.`
  return [...resumed, { is: 'ended', stepId, outcome: 'provisioned', comment: `${comment}${also}` }]
}

/** Opens a revocation under the revoke policy of its entitlement; returns why it cannot be opened. */
async function openRevocation(facts: Facts, parent: Task, held: ToRevoke, number: number): Promise<string | null> {
  const { tx, tenantId, world } = facts
  const { appId, entitlementId, accountId, name } = held
  const before = await findOpenRevocation(tx, tenantId, parent, held)
  if (before !== null)
    return (await adoptTask(tx, tenantId, before, parent.id)) ? null : 'Others were revoking the same access.'
  const terms = await facts.terms({ appId, entitlementId })
  if (!terms) return null
  const about = {
    kind: 'revoke' as const,
    origin: parent.origin,
    subjectUserId: parent.subjectUserId,
    createdBy: parent.createdBy,
    appId,
    entitlementId,
    accountId,
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `Revoke ${name}: ${parent.displayName}`,
    description: parent.description,
    source: {},
    parentId: parent.id,
  }
  const route = (task: Task) => routeBy(facts, task, { policyId: terms.revokePolicyId, terms })
  const cause = serviceCause(world.tenant, offboardTask.kind)
  try {
    const opened = await openTask(facts, cause, { number, about, by: '', route })
    // Someone opened one concurrently: the next run finds it.
    return 'twin' in opened ? 'Others were revoking the same access.' : null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500)
      return `The revocation of ${name} cannot be opened: ${error.message}`
    throw error
  }
}
