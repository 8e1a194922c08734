import { lacking } from '#authority/may.ts'
import { asService, type May } from '#authority/proof.ts'
import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { createTask, nextNumber } from '#rooms/governance/tasks/index.ts'
import { actorLater } from '#rooms/identity/tokens/index.ts'
import { removalRevocations, revocationsOf } from './names.ts'
import type { ByHand, Removal } from './removal.ts'
import { findRemoval, lockRemoval, setByHand } from './store.ts'

/** The maximum in one attempt: then another job continues, so that others of the tenant get their turn. */
const batchSize = 50
const operation = 'bailiwick.v1.AccessRemovals.Create'

type Doing = JobCall<{ removalId: string }>

/** Each task is saved with the removal in one transaction: a job that is killed, or runs twice, opens nothing twice. */
export const openRevocations = jobKind(removalRevocations, {
  title: 'Tasks to remove access manually',
  retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 300_000,
  async handle(doing) {
    const { removalId } = doing.job.payload
    const removal = await findRemoval(doing.db, doing.tenant.id, removalId)
    const waiting = removal && !removal.undoneAt ? removal.byHand.filter((each) => each.taskId === undefined) : []
    const as = waiting.length > 0 && removal ? await authorCall(doing, removal) : null
    if (as instanceof Refusal)
      await transact(doing.db, async (tx) => {
        const now = await lockRemoval(tx, doing.tenant.id, removalId)
        if (now) await setByHand(tx, doing.tenant.id, removalId, { byHand: now.byHand, error: as.message })
        await doing.finishIn(tx)
      })
    else {
      for (const each of waiting.slice(0, batchSize)) {
        if (doing.signal.aborted) return
        await openOne(as as May<'access-removals.run'>, removalId, each)
      }
      await transact(doing.db, async (tx) => {
        await doing.finishIn(tx)
        if (as && waiting.length > batchSize)
          await enqueue(tx, doing, serviceCause(doing.tenant, operation), removalRevocations, revocationsOf(removalId))
      })
    }
  },
})

const isSame = (one: ByHand, other: ByHand): boolean =>
  one.appId === other.appId && one.entitlementId === other.entitlementId && one.accountId === other.accountId

/** Opens a revocation, under the revoke policy. If that is refused, the reason is saved, and the others are not affected. */
async function openOne(call: May<'access-removals.run'>, removalId: string, of: ByHand): Promise<void> {
  const { id: tenantId } = call.tenant
  // Reserved before the transaction: a block of numbers is a separate transaction.
  const number = await nextNumber(call, tenantId)
  const put = (
    taskId: string,
    error: string,
    open: ((tx: Parameters<typeof createTask>[0], reason: string) => Promise<string>) | null,
  ) =>
    transact(call.db, async (tx) => {
      const removal = await lockRemoval(tx, tenantId, removalId)
      const waiting = removal?.byHand.find((each) => isSame(each, of))
      if (!removal || removal.undoneAt || waiting?.taskId !== undefined) return
      const opened = open ? await open(tx, removal.reason) : taskId
      const byHand = removal.byHand.map((each) => (isSame(each, of) ? { ...each, taskId: opened } : each))
      await setByHand(tx, tenantId, removalId, { byHand, error: error || removal.byHandError })
    })
  try {
    await put('', '', async (tx, reason) => {
      const { task } = await createTask(tx, call, number, {
        kind: 'revoke',
        appId: of.appId,
        entitlementId: of.entitlementId,
        identityUserId: '',
        appUserId: of.accountId,
        durationSeconds: null,
        isEmergency: false,
        answers: null,
        source: {},
        description: reason,
      })
      return task.id
    })
  } catch (error) {
    if (
      !(error instanceof Refusal) ||
      error.status >= 500 ||
      error.reason === 'LOST_RACE' ||
      error.reason === 'TOO_MANY_REQUESTS'
    )
      throw error
    // Someone has requested the same already, or it is no longer held: nothing is left to request.
    const isDone = error.reason === 'TASK_EXISTS' || error.reason === 'ACCESS_NOT_HELD'
    await put('', isDone ? '' : error.message, null)
  }
}

/** A call as the user who requested the removal, with their present permissions. */
async function authorCall(doing: Doing, removal: Removal): Promise<May<'access-removals.run'> | Refusal> {
  try {
    const actor = await actorLater(doing, { ...removal, authorId: removal.askedBy })
    const missing = lacking(actor, ['grants.give', 'tasks.request-for-others'])
    if (missing.length > 0)
      return new Refusal('PERMISSION_DENIED', `Its author no longer has the permission ${missing.join(', ')}.`)
    const { requestId, sourceAddress } = removal
    const asked = { operation, requestId, sourceAddress, headers: {}, origin: '', sendHeader: () => {}, shows: {} }
    return asService(
      { ...doing, ...asked, actor },
      'access-removals.run',
      'its author was admitted by this rule, and still may',
    )
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return error
    throw error
  }
}
