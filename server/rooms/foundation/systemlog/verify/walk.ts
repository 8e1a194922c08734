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
import type { Kept } from '../kept/kept.ts'
import { findHead, findSeals, listSeals, type Seal } from '../seals.ts'
import { findSeam } from '../seam/seam.ts'
import { findReturned, type Seam } from '../seam/store.ts'
import { beginning, type EventRow, eventMac, listWaiting, type Place, type SealedRow } from '../store.ts'
import { positionMax, type Rows, rowsAfter, rowsAtOnce, rowsIn } from './rows.ts'
import { Trails } from './trails.ts'
import { type Anchor, endless, type Finding, findingsMax, type ReadArchive, type Verdict } from './verdict.ts'

// How many links back the walk remembers; a link that a writer knew and that is older is looked up.
const linksRemembered = 10_000
// A transaction that took long commits what occurred long before: what it wrote is sealed after this time.
const lateAgainMs = 1_500

/** A walk over a tenant's log: how far it has come, and what it found. */
export class Walk {
  readonly #world: World
  readonly #tenantId: number
  readonly #knownHead: string | null
  readonly #onProgress: (events: number) => void
  readonly #findings: Finding[] = []
  #events = 0
  #lastNumber = 0
  #lastMac: Buffer = Buffer.alloc(0)
  #place: Place = beginning
  #isFounded = false
  #seam: Seam | null = null
  #isArchiveChecked = false
  /** Links up to this one were not read in this walk. */
  #begunBehind = 0
  #sawKnownHead: boolean
  /** Events that a server recorded before they were sealed, and that are not in the archive. */
  readonly #unarchived = new Set<string>()
  readonly #linkMacs = new Map<number, string>()
  readonly #strange = new Set<number>()
  readonly #late: string[] = []
  readonly #trails = new Trails((count) =>
    this.found({
      what: `${count === 1 ? 'an event that was committed is' : `${count} events that were committed are`} missing`,
    }),
  )

  constructor(world: World, tenantId: number, knownHead: string | null, onProgress: (events: number) => void) {
    this.#world = world
    this.#tenantId = tenantId
    this.#knownHead = knownHead
    this.#onProgress = onProgress
    this.#sawKnownHead = knownHead === null || knownHead === headText(0, this.#lastMac)
  }

  found(finding: Finding): void {
    if (this.#findings.length < findingsMax) this.#findings.push(finding)
  }

  /** Whether the link that a writer knew is in the chain, before what it wrote. */
  async #checkKnownHead(eventId: string, { head, headMac: mac }: Trail, sealNumber?: number): Promise<void> {
    if (head === 0 || this.#strange.has(head)) return
    const isBefore = head < (sealNumber ?? this.#lastNumber + 1)
    const isForgotten = this.#linkMacs.size >= linksRemembered || head <= this.#begunBehind
    const known = this.#linkMacs.get(head) ?? (isBefore && isForgotten ? await this.#lookUp(head) : undefined)
    if (isBefore && known === mac) return
    if (this.#strange.size < findingsMax) this.#strange.add(head)
    this.found({
      what: isBefore
        ? `link ${head} differs from the one that existed when this event was written: the chain was rewritten`
        : `this event was written when the chain had reached link ${head}: the chain was started again`,
      eventId,
      ...(sealNumber !== undefined && { sealNumber }),
    })
  }

  async #lookUp(head: number): Promise<string | undefined> {
    const [seal] = await findSeals(this.#world.db, this.#tenantId, [head])
    return seal && shortMac(seal.mac)
  }

  async #checkEvent(row: EventRow, sealNumber?: number): Promise<void> {
    this.#events++
    const trail = readTrail(row.trail)
    if (!isSameMac(row.mac, eventMac(this.#world.seals, this.#tenantId, row))) {
      this.found({
        what: 'this event was altered, or was not written by this program',
        eventId: row.eventId,
        ...(sealNumber !== undefined && { sealNumber }),
      })
      if (trail) this.#trails.altered(trail)
    } else {
      if (this.#lastNumber === 0 && isFounding(row)) this.#isFounded = true
      if (trail) {
        this.#trails.event(trail)
        await this.#checkKnownHead(row.eventId, trail, sealNumber)
      }
      // Quotes in a value are written \", so this is the attribute and not text from a user.
      if (row.event.includes(`"status_code":"${tamperedCode}"`))
        this.found({
          what: `a server reported: ${(JSON.parse(row.event) as { message: string }).message}`,
          eventId: row.eventId,
        })
    }
  }

  async #checkLink(seal: Seal, rows: Rows): Promise<void> {
    const { sealNumber } = seal
    for (let row = await rows.before(sealNumber); row; row = await rows.before(sealNumber)) await this.#checkStray(row)
    if (sealNumber > this.#lastNumber + 1) this.found({ what: missing(this.#lastNumber + 1, sealNumber - 1) })
    const macs: Buffer[] = []
    let count = 0
    let position = 0
    for (let row = await rows.before(sealNumber + 1); row; row = await rows.before(sealNumber + 1)) {
      if (row.position !== position + 1)
        this.found({ what: 'an event before this one was removed', eventId: row.eventId, sealNumber })
      position = row.position
      await this.#checkEvent(row, sealNumber)
      // A link with more events than allowed must not fill our memory.
      if (++count <= eventsPerSealMax) macs.push(row.mac)
    }
    if (count !== seal.eventCount)
      this.found({ what: `this link had ${seal.eventCount} events and has ${count}`, sealNumber })
    if (!isSameMac(seal.mac, sealMac(this.#world.seals, this.#tenantId, seal, this.#lastMac, macs)))
      this.found({ what: 'this link of the chain does not fit its events or the link before it', sealNumber })
    this.#lastNumber = sealNumber
    this.#lastMac = seal.mac
    this.#linkMacs.set(sealNumber, shortMac(seal.mac))
    if (this.#linkMacs.size > linksRemembered) this.#linkMacs.delete(this.#linkMacs.keys().next().value as number)
    if (headText(this.#lastNumber, this.#lastMac) === this.#knownHead) this.#sawKnownHead = true
  }

  async #checkStray(row: SealedRow): Promise<void> {
    await this.#checkEvent(row, row.sealNumber)
    this.found({ what: 'this event is in no link of the chain', eventId: row.eventId, sealNumber: row.sealNumber })
  }

  // The log of a tenant begins with its creation: one that does not has lost its beginning, or everything.
  checkFounded(): void {
    if (!this.#isFounded)
      this.found({ what: 'the log does not begin with the creation of the tenant: its beginning was removed' })
  }

  /** Has the walk record which of these are in the archive. */
  expect(standings: Kept['standings']): void {
    for (const standing of standings)
      if (standing.tenantId === this.#tenantId) for (const eventId of standing.waiting) this.#unarchived.add(eventId)
  }

  /** What was stored beside the secret key, by this process or one before it, still exists. */
  async checkKept({ heads, standings }: Kept): Promise<void> {
    const head = heads[this.#tenantId]
    if (head) {
      const [seal] = await findSeals(this.#world.db, this.#tenantId, [head.number])
      if (!seal || !isSameMac(seal.mac, Buffer.from(head.mac, 'hex')))
        this.found({
          what: `link ${head.number}, which was stored next to the secret key at ${head.at}, is not in the chain: the log was truncated or rewritten, or an older backup was restored`,
        })
    }
    for (const standing of standings.filter((each) => each.tenantId === this.#tenantId)) {
      const { missing, archived } = await look(this.#world, standing)
      if (this.#isArchiveChecked) missing.push(...archived.filter((eventId) => this.#unarchived.has(eventId)))
      for (const eventId of missing)
        this.found({ what: 'this event was committed but is missing: it was removed before it was sealed', eventId })
      if (missing.length === 0 && standing.writer !== '') this.#trails.state(standing)
    }
  }

  /** Events that are not sealed, though they were written long ago. */
  async checkLate(): Promise<void> {
    if (this.#late.length === 0) return
    await sleep(lateAgainMs)
    const { unsealed } = await look(this.#world, { tenantId: this.#tenantId, waiting: this.#late })
    if (unsealed.length > 0)
      this.found({
        what: `${unsealed.length === 1 ? 'an event has' : `${unsealed.length} events have`} been waiting for more than ${lateMs / 1000} seconds to be sealed: no server is running, or something prevents sealing`,
        eventId: unsealed[0] as string,
      })
  }

  /** Checks what was archived and removed from the database, or continues after it if there is no archive. */
  async checkArchived(archive: ReadArchive | null): Promise<void> {
    this.#seam = await findSeam(this.#world, this.#world.db, this.#tenantId, () =>
      this.found({
        what: 'the record of the archived events was altered: it is ignored, and the events that it covers count as removed',
      }),
    )
    await archive?.({
      seam: this.#seam,
      found: (finding) => this.found(finding),
      lastNumber: () => this.#lastNumber,
      link: async (seal, rows) => {
        for (const { eventId } of rows) this.#unarchived.delete(eventId)
        await this.#checkLink(seal, rowsIn(rows))
        this.#onProgress(this.#events)
      },
    })
    if (!this.#seam) return
    const { sealNumber, sealMac: endMac } = this.#seam
    this.#isArchiveChecked = archive !== null
    const returned = await findReturned(this.#world.db, this.#tenantId, sealNumber)
    if (returned !== null)
      this.found({ what: 'this event was archived and removed, but is in the database again', eventId: returned })
    if (archive && this.#lastNumber !== sealNumber)
      this.found({
        what: `the archive ends at link ${this.#lastNumber}, and the events up to link ${sealNumber} were removed from the database`,
      })
    else if (archive && !isSameMac(this.#lastMac, endMac))
      this.found({ what: 'the archive does not end with the link that the database continues', sealNumber })
    if (this.#lastNumber !== sealNumber || !isSameMac(this.#lastMac, endMac)) this.#trails.beginBehind(sealNumber)
    this.#lastNumber = sealNumber
    this.#lastMac = endMac
    this.#isFounded ||= archive === null
    this.#place = [sealNumber, positionMax]
    this.#begunBehind = sealNumber
    this.#linkMacs.set(sealNumber, shortMac(endMac))
    if (headText(this.#lastNumber, this.#lastMac) === this.#knownHead) this.#sawKnownHead = true
    // An older head that someone kept: its link still exists.
    const [, known, knownMac] = /^(\d+):(.*)$/.exec(this.#knownHead ?? '') ?? []
    if (!this.#sawKnownHead && known !== undefined && Number(known) < sealNumber) {
      const [link] = await findSeals(this.#world.db, this.#tenantId, [Number(known)])
      this.#sawKnownHead = link?.mac.toString('hex') === knownMac
    }
  }

  /** Continues after a link up to which the log was verified before. It must still exist, unchanged. */
  async goOnBehind({ sealNumber, sealMac: knownMac }: Anchor): Promise<void> {
    if (sealNumber <= this.#lastNumber) return
    const [link] = await findSeals(this.#world.db, this.#tenantId, [sealNumber])
    if (!link || !isSameMac(link.mac, knownMac))
      return this.found({
        what: `link ${sealNumber}, up to which the log was verified before, is not in the chain: the log was truncated or rewritten`,
      })
    this.#trails.beginBehind(sealNumber)
    this.#lastNumber = sealNumber
    this.#lastMac = link.mac
    this.#isFounded = true
    this.#place = [sealNumber, positionMax]
    this.#begunBehind = sealNumber
    this.#linkMacs.set(sealNumber, shortMac(link.mac))
  }

  /** How far the walk has come. */
  reached(): Pick<Verdict, 'events' | 'seals' | 'sealMac' | 'findings'> {
    return { events: this.#events, seals: this.#lastNumber, sealMac: this.#lastMac, findings: this.#findings }
  }

  /** Checks the links after those that were checked, up to a number. */
  async checkLinks(db: Reads, upTo: number): Promise<void> {
    const rows = rowsAfter(db, this.#tenantId, this.#place, upTo, () => this.#onProgress(this.#events))
    for (;;) {
      const links = await listSeals(db, this.#tenantId, this.#lastNumber, upTo, rowsAtOnce)
      for (const seal of links) await this.#checkLink(seal, rows)
      if (links.length < rowsAtOnce) break
    }
    for (let row = await rows.before(endless); row; row = await rows.before(endless)) await this.#checkStray(row)
    this.#place = rows.place()
  }

  async checkEnd(db: Reads): Promise<void> {
    const head = await findHead(db, this.#tenantId)
    const should = head?.sealNumber ?? 0
    if (should !== this.#lastNumber)
      this.found({
        what: `the chain ends at link ${this.#lastNumber} and should at ${should}: its end was removed or extended`,
      })
    else if (head && !isSameMac(head.mac, headMac(this.#world.seals, this.#tenantId, should, this.#lastMac)))
      this.found({ what: 'the end of the chain is not the one that the program wrote' })
    if (!this.#sawKnownHead)
      this.found({ what: 'the given head is not in the chain: events that it covers were removed' })
  }

  async checkWaiting(db: Reads): Promise<Verdict> {
    let unsealed = 0
    for (let after = ''; ; ) {
      const rows = await listWaiting(db, this.#tenantId, after, rowsAtOnce)
      for (const row of rows) {
        await this.#checkEvent(row)
        if (this.#world.now().getTime() - row.occurredAt.getTime() > lateMs && this.#late.length < rowsAtOnce)
          this.#late.push(row.eventId)
      }
      unsealed += rows.length
      after = rows.at(-1)?.eventId ?? ''
      if (rows.length < rowsAtOnce) break
    }
    this.#trails.end()
    this.checkFounded()
    const archived = this.#seam && {
      events: this.#seam.eventCount,
      sealNumber: this.#seam.sealNumber,
      until: this.#seam.latestAt,
      removedAt: this.#seam.removedAt,
      isChecked: this.#isArchiveChecked,
    }
    return {
      events: this.#events,
      seals: this.#lastNumber,
      unsealed,
      archived,
      head: headText(this.#lastNumber, this.#lastMac),
      sealMac: this.#lastMac,
      findings: this.#findings,
    }
  }
}

const missing = (from: number, to: number): string =>
  from === to ? `link ${from} of the chain is missing` : `links ${from} to ${to} of the chain are missing`

function isFounding({ event }: EventRow): boolean {
  if (!event.includes('"type":"tenant"')) return false
  const { activity_id, resources } = JSON.parse(event) as { activity_id: number; resources?: { type: string }[] }
  return activity_id === 1 && resources?.some(({ type }) => type === 'tenant') === true
}
