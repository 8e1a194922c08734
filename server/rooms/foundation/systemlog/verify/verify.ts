import { setTimeout as sleep } from 'node:timers/promises'
import { isSameMac } from '#kernel/seals.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { headText } from '../chain/head-text.ts'
import { eventsPerSealMax, headMac, sealMac } from '../chain/link-mac.ts'
import { look } from '../chain/look.ts'
import { lateMs } from '../chain/seal.ts'
import { readTrail, shortMac, type Trail } from '../chain/trail.ts'
import { tamperedCode } from '../events/event.ts'
import { HeadsFileUnusable, type Kept, readKept } from '../kept/kept.ts'
import { findSeam } from '../seam/seam.ts'
import { findReturned, type Seam } from '../seam/store.ts'
import {
  beginning,
  type EventRow,
  eventMac,
  findHead,
  findSeals,
  findTenancy,
  listSealed,
  listSeals,
  listWaiting,
  type Place,
  type Seal,
  type SealedRow,
} from '../store.ts'
import { countTrails } from './trails.ts'
import { checkWitness } from './witness.ts'

export type Finding = { what: string; eventId?: string; sealNumber?: number }
export type Verdict = {
  events: number
  seals: number
  /** Not in the chain yet: younger than a second, or the sealer stands still. */
  unsealed: number
  /** Events that were archived and removed from the database; with an archive, they are checked and counted like the others. */
  archived: { events: number; sealNumber: number; until: Date; removedAt: Date; isChecked: boolean } | null
  /** The end of the chain: keep it elsewhere, and a later `verify --head` proves that it is still in there. */
  head: string
  /** The MAC of its last link. */
  sealMac: Buffer
  findings: Finding[]
}

const findingsMax = 1000
const rowsAtOnce = 1000
const endless = Number.MAX_SAFE_INTEGER

/** Whether a text has the form of a head that `verify` prints. */
export const isHead = (text: string): boolean => /^(0:|[1-9]\d{0,15}:[0-9a-f]{64})$/.test(text)

/** What is told of the archived part of a log, in the order of the chain, by whoever reads it. */
export type ArchiveWalk = {
  /** Up to this link events are in the archive only. */
  seam: Seam | null
  found(finding: Finding): void
  /** The last link that was checked. */
  lastNumber(): number
  /** Checks a link with its events, which continues the last one. */
  link(seal: Seal, rows: readonly SealedRow[]): Promise<void>
}
/** Reads an archive, and has its links checked. */
export type ReadArchive = (walk: ArchiveWalk) => Promise<void>

// Archived events are removed file by file, for a minute at most: a walk that begins behind them is seldom overtaken twice.
const attemptsMax = 10

/** Repeats a walk that found something while archived events were removed: what it missed may be those. */
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

/**
 * Walks a tenant's whole log, in bounded memory, and names what is not as the program wrote it. The log may grow
 * meanwhile. `onProgress` is told now and then how many events were checked. What was archived is read from the archive, if one is given;
 * otherwise the walk begins behind it.
 */
export const verifyLog = (
  world: World,
  tenantId: number,
  knownHead: string | null,
  onProgress: (events: number) => void = () => {},
  witnessFile: string | null = null,
  archive: ReadArchive | null = null,
): Promise<Verdict> =>
  apartFromRemovals(world, tenantId, () => verifyOnce(world, tenantId, knownHead, onProgress, witnessFile, archive))

async function verifyOnce(
  world: World,
  tenantId: number,
  knownHead: string | null,
  onProgress: (events: number) => void,
  witnessFile: string | null,
  archive: ReadArchive | null,
): Promise<Verdict> {
  const walk = startWalk(world, tenantId, knownHead, onProgress)
  // Read first: what it holds was in the log before the walk begins.
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

/** The links that follow, the end of the chain, and what is not in it yet. */
async function checkToEnd(world: World, tenantId: number, walk: Walk): Promise<Verdict> {
  // Links and their events are read one after the other: only up to a link that is there already do they agree.
  const head = await findHead(world.db, tenantId)
  await walk.checkLinks(world.db, head?.sealNumber ?? 0)
  // What was sealed meanwhile, the end and what is not sealed yet are seen as of one moment: else they do not agree. Not
  // all of it: a view that is held for long keeps the database from clearing up behind the sealer.
  return world.db.begin('isolation level repeatable read read only', async (tx) => {
    await walk.checkLinks(tx, endless)
    await walk.checkEnd(tx)
    return walk.checkWaiting(tx)
  })
}

/** A link up to which the log was verified before. */
export type Anchor = { sealNumber: number; sealMac: Buffer }
export type Part = Pick<Verdict, 'events' | 'seals' | 'sealMac' | 'findings'> & {
  fromSeal: number
  isComplete: boolean
}

/**
 * Verifies what follows a link up to which the log was verified before, or follows what was archived; not much more than so many
 * events. The end of the log, and what is not in the chain yet, is looked at where it is reached.
 */
export const verifyPart = (world: World, tenantId: number, anchor: Anchor | null, eventsMax: number): Promise<Part> =>
  apartFromRemovals(world, tenantId, () => verifyPartOnce(world, tenantId, anchor, eventsMax))

async function verifyPartOnce(world: World, tenantId: number, anchor: Anchor | null, eventsMax: number): Promise<Part> {
  const walk = startWalk(world, tenantId, null, () => {})
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

/** The link with which so many events are reached, by what the links say; null where the chain ends before. */
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

// How many links back the walk remembers; a writer that knew an older one is looked up.
const linksRemembered = 10_000
// A transaction that took long commits what occurred long before: what it wrote is sealed when this is over.
const lateAgainMs = 1_500

type Walk = ReturnType<typeof startWalk>

function startWalk(world: World, tenantId: number, knownHead: string | null, onProgress: (events: number) => void) {
  const { seals } = world
  const findings: Finding[] = []
  let events = 0
  let lastNumber = 0
  let lastMac: Buffer = Buffer.alloc(0)
  let place: Place = beginning
  let isFounded = false
  let seam: Seam | null = null
  let isArchiveChecked = false
  /** Links up to this one were not read in this walk. */
  let begunBehind = 0
  let sawKnownHead = knownHead === null || knownHead === headText(0, lastMac)

  const found = (finding: Finding): void => {
    if (findings.length < findingsMax) findings.push(finding)
  }

  /** Events that a server noted before they were sealed, and that are not in the archive. */
  const unarchived = new Set<string>()
  const linkMacs = new Map<number, string>()
  const strange = new Set<number>()
  const late: string[] = []
  const trails = countTrails((count) =>
    found({
      what: `${count === 1 ? 'an event that was committed is' : `${count} events that were committed are`} missing`,
    }),
  )

  /** Whether the link that a writer knew is in the chain, before what it wrote. */
  const checkKnownHead = async (eventId: string, { head, headMac: mac }: Trail, sealNumber?: number): Promise<void> => {
    if (head === 0 || strange.has(head)) return
    const isBefore = head < (sealNumber ?? lastNumber + 1)
    const isForgotten = linkMacs.size >= linksRemembered || head <= begunBehind
    const known = linkMacs.get(head) ?? (isBefore && isForgotten ? await lookUp(head) : undefined)
    if (isBefore && known === mac) return
    if (strange.size < findingsMax) strange.add(head)
    found({
      what: isBefore
        ? `link ${head} differs from the one that existed when this event was written: the chain was rewritten`
        : `this event was written when the chain had reached link ${head}: the chain was started again`,
      eventId,
      ...(sealNumber !== undefined && { sealNumber }),
    })
  }
  const lookUp = async (head: number): Promise<string | undefined> => {
    const [seal] = await findSeals(world.db, tenantId, [head])
    return seal && shortMac(seal.mac)
  }

  const checkEvent = async (row: EventRow, sealNumber?: number): Promise<void> => {
    events++
    const trail = readTrail(row.trail)
    if (!isSameMac(row.mac, eventMac(seals, tenantId, row))) {
      found({
        what: 'this event was altered, or was not written by this program',
        eventId: row.eventId,
        ...(sealNumber !== undefined && { sealNumber }),
      })
      if (trail) trails.altered(trail)
    } else {
      if (lastNumber === 0 && isFounding(row)) isFounded = true
      if (trail) {
        trails.event(trail)
        await checkKnownHead(row.eventId, trail, sealNumber)
      }
      // Quotes in a value are written \", so this is the attribute and not what someone typed.
      if (row.event.includes(`"status_code":"${tamperedCode}"`))
        found({
          what: `a server reported: ${(JSON.parse(row.event) as { message: string }).message}`,
          eventId: row.eventId,
        })
    }
  }

  const checkLink = async (seal: Seal, rows: Rows): Promise<void> => {
    const { sealNumber } = seal
    for (let row = await rows.before(sealNumber); row; row = await rows.before(sealNumber)) await checkStray(row)
    if (sealNumber > lastNumber + 1) found({ what: missing(lastNumber + 1, sealNumber - 1) })
    const macs: Buffer[] = []
    let count = 0
    let position = 0
    for (let row = await rows.before(sealNumber + 1); row; row = await rows.before(sealNumber + 1)) {
      if (row.position !== position + 1)
        found({ what: 'an event before this one was removed', eventId: row.eventId, sealNumber })
      position = row.position
      await checkEvent(row, sealNumber)
      // Whoever puts more into a link than it can hold does not fill our memory with it.
      if (++count <= eventsPerSealMax) macs.push(row.mac)
    }
    if (count !== seal.eventCount)
      found({ what: `this link had ${seal.eventCount} events and has ${count}`, sealNumber })
    if (!isSameMac(seal.mac, sealMac(seals, tenantId, seal, lastMac, macs)))
      found({ what: 'this link of the chain does not fit its events or the link before it', sealNumber })
    lastNumber = sealNumber
    lastMac = seal.mac
    linkMacs.set(sealNumber, shortMac(seal.mac))
    if (linkMacs.size > linksRemembered) linkMacs.delete(linkMacs.keys().next().value as number)
    if (headText(lastNumber, lastMac) === knownHead) sawKnownHead = true
  }

  const checkStray = async (row: SealedRow): Promise<void> => {
    await checkEvent(row, row.sealNumber)
    found({ what: 'this event is in no link of the chain', eventId: row.eventId, sealNumber: row.sealNumber })
  }

  // The log of a tenant begins with its founding: one that does not has lost its beginning, or all there was.
  const checkFounded = (): void => {
    if (!isFounded) found({ what: 'the log does not begin with the creation of the tenant: its beginning was removed' })
  }

  return {
    found,
    checkFounded,
    /** Has the walk note which of these are in the archive. */
    expect(standings: Kept['standings']): void {
      for (const standing of standings)
        if (standing.tenantId === tenantId) for (const eventId of standing.waiting) unarchived.add(eventId)
    },
    /** What was kept beside the secret key, by this process or one before it, is still there. */
    async checkKept({ heads, standings }: Kept): Promise<void> {
      const head = heads[tenantId]
      if (head) {
        const [seal] = await findSeals(world.db, tenantId, [head.number])
        if (!seal || !isSameMac(seal.mac, Buffer.from(head.mac, 'hex')))
          found({
            what: `link ${head.number}, which was stored next to the secret key at ${head.at}, is not in the chain: the log was truncated or rewritten, or an older backup was restored`,
          })
      }
      for (const standing of standings.filter((each) => each.tenantId === tenantId)) {
        const { missing, archived } = await look(world, standing)
        if (isArchiveChecked) missing.push(...archived.filter((eventId) => unarchived.has(eventId)))
        for (const eventId of missing)
          found({ what: 'this event was committed but is missing: it was removed before it was sealed', eventId })
        if (missing.length === 0 && standing.writer !== '') trails.state(standing)
      }
    },
    /** Events that nobody seals, though they have been there for long. */
    async checkLate(): Promise<void> {
      if (late.length === 0) return
      await sleep(lateAgainMs)
      const { unsealed } = await look(world, { tenantId, waiting: late })
      if (unsealed.length > 0)
        found({
          what: `${unsealed.length === 1 ? 'an event has' : `${unsealed.length} events have`} been waiting for more than ${lateMs / 1000} seconds to be sealed: no server is running, or something prevents sealing`,
          eventId: unsealed[0] as string,
        })
    },
    /** Checks what was archived and removed from the database, or goes on behind it where no archive is given. */
    async checkArchived(archive: ReadArchive | null): Promise<void> {
      seam = await findSeam(world, world.db, tenantId, () =>
        found({
          what: 'the record of the archived events was altered: it is ignored, and the events that it covers count as removed',
        }),
      )
      await archive?.({
        seam,
        found,
        lastNumber: () => lastNumber,
        async link(seal, rows) {
          for (const { eventId } of rows) unarchived.delete(eventId)
          await checkLink(seal, rowsIn(rows))
          onProgress(events)
        },
      })
      if (!seam) return
      const { sealNumber, sealMac: endMac } = seam
      isArchiveChecked = archive !== null
      const returned = await findReturned(world.db, tenantId, sealNumber)
      if (returned !== null)
        found({ what: 'this event was archived and removed, but is in the database again', eventId: returned })
      if (archive && lastNumber !== sealNumber)
        found({
          what: `the archive ends at link ${lastNumber}, and the events up to link ${sealNumber} were removed from the database`,
        })
      else if (archive && !isSameMac(lastMac, endMac))
        found({ what: 'the archive does not end with the link that the database continues', sealNumber })
      if (lastNumber !== sealNumber || !isSameMac(lastMac, endMac)) trails.beginBehind(sealNumber)
      lastNumber = sealNumber
      lastMac = endMac
      isFounded ||= archive === null
      place = [sealNumber, positionMax]
      begunBehind = sealNumber
      linkMacs.set(sealNumber, shortMac(endMac))
      if (headText(lastNumber, lastMac) === knownHead) sawKnownHead = true
      // An older head that someone kept: its link is still there.
      const [, known, knownMac] = /^(\d+):(.*)$/.exec(knownHead ?? '') ?? []
      if (!sawKnownHead && known !== undefined && Number(known) < sealNumber) {
        const [link] = await findSeals(world.db, tenantId, [Number(known)])
        sawKnownHead = link?.mac.toString('hex') === knownMac
      }
    },
    /** Goes on behind a link up to which the log was verified before. It must still be there, as it was. */
    async goOnBehind({ sealNumber, sealMac: knownMac }: Anchor): Promise<void> {
      if (sealNumber <= lastNumber) return
      const [link] = await findSeals(world.db, tenantId, [sealNumber])
      if (!link || !isSameMac(link.mac, knownMac))
        return found({
          what: `link ${sealNumber}, up to which the log was verified before, is not in the chain: the log was truncated or rewritten`,
        })
      trails.beginBehind(sealNumber)
      lastNumber = sealNumber
      lastMac = link.mac
      isFounded = true
      place = [sealNumber, positionMax]
      begunBehind = sealNumber
      linkMacs.set(sealNumber, shortMac(link.mac))
    },
    /** How far the walk has come. */
    reached: () => ({ events, seals: lastNumber, sealMac: lastMac, findings }),
    /** Checks the links after those that were checked, up to a number. */
    async checkLinks(db: Reads, upTo: number): Promise<void> {
      const rows = rowsAfter(db, tenantId, place, upTo, () => onProgress(events))
      for (;;) {
        const links = await listSeals(db, tenantId, lastNumber, upTo, rowsAtOnce)
        for (const seal of links) await checkLink(seal, rows)
        if (links.length < rowsAtOnce) break
      }
      for (let row = await rows.before(endless); row; row = await rows.before(endless)) await checkStray(row)
      place = rows.place()
    },
    async checkEnd(db: Reads): Promise<void> {
      const head = await findHead(db, tenantId)
      const should = head?.sealNumber ?? 0
      if (should !== lastNumber)
        found({ what: `the chain ends at link ${lastNumber} and should at ${should}: its end was removed or extended` })
      else if (head && !isSameMac(head.mac, headMac(seals, tenantId, should, lastMac)))
        found({ what: 'the end of the chain is not the one that the program wrote' })
      if (!sawKnownHead) found({ what: 'the given head is not in the chain: events that it covers were removed' })
    },
    async checkWaiting(db: Reads): Promise<Verdict> {
      let unsealed = 0
      for (let after = ''; ; ) {
        const rows = await listWaiting(db, tenantId, after, rowsAtOnce)
        for (const row of rows) {
          await checkEvent(row)
          if (world.now().getTime() - row.occurredAt.getTime() > lateMs && late.length < rowsAtOnce)
            late.push(row.eventId)
        }
        unsealed += rows.length
        after = rows.at(-1)?.eventId ?? ''
        if (rows.length < rowsAtOnce) break
      }
      trails.end()
      checkFounded()
      const archived = seam && {
        events: seam.eventCount,
        sealNumber: seam.sealNumber,
        until: seam.latestAt,
        removedAt: seam.removedAt,
        isChecked: isArchiveChecked,
      }
      return {
        events,
        seals: lastNumber,
        unsealed,
        archived,
        head: headText(lastNumber, lastMac),
        sealMac: lastMac,
        findings,
      }
    },
  }
}

const missing = (from: number, to: number): string =>
  from === to ? `link ${from} of the chain is missing` : `links ${from} to ${to} of the chain are missing`

function isFounding({ event }: EventRow): boolean {
  if (!event.includes('"type":"tenant"')) return false
  const { activity_id, resources } = JSON.parse(event) as { activity_id: number; resources?: { type: string }[] }
  return activity_id === 1 && resources?.some(({ type }) => type === 'tenant') === true
}

/** The greatest that a position can be in the database. */
const positionMax = 2_147_483_647

/** Events that have been read. */
function rowsIn(rows: readonly SealedRow[]): Rows {
  let next = 0
  return {
    async before(sealNumber) {
      const row = rows[next]
      if (!row || row.sealNumber >= sealNumber) return null
      next++
      return row
    },
    place: () => beginning,
  }
}

type Rows = {
  /** The next event that stands before a link, or null. */
  before(sealNumber: number): Promise<SealedRow | null>
  /** Of the last event that was taken. */
  place(): Place
}

/** The events of the chain one after the other, read many at a time. */
function rowsAfter(db: Reads, tenantId: number, after: Place, upTo: number, onRead: () => void): Rows {
  let place = after
  let rows: SealedRow[] = []
  let next = 0
  let isLast = false
  const read = async (): Promise<void> => {
    onRead()
    rows = await listSealed(db, tenantId, place, upTo, rowsAtOnce)
    next = 0
    isLast = rows.length < rowsAtOnce
  }
  return {
    async before(sealNumber) {
      if (next === rows.length && !isLast) await read()
      const row = rows[next]
      if (!row || row.sealNumber >= sealNumber) return null
      next++
      place = [row.sealNumber, row.position]
      return row
    },
    place: () => place,
  }
}
