import type { Call } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type LogProof, type ProvenLink, sha256 } from '#rooms/foundation/evidence/index.ts'
import {
  eventMac,
  findHead,
  findSealBefore,
  headText,
  listSealedMacs,
  listSeals,
} from '#rooms/foundation/systemlog/index.ts'
import { type CitedRow, listCited } from '../store/events.ts'

/** How many events a pack cites at most, and how large they may be together. */
const citedMax = 5_000
const citedBytesMax = 32 * 1024 * 1024
/** How many MACs of other events of their links a pack has at most. */
const macsMax = 100_000
const eventsPerLinkMax = 2_000
const rowsAtOnce = 500

export type Proven = {
  events: Buffer
  proof: LogProof
  /** Of those asked for, the ones that are not in it, and why. */
  leftOut: { unsealed: number; altered: string[]; tooMany: number }
}

/** Events of the log with what proves them. Those whose MAC is wrong were not written by this program: they prove nothing. */
export async function prove(call: Call, ids: readonly string[]): Promise<Proven> {
  const { db, tenant, seals } = call
  const head = await findHead(db, tenant.id)
  const rows: CitedRow[] = []
  const leftOut = { unsealed: 0, altered: [] as string[], tooMany: 0 }
  let bytes = 0
  for (let from = 0; from < ids.length; from += rowsAtOnce)
    for (const row of await listCited(db, tenant.id, ids.slice(from, from + rowsAtOnce))) {
      bytes += row.event.length
      if (!isSameMac(row.mac, eventMac(seals, tenant.id, row))) leftOut.altered.push(row.eventId)
      else if (row.sealNumber === null || row.sealNumber > (head?.sealNumber ?? 0)) leftOut.unsealed++
      else if (rows.length >= citedMax || bytes > citedBytesMax) leftOut.tooMany++
      else rows.push(row)
    }
  const events = rows.toSorted((a, b) => compare(a.sealNumber, b.sealNumber) || compare(a.position, b.position))
  const numbers = [...new Set(events.map(({ sealNumber }) => sealNumber as number))]
  const proof: LogProof = {
    tenantNumber: tenant.id,
    head: head ? headText(head.sealNumber, head.mac) : '',
    events: events.map((row) => ({
      id: row.eventId,
      at: row.occurredAt.toISOString(),
      link: row.sealNumber as number,
      position: row.position as number,
      mac: row.mac.toString('base64'),
      trail: row.trail,
      sha256: sha256(Buffer.from(row.event)),
    })),
    links: await proveLinks(call, numbers),
  }
  return { events: Buffer.from(events.map(({ event }) => `${event}\n`).join('')), proof, leftOut }
}

const compare = (a: number | null, b: number | null): number => (a ?? 0) - (b ?? 0)

async function proveLinks({ db, tenant }: Call, numbers: readonly number[]): Promise<ProvenLink[]> {
  const links: ProvenLink[] = []
  let macs = 0
  for (const number of numbers) {
    const [seal] = await listSeals(db, tenant.id, number - 1, number, 1)
    if (!seal) continue
    const before = await findSealBefore(db, tenant.id, number)
    const isWhole = macs + seal.eventCount <= macsMax
    const own = isWhole ? await listSealedMacs(db, tenant.id, number, eventsPerLinkMax) : []
    macs += own.length
    links.push({
      number,
      eventCount: seal.eventCount,
      sealedAt: seal.sealedAt.toISOString(),
      earliestAt: seal.earliestAt.toISOString(),
      latestAt: seal.latestAt.toISOString(),
      comesLate: seal.comesLate,
      mac: seal.mac.toString('base64'),
      previousMac: before?.mac.toString('base64') ?? '',
      eventMacs: own.map((mac) => mac.toString('base64')),
    })
  }
  return links
}
