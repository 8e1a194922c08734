import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import { plural } from '#kernel/plural.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { notUndoable } from '#rooms/foundation/plans/index.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { grantedAgain, whyNotRestored } from '#rooms/governance/leavers/index.ts'
import { changeOwners } from '#rooms/governance/owners/index.ts'
import { changeStatus, findUsers } from '#rooms/identity/users/index.ts'
import { changeEntitlement, findEntitlementsUncounted, type PolicyChecks } from '#rooms/records/apps/index.ts'
import { type HoldingRef, insertGrants, restateExpiry } from '#rooms/records/grants/index.ts'
import { type EntitlementRef, entitlementKey, holdingKey, objectKey, shareDisabled } from '../actions.ts'
import type { Bulk } from '../run.ts'
import { expiryBefore, whyChangedSince } from './decide.ts'
import {
  type BulkAction,
  type BulkKind,
  type HeldRow,
  holdEnds,
  listHeldRows,
  lockAction,
  type Traced,
} from './store.ts'

const ownApp = ({ appId }: { appId: string }): string => appId
const skipped = (why: string): Refusal => new Refusal('REMEDY_UNAVAILABLE', why)

/** The bulk change that is to be undone, locked until the transaction ends. */
async function getUndoable(
  tx: Tx,
  call: Call,
  id: string,
  kinds: readonly BulkKind[],
): Promise<BulkAction & { items: Traced[] }> {
  const action = await lockAction(tx, call.tenant.id, id)
  if (!action || !kinds.includes(action.kind))
    throw new Refusal('BULK_ACTION_NOT_FOUND', `There is no such bulk change ${id}.`, { metadata: { id } })
  if (action.undoneAt) throw notUndoable('This bulk change was already undone.')
  return action
}

/** A bulk change of the items of another one; `changeBack` gets what each item was before and after it. */
const undoing = <Ref>(
  action: BulkAction & { items: readonly Traced[] },
  { keyOf, appOf }: Pick<Bulk<Ref>, 'keyOf' | 'appOf'>,
  changeBack: (tx: Tx, ref: Ref, was: Traced) => Promise<'changed' | 'unchanged'>,
): Bulk<Ref> => {
  const traced = new Map(action.items.map((item) => [keyOf(item.ref as Ref), item]))
  return {
    done: (count) => `Undid a bulk change of ${plural(count, 'item')} (${action.title})`,
    wanted: ['undo', action.id],
    refs: action.items.map(({ ref }) => ref as Ref),
    keyOf,
    appOf,
    change: (tx, ref) => changeBack(tx, ref, traced.get(keyOf(ref)) as Traced),
  }
}

type HeldBefore = Omit<HeldRow, keyof HoldingRef | 'grantedAt' | 'expiresAt'> & {
  grantedAt: string
  expiresAt: string | null
}

/** Grants: revoked ones are granted again as they were, and an expiry is restored, unless they were changed since. */
export async function undoingGrants(tx: Tx, call: May<'grants.bulk-change'>, id: string): Promise<Bulk<HoldingRef>> {
  const action = await getUndoable(tx, call, id, ['revoke', 'expiry'])
  const refs = action.items.map(({ ref }) => ref as HoldingRef)
  const held = Map.groupBy(await listHeldRows(tx, call.tenant.id, refs, call.now()), holdingKey)
  const heldNow = (ref: HoldingRef): HeldRow[] => held.get(holdingKey(ref)) ?? []
  return undoing<HoldingRef>(action, { keyOf: holdingKey, appOf: ownApp }, (inner, ref, { before, after }) =>
    action.kind === 'revoke'
      ? restore(inner, call, ref, before as HeldBefore[], heldNow(ref).length > 0)
      : setBack(inner, call, ref, {
          before: before as HeldBefore[],
          held: heldNow(ref),
          after: after as string | null,
        }),
  )
}

async function restore(
  tx: Tx,
  call: May<'grants.bulk-change'>,
  ref: HoldingRef,
  before: readonly HeldBefore[],
  isHeldAgain: boolean,
): Promise<'changed'> {
  const at = call.now()
  const isThere = await holdEnds(tx, call.tenant.id, ref)
  const judged = before.map((row) => {
    const expiresAt = row.expiresAt === null ? null : new Date(row.expiresAt)
    return { row, expiresAt, why: whyNotRestored({ source: row.source, isThere, isHeldAgain, expiresAt }, at) }
  })
  const able = judged.filter(({ why }) => why === null)
  if (able.length === 0) throw skipped(judged[0]?.why ?? 'It was not held.')
  await refuseBeyondReach(tx, call, { appId: ref.appId, id: ref.entitlementId })
  const rows = able.map(({ row, expiresAt }) => ({
    ...ref,
    id: call.newId(),
    reason: row.reason,
    ...grantedAgain({ ...row, grantedAt: new Date(row.grantedAt), expiresAt }, call.actor.userId),
  }))
  await insertGrants(tx, call, rows, at)
  const touched = rows.map(({ id, source }) => ({ type: 'grant', id, data: { ...ref, source } }))
  await recordChange(tx, call, 'create', 'Granted again what a bulk change revoked', touched)
  return 'changed'
}

async function setBack(
  tx: Tx,
  call: May<'grants.bulk-change'>,
  ref: HoldingRef,
  { before, held, after }: { before: readonly HeldBefore[]; held: readonly HeldRow[]; after: string | null },
): Promise<'changed' | 'unchanged'> {
  const now = held.map(({ source, expiresAt }) => ({ source, expiresAt: expiresAt?.toISOString() ?? null }))
  const back = expiryBefore(before, now, after, call.now().toISOString())
  if ('why' in back) throw skipped(back.why)
  const expiresAt = back.expiresAt === null ? null : new Date(back.expiresAt)
  const { isChanged } = await restateExpiry(tx, call, ref, expiresAt)
  return isChanged ? 'changed' : 'unchanged'
}

/** Users: those who are still as the change left them are enabled or disabled again. */
export async function undoingUsers(
  tx: Tx,
  call: May<'users.change-status'>,
  id: string,
  reason: string,
): Promise<Bulk<string>> {
  const action = await getUndoable(tx, call, id, ['status'])
  const ids = action.items.map(({ ref }) => ref as string)
  const users = await findUsers(tx, call.tenant.id, ids, call.now())
  const statusOf = new Map(users.map((user) => [user.id, user.status]))
  const isGoing = ({ ref, before, after }: Traced): boolean =>
    before === 'DISABLED' && statusOf.get(ref as string) === after
  const of = { keyOf: (ref: string) => ref, appOf: () => '' }
  const bulk = undoing<string>(action, of, async (inner, ref, { before, after }) => {
    const why = whyChangedSince(statusOf.get(ref), after)
    if (why) throw skipped(why)
    await changeStatus(inner, call, ref, before as 'ENABLED' | 'DISABLED', reason)
    return 'changed'
  })
  return { ...bulk, sharesOf: (inner) => shareDisabled(inner, call, action.items.filter(isGoing).length) }
}

/** Owners: those who were added are removed, if they still are owners. */
export async function undoingOwners(tx: Tx, call: May<'owners.bulk-change'>, id: string): Promise<Bulk<ObjectRef>> {
  const action = await getUndoable(tx, call, id, ['owner'])
  return undoing<ObjectRef>(action, { keyOf: objectKey, appOf: ownApp }, async (inner, ref, { after }) => {
    const { userId, roleSlug } = after as { userId: string; roleSlug: string }
    const wanted = { remove: { userIds: [userId], entitlements: [] } }
    const { removed } = await changeOwners(inner, call, ref, roleSlug, wanted)
    return removed.length > 0 ? 'changed' : 'unchanged'
  })
}

/** Risk levels: those that were not changed since are restored. */
export async function undoingRisk(
  tx: Tx,
  call: May<'entitlements.bulk-edit'>,
  checks: PolicyChecks,
  id: string,
): Promise<Bulk<EntitlementRef>> {
  const action = await getUndoable(tx, call, id, ['risk'])
  const refs = action.items.map(({ ref }) => ref as EntitlementRef)
  const found = await findEntitlementsUncounted(tx, call.tenant.id, refs)
  const levelOf = new Map(found.map((each) => [entitlementKey(each), each.riskLevelValueId]))
  return undoing<EntitlementRef>(
    action,
    { keyOf: entitlementKey, appOf: ownApp },
    async (inner, ref, { before, after }) => {
      const why = whyChangedSince(levelOf.get(entitlementKey(ref)), after)
      if (why) throw skipped(why)
      await changeEntitlement(inner, call, checks, ref, { riskLevelValueId: before as string })
      return 'changed'
    },
  )
}
