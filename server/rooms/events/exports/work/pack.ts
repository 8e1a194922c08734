import { createHash } from 'node:crypto'
import type { Reads } from '#kernel/sql.ts'
import {
  findHead,
  findSealBefore,
  listSealed,
  listSeals,
  type Place,
  type Seal,
  type SealedRow,
} from '#rooms/foundation/systemlog/index.ts'
import { contentBytesMax } from '../decide.ts'

const rowsAtOnce = 500

/**
 * The events after a place that go into one file: as many sealed ones as fit. Always the same for the same end of the chain.
 */
export async function readNext(db: Reads, tenantId: number, after: Place): Promise<SealedRow[]> {
  const head = await findHead(db, tenantId)
  const rows: SealedRow[] = []
  let bytes = 0
  for (let place = after; head; ) {
    const found = await listSealed(db, tenantId, place, head.sealNumber, rowsAtOnce)
    for (const row of found) {
      bytes += Buffer.byteLength(row.event) + 1
      if (rows.length > 0 && bytes > contentBytesMax) return rows
      rows.push(row)
    }
    const last = rows.at(-1)
    if (found.length < rowsAtOnce || !last) break
    place = [last.sealNumber, last.position]
  }
  return rows
}

/** The events from one place to another, both included. */
export async function readRange(db: Reads, tenantId: number, first: Place, last: Place): Promise<SealedRow[]> {
  const rows: SealedRow[] = []
  for (let place: Place = [first[0], first[1] - 1]; ; ) {
    const found = await listSealed(db, tenantId, place, last[0], rowsAtOnce)
    for (const row of found) {
      if (row.sealNumber === last[0] && row.position > last[1]) return rows
      rows.push(row)
    }
    const end = rows.at(-1)
    if (found.length < rowsAtOnce || !end) return rows
    place = [end.sealNumber, end.position]
  }
}

const sealsAtOnce = 1000

/** The links of a range, and the one before the first of them. */
export async function readLinks(
  db: Reads,
  tenantId: number,
  first: number,
  last: number,
): Promise<{ before: Seal | null; links: Seal[] }> {
  const links: Seal[] = []
  for (let after = first - 1; ; ) {
    const found = await listSeals(db, tenantId, after, last, sealsAtOnce)
    links.push(...found)
    if (found.length < sealsAtOnce) break
    after = found.at(-1)?.sealNumber ?? last
  }
  return { before: await findSealBefore(db, tenantId, first), links }
}

/** One event per line, as the system log lists it. */
export const contentOf = (rows: readonly SealedRow[]): Buffer =>
  Buffer.from(rows.map(({ event }) => `${event}\n`).join(''))

export const chainFormat = 'bailiwick-systemlog-chain/1'

/**
 * The file next to a file of events: where in the chain each of them is, what its writer recorded with it, and the links.
 * With the secret key, it proves that no event is missing, added, altered or moved.
 */
export type ChainFile = {
  format: typeof chainFormat
  tenant: string
  exportId: string
  /** The name of the file of events, without folders. */
  file: string
  events: number
  /** Of the events, before they are compressed. */
  sha256: string
  first: Place
  last: Place
  /** The link before the first one, with its MAC; null at the beginning of the log. */
  before: { number: number; mac: string } | null
  links: {
    number: number
    eventCount: number
    sealedAt: string
    earliestAt: string
    latestAt: string
    comesLate: boolean
    mac: string
  }[]
  /** For each line: link, position, MAC, trail. */
  rows: [number, number, string, string | null][]
}

type Chained = {
  tenant: { publicId: string }
  exportId: string
  name: string
  rows: readonly SealedRow[]
  content: Buffer
  before: Seal | null
  links: readonly Seal[]
}

export function chainOf({ tenant, exportId, name, rows, content, before, links }: Chained): Buffer {
  const [first, last] = [rows[0], rows.at(-1)] as [SealedRow, SealedRow]
  const chain: ChainFile = {
    format: chainFormat,
    tenant: tenant.publicId,
    exportId,
    file: name.slice(name.lastIndexOf('/') + 1),
    events: rows.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    first: [first.sealNumber, first.position],
    last: [last.sealNumber, last.position],
    before: before && { number: before.sealNumber, mac: before.mac.toString('hex') },
    links: links.map((link) => ({
      number: link.sealNumber,
      eventCount: link.eventCount,
      sealedAt: link.sealedAt.toISOString(),
      earliestAt: link.earliestAt.toISOString(),
      latestAt: link.latestAt.toISOString(),
      comesLate: link.comesLate,
      mac: link.mac.toString('hex'),
    })),
    rows: rows.map(({ sealNumber, position, mac, trail }) => [sealNumber, position, mac.toString('base64'), trail]),
  }
  return Buffer.from(`${JSON.stringify(chain)}\n`)
}
