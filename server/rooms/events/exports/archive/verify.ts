import { relative } from 'node:path'
import { isSameMac } from '#kernel/seals.ts'
import type { World } from '#kernel/world.ts'
import {
  type ArchiveWalk,
  eventMac,
  findSeals,
  type Place,
  type Seal,
  type SealedRow,
  sealMac,
} from '#rooms/foundation/systemlog/index.ts'
import type { ChainFile } from '../work/pack.ts'
import { type ArchivedFile, comparePlaces, listArchive, NotAsWritten, type Opened, openFile } from './files.ts'

type Link = { seal: Seal; rows: SealedRow[] }

/** Files that follow each other without a gap, as they are read, and the link whose events are not complete yet. */
type Lane = {
  /** The last event, and the links known so far. */
  last: Place
  isAtLinkEnd: boolean
  previousMac: Buffer
  open: Link | null
  /** The lane begins within a link: the earlier events of that link are in none of its files. */
  isWithin: boolean
}

/**
 * Reads an archive of a tenant's system log and checks all of it: every event, every link, that the files follow each other,
 * and that they belong to the chain that the database continues. Links that the database no longer holds are passed to the
 * walk over the log, which then continues into the database. If two exports wrote the same events, the files of both are
 * checked.
 */
export const archiveIn =
  (world: World, tenant: { id: number; publicId: string }, folder: string) =>
  async (walk: ArchiveWalk): Promise<void> => {
    const { files, alone } = await listArchive(folder, tenant.publicId)
    const shown = (path: string): string => relative(folder, path)
    for (const path of alone) walk.found({ what: `the archive has ${shown(path)} without its other file` })
    if (files.length === 0) walk.found({ what: 'the archive contains no files of this tenant' })
    const lanes: Lane[] = []
    const held: Held[] = []
    const check = checker(world, tenant.id, walk)
    for (const file of files) {
      const opened = await openFile(file).catch((error: unknown) => {
        if (!(error instanceof NotAsWritten)) throw error
        walk.found({ what: `the archived file ${shown(file.events)} ${error.message}` })
        return null
      })
      if (!opened) continue
      const problem = problemOf(opened, file, tenant.publicId)
      if (problem !== null) {
        walk.found({ what: `the archived file ${shown(file.events)} ${problem}` })
        continue
      }
      const lane = laneFor(lanes, opened)
      const known = await linksInDatabase(world, tenant.id, lane, opened)
      await addTo(lane, opened, (link, previousMac) => check(link, previousMac, known, shown(file.events)))
      const { first, last, before } = opened.chain
      held.push({ first, last, before: before?.number ?? 0, isAtLinkEnd: lane.isAtLinkEnd })
    }
    for (const gap of gapsIn(held)) walk.found({ what: gap })
    // The last file may end within a link: its events are in the database, which is checked too.
    for (const { open } of lanes) for (const row of open?.rows ?? []) checkEvent(world, tenant.id, walk, row)
  }

/** The MACs, according to the database, of the links of a file and of the link that it continues. */
async function linksInDatabase(
  { db }: World,
  tenantId: number,
  { open }: Lane,
  { chain }: Opened,
): Promise<Map<number, Buffer>> {
  const numbers = [...chain.links.map(({ number }) => number), ...(open ? [open.seal.sealNumber] : [])]
  return new Map((await findSeals(db, tenantId, numbers)).map(({ sealNumber, mac }) => [sealNumber, mac]))
}

function problemOf({ chain, rows }: Opened, file: ArchivedFile, tenantPublicId: string): string | null {
  if (chain.tenant !== tenantPublicId) return `belongs to another tenant`
  if (comparePlaces(chain.first, file.first) !== 0 || comparePlaces(chain.last, file.last) !== 0)
    return 'contains other events than its name says'
  const numbers = new Set(chain.links.map(({ number }) => number))
  return rows.every(({ sealNumber }) => numbers.has(sealNumber)) ? null : 'lacks links of its events'
}

const follows = (lane: Lane, { chain }: Opened): boolean =>
  lane.isAtLinkEnd
    ? chain.first[1] === 1 && chain.first[0] > lane.last[0] && chain.before?.number === lane.last[0]
    : chain.first[0] === lane.last[0] && chain.first[1] === lane.last[1] + 1

function laneFor(lanes: Lane[], opened: Opened): Lane {
  const found = lanes.find((lane) => follows(lane, opened))
  if (found) return found
  const { before, first } = opened.chain
  const lane: Lane = {
    last: first,
    isAtLinkEnd: true,
    previousMac: Buffer.from(before?.mac ?? '', 'hex'),
    open: null,
    isWithin: first[1] !== 1,
  }
  lanes.push(lane)
  return lane
}

/** Adds a file to a lane: each link whose events are complete is passed to `give`. */
async function addTo(
  lane: Lane,
  { chain, rows }: Opened,
  give: (link: Link, previousMac: Buffer) => Promise<void>,
): Promise<void> {
  const byNumber = new Map(chain.links.map((link) => [link.number, sealOf(link)]))
  const end = async (): Promise<void> => {
    if (!lane.open) return
    const link = lane.open
    lane.open = null
    if (!lane.isWithin) await give(link, lane.previousMac)
    lane.isWithin = false
    lane.previousMac = link.seal.mac
  }
  for (const row of rows) {
    if (lane.open && lane.open.seal.sealNumber !== row.sealNumber) await end()
    lane.open ??= { seal: byNumber.get(row.sealNumber) as Seal, rows: [] }
    lane.open.rows.push(row)
    lane.last = [row.sealNumber, row.position]
  }
  lane.isAtLinkEnd = (lane.open?.rows.at(-1)?.position ?? 0) >= (lane.open?.seal.eventCount ?? 0)
  if (lane.isAtLinkEnd) await end()
}

const sealOf = (link: ChainFile['links'][0]): Seal => ({
  sealNumber: link.number,
  eventCount: link.eventCount,
  sealedAt: new Date(link.sealedAt),
  earliestAt: new Date(link.earliestAt),
  latestAt: new Date(link.latestAt),
  comesLate: link.comesLate,
  mac: Buffer.from(link.mac, 'hex'),
})

function checkEvent({ seals }: World, tenantId: number, walk: ArchiveWalk, row: SealedRow): boolean {
  const isGenuine = isSameMac(row.mac, eventMac(seals, tenantId, row))
  if (!isGenuine)
    walk.found({
      what: 'this event was altered in the archive, or was not written by this program',
      eventId: row.eventId,
      sealNumber: row.sealNumber,
    })
  return isGenuine
}

/** Links that only the archive has are part of the log that is walked. The others are checked separately. */
function checker(world: World, tenantId: number, walk: ArchiveWalk) {
  return async (
    { seal, rows }: Link,
    previousMac: Buffer,
    known: ReadonlyMap<number, Buffer>,
    file: string,
  ): Promise<void> => {
    const { sealNumber } = seal
    if (!isSameMac(known.get(sealNumber) ?? null, seal.mac)) {
      walk.found({
        what: `the archived file ${file} contains a link that is not in the database: the link was changed in one of them, or an older backup was restored after the file was written`,
        sealNumber,
      })
      return
    }
    if (sealNumber <= (walk.seam?.sealNumber ?? 0) && sealNumber > walk.lastNumber()) return walk.link(seal, rows)
    let isWhole = rows.every((row, i) => row.position === i + 1) && rows.length === seal.eventCount
    for (const row of rows) isWhole = checkEvent(world, tenantId, walk, row) && isWhole
    const macs = rows.map(({ mac }) => mac)
    if (!isWhole || !isSameMac(seal.mac, sealMac(world.seals, tenantId, seal, previousMac, macs)))
      walk.found({
        what: `the archived file ${file} contains a link that does not match its events or the previous link`,
        sealNumber,
      })
  }
}

type Held = { first: Place; last: Place; before: number; isAtLinkEnd: boolean }

/** Parts of the chain, between the first file and the last, that no file contains. */
function gapsIn(held: readonly Held[]): string[] {
  const gaps: string[] = []
  let reached: Held | null = null
  for (const file of held) {
    if (reached && !isWithinReach(file, reached))
      gaps.push(
        `the archive has a gap: after link ${reached.last[0]}, event ${reached.last[1]}, it continues with link ${file.first[0]}, event ${file.first[1]}`,
      )
    if (!reached || comparePlaces(file.last, reached.last) > 0) reached = file
  }
  return gaps
}

const isWithinReach = ({ first, before }: Held, { last, isAtLinkEnd }: Held): boolean =>
  comparePlaces(first, last) <= 0 ||
  (first[0] === last[0] && first[1] === last[1] + 1) ||
  (isAtLinkEnd && first[1] === 1 && before <= last[0])
