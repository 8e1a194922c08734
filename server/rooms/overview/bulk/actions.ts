import type { May } from '#authority/proof.ts'
import { plural } from '#kernel/plural.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { ObjectRef } from '#rooms/foundation/ownership/index.ts'
import { changeOwners } from '#rooms/governance/owners/index.ts'
import { changeStatus, findUsers } from '#rooms/identity/users/index.ts'
import { changeEntitlement, findEntitlementsUncounted, type PolicyChecks } from '#rooms/records/apps/index.ts'
import { type HoldingRef, removeMember, restateExpiry } from '#rooms/records/grants/index.ts'
import { countedFor, isMuch, noteOf, whyNotRevoked } from './decide.ts'
import type { Bulk, Share } from './run.ts'
import { countEnabled, countGrantsOf } from './store.ts'
import { listHeldRows } from './undo/store.ts'

export const holdingKey = ({ appId, entitlementId, accountId }: HoldingRef): string =>
  `${appId} ${entitlementId} ${accountId}`

/** By what each of these is held, as it is before anything is changed. */
async function heldBefore(tx: Tx, call: Call, refs: readonly HoldingRef[]) {
  const held = Map.groupBy(await listHeldRows(tx, call.tenant.id, refs, call.now()), holdingKey)
  return (ref: HoldingRef) =>
    (held.get(holdingKey(ref)) ?? []).map(({ source, grantedBy, grantedAt, expiresAt, reason }) => ({
      source,
      grantedBy,
      grantedAt,
      expiresAt,
      reason,
    }))
}

/** Revokes access, for whatever reasons it is held; not what would be granted again at once. */
export async function revoking(
  tx: Tx,
  call: May<'grants.bulk-change'>,
  refs: readonly HoldingRef[],
): Promise<Bulk<HoldingRef>> {
  const beforeOf = await heldBefore(tx, call, refs)
  const sourcesOf = (ref: HoldingRef) => beforeOf(ref).map(({ source }) => source)
  return {
    done: (count) => `Revoked ${plural(count, 'grant')}`,
    wanted: ['revoke'],
    refs,
    keyOf: holdingKey,
    appOf: ({ appId }) => appId,
    noteOf: (ref) => noteOf(sourcesOf(ref)),
    kept: { kind: 'revoke', traceOf: (ref) => ({ before: beforeOf(ref), after: null }) },
    async change(inner, ref) {
      const why = whyNotRevoked(sourcesOf(ref))
      if (why !== null) throw new Refusal('REMEDY_UNAVAILABLE', why)
      await removeMember(inner, call, ref)
      return 'changed'
    },
    async sharesOf(inner, all) {
      const going = all.filter((ref) => sourcesOf(ref).length > 0 && whyNotRevoked(sourcesOf(ref)) === null)
      const shares: Share[] = []
      for (const [appId, own] of Map.groupBy(going, (ref) => ref.appId)) {
        const { length: count } = own
        const { name, held } = await countGrantsOf(inner, call.tenant.id, appId, countedFor(count))
        shares.push({ appId, name, count, held, isMuch: isMuch(count, held) })
      }
      return shares
    },
  }
}

/** Lets access end at another time, or never. */
export async function expiring(
  tx: Tx,
  call: May<'grants.bulk-change'>,
  refs: readonly HoldingRef[],
  expiresAt: Date | null,
): Promise<Bulk<HoldingRef>> {
  const beforeOf = await heldBefore(tx, call, refs)
  return {
    done: (count) =>
      `Set ${plural(count, 'grant')} to ${expiresAt ? `expire at ${expiresAt.toISOString()}` : 'never expire'}`,
    wanted: ['expiry', expiresAt?.toISOString() ?? ''],
    refs,
    keyOf: holdingKey,
    appOf: ({ appId }) => appId,
    kept: { kind: 'expiry', traceOf: (ref) => ({ before: beforeOf(ref), after: expiresAt }) },
    async change(inner, ref) {
      const { isChanged } = await restateExpiry(inner, call, ref, expiresAt)
      return isChanged ? 'changed' : 'unchanged'
    },
  }
}

/** How many of all users would be disabled. */
export async function shareDisabled(tx: Tx, call: Call, count: number): Promise<Share[]> {
  if (count === 0) return []
  const held = await countEnabled(tx, call.tenant.id, countedFor(count))
  return [{ appId: '', name: 'users', count, held, isMuch: isMuch(count, held) }]
}

/** Disables or enables users. */
export async function switching(
  tx: Tx,
  call: May<'users.change-status'>,
  userIds: readonly string[],
  status: 'ENABLED' | 'DISABLED',
  reason: string,
): Promise<Bulk<string>> {
  const before = new Map(
    (await findUsers(tx, call.tenant.id, userIds, call.now())).map((user) => [user.id, user.status]),
  )
  return {
    done: (count) => `${status === 'ENABLED' ? 'Enabled' : 'Disabled'} ${plural(count, 'user')}`,
    wanted: [status],
    refs: userIds,
    keyOf: (id) => id,
    appOf: () => '',
    kept: { kind: 'status', traceOf: (id) => ({ before: before.get(id) ?? null, after: status }) },
    async change(inner, id) {
      await changeStatus(inner, call, id, status, reason)
      return before.get(id) === status ? 'unchanged' : 'changed'
    },
    async sharesOf(inner, ids) {
      if (status === 'ENABLED') return []
      return shareDisabled(inner, call, ids.filter((id) => before.get(id) === 'ENABLED').length)
    },
  }
}

export const objectKey = ({ kind, appId, typeId, id }: ObjectRef): string => `${kind} ${appId} ${typeId} ${id}`

/** Makes someone an owner of several things, beside those who are. */
export const owning = (
  call: May<'owners.bulk-change'>,
  refs: readonly ObjectRef[],
  { userId, roleSlug }: { userId: string; roleSlug: string },
): Bulk<ObjectRef> => ({
  done: (count) => `Added an owner to ${plural(count, 'object')}`,
  wanted: ['own', userId, roleSlug],
  refs,
  keyOf: objectKey,
  appOf: ({ appId }) => appId,
  kept: { kind: 'owner', traceOf: () => ({ before: null, after: { userId, roleSlug } }) },
  async change(inner, ref) {
    const { added } = await changeOwners(inner, call, ref, roleSlug, { add: { userIds: [userId], entitlements: [] } })
    return added.length > 0 ? 'changed' : 'unchanged'
  },
})

export type EntitlementRef = { appId: string; id: string }
export const entitlementKey = ({ appId, id }: EntitlementRef): string => `${appId} ${id}`

/** Gives entitlements a risk level, or none. */
export async function rating(
  tx: Tx,
  call: May<'entitlements.bulk-edit'>,
  checks: PolicyChecks,
  refs: readonly EntitlementRef[],
  riskLevelValueId: string,
): Promise<Bulk<EntitlementRef>> {
  const found = await findEntitlementsUncounted(tx, call.tenant.id, refs)
  const before = new Map(found.map((each) => [entitlementKey(each), each.riskLevelValueId]))
  return {
    done: (count) => `Set the risk level of ${plural(count, 'entitlement')}`,
    wanted: ['risk', riskLevelValueId],
    refs,
    keyOf: entitlementKey,
    appOf: ({ appId }) => appId,
    kept: {
      kind: 'risk',
      traceOf: (ref) => ({ before: before.get(entitlementKey(ref)) ?? '', after: riskLevelValueId }),
    },
    async change(inner, ref) {
      if (before.get(entitlementKey(ref)) === riskLevelValueId) return 'unchanged'
      await changeEntitlement(inner, call, checks, ref, { riskLevelValueId })
      return 'changed'
    },
  }
}
