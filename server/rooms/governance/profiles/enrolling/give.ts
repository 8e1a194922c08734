import type { Tx } from '#kernel/sql.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { lockUsers } from '#rooms/identity/users/index.ts'
import { accountsFor } from '#rooms/records/accounts/index.ts'
import { endGrants, openGrants } from '#rooms/records/grants/index.ts'
import { keyOf } from '../decide.ts'
import { holdEntitlements } from '../entries/store.ts'
import type { EntitlementRef, Profile } from '../profile.ts'
import type { TenantWorld } from './hands.ts'
import type { HeldPair } from './store.ts'

type Touched = { type: string; id: string; data: object }
const touchedPerEvent = 500

/** Records what was granted or revoked, in events of a readable size. */
async function recordAccessChange(
  tx: Tx,
  world: TenantWorld,
  cause: CauseBy<'service'>,
  profile: Profile,
  { message, touched }: { message: string; touched: readonly Touched[] },
) {
  const of = { type: 'request_catalog', id: profile.id, name: profile.displayName, data: {} }
  const events = Array.from({ length: Math.ceil(touched.length / touchedPerEvent) }, (_, i) =>
    change(cause, 'update', message, [of, ...touched.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent)]),
  )
  if (events.length > 0) await record(tx, world, cause, ...events)
}

/**
 * Grants entitlements to members because they are members, in addition to other reasons for which they may hold them, for as
 * long as they are members. The caller has locked the profile.
 */
export async function give(
  tx: Tx,
  world: TenantWorld,
  cause: CauseBy<'service'>,
  profile: Profile,
  { userIds, refs }: { userIds: readonly string[]; refs: readonly EntitlementRef[] },
): Promise<void> {
  const at = world.now()
  const known = new Set((await holdEntitlements(tx, world.tenant.id, refs)).map(keyOf))
  const living = refs.filter((ref) => known.has(keyOf(ref)))
  const users = await lockUsers(tx, world.tenant.id, userIds, at)
  const ids = users.map(({ id }) => id)
  const touched: Touched[] = []
  for (const [appId, ofApp] of Map.groupBy(living, (ref) => ref.appId)) {
    const { accountOf, made } = await accountsFor(tx, world, appId, ids)
    const wanted = ofApp.flatMap(({ id: entitlementId }) =>
      [...accountOf.values()].map((accountId) => ({ id: world.newId(), appId, entitlementId, accountId })),
    )
    const opened = await openGrants(tx, cause, wanted, { source: 'profile', by: profile.id, at })
    touched.push(
      ...made.map(({ id }) => ({ type: 'account', id, data: { appId } })),
      ...opened.map(({ id, entitlementId, accountId }) => ({
        type: 'grant',
        id,
        data: { appId, entitlementId, accountId, gave: true },
      })),
    )
  }
  const message = `The access profile ${profile.displayName} granted access to its members`
  await recordAccessChange(tx, world, cause, profile, { message, touched })
}

export async function take(
  tx: Tx,
  world: TenantWorld,
  cause: CauseBy<'service'>,
  profile: Profile,
  pairs: readonly HeldPair[],
): Promise<void> {
  const at = world.now()
  const touched: Touched[] = []
  for (const [source, ofSource] of Map.groupBy(pairs, (pair) => pair.source)) {
    // A rule would grant it again at once: everyone who matches keeps it while they match.
    if (source === 'rule') continue
    const refs = ofSource.map(({ appId, id: entitlementId, accountId }) => ({ appId, entitlementId, accountId }))
    for (const { id, ...data } of await endGrants(tx, cause, refs, { by: profile.id, at, source }))
      touched.push({ type: 'grant', id, data: { ...data, took: true } })
  }
  const message = `The access profile ${profile.displayName} revoked access of people who left it`
  await recordAccessChange(tx, world, cause, profile, { message, touched })
}
