import type { SealedRow } from '#rooms/foundation/systemlog/index.ts'
import type { Format } from '../exporter.ts'

/**
 * Why a target did not accept a file, in words for the creator of the export. They name the datasource or the host, but no
 * paths of the server and no secrets.
 */
export class TargetFailed extends Error {
  override name = 'TargetFailed'
  /** Do not retry before this, if the receiver says when. */
  readonly afterMs: number

  constructor(message: string, { afterMs = 0, cause }: { afterMs?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.afterMs = afterMs
  }
}

/** Files that are kept, and can be read again. */
export type ArchiveTarget = {
  isArchive: true
  /**
   * Stores a file, all of it or nothing. An existing file of this name must have the same content, as `isSame` determines: a
   * process that was interrupted wrote it.
   */
  store(name: string, bytes: Buffer, isSame: (found: Buffer) => Promise<boolean>): Promise<void>
  /** Null if there is no file of this name. */
  read(name: string): Promise<Buffer | null>
  close(): void
}

export type Batch = {
  /** Stable across retries. */
  name: string
  tenant: { publicId: string; domain: string }
  rows: readonly SealedRow[]
  /** When the link of the last event was sealed. */
  sealedAt: Date
  format: Format
}

/** A target that takes events and stores them in its own way. */
export type CollectorTarget = {
  isArchive: false
  /** Returns a note of the receiver about them, or an empty text. */
  deliver(batch: Batch): Promise<{ note: string; bytes: number }>
  close(): void
}

export type Target = ArchiveTarget | CollectorTarget

/** Larger than any file of ours; limits what is read back. */
export const fileBytesMax = 32 * 1024 * 1024
