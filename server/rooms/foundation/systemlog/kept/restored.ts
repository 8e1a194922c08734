import { findRestored, type RestoredRow, updateRestored } from '#kernel/installation-store.ts'
import { slot } from '#kernel/memory.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { ledger } from '../chain/ledger.ts'
import { findLostHeads, HeadsFileUnusable, readKept, replaceKept } from './kept.ts'

/**
 * A backup brings back what was used or deleted after it was made: sign-in links, sessions, credentials, passkeys,
 * identities at a provider. `bailiwick database restored` sets a minimum time, and what was created before it does not
 * count.
 */
type Floor = { restoredAt: Date | null; credentialsFloor: Date | null }

const restoredMac = ({ seals }: World, { restoredAt, credentialsFloor }: Floor): Buffer =>
  seals.mac('restored', '', restoredAt?.toISOString() ?? '', credentialsFloor?.toISOString() ?? '')

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b))

const floors = slot((world) => {
  let floor: Floor = { restoredAt: null, credentialsFloor: null }
  let logged = ''
  /** Never goes back: an attacker who writes to the database may remove it there. */
  const raise = ({ restoredAt, credentialsFloor }: Floor): void => {
    // Another process accepted a restored database: where its chain ended before does not hold any longer.
    if (restoredAt && (!floor.restoredAt || restoredAt > floor.restoredAt))
      for (const tenantId of [...world.memory(ledger).ends().keys()]) world.memory(ledger).forgetEnd(tenantId)
    floor = {
      restoredAt: later(floor.restoredAt, restoredAt),
      credentialsFloor: later(floor.credentialsFloor, credentialsFloor),
    }
  }
  const logOnce = (what: string): void => {
    if (logged !== what) world.log.error(what)
    logged = what
  }
  return {
    floor: () => floor,
    raise,
    /** Reads the record in the database; run by the engine. */
    async refresh(): Promise<void> {
      const row = await findRestored(world.db)
      if (!row?.restoredAt) {
        if (floor.restoredAt)
          logOnce('the record of the last restore was removed from the database; it is still applied')
        return
      }
      if (!isGenuine(world, row))
        return logOnce('the record of the last restore in the database was altered; it is ignored')
      if (floor.restoredAt && row.restoredAt < floor.restoredAt)
        logOnce(
          'the record of the last restore in the database was replaced by an older one; the later one is still applied',
        )
      raise(row)
    },
  }
})

const isGenuine = (world: World, row: RestoredRow): boolean =>
  row.mac !== null && isSameMac(row.mac, restoredMac(world, row))

export const refreshFloor = (world: World): Promise<void> => world.memory(floors).refresh()

/** Whether a sign-in link or a session was created before the database was last restored: then it does not count. */
export const isFromBeforeRestore = (world: World, createdAt: Date): boolean => {
  const { restoredAt } = world.memory(floors).floor()
  return restoredAt !== null && createdAt < restoredAt
}

const approvalOf = (world: World, tenantId: number, id: string): Buffer | null => {
  const { credentialsFloor } = world.memory(floors).floor()
  return (
    credentialsFloor && world.seals.mac('credential approval', String(tenantId), id, credentialsFloor.toISOString())
  )
}

/** Whether a credential, a passkey or an identity is from before the restore, and no operator has approved it since. */
export function isSetAside(
  world: World,
  tenantId: number,
  { id, createdAt, approvalMac }: { id: string; createdAt: Date; approvalMac: Buffer | null },
): boolean {
  const { credentialsFloor } = world.memory(floors).floor()
  if (credentialsFloor === null || createdAt >= credentialsFloor) return false
  const approval = approvalOf(world, tenantId, id)
  return approval === null || approvalMac === null || !isSameMac(approvalMac, approval)
}

/** The MAC that approves a credential from before the restore; null if none needs approval. */
export const approvalMac = approvalOf

/** The database is behind what this installation has seen. */
class DatabaseBehind extends OperatorError {
  override name = 'DatabaseBehind'
}

/** Takes over what was stored beside the secret key; run once, when the data is opened. */
export async function openKept(world: World): Promise<void> {
  const kept = await readKept(world).catch((error: unknown) => {
    if (!(error instanceof HeadsFileUnusable)) throw error
    world.log.error(error.message)
    return null
  })
  if (kept?.restored)
    world.memory(floors).raise({
      restoredAt: new Date(kept.restored.restoredAt),
      credentialsFloor: kept.restored.credentialsFloor === null ? null : new Date(kept.restored.credentialsFloor),
    })
  await refreshFloor(world)
  if (!kept) return
  const { restoredAt } = world.memory(floors).floor()
  for (const [tenantId, { number, mac, at }] of Object.entries(kept.heads))
    if (!restoredAt || new Date(at) >= restoredAt)
      world.memory(ledger).setEnd(Number(tenantId), { sealNumber: number, mac: Buffer.from(mac, 'hex') })
}

/** Refuses to serve a database that lacks what this installation had: a restored backup, or a log that was cut. */
export async function refuseDatabaseBehind(world: World): Promise<void> {
  const kept = await readKept(world)
  if (!kept) return
  const { restoredAt } = world.memory(floors).floor()
  const lost = await findLostHeads(world, {
    ...kept,
    // Accepted on another machine, after this one wrote its file.
    heads: Object.fromEntries(
      Object.entries(kept.heads).filter(([, { at }]) => !restoredAt || new Date(at) >= restoredAt),
    ),
  })
  if (lost.length > 0)
    throw new DatabaseBehind(
      `The database does not contain the end of the system log that is stored in ${world.settings.headsFile} (tenant ${lost.join(', ')}). Either an older backup was restored, or someone removed part of the log. Check with "bailiwick systemlog verify". If you restored a backup, run "bailiwick database restored" and start again.`,
    )
}

/**
 * Accepts the database as it is. What was created before now does not count any longer. `alongWith` ends, in the same
 * transaction, what other rooms must not bring back, and records it.
 */
export async function acceptRestored(
  world: World,
  keepCredentials: boolean,
  alongWith: (tx: Tx, floor: Floor) => Promise<void>,
): Promise<Floor> {
  const known = world.memory(ledger)
  for (const tenantId of [...known.ends().keys()]) known.forgetEnd(tenantId)
  const restoredAt = world.now()
  const before = world.memory(floors).floor()
  const floor = { restoredAt, credentialsFloor: keepCredentials ? before.credentialsFloor : restoredAt }
  await transact(world.db, async (tx) => {
    await updateRestored(tx, { ...floor, mac: restoredMac(world, floor) })
    await alongWith(tx, floor)
  })
  world.memory(floors).raise(floor)
  return floor
}

/** Afterwards, when the event is sealed: from then on the file holds the chain as it is now. */
export const keepRestored = (world: World, { restoredAt, credentialsFloor }: Floor): Promise<void> =>
  replaceKept(world, {
    restoredAt: (restoredAt as Date).toISOString(),
    credentialsFloor: credentialsFloor?.toISOString() ?? null,
  })
