import type { Place } from '#rooms/foundation/systemlog/index.ts'

export type Format = 'gzip' | 'zstd'
export type ExportState = 'exporting' | 'waiting' | 'error'

/** An export of a tenant's system log: where its events go, and how far it has got. */
export type Exporter = {
  id: string
  displayName: string
  datasourceId: string
  prefix: string
  format: Format
  state: ExportState
  error: string
  failures: number
  /** The place of the last event that is exported. */
  watermark: Place
  watermarkEventId: string
  nextRunAt: Date
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** A file of an export: finished, or being written. */
export type ExportFile = {
  exportId: string
  first: Place
  last: Place
  datasourceId: string
  format: Format
  name: string
  eventCount: number
  lastEventId: string
  leastEventId: string
  greatestEventId: string
  contentBytes: number
  storedBytes: number
  note: string
  createdAt: Date
  doneAt: Date | null
}
