import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Seal, SealedRow } from '#rooms/foundation/systemlog/index.ts'
import { compress, decompress } from '../compress.ts'
import { type Datasource, mayUse } from '../datasources/datasource.ts'
import { datasourcesOf } from '../datasources/read.ts'
import { chainName, fileName } from '../decide.ts'
import type { Exporter, ExportFile } from '../exporter.ts'
import { findFileUnderWay, finishFile, insertFile } from '../files-store.ts'
import { findExporter, lockExporter } from '../store.ts'
import { openTarget } from '../targets/open.ts'
import { type ArchiveTarget, type Target, TargetFailed } from '../targets/target.ts'
import { chainOf, contentOf, readLinks, readNext, readRange } from './pack.ts'

type Doing = World & { tenant: Tenancy; signal: AbortSignal }

/**
 * Exports the next file. Its events and its name are recorded before it is written: if the process is killed in between,
 * another one writes the same bytes under the same name. The watermark moves in the transaction that records that the file
 * is stored. Returns false if nothing is left.
 */
export async function exportNext(doing: Doing, exportId: string): Promise<boolean> {
  const file = await beginFile(doing, exportId)
  if (!file) return false
  const source = sourceOf(doing, file.datasourceId)
  const rows = await readRange(doing.db, doing.tenant.id, file.first, file.last)
  if (rows.length !== file.eventCount || rows.at(-1)?.eventId !== file.lastEventId)
    throw new TargetFailed(
      `The events of ${file.name} differ from those in the first part of the file: someone changed the system log in the database. Check it with bailiwick systemlog verify.`,
    )
  const { before, links } = await readLinks(doing.db, doing.tenant.id, file.first[0], file.last[0])
  const target = await openTarget(doing, source, doing.signal)
  try {
    const { storedBytes, note } = await write(doing, target, file, { rows, before, links })
    // If it is no longer the file under way, another process finished it, or the export was changed: the next round handles
    // that.
    await transact(doing.db, (tx) =>
      finishFile(tx, doing.tenant.id, file, { name: file.name, storedBytes, note, doneAt: doing.now() }),
    )
    return true
  } finally {
    target.close()
  }
}

export function sourceOf(doing: World & { tenant: Tenancy }, id: string): Datasource {
  const source = datasourcesOf(doing).get(id)
  if (source && mayUse(source, doing.tenant.domain)) return source
  throw new TargetFailed(
    `The datasource ${id} is not in the settings of this server. Ask its operator to add it to --datasources-file, or choose another one.`,
  )
}

/** The file that was begun and not finished, or a new one. */
async function beginFile(doing: Doing, exportId: string): Promise<ExportFile | null> {
  const { db, tenant } = doing
  const begun = await findFileUnderWay(db, tenant.id, exportId)
  if (begun) return begun
  const exporter = await findExporter(db, tenant.id, exportId)
  const rows = exporter ? await readNext(db, tenant.id, exporter.watermark) : []
  if (!exporter || rows.length === 0) return null
  const file = await describe(doing, exporter, rows)
  return transact(db, async (tx) => {
    const now = await lockExporter(tx, tenant.id, exportId)
    const isAsRead =
      now?.watermark.join() === exporter.watermark.join() && now.updatedAt.getTime() === exporter.updatedAt.getTime()
    // Another process was quicker, or the export was changed: the next round starts from its current state.
    const other = await findFileUnderWay(tx, tenant.id, exportId)
    if (!now || !isAsRead || other) return other
    await insertFile(tx, tenant.id, file)
    return file
  })
}

async function describe(
  { db, tenant, now }: Doing,
  { id, prefix, format, datasourceId }: Exporter,
  rows: readonly SealedRow[],
): Promise<ExportFile> {
  const [start, end] = [rows[0], rows.at(-1)] as [SealedRow, SealedRow]
  const { links } = await readLinks(db, tenant.id, start.sealNumber, end.sealNumber)
  const [firstLink, lastLink] = [links[0], links.at(-1)]
  if (firstLink?.sealNumber !== start.sealNumber || lastLink?.sealNumber !== end.sealNumber)
    throw new TargetFailed(
      'Events refer to a missing link of the chain: someone changed the system log in the database. Check it with bailiwick systemlog verify.',
    )
  const first = [start.sealNumber, start.position] as const
  const last = [end.sealNumber, end.position] as const
  const ids = rows.map(({ eventId }) => eventId).toSorted()
  return {
    exportId: id,
    first,
    last,
    datasourceId,
    format,
    name: fileName({
      tenant,
      exportId: id,
      prefix,
      format,
      first,
      last,
      sealedAt: firstLink.sealedAt,
      lastMac: lastLink.mac,
    }),
    eventCount: rows.length,
    lastEventId: end.eventId,
    leastEventId: ids[0] as string,
    greatestEventId: ids.at(-1) as string,
    contentBytes: rows.reduce((bytes, { event }) => bytes + Buffer.byteLength(event) + 1, 0),
    storedBytes: 0,
    note: '',
    createdAt: now(),
    doneAt: null,
  }
}

type Content = { rows: readonly SealedRow[]; before: Seal | null; links: readonly Seal[] }

async function write(
  { tenant }: Doing,
  target: Target,
  { name, format, exportId }: ExportFile,
  { rows, before, links }: Content,
): Promise<{ storedBytes: number; note: string }> {
  if (!target.isArchive) {
    const { bytes, note } = await target.deliver({
      name,
      tenant,
      rows,
      format,
      sealedAt: links.at(-1)?.sealedAt ?? new Date(0),
    })
    return { storedBytes: bytes, note }
  }
  const content = contentOf(rows)
  const chain = chainOf({ tenant, exportId, name, rows, content, before, links })
  // The chain file comes first: a file of events never exists without its proof.
  const stored = [
    await storeAndRead(target, chainName(name), format, chain),
    await storeAndRead(target, name, format, content),
  ]
  return { storedBytes: stored.reduce((sum, bytes) => sum + bytes, 0), note: '' }
}

/** Stores a file and reads it back: if the content was not kept as written, it is no archive. */
async function storeAndRead(
  target: ArchiveTarget,
  name: string,
  format: ExportFile['format'],
  content: Buffer,
): Promise<number> {
  // Another version of the compression library can write other bytes for the same content.
  const isSame = async (found: Buffer): Promise<boolean> =>
    decompress(format, found).then(
      (plain) => plain.equals(content),
      () => false,
    )
  const bytes = await compress(format, content)
  await target.store(name, bytes, isSame)
  const found = await target.read(name)
  if (!found) throw new TargetFailed(`The file ${name} was written, but is missing. Check the storage.`)
  if (!found.equals(bytes) && !(await isSame(found)))
    throw new TargetFailed(
      `The file ${name} was written, but has different content when it is read. Check the storage.`,
    )
  return found.length
}
