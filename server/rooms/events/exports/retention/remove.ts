import type { JobCall } from '#kernel/jobs.ts'
import { isSameMac } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import {
  change,
  eventMac,
  findSeam,
  listSealed,
  record,
  removeArchived,
  type Seal,
  type SealedRow,
  type Seam,
  sealMac,
  serviceCause,
} from '#rooms/foundation/systemlog/index.ts'
import { comparePlaces, NotAsWritten, type Opened, parse, plain } from '../archive/files.ts'
import { chainName } from '../decide.ts'
import type { ExportFile } from '../exporter.ts'
import { listFilesBehind } from '../files-store.ts'
import { lockExporters } from '../store.ts'
import { openTarget } from '../targets/open.ts'
import { sourceOf } from '../work/export.ts'
import { retentionDue } from '../work/names.ts'
import { readLinks, readRange } from '../work/pack.ts'
import { archivedFiles, planRetention } from './plan.ts'
import { listProgress } from './store.ts'

/** Why events that are old enough are kept: someone has to investigate. */
export class NotRemovable extends Error {
  override name = 'NotRemovable'
}

const filesAtOnce = 20
const positionMax = 2_147_483_647
const workMs = 60_000

/**
 * Removes events that are old enough from the database, file by file. Each file is read again from the archive in full and
 * compared with the database event by event; the links are recomputed with the secret key. Only then are its events removed,
 * in one transaction with the record of where the chain in the database begins. Returns how many were removed.
 */
export async function removeOld(call: Removing): Promise<number> {
  const until = performance.now() + workMs
  const { upTo } = await planRetention(call, call.tenant)
  let removed = 0
  let seam = await findSeam(call, call.db, call.tenant.id)
  while (performance.now() < until && upTo > (seam?.sealNumber ?? 0)) {
    const from = seam?.sealNumber ?? 0
    const files = archivedFiles(call, await listFilesBehind(call.db, call.tenant.id, from, filesAtOnce))
    const next = await removeBehind(call, seam, files, upTo)
    if (!next) break
    removed += next.eventCount - (seam?.eventCount ?? 0)
    seam = next
  }
  if (removed > 0 && seam) await recordRemoval(call, removed, seam)
  return removed
}

export type Removing = World & Pick<JobCall, 'tenant' | 'signal'>

/**
 * Checks files from the seam on until a link is complete, and removes the events that they contain. Null if none can be
 * removed.
 */
async function removeBehind(
  call: Removing,
  seam: Seam | null,
  files: readonly ExportFile[],
  upTo: number,
): Promise<Seam | null> {
  const from = seam?.sealNumber ?? 0
  const [oldest] = await listSealed(call.db, call.tenant.id, [from, positionMax], upTo, 1)
  const held: SealedRow[] = []
  for (const file of files) {
    const last = held.at(-1)
    const isNext = last
      ? file.first[0] < last.sealNumber || (file.first[0] === last.sealNumber && file.first[1] <= last.position + 1)
      : oldest !== undefined && comparePlaces(file.first, [oldest.sealNumber, oldest.position]) <= 0
    if (!isNext) continue
    call.signal.throwIfAborted()
    for (const row of await readBack(call, file)) if (isAfter(row, last, from)) held.push(row)
    const end = await completeLinks(call, seam, held, upTo)
    if (end) return removeUpTo(call, seam, held, end)
  }
  return null
}

const isAfter = (row: SealedRow, last: SealedRow | undefined, from: number): boolean =>
  last
    ? row.sealNumber > last.sealNumber || (row.sealNumber === last.sealNumber && row.position > last.position)
    : row.sealNumber > from

/** Reads both parts of a file from the archive. */
async function readBack(call: Removing, file: ExportFile): Promise<SealedRow[]> {
  const target = await openTarget(call, sourceOf(call, file.datasourceId), call.signal)
  try {
    if (!target.isArchive) throw new NotRemovable(`The file ${file.name} cannot be read again.`)
    const [chain, content] = [await target.read(chainName(file.name)), await target.read(file.name)]
    if (!chain || !content)
      throw new NotRemovable(
        `The file ${file.name} is no longer in the datasource ${file.datasourceId}. Restore it; until then its events are kept in the database.`,
      )
    return open(file, await plain(file.format, chain), await plain(file.format, content)).rows
  } catch (error) {
    if (error instanceof NotAsWritten)
      throw new NotRemovable(
        `The file ${file.name} in the datasource ${file.datasourceId} ${error.message}. Its events are kept in the database.`,
        { cause: error },
      )
    throw error
  } finally {
    target.close()
  }
}

const open = (file: ExportFile, chain: Buffer, content: Buffer): Opened => parse(file.name, chain, content)

/**
 * The last link whose archived events are complete, equal those of the database, and match the chain. Events that do not
 * match are kept: removing them would remove the evidence.
 */
async function completeLinks(
  { db, seals, tenant }: Removing,
  seam: Seam | null,
  held: readonly SealedRow[],
  upTo: number,
): Promise<Seal | null> {
  const [first, last] = [held[0], held.at(-1)]
  if (!first || !last) return null
  const { before, links } = await readLinks(db, tenant.id, (seam?.sealNumber ?? 0) + 1, Math.min(last.sealNumber, upTo))
  const complete = links.filter(
    ({ sealNumber, eventCount }) => sealNumber < last.sealNumber || last.position >= eventCount,
  )
  const end = complete.at(-1)
  if (!end) return null
  const stored = await readRange(db, tenant.id, [(seam?.sealNumber ?? 0) + 1, 1], [end.sealNumber, end.eventCount])
  let previousMac: Uint8Array = before?.mac ?? Buffer.alloc(0)
  if (seam && (!before || !isSameMac(before.mac, seam.sealMac))) throw doubtful(seam.sealNumber)
  let next = 0
  for (const link of complete) {
    const rows = stored.slice(next, next + link.eventCount)
    const archived = held.slice(next, next + link.eventCount)
    const isSame = rows.length === link.eventCount && rows.every((row, i) => isSameEvent(row, archived[i]))
    if (!isSame || !rows.every((row, i) => row.sealNumber === link.sealNumber && row.position === i + 1))
      throw doubtful(link.sealNumber)
    const macs = rows.map(({ mac }) => mac)
    const isGenuine = rows.every((row) => isSameMac(row.mac, eventMac(seals, tenant.id, row)))
    if (!isGenuine || !isSameMac(link.mac, sealMac(seals, tenant.id, link, previousMac, macs)))
      throw doubtful(link.sealNumber)
    previousMac = link.mac
    next += link.eventCount
  }
  return end
}

const isSameEvent = (row: SealedRow, archived: SealedRow | undefined): boolean =>
  archived !== undefined &&
  row.event === archived.event &&
  row.trail === archived.trail &&
  row.eventId === archived.eventId &&
  row.occurredAt.getTime() === archived.occurredAt.getTime() &&
  row.sealNumber === archived.sealNumber &&
  row.position === archived.position &&
  isSameMac(row.mac, archived.mac)

const doubtful = (sealNumber: number): NotRemovable =>
  new NotRemovable(
    `Link ${sealNumber} of the system log differs between the database and the archive, or was changed. Its events are kept in the database. Check it with bailiwick systemlog verify --archive.`,
  )

/**
 * An export that was created after the plan was made holds events too. Creating one waits for this transaction, and begins
 * after it.
 */
const removeUpTo = (call: Removing, seam: Seam | null, held: readonly SealedRow[], end: Seal): Promise<Seam | null> =>
  transact(call.db, async (tx) => {
    await lockExporters(tx, call.tenant.id)
    const progress = await listProgress(tx, call.tenant.id)
    if (progress.some(({ sealNumber }) => sealNumber < end.sealNumber)) return null
    const expected = held.filter(({ sealNumber }) => sealNumber <= end.sealNumber).length
    return removeArchived(tx, call, call.tenant.id, { before: seam, upTo: end, expected })
  })

async function recordRemoval(call: Removing, removed: number, seam: Seam): Promise<void> {
  const cause = serviceCause(call.tenant, retentionDue.kind)
  const message = `Removed ${removed} archived events from the database: those up to link ${seam.sealNumber}, of ${seam.latestAt.toISOString()}`
  const of = {
    type: 'system log',
    id: call.tenant.publicId,
    data: { events: removed, link: seam.sealNumber, until: seam.latestAt.toISOString() },
  }
  await transact(call.db, (tx) => record(tx, call, call, change(cause, 'delete', message, [of])))
}
