import { jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call, Input, Route, Tenancy } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type Tx, transact, transactOnce, within } from '#kernel/sql.ts'
import type { Fields } from '#kernel/wire.ts'
import type { World } from '#kernel/world.ts'
import { expiredBefore, planDays, refuseOutdated } from '#rooms/foundation/plans/index.ts'
import { type ApprovedChange, changeApproved, findApprovedChange, settleChange } from '#rooms/governance/tasks/index.ts'
import { authorOf } from './author.ts'
import { type Change, changeMac, openBody } from './change.ts'
import { perform } from './rehearse.ts'
import { findChange, type KeptChange, markCarriedOut } from './store.ts'

type Doing = World & { tenant: Tenancy; signal: AbortSignal }

/**
 * Carries out approved changes: the requested change, its result and the end of the job are committed together or not at
 * all. So it happens once, even if the server is killed in between.
 */
export const carryOutChanges = (routes: readonly Route[]) => {
  const byId = new Map(routes.map((route) => [route.id, route]))
  return jobKind(changeApproved, {
    title: 'Approved change',
    retry: { firstMs: 1_000, maxMs: 60_000, attemptsMax: 20 },
    limitPerTenant: 2,
    afterUnknown: 'retry',
    attemptMs: 60_000,
    handle: (call) =>
      transact(call.db, async (tx) => {
        const approved = await findApprovedChange(tx, call, call.job.payload.taskId)
        if (approved) await settleChange(tx, call, approved, await carryOut(tx, call, approved, byId))
        await call.finishIn(tx)
      }),
  })
}

/** Null if it was done; otherwise why not, and then nothing was changed. */
async function carryOut(
  tx: Tx,
  doing: Doing,
  approved: ApprovedChange,
  routes: ReadonlyMap<string, Route>,
): Promise<string | null> {
  try {
    const change = await findChange(tx, doing.tenant.id, approved.task.id)
    const refused = whyNot(doing, approved, change)
    const route = change && routes.get(change.operation)
    if (refused !== null || !change || !route) return refused ?? 'The operation no longer exists.'
    await transactOnce(within(tx), (inner) => make(inner, doing, change, route))
    await markCarriedOut(tx, doing.tenant.id, change.taskId, doing.now())
    return null
  } catch (error) {
    // A refusal would occur again; any other error is a failure of ours, and retried.
    if (error instanceof Refusal && error.status < 500 && error.reason !== 'LOST_RACE') return error.message
    throw error
  }
}

function whyNot(doing: Doing, { task, approverIds }: ApprovedChange, change: KeptChange | null): string | null {
  if (!change || !isSameMac(change.mac, changeMac(doing.seals, doing.tenant.id, change)))
    return 'The change was altered in the database.'
  if (change.carriedOutAt !== null) return 'The change was already applied.'
  if (!approverIds.some((id) => id !== change.authorId && id !== task.createdBy))
    return 'Nobody but its author has approved the change: its policy needs a step that somebody approves.'
  const isExpired = change.createdAt < expiredBefore('change', doing.now())
  return isExpired ? `The change waited for more than ${planDays.change} days.` : null
}

/** Makes the change as its author requested it, if it still does exactly what was approved. */
async function make(tx: Tx, doing: Doing, change: Change, route: Route): Promise<void> {
  const actor = await authorOf({ ...doing, db: within(tx) }, change, route)
  const call: Call = {
    ...doing,
    db: within(tx),
    actor,
    operation: route.id,
    requestId: change.requestId,
    sourceAddress: change.sourceAddress,
    headers: {},
    origin: '',
    sendHeader: () => {},
    shows: {},
    signal: doing.signal,
  }
  const sent = openBody(doing.seals, doing.tenant.id, change)
  const input = {
    path: change.path,
    query: route.query.read({}, '', []),
    body: route.body ? route.body.read(sent ?? {}, '', []) : {},
    sent,
  } as unknown as Input<string, Fields, Fields>
  const { fingerprint } = await perform(tx, call, route, input)
  refuseOutdated(fingerprint, change.fingerprint.toString('base64url'), {
    message:
      'The objects of the change have been changed since it was planned, so it would differ from what was approved. Request it again.',
  })
}
