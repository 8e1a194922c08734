import type { Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant, inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { type AccessChange, noteSince, takeChanges } from '#rooms/records/grants/index.ts'
import { lockConnector } from '../tasks/store.ts'
import { provisionerOf } from './carrier.ts'
import { type Known, wanted } from './decide.ts'
import { placeWish } from './place.ts'
import { listChanges, listTenantsWithChanges } from './store/changes.ts'
import { findSyncedFrom, listFacts } from './store/facts.ts'
import { clearOff, listProvisioners, listTenantsWithBack, lockBack } from './store/provisioners.ts'
import { insertProvisioningTask, listTasksOf } from './store/tasks.ts'
import { whyNotProvisioned } from './support.ts'

const batchSize = 200
const forMs = 3_000

/**
 * Sends to connectors what rules, profiles and people granted or ended. It looks at the current state, not at what changed:
 * access that was granted and ended in between causes no work, and running twice has the same result as running once. Run by
 * the engine.
 */
export async function carryToConnectors(world: World): Promise<void> {
  const back = await listTenantsWithBack(world.db)
  if (back.length > 0) await forEachTenant(back, (id) => transact(world.db, (tx) => lookSince(tx, id)))
  const work = async (tenantId: number): Promise<boolean> => {
    const tenant = await findTenant(world.db, tenantId)
    return tenant !== null && (await carrySome(world, tenant)) === batchSize
  }
  await inTurns(await listTenantsWithChanges(world.db), work, forMs)
}

/** A change in the last second before it was turned off may not have been looked at. */
const beforeMs = 60_000

/**
 * Changes were not kept while a connector carried nothing out: when it can again, they are found from the records, and
 * carried out by their current state. So the backlog does not grow, however long that takes and however often the same
 * access changes.
 */
async function lookSince(tx: Tx, tenantId: number): Promise<void> {
  for (const { id, appId, offSince } of await lockBack(tx, tenantId)) {
    await noteSince(tx, tenantId, appId, new Date(offSince.getTime() - beforeMs))
    await clearOff(tx, tenantId, id)
  }
}

async function carrySome(world: World, tenant: Tenancy): Promise<number> {
  const changes = await listChanges(world.db, tenant.id, batchSize)
  for (const [appId, ofApp] of Map.groupBy(changes, (each) => each.appId))
    await transact(world.db, (tx) => carryOfApp(tx, { ...world, tenant }, appId, ofApp))
  return changes.length
}

const keyOf = ({ entitlementId, accountId }: { entitlementId: string; accountId: string }): string =>
  `${entitlementId} ${accountId}`

async function carryOfApp(
  tx: Tx,
  doing: World & { tenant: Tenancy },
  appId: string,
  listed: readonly AccessChange[],
): Promise<void> {
  const tenantId = doing.tenant.id
  const connector = provisionerOf(await listProvisioners(tx, tenantId, appId), null)
  // If the connector of the app only reads, only the records change.
  const isAble = connector && whyNotProvisioned(connector, null) === null
  const isHeld = isAble && (await lockConnector(tx, tenantId, connector.id))
  // Before the records are read: a manual grant of the same access meanwhile waits, or is seen here.
  const changes = await takeChanges(tx, tenantId, listed)
  if (!isHeld || changes.length === 0) return
  const at = doing.now()
  const byPair = Map.groupBy(changes, keyOf)
  const pairs = [...byPair.values()].map(([first]) => first as AccessChange)
  const ended = changes.filter(({ change }) => change === 'ended').map(({ causeId }) => causeId)
  const facts = await listFacts(tx, tenantId, appId, pairs, { ended, at })
  const tasks = Map.groupBy(await listTasksOf(tx, tenantId, appId, pairs), keyOf)
  const syncedFrom = new Map<string, Date | null>()
  for (const fact of facts) {
    const ofPair = tasks.get(keyOf(fact)) ?? []
    const last = ofPair.find(({ state }) => state !== 'cancelled')
    const done = ofPair.find(({ state }) => state === 'done')
    if (done && !syncedFrom.has(done.connectorId))
      syncedFrom.set(done.connectorId, await findSyncedFrom(tx, tenantId, done.connectorId))
    const from = (done && syncedFrom.get(done.connectorId)) ?? null
    const isSince = done?.endedAt && (from === null || done.endedAt >= from)
    const known: Known = {
      ...fact,
      isRemoved: byPair.get(keyOf(fact))?.some(({ change }) => change === 'removed') === true,
      lastDone: done && isSince ? (done.kind as 'grant' | 'revoke') : null,
      isGiven: done?.kind === 'grant',
      lastFailed:
        last?.state === 'failed' ? { kind: last.kind as 'grant' | 'revoke', createdAt: last.createdAt } : null,
      isAwaited: ofPair.some((task) => task.isAwaited),
      open: ofPair.filter(({ state }) => state === 'queued' || state === 'leased' || state === 'unknown'),
    }
    const kind = wanted(known)
    if (!kind) continue
    const { entitlementId, accountId } = fact
    const wish = { kind, appId, entitlementId, accountId, isAwaited: false, askedBy: '' }
    const placed = await placeWish(tx, doing, wish)
    if (placed?.is === 'impossible')
      // Shown, with the reason, in the list where people look for what was not carried out.
      await insertProvisioningTask(tx, tenantId, {
        id: doing.newId(),
        connectorId: placed.connectorId,
        appId,
        entitlementId,
        accountId,
        kind,
        at,
        state: 'failed',
        error: placed.why,
        isAwaited: false,
        askedBy: '',
        retryOf: '',
        retries: 0,
      })
  }
}
