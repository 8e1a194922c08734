import type { Seal } from '../seals.ts'
import type { Seam } from '../seam/store.ts'
import type { SealedRow } from '../store.ts'

export type Finding = { what: string; eventId?: string; sealNumber?: number }
export type Verdict = {
  events: number
  seals: number
  /** Not in the chain yet: less than a second old, or the sealer does not run. */
  unsealed: number
  /**
   * Events that were archived and removed from the database; with an archive, they are checked and counted like the
   * others.
   */
  archived: { events: number; sealNumber: number; until: Date; removedAt: Date; isChecked: boolean } | null
  /** The end of the chain: keep it elsewhere, and a later `verify --head` proves that it is still part of the chain. */
  head: string
  /** The MAC of its last link. */
  sealMac: Buffer
  findings: Finding[]
}

export const findingsMax = 1000
export const endless = Number.MAX_SAFE_INTEGER

/** Whether a text has the form of a head that `verify` prints. */
export const isHead = (text: string): boolean => /^(0:|[1-9]\d{0,15}:[0-9a-f]{64})$/.test(text)

/** What the reader of an archive passes on about the archived part of a log, in the order of the chain. */
export type ArchiveWalk = {
  /** Up to this link, events are in the archive only. */
  seam: Seam | null
  found(finding: Finding): void
  /** The last link that was checked. */
  lastNumber(): number
  /** Checks a link, which continues the last one, and its events. */
  link(seal: Seal, rows: readonly SealedRow[]): Promise<void>
}
/** Reads an archive, and has its links checked. */
export type ReadArchive = (walk: ArchiveWalk) => Promise<void>

/** A link up to which the log was verified before. */
export type Anchor = { sealNumber: number; sealMac: Buffer }
export type Part = Pick<Verdict, 'events' | 'seals' | 'sealMac' | 'findings'> & {
  fromSeal: number
  isComplete: boolean
}
