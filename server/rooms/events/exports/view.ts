import { int64, message, nested, oneOf, readOnly, text, timestamp } from '#kernel/wire.ts'
import { nameLength } from './decide.ts'
import type { Exporter, ExportFile, Format } from './exporter.ts'

export const formats = {
  EXPORT_FORMAT_OCSF_JSON_ZSTD: 'zstd',
  EXPORT_FORMAT_OCSF_JSON_GZIP: 'gzip',
} as const satisfies Record<string, Format>
const formatNames = { zstd: 'EXPORT_FORMAT_OCSF_JSON_ZSTD', gzip: 'EXPORT_FORMAT_OCSF_JSON_GZIP' } as const
const stateNames = {
  exporting: 'EXPORT_STATE_EXPORTING',
  waiting: 'EXPORT_STATE_WAITING',
  error: 'EXPORT_STATE_ERROR',
} as const

export const ExportToDatasource = message(
  'systemlog.v1.ExportToDatasource',
  {
    datasourceId: text({ maxLength: 64 }),
    prefix: text(),
    format: oneOf(['EXPORT_FORMAT_UNSPECIFIED', 'EXPORT_FORMAT_OCSF_JSON_ZSTD', 'EXPORT_FORMAT_OCSF_JSON_GZIP']),
  },
  'The destination of an export: a datasource of the server settings, a prefix of the names of its files, and how they are compressed (gzip by default).',
)

export const ExporterMessage = message(
  'systemlog.v1.Exporter',
  {
    exportId: readOnly(text()),
    displayName: text({ maxLength: nameLength }),
    datasource: nested(ExportToDatasource),
    state: readOnly(
      oneOf(['EXPORT_STATE_UNSPECIFIED', 'EXPORT_STATE_EXPORTING', 'EXPORT_STATE_WAITING', 'EXPORT_STATE_ERROR']),
    ),
    watermarkEventId: readOnly(text()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'An export of the system log. The watermark is the last event that was exported.',
)

export const viewExporter = (of: Exporter) => ({
  exportId: of.id,
  displayName: of.displayName,
  datasource: { datasourceId: of.datasourceId, prefix: of.prefix, format: formatNames[of.format] },
  state: stateNames[of.state],
  watermarkEventId: of.watermarkEventId,
  createdAt: of.createdAt,
  updatedAt: of.updatedAt,
  deletedAt: of.deletedAt,
})

export const ExportFileMessage = message(
  'bailiwick.v1.ExportFile',
  {
    name: text(),
    datasourceId: text(),
    events: int64(),
    bytes: int64(),
    contentBytes: int64(),
    firstLink: int64(),
    lastLink: int64(),
    lastEventId: text(),
    note: text(),
    createdAt: timestamp(),
    doneAt: timestamp(),
  },
  'A file, or a request to a collector, of an export. Without doneAt it is being written.',
)

export const viewFile = (of: ExportFile) => ({
  name: of.name,
  datasourceId: of.datasourceId,
  events: of.eventCount,
  bytes: of.storedBytes,
  contentBytes: of.contentBytes,
  firstLink: of.first[0],
  lastLink: of.last[0],
  lastEventId: of.lastEventId,
  note: of.note,
  createdAt: of.createdAt,
  doneAt: of.doneAt,
})
