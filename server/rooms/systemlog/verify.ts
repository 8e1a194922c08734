import { timingSafeEqual } from 'node:crypto'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { headMac, sealMac } from './seal.ts'
import { type EventRow, eventMac, findHead } from './store.ts'

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

type SealRow = { sealNumber: number; eventCount: number; mac: Buffer }
type SealedEventRow = EventRow & { sealNumber: number; position: number }

const findingsMax = 1000
const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** Walks a tenant's whole log, in bounded memory, and names what is not as the program wrote it. */
export async function verifyLog(world: World, tenantId: number, knownHead: string | null): Promise<Verdict> {
  const { db, seals } = world
  const findings: Finding[] = []
  const found = (finding: Finding): void => {
    if (findings.length < findingsMax) findings.push(finding)
  }
  const head = await findHead(db, tenantId)
  let events = 0
  let expected = 1
  let previous: Buffer = Buffer.alloc(0)
  let sawKnownHead = knownHead === null

  for await (const seal of sealsOf(db, tenantId)) {
    for (; expected < seal.sealNumber; expected++)
      found({ what: 'a link of the chain is missing', sealNumber: expected })
    const macs: Buffer[] = []
    let position = 0
    for (const row of await eventsOf(db, tenantId, seal.sealNumber)) {
      position++
      events++
      if (row.position !== position) {
        found({ what: 'an event before this one was removed', eventId: row.eventId, sealNumber: seal.sealNumber })
        position = row.position
      }
      if (!same(row.mac, eventMac(seals, tenantId, row)))
        found({
          what: 'this event was altered, or inserted by another hand',
          eventId: row.eventId,
          sealNumber: seal.sealNumber,
        })
      macs.push(row.mac)
    }
    if (macs.length !== seal.eventCount)
      found({ what: `the link had ${seal.eventCount} events and has ${macs.length}`, sealNumber: seal.sealNumber })
    if (!same(seal.mac, sealMac(seals, tenantId, seal.sealNumber, previous, macs)))
      found({
        what: 'this link of the chain does not fit its events or the link before it',
        sealNumber: seal.sealNumber,
      })
    previous = seal.mac
    expected = seal.sealNumber + 1
    if (headText(seal.sealNumber, seal.mac) === knownHead) sawKnownHead = true
  }

  const lastNumber = expected - 1
  if ((head?.sealNumber ?? 0) !== lastNumber)
    found({
      what: `the chain ends at link ${lastNumber} and should at ${head?.sealNumber ?? 0}: its end was cut or grown`,
    })
  if (head && !same(head.mac, headMac(seals, tenantId, head.sealNumber, previous)))
    found({ what: 'the end of the chain is not the one that the program wrote' })
  if (!sawKnownHead) found({ what: 'the given head is not in the chain: what it sealed was removed' })
  const strays = await strayEvents(db, tenantId)
  for (const eventId of strays) found({ what: 'this event is in no link of the chain', eventId })
  const unsealed = await unsealedEvents(world, tenantId, found)
  return { events: events + unsealed, seals: lastNumber, unsealed, head: headText(lastNumber, previous), findings }
}

const headText = (number: number, mac: Buffer): string => `${number}:${mac.toString('hex')}`

async function* sealsOf(db: Reads, tenantId: number): AsyncGenerator<SealRow> {
  for (let after = 0; ; ) {
    const rows = await db<SealRow[]>`
      select seal_number as "sealNumber", event_count as "eventCount", mac from systemlog_seals
      where tenant_id = ${tenantId} and seal_number > ${after} order by seal_number limit 1000`
    yield* rows
    const lastRow = rows.at(-1)
    if (!lastRow) return
    after = lastRow.sealNumber
  }
}

const eventsOf = (db: Reads, tenantId: number, sealNumber: number): Promise<SealedEventRow[]> => db<SealedEventRow[]>`
  select event_id as "eventId", occurred_at as "occurredAt", event, mac, seal_number as "sealNumber",
    seal_position as position
  from systemlog_events where tenant_id = ${tenantId} and seal_number = ${sealNumber}
  order by seal_position`

async function strayEvents(db: Reads, tenantId: number): Promise<string[]> {
  const rows = await db<{ eventId: string }[]>`
    select event_id as "eventId" from systemlog_events e
    where tenant_id = ${tenantId} and seal_number is not null
      and not exists (select from systemlog_seals s where s.tenant_id = e.tenant_id and s.seal_number = e.seal_number)
    limit ${findingsMax}`
  return rows.map((row) => row.eventId)
}

async function unsealedEvents(world: World, tenantId: number, found: (finding: Finding) => void): Promise<number> {
  const rows = await world.db<EventRow[]>`
    select event_id as "eventId", occurred_at as "occurredAt", event, mac from systemlog_events
    where tenant_id = ${tenantId} and seal_number is null order by event_id limit 100000`
  for (const row of rows)
    if (!same(row.mac, eventMac(world.seals, tenantId, row)))
      found({ what: 'this event was altered, or inserted by another hand', eventId: row.eventId })
  return rows.length
}
