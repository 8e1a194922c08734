import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { accountsFor } from '#rooms/records/accounts/index.ts'
import { endGrants, openGrants } from '#rooms/records/grants/index.ts'
import type { Change, EntitlementRef } from '../automation.ts'
import { listAccountsGiven } from './store.ts'

type Ruling = CauseBy<'entitlement.change-rule' | 'service'>
export type Giver = { world: World; cause: Ruling; ref: EntitlementRef; name: string; runId: string }
type Touched = { type: string; id: string; data: object }

const touchedPerEvent = 500

/** Records what a run did, in events of a readable size. */
export async function recordRunChanges(
  tx: Tx,
  { world, cause, ref, name, runId }: Giver,
  message: string,
  touched: readonly Touched[],
): Promise<void> {
  const of = { type: 'entitlement', id: ref.id, name, data: { appId: ref.appId, runId } }
  const events = Array.from({ length: Math.ceil(touched.length / touchedPerEvent) }, (_, i) =>
    change(cause, 'update', message, [of, ...touched.slice(i * touchedPerEvent, (i + 1) * touchedPerEvent)]),
  )
  if (events.length > 0) await record(tx, world, cause, ...events)
}

/** Grants an entitlement to users, and revokes it from others, for its rule. The caller holds the users. */
export async function giveAndTake(
  tx: Tx,
  giver: Giver,
  changes: readonly Change[],
): Promise<{ gained: number; lost: number }> {
  const gaining = changes.filter(({ outcome }) => outcome === 'gain').map(({ userId }) => userId)
  const losing = changes.filter(({ outcome }) => outcome === 'lose').map(({ userId }) => userId)
  const lost = losing.length > 0 ? await take(tx, giver, losing) : []
  const gained = gaining.length > 0 ? await give(tx, giver, gaining) : []
  const message = `The rule of ${giver.name} added ${gaining.length} and removed ${losing.length}`
  await recordRunChanges(tx, giver, message, [...gained, ...lost])
  return { gained: gaining.length, lost: losing.length }
}

async function give(tx: Tx, { world, cause, ref, runId }: Giver, userIds: readonly string[]): Promise<Touched[]> {
  const { appId, id: entitlementId } = ref
  const { newId, now } = world
  const { accountOf, made } = await accountsFor(tx, { tenant: cause.tenant, newId, now }, appId, userIds)
  // A rule's grant does not expire: it lasts while the rule matches.
  const wanted = [...accountOf.values()].map((accountId) => ({
    id: world.newId(),
    appId,
    entitlementId,
    accountId,
  }))
  const opened = await openGrants(tx, cause, wanted, { source: 'rule', by: runId, at: world.now() })
  return [
    ...made.map(({ id }) => ({ type: 'account', id, data: { appId } })),
    ...opened.map(({ id, accountId }) => ({ type: 'grant', id, data: { accountId, gave: true } })),
  ]
}

async function take(tx: Tx, { world, cause, ref, runId }: Giver, userIds: readonly string[]): Promise<Touched[]> {
  const { appId, id: entitlementId } = ref
  const given = await listAccountsGiven(tx, cause.tenant.id, ref, userIds)
  const refs = given.map(({ accountId }) => ({ appId, entitlementId, accountId }))
  const ended = await endGrants(tx, cause, refs, { by: runId, at: world.now(), source: 'rule' })
  return ended.map(({ id, accountId }) => ({ type: 'grant', id, data: { accountId, took: true } }))
}
