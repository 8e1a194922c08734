import { isSameMac, type Seals } from '#kernel/seals.ts'
import { eventMac, type Seal, sealMac } from '#rooms/foundation/systemlog/index.ts'
import { sha256 } from './manifest.ts'

/** A link of the chain that has cited events. */
export type ProvenLink = {
  number: number
  eventCount: number
  sealedAt: string
  earliestAt: string
  latestAt: string
  comesLate: boolean
  mac: string
  /** Of the link before it; empty for the first. */
  previousMac: string
  /** Of all events in the link, in their order; empty if the pack would become too large. */
  eventMacs: string[]
}

export type ProvenEvent = {
  id: string
  at: string
  link: number
  position: number
  mac: string
  trail: string | null
  sha256: string
}

/** What proves the events of a pack, for those who have the secret key, and where they are in the log. */
export type LogProof = {
  /** The number of the tenant in the database, which the MACs include. */
  tenantNumber: number
  /** The end of the log when the pack was created, as `bailiwick systemlog verify --head` takes it. */
  head: string
  events: ProvenEvent[]
  links: ProvenLink[]
}

/** What of a proof does not hold, by the secret key of the installation. `texts` are the events, by id. */
export function checkMacs(seals: Seals, proof: LogProof, texts: ReadonlyMap<string, string>): string[] {
  const findings: string[] = []
  const links = new Map(proof.links.map((link) => [link.number, link]))
  for (const { id, at, mac, trail, link, position } of proof.events) {
    const row = { eventId: id, occurredAt: new Date(at), event: texts.get(id) ?? '', trail }
    const carried = Buffer.from(mac, 'base64')
    if (!isSameMac(carried, eventMac(seals, proof.tenantNumber, row)))
      findings.push(`The event ${id} was altered, or was not written by this installation.`)
    const others = links.get(link)?.eventMacs ?? []
    if (others.length > 0 && others[position - 1] !== mac)
      findings.push(`The event ${id} is not in link ${link} of the log at position ${position}.`)
  }
  for (const link of proof.links)
    if (link.eventMacs.length > 0 && !isLinkGenuine(seals, proof.tenantNumber, link))
      findings.push(`Link ${link.number} of the log does not match its events.`)
  return findings
}

function isLinkGenuine(seals: Seals, tenantNumber: number, link: ProvenLink): boolean {
  const seal: Omit<Seal, 'mac' | 'eventCount'> = {
    sealNumber: link.number,
    sealedAt: new Date(link.sealedAt),
    earliestAt: new Date(link.earliestAt),
    latestAt: new Date(link.latestAt),
    comesLate: link.comesLate,
  }
  const macs = link.eventMacs.map((mac) => Buffer.from(mac, 'base64'))
  const right = sealMac(seals, tenantNumber, seal, Buffer.from(link.previousMac, 'base64'), macs)
  return isSameMac(Buffer.from(link.mac, 'base64'), right)
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const areTexts = (values: readonly unknown[]): boolean => values.every((each) => typeof each === 'string')

const isEvent = (value: unknown): boolean => {
  const { id, at, link, position, mac, trail, sha256: digest } = (value ?? {}) as ProvenEvent
  return (
    areTexts([id, mac, digest]) &&
    isTime(at) &&
    Number.isSafeInteger(link) &&
    Number.isSafeInteger(position) &&
    (trail === null || typeof trail === 'string')
  )
}

const isLink = (value: unknown): boolean => {
  const link = (value ?? {}) as ProvenLink
  return (
    Number.isSafeInteger(link.number) &&
    [link.sealedAt, link.earliestAt, link.latestAt].every(isTime) &&
    typeof link.comesLate === 'boolean' &&
    areTexts([link.mac, link.previousMac]) &&
    Array.isArray(link.eventMacs) &&
    areTexts(link.eventMacs)
  )
}

export const isLogProof = (value: unknown): value is LogProof => {
  const proof = (value ?? {}) as LogProof
  return (
    Number.isSafeInteger(proof.tenantNumber) &&
    typeof proof.head === 'string' &&
    Array.isArray(proof.events) &&
    proof.events.every(isEvent) &&
    Array.isArray(proof.links) &&
    proof.links.every(isLink)
  )
}

/** The lines of `events.jsonl` by the ids that they are proven under; what differs is a finding. */
export function readEvents(proof: LogProof, content: Buffer): { texts: Map<string, string>; findings: string[] } {
  const lines = content.toString('utf8').split('\n').slice(0, -1)
  const texts = new Map<string, string>()
  const findings: string[] = []
  if (lines.length !== proof.events.length)
    findings.push(`There are ${lines.length} events, and ${proof.events.length} in the proof of the log.`)
  for (const [place, event] of proof.events.entries()) {
    const line = lines[place] ?? ''
    texts.set(event.id, line)
    if (sha256(Buffer.from(line)) !== event.sha256) findings.push(`The event ${event.id} was altered.`)
  }
  return { texts, findings }
}
