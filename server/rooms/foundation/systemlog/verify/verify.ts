import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { HeadsFileUnusable, readKept } from '../kept/kept.ts'
import { findHead, listSeals } from '../seals.ts'
import { findSeam } from '../seam/seam.ts'
import { findTenancy } from '../store.ts'
import { rowsAtOnce } from './rows.ts'
import { type Anchor, endless, type Part, type ReadArchive, type Verdict } from './verdict.ts'
import { Walk } from './walk.ts'
import { checkWitness } from './witness.ts'

// Archived events are removed file by file, for a minute at most: a walk that begins after them is seldom overtaken
// twice.
const attemptsMax = 10

/** Repeats a walk that found something while archived events were removed: those may be what it missed. */
async function apartFromRemovals<T extends Pick<Verdict, 'findings'>>(
  world: World,
  tenantId: number,
  walk: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const begun = await findSeam(world, world.db, tenantId)
    const verdict = await walk()
    if (verdict.findings.length === 0 || attempt === attemptsMax) return verdict
    const ended = await findSeam(world, world.db, tenantId)
    if (begun?.sealNumber === ended?.sealNumber) return verdict
  }
}

export type Verifying = {
  /** Called now and then with the number of events that were checked. */
  onProgress?: (events: number) => void
  witnessFile?: string | null
  /** Where archived events are read; without it, the walk begins after them. */
  archive?: ReadArchive | null
}

/**
 * Walks a tenant's whole log, in bounded memory, and reports what differs from what the program wrote. The log may grow
 * in the meantime.
 */
export const verifyLog = (
  world: World,
  tenantId: number,
  knownHead: string | null,
  verifying: Verifying = {},
): Promise<Verdict> => apartFromRemovals(world, tenantId, () => verifyOnce(world, tenantId, knownHead, verifying))

async function verifyOnce(
  world: World,
  tenantId: number,
  knownHead: string | null,
  { onProgress = () => {}, witnessFile = null, archive = null }: Verifying,
): Promise<Verdict> {
  const walk = new Walk(world, tenantId, knownHead, onProgress)
  // Read first: what it contains was in the log before the walk begins.
  const kept = await readKept(world).catch((error: unknown) => {
    if (!(error instanceof HeadsFileUnusable)) throw error
    walk.found({ what: error.message })
    return null
  })
  walk.expect(kept?.standings ?? [])
  await walk.checkArchived(archive)
  const verdict = await checkToEnd(world, tenantId, walk)
  if (kept) await walk.checkKept(kept)
  await walk.checkLate()
  const tenant = witnessFile === null ? null : await findTenancy(world.db, tenantId)
  if (tenant && witnessFile !== null) await checkWitness(world.db, tenant, witnessFile, (what) => walk.found({ what }))
  return verdict
}

/** Checks the links that follow, the end of the chain, and what is not in it yet. */
async function checkToEnd(world: World, tenantId: number, walk: Walk): Promise<Verdict> {
  // Links and their events are read one after the other: they agree only up to a link that exists already.
  const head = await findHead(world.db, tenantId)
  await walk.checkLinks(world.db, head?.sealNumber ?? 0)
  // What was sealed in the meantime, the end and what is not sealed yet are read in one snapshot: otherwise they do not
  // agree. Not everything is: a snapshot that is held for long keeps the database from vacuuming behind the sealer.
  return world.db.begin('isolation level repeatable read read only', async (tx) => {
    await walk.checkLinks(tx, endless)
    await walk.checkEnd(tx)
    return walk.checkWaiting(tx)
  })
}

/**
 * Verifies what follows a link up to which the log was verified before, or follows what was archived; not many more
 * events than `eventsMax`. The end of the log, and what is not in the chain yet, is checked if it is reached.
 */
export const verifyPart = (world: World, tenantId: number, anchor: Anchor | null, eventsMax: number): Promise<Part> =>
  apartFromRemovals(world, tenantId, () => verifyPartOnce(world, tenantId, anchor, eventsMax))

async function verifyPartOnce(world: World, tenantId: number, anchor: Anchor | null, eventsMax: number): Promise<Part> {
  const walk = new Walk(world, tenantId, null, () => {})
  const kept = await readKept(world).catch((error: unknown) => {
    if (!(error instanceof HeadsFileUnusable)) throw error
    walk.found({ what: error.message })
    return null
  })
  await walk.checkArchived(null)
  if (anchor) await walk.goOnBehind(anchor)
  const fromSeal = walk.reached().seals
  const upTo = await linkWithin(world.db, tenantId, fromSeal, eventsMax)
  if (upTo !== null) {
    await walk.checkLinks(world.db, upTo)
    walk.checkFounded()
    return { ...walk.reached(), fromSeal, isComplete: false }
  }
  const verdict = await checkToEnd(world, tenantId, walk)
  if (kept) await walk.checkKept(kept)
  await walk.checkLate()
  return { ...verdict, fromSeal, isComplete: true }
}

/** The link at which this many events are reached, according to the links; null if the chain ends before. */
async function linkWithin(db: Reads, tenantId: number, after: number, eventsMax: number): Promise<number | null> {
  let events = 0
  for (let last = after; ; ) {
    const links = await listSeals(db, tenantId, last, endless, rowsAtOnce)
    for (const { sealNumber, eventCount } of links) {
      events += eventCount
      if (events >= eventsMax) return sealNumber
    }
    if (links.length < rowsAtOnce) return null
    last = links.at(-1)?.sealNumber ?? last
  }
}
