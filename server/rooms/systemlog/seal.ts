import { timingSafeEqual } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import type { Seals } from '#kernel/seals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  findLastSeal,
  findSeal,
  type Head,
  insertSeal,
  lateAfterMs,
  listTenantsToSeal,
  listUnsealed,
  lockHead,
  type Seal,
  type UnsealedRow,
} from './store.ts'

export const sameMac = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/** A link authenticates the one before it: none can be taken out, and none put between. */
export const sealMac = (
  seals: Seals,
  tenantId: number,
  { sealNumber, sealedAt, earliestAt, latestAt, comesLate }: Omit<Seal, 'mac' | 'eventCount'>,
  previous: Uint8Array,
  eventMacs: readonly Uint8Array[],
): Buffer =>
  seals.mac(
    'systemlog seal',
    String(tenantId),
    String(sealNumber),
    sealedAt.toISOString(),
    earliestAt.toISOString(),
    latestAt.toISOString(),
    String(comesLate),
    previous,
    Buffer.concat(eventMacs),
  )

export const headMac = (seals: Seals, tenantId: number, sealNumber: number, mac: Uint8Array): Buffer =>
  seals.mac('systemlog head', String(tenantId), String(sealNumber), mac)

export const eventsPerSealMax = 2000

/** Where this server last saw each tenant's chain end: kept where whoever changes the database does not reach. */
const ends = slot(() => new Map<number, Head>())

/** Puts a tenant's waiting events into its chain; answers how many. Writers do not wait for it, nor it for them. */
export async function sealTenant(world: World, tenantId: number): Promise<number> {
  let sealed = 0
  for (;;) {
    const link = await transact(world.db, (tx) => sealSome(tx, world, tenantId))
    if (link) world.memory(ends).set(tenantId, link)
    const count = link?.eventCount ?? 0
    sealed += count
    if (count < eventsPerSealMax) return sealed
  }
}

async function sealSome(tx: Tx, world: World, tenantId: number): Promise<Seal | null> {
  const head = await lockHead(tx, tenantId)
  const events = await listUnsealed(tx, tenantId, eventsPerSealMax)
  if (events.length === 0) return null
  const last = await findLastSeal(tx, tenantId)
  const seen = world.memory(ends).get(tenantId) ?? null
  const isAsLeft = endsWith(world, tenantId, head, last) && (await holds(tx, tenantId, seen, last))
  if (!isAsLeft)
    world.log.error({ tenantId }, 'the end of the system log is not as it was left; see bailiwick systemlog verify')
  // Where another hand was at work a number is left out: to go on as if nothing had happened would hide it for good.
  const before = Math.max(head?.sealNumber ?? 0, last?.sealNumber ?? 0, seen?.sealNumber ?? 0)
  const link = { sealNumber: before + (isAsLeft ? 1 : 2), ...timesOf(events, last), sealedAt: world.now() }
  const macs = events.map((event) => event.mac)
  const mac = sealMac(world.seals, tenantId, link, last?.mac ?? Buffer.alloc(0), macs)
  const seal = { ...link, eventCount: events.length, mac }
  const eventIds = events.map((event) => event.eventId)
  await insertSeal(tx, tenantId, seal, eventIds, headMac(world.seals, tenantId, link.sealNumber, mac))
  return seal
}

function timesOf(
  events: readonly UnsealedRow[],
  last: Seal | null,
): Pick<Seal, 'earliestAt' | 'latestAt' | 'comesLate'> {
  const times = events.map((event) => event.occurredAt.getTime())
  const earliest = times.reduce((a, b) => Math.min(a, b))
  const before = last ? last.latestAt.getTime() : earliest
  return {
    earliestAt: new Date(earliest),
    latestAt: new Date(times.reduce((a, b) => Math.max(a, b), before)),
    comesLate: earliest < before - lateAfterMs,
  }
}

/** Whether the head is the program's own, and names the last link. */
const endsWith = ({ seals }: World, tenantId: number, head: Head | null, last: Seal | null): boolean =>
  head && last
    ? head.sealNumber === last.sealNumber && sameMac(head.mac, headMac(seals, tenantId, last.sealNumber, last.mac))
    : head === last

/** Whether the link that this server saw last is still there. */
async function holds(tx: Tx, tenantId: number, seen: Head | null, last: Seal | null): Promise<boolean> {
  if (!seen) return true
  const now = last?.sealNumber === seen.sealNumber ? last : await findSeal(tx, tenantId, seen.sealNumber)
  return now !== null && sameMac(now.mac, seen.mac)
}

// One tenant costs about 3 ms: so many busy tenants are sealed within a second.
const tenantsAtOnce = 4

/** Seals what waits, in all tenants: run every quarter of a second by the engine. */
export async function sealAll(world: World): Promise<void> {
  const waiting = await listTenantsToSeal(world.db)
  const failures: Error[] = []
  const work = async (): Promise<void> => {
    for (let tenantId = waiting.shift(); tenantId !== undefined; tenantId = waiting.shift())
      await sealTenant(world, tenantId).catch(failed(tenantId))
  }
  // What is wrong with one tenant's log is not to keep the others' waiting.
  const failed = (tenantId: number) => (cause: Error & { code?: string }) =>
    void failures.push(
      Object.assign(new Error(`the log of tenant ${tenantId} could not be sealed: ${cause.message}`, { cause }), {
        code: cause.code,
      }),
    )
  await Promise.all(Array.from({ length: tenantsAtOnce }, work))
  if (failures[0]) throw failures[0]
}
