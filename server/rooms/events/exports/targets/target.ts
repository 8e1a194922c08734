import type { SealedRow } from '#rooms/foundation/systemlog/index.ts'
import type { Format } from '../exporter.ts'

/**
 * Why a target did not take a file, in words for whoever created the export. They name the datasource or the host, and neither paths of the
 * server nor secrets.
 */
export class TargetFailed extends Error {
  override name = 'TargetFailed'
  /** Not before, where the receiver says when. */
  readonly afterMs: number

  constructor(message: string, { afterMs = 0, cause }: { afterMs?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.afterMs = afterMs
  }
}

/** Files that stay, and can be read again. */
export type ArchiveTarget = {
  isArchive: true
  /**
   * Puts a file there, whole or not at all. One of this name that is there already must have the same content, which `isSame` says: it was
   * written before, by whoever was interrupted.
   */
  store(name: string, bytes: Buffer, isSame: (found: Buffer) => Promise<boolean>): Promise<void>
  /** Null where there is none of this name. */
  read(name: string): Promise<Buffer | null>
  close(): void
}

export type Batch = {
  /** Stable over retries. */
  name: string
  tenant: { publicId: string; domain: string }
  rows: readonly SealedRow[]
  /** When the link of the last event was sealed. */
  sealedAt: Date
  format: Format
}

/** What takes events and keeps them in its own way. */
export type CollectorTarget = {
  isArchive: false
  /** Answers what the receiver said of them, if that is worth telling. */
  deliver(batch: Batch): Promise<{ note: string; bytes: number }>
  close(): void
}

export type Target = ArchiveTarget | CollectorTarget

/** Larger than any file of ours; what is read back is bounded by it. */
export const fileBytesMax = 32 * 1024 * 1024
