import { slot } from '#kernel/memory.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { reportMisplaced, reportMissing } from '../report.ts'
import {
  findLastSeal,
  findSeal,
  type Head,
  insertSeal,
  listTenantsToSeal,
  listUnsealed,
  lockHead,
  nextTimes,
  type Seal,
} from '../seals.ts'
import { appended } from './append.ts'
import { ledger } from './ledger.ts'
import { eventsPerSealMax, headMac, sealMac } from './link-mac.ts'
import { look } from './look.ts'

/** Puts a tenant's waiting events into its chain; returns how many. Writers do not wait for it, nor it for them. */
export async function sealTenant(world: World, tenantId: number): Promise<number> {
  const known = world.memory(ledger)
  const begun = performance.now()
  let sealed = 0
  for (;;) {
    const link = await transact(world.db, (tx) => sealSome(tx, world, tenantId))
    if (link) {
      known.setEnd(tenantId, link.seal)
      known.seen(tenantId, link.eventIds)
    }
    const count = link?.eventIds.length ?? 0
    sealed += count
    if (count < eventsPerSealMax) break
  }
  await checkCommitted(world, tenantId, begun)
  return sealed
}

/**
 * What this process had committed before it began to seal is in the chain now: in a link of this server or another.
 * Anything else was removed while it waited.
 */
async function checkCommitted(world: World, tenantId: number, begun: number): Promise<void> {
  const known = world.memory(ledger)
  await world.memory(appended).check(tenantId)
  const waiting = known.waitingSince(tenantId, begun)
  if (waiting.length === 0) return
  const { missing, misplaced, unsealed } = await look(world, { tenantId, waiting })
  const left = new Set(unsealed)
  const found = known.seen(
    tenantId,
    waiting.filter((id) => !left.has(id)),
  )
  // A verification seals first, at the same time as the sealer: what both find is reported by the one that finds it
  // first.
  const [gone, moved] = [missing, misplaced].map((ids) => ids.filter((id) => found.has(id))) as [string[], string[]]
  if (gone.length > 0) await reportMissing(world, tenantId, gone)
  if (moved.length > 0) await reportMisplaced(world, tenantId, moved)
}

async function sealSome(tx: Tx, world: World, tenantId: number): Promise<{ seal: Seal; eventIds: string[] } | null> {
  const head = await lockHead(tx, tenantId)
  const events = await listUnsealed(tx, tenantId, eventsPerSealMax)
  if (events.length === 0) return null
  const last = await findLastSeal(tx, tenantId)
  const seen = world.memory(ledger).endOf(tenantId)
  const isAsLeft = endsWith(world, tenantId, head, last) && (await holds(tx, tenantId, seen, last))
  if (!isAsLeft) world.log.error({ tenantId }, 'the end of the system log was changed; see bailiwick systemlog verify')
  // If the log was changed by something else, a number is skipped: to continue as if nothing had happened would hide it
  // permanently.
  const before = Math.max(head?.sealNumber ?? 0, last?.sealNumber ?? 0, seen?.sealNumber ?? 0)
  const link = { sealNumber: before + (isAsLeft ? 1 : 2), ...nextTimes(events, last), sealedAt: world.now() }
  const macs = events.map((event) => event.mac)
  const mac = sealMac(world.seals, tenantId, link, last?.mac ?? Buffer.alloc(0), macs)
  const seal = { ...link, eventCount: events.length, mac }
  const eventIds = events.map((event) => event.eventId)
  await insertSeal(tx, tenantId, seal, eventIds, headMac(world.seals, tenantId, link.sealNumber, mac))
  return { seal, eventIds }
}

/** Whether the head was written by this program, and names the last link. */
const endsWith = ({ seals }: World, tenantId: number, head: Head | null, last: Seal | null): boolean =>
  head && last
    ? head.sealNumber === last.sealNumber && isSameMac(head.mac, headMac(seals, tenantId, last.sealNumber, last.mac))
    : head === last

/** Whether the link that this server saw last is still there. */
async function holds(tx: Tx, tenantId: number, seen: Head | null, last: Seal | null): Promise<boolean> {
  if (!seen) return true
  const now = last?.sealNumber === seen.sealNumber ? last : await findSeal(tx, tenantId, seen.sealNumber)
  return now !== null && isSameMac(now.mac, seen.mac)
}

// One tenant costs about 3 ms: this many busy tenants are sealed within a second.
const tenantsAtOnce = 4

/** Seals what waits, in all tenants: run every quarter of a second by the engine. */
export async function sealAll(world: World): Promise<Again | void> {
  const begun = performance.now()
  const waiting = await listTenantsToSeal(world.db)
  // For some tenants it is known that something waited, though the database shows nothing: another server sealed it, or
  // it is gone.
  const isWaiting = new Set(waiting)
  const others = world
    .memory(ledger)
    .tenantsWaiting(begun)
    .filter((tenantId) => !isWaiting.has(tenantId))
  const failures: Error[] = []
  const work = async (): Promise<void> => {
    for (let tenantId = waiting.shift(); tenantId !== undefined; tenantId = waiting.shift())
      await sealTenant(world, tenantId).catch(failed(tenantId))
    for (let tenantId = others.shift(); tenantId !== undefined; tenantId = others.shift())
      await checkCommitted(world, tenantId, begun).catch(failed(tenantId))
  }
  // A failure in one tenant's log must not delay the others.
  const failed = (tenantId: number) => (cause: Error & { code?: string }) =>
    void failures.push(
      Object.assign(new Error(`the log of tenant ${tenantId} could not be sealed: ${cause.message}`, { cause }), {
        code: cause.code,
      }),
    )
  await Promise.all(Array.from({ length: tenantsAtOnce }, work))
  world.memory(lateness).look()
  const failure = failures.find((each) => !isHeld(each)) ?? failures[0]
  if (failure) throw failure
  // Committed by this process, and not found in the chain yet.
  if (world.memory(ledger).lagMs() > 0) return 'again'
}

/** Whether another session held the log for longer than the lock timeout: SQLSTATE lock_not_available. */
const isHeld = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/**
 * The same for callers whose work does not depend on it: commands, and servers that start. A log that another process
 * holds is left to that process. It may hold it for long, as a server does that is stopped in the middle of sealing.
 */
export const sealUnheld = async (world: World): Promise<void> => {
  await sealAll(world).catch((error: Error) => {
    if (!isHeld(error)) throw error
    world.log.warn(
      { reason: error.message },
      'another process holds a lock on the system log; events are sealed when it is released',
    )
  })
}

/**
 * Whether what this process committed is in the chain: for a worker, whose primary seals. What it committed in the last
 * moment is checked the next time.
 */
export async function checkSealed(world: World): Promise<Again | void> {
  const until = performance.now() - sealedWithinMs
  for (const tenantId of world.memory(ledger).tenantsWaiting(until)) await checkCommitted(world, tenantId, until)
  world.memory(lateness).look()
  if (world.memory(ledger).lagMs() > 0) return 'again'
}

/** The end of each tenant's chain, as this process last saw it. */
export const chainEnds = (world: World): ReadonlyMap<number, Head> => world.memory(ledger).ends()

/** Takes the ends of the chains from the process that seals: each event records where its writer saw the chain end. */
export function learnChainEnds(world: World, ends: readonly (readonly [number, Head])[]): void {
  for (const [tenantId, head] of ends) world.memory(ledger).setEnd(tenantId, head)
}

/** Sealing runs every quarter of a second, and takes less than that. */
const sealedWithinMs = 500

/** Longer than sealing takes, whatever else the database does. */
export const lateMs = 10_000

/** Reports, once each time, that events wait longer than they should to be sealed. */
export const lateness = slot((world) => {
  let isLate = false
  return {
    look(): void {
      const lagMs = world.memory(ledger).lagMs()
      if (lagMs > lateMs && !isLate)
        world.log.error(
          { seconds: Math.round(lagMs / 1000) },
          'sealing the system log is delayed: something in the database prevents it, such as a lock of another session',
        )
      isLate = lagMs > lateMs
    },
  }
})
