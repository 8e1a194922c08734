import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { eventsPerSealMax, headMac, sameMac, sealMac } from './seal.ts'
import {
  beginning,
  type EventRow,
  eventMac,
  findHead,
  listSealed,
  listSeals,
  listWaiting,
  type Place,
  type Seal,
  type SealedRow,
} from './store.ts'

export type Finding = { what: string; eventId?: string; sealNumber?: number }
export type Verdict = {
  events: number
  seals: number
  /** Not in the chain yet: younger than a second, or the sealer stands still. */
  unsealed: number
  /** The end of the chain: keep it elsewhere, and a later `verify --head` proves that it is still in there. */
  head: string
  findings: Finding[]
}

const findingsMax = 1000
const rowsAtOnce = 1000
const endless = Number.MAX_SAFE_INTEGER

/** Whether a text has the form of a head that `verify` prints. */
export const isHead = (text: string): boolean => /^(0:|[1-9]\d{0,15}:[0-9a-f]{64})$/.test(text)

/**
 * Walks a tenant's whole log, in bounded memory, and names what is not as the program wrote it. The log may grow
 * meanwhile. `onProgress` is told now and then how many events were checked.
 */
export async function verifyLog(
  world: World,
  tenantId: number,
  knownHead: string | null,
  onProgress: (events: number) => void = () => {},
): Promise<Verdict> {
  const walk = startWalk(world, tenantId, knownHead, onProgress)
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

function startWalk({ seals }: World, tenantId: number, knownHead: string | null, onProgress: (events: number) => void) {
  const findings: Finding[] = []
  let events = 0
  let lastNumber = 0
  let lastMac: Buffer = Buffer.alloc(0)
  let place: Place = beginning
  let isFounded = false
  let sawKnownHead = knownHead === null || knownHead === headText(0, lastMac)

  const found = (finding: Finding): void => {
    if (findings.length < findingsMax) findings.push(finding)
  }

  const checkEvent = (row: EventRow, sealNumber?: number): void => {
    events++
    if (!sameMac(row.mac, eventMac(seals, tenantId, row)))
      found({
        what: 'this event was altered, or inserted by another hand',
        eventId: row.eventId,
        ...(sealNumber !== undefined && { sealNumber }),
      })
    else if (lastNumber === 0 && isFounding(row)) isFounded = true
  }

  const checkLink = async (seal: Seal, rows: Rows): Promise<void> => {
    const { sealNumber } = seal
    for (let row = await rows.before(sealNumber); row; row = await rows.before(sealNumber)) checkStray(row)
    if (sealNumber > lastNumber + 1) found({ what: missing(lastNumber + 1, sealNumber - 1) })
    const macs: Buffer[] = []
    let count = 0
    let position = 0
    for (let row = await rows.before(sealNumber + 1); row; row = await rows.before(sealNumber + 1)) {
      if (row.position !== position + 1)
        found({ what: 'an event before this one was removed', eventId: row.eventId, sealNumber })
      position = row.position
      checkEvent(row, sealNumber)
      // Whoever puts more into a link than it can hold does not fill our memory with it.
      if (++count <= eventsPerSealMax) macs.push(row.mac)
    }
    if (count !== seal.eventCount)
      found({ what: `this link had ${seal.eventCount} events and has ${count}`, sealNumber })
    if (!sameMac(seal.mac, sealMac(seals, tenantId, seal, lastMac, macs)))
      found({ what: 'this link of the chain does not fit its events or the link before it', sealNumber })
    lastNumber = sealNumber
    lastMac = seal.mac
    if (headText(lastNumber, lastMac) === knownHead) sawKnownHead = true
  }

  const checkStray = (row: SealedRow): void => {
    checkEvent(row, row.sealNumber)
    found({ what: 'this event is in no link of the chain', eventId: row.eventId, sealNumber: row.sealNumber })
  }

  return {
    /** Checks the links after those that were checked, up to a number. */
    async checkLinks(db: Reads, upTo: number): Promise<void> {
      const rows = rowsAfter(db, tenantId, place, upTo, () => onProgress(events))
      for (;;) {
        const links = await listSeals(db, tenantId, lastNumber, upTo, rowsAtOnce)
        for (const seal of links) await checkLink(seal, rows)
        if (links.length < rowsAtOnce) break
      }
      for (let row = await rows.before(endless); row; row = await rows.before(endless)) checkStray(row)
      place = rows.place()
    },
    async checkEnd(db: Reads): Promise<void> {
      const head = await findHead(db, tenantId)
      const should = head?.sealNumber ?? 0
      if (should !== lastNumber)
        found({ what: `the chain ends at link ${lastNumber} and should at ${should}: its end was cut or grown` })
      else if (head && !sameMac(head.mac, headMac(seals, tenantId, should, lastMac)))
        found({ what: 'the end of the chain is not the one that the program wrote' })
      if (!sawKnownHead) found({ what: 'the given head is not in the chain: what it sealed was removed' })
    },
    async checkWaiting(db: Reads): Promise<Verdict> {
      let unsealed = 0
      for (let after = ''; ; ) {
        const rows = await listWaiting(db, tenantId, after, rowsAtOnce)
        for (const row of rows) checkEvent(row)
        unsealed += rows.length
        after = rows.at(-1)?.eventId ?? ''
        if (rows.length < rowsAtOnce) break
      }
      // The log of a tenant begins with its founding: one that does not has lost its beginning, or all there was.
      if (!isFounded)
        found({ what: 'the founding of the tenant is not where the log begins: its beginning was removed' })
      return { events, seals: lastNumber, unsealed, head: headText(lastNumber, lastMac), findings }
    },
  }
}

const headText = (number: number, mac: Buffer): string => `${number}:${mac.toString('hex')}`

const missing = (from: number, to: number): string =>
  from === to ? `link ${from} of the chain is missing` : `links ${from} to ${to} of the chain are missing`

function isFounding({ event }: EventRow): boolean {
  if (!event.includes('"type":"tenant"')) return false
  const { activity_id, resources } = JSON.parse(event) as { activity_id: number; resources?: { type: string }[] }
  return activity_id === 1 && resources?.some(({ type }) => type === 'tenant') === true
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
