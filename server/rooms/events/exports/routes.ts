import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { empty, int64, list, listOf, message, nested, required, struct, text, timestamp } from '#kernel/wire.ts'
import { listEvents, type Place } from '#rooms/foundation/systemlog/index.ts'
import {
  changeExporter,
  createExporter,
  datasourcesFor,
  deleteExporter,
  getExporter,
  runExporter,
  type Wanted,
} from './actions.ts'
import { exportsMax, nameLength } from './decide.ts'
import { listFiles } from './files-store.ts'
import { planRetention } from './retention/plan.ts'
import { listExporters } from './store.ts'
import { ExporterMessage, ExportFileMessage, ExportToDatasource, formats, viewExporter, viewFile } from './view.ts'

const base = '/api/v1/systemlog/exports'
const id = (name: string) => `systemlog.v1.ExportService.${name}`
const exporterReply = (name: string) =>
  message(`systemlog.v1.ExportService${name}Response`, { exporter: nested(ExporterMessage) })

type Datasource = { datasourceId: string; prefix: string; format: string } | null

const formatOf = (format: string): Wanted['format'] =>
  format in formats ? formats[format as keyof typeof formats] : 'gzip'

const changeable = ['displayName', 'datasource'] as const

/** What an update changes; the mask can also name single fields of the datasource. */
function changesIn(value: { displayName: string; datasource: Datasource } | null, updateMask: string) {
  const named = updateMask.split(',').map((path) => path.trim().replaceAll('_id', 'Id'))
  const parts = named.filter((path) => path.startsWith('datasource.')).map((path) => path.slice('datasource.'.length))
  const unknown = parts.filter((part) => !['datasourceId', 'prefix', 'format'].includes(part))
  if (unknown.length > 0)
    throw invalid({ field: 'updateMask', description: `names datasource.${unknown[0]}, which does not exist` })
  const whole = named.map((path) => (path.startsWith('datasource.') ? 'datasource' : path)).join(',')
  const fields = fieldsToChange(value, whole, changeable)
  const { datasourceId = '', prefix = '', format = '' } = value?.datasource ?? {}
  const all = { datasourceId, prefix, format: formatOf(format) }
  const ofDatasource = !fields.has('datasource')
    ? {}
    : parts.length === 0
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => parts.includes(name)))
  return { ...(fields.has('displayName') && { displayName: (value?.displayName ?? '').trim() }), ...ofDatasource }
}

const listReply = (name: string) => message(name, { list: listOf(ExporterMessage), nextPageToken })

const published: Route[] = [
  route({
    id: id('List'),
    at: `GET ${base}`,
    summary: 'List the exports of the system log, in order of creation.',
    rule: 'exports.read',
    paged: true,
    reply: listReply('systemlog.v1.ExportServiceListResponse'),
    async handle(call, { page }) {
      const rows = await listExporters(call.db, call.tenant.id, { query: '', displayName: '', ids: null }, page)
      return page.cut(rows, (row) => [row.id], viewExporter)
    },
  }),
  route({
    id: id('Create'),
    at: `POST ${base}`,
    summary: `Create an export of the system log to a datasource of the server settings. It starts with the oldest event in the database. A tenant has at most ${exportsMax}.`,
    rule: 'exports.change',
    body: message('systemlog.v1.ExportServiceCreateRequest', {
      displayName: required(text({ maxLength: nameLength })),
      datasource: required(nested(ExportToDatasource), 'must not be empty'),
    }),
    reply: exporterReply('Create'),
    async handle(call, { body: { displayName, datasource } }) {
      const { datasourceId, prefix, format } = datasource
      const wanted = { displayName: displayName.trim(), datasourceId, prefix, format: formatOf(format) }
      return { exporter: viewExporter(await createExporter(call, wanted)) }
    },
  }),
  route({
    id: id('Get'),
    at: `GET ${base}/{export_id}`,
    summary: 'Get an export of the system log.',
    rule: 'exports.read',
    reply: exporterReply('Get'),
    handle: async (call, { path }) => ({ exporter: viewExporter(await getExporter(call, path.export_id)) }),
  }),
  route({
    id: id('Update'),
    at: `POST ${base}/{export_id}`,
    summary: 'Change the name of an export, or its destination. It continues from its watermark.',
    rule: 'exports.change',
    body: message('systemlog.v1.ExportServiceUpdateRequest', {
      exporter: updatable(ExporterMessage),
      updateMask: text(),
    }),
    reply: exporterReply('Update'),
    async handle(call, { path, body: { exporter, updateMask } }) {
      const changes = changesIn(exporter, updateMask)
      return { exporter: viewExporter(await changeExporter(call, path.export_id, () => changes)) }
    },
  }),
  route({
    id: id('Delete'),
    at: `DELETE ${base}/{export_id}`,
    summary: 'Delete an export. The files that it wrote are kept.',
    rule: 'exports.change',
    body: message('systemlog.v1.ExportServiceDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await deleteExporter(call, path.export_id)
      return {}
    },
  }),
  route({
    id: id('ListEvents'),
    at: `POST ${base}/{export_id}/events`,
    summary:
      'List the events that an export covers, in the format that it writes: the events in the database, in the order of the chain, whether they are already exported or not.',
    rule: 'systemlog.read',
    paged: true,
    body: message('systemlog.v1.ExportServiceListEventsRequest', {}),
    reply: message('systemlog.v1.ExportServiceListEventsResponse', { list: list(struct()), nextPageToken }),
    async handle(call, { path, page }) {
      await getExporter(call, path.export_id)
      const filter = {
        since: null,
        until: null,
        before: null,
        isDescending: false,
        after: page.after as Place | null,
      }
      const rows = await listEvents(call.db, call.tenant.id, filter, page.limit)
      return page.cut(
        rows,
        (row) => row.place,
        (row) => JSON.parse(row.event) as Record<string, unknown>,
      )
    },
  }),
  route({
    id: 'systemlog.v1.ExportsSearchService.Search',
    at: 'POST /api/v1/search/systemlog/exports',
    summary: 'Search the exports of the system log by part of the name, by full name and by id.',
    rule: 'exports.read',
    paged: true,
    body: message('systemlog.v1.ExportsSearchServiceSearchRequest', {
      query: text({ maxLength: nameLength }),
      displayName: text({ maxLength: nameLength }),
      refs: list(nested(message('systemlog.v1.ExporterRef', { exportId: text({ maxLength: 64 }) })), 100),
    }),
    reply: listReply('systemlog.v1.ExportsSearchServiceSearchResponse'),
    async handle(call, { body: { query, displayName, refs }, page }) {
      const ids = refs.length === 0 ? null : refs.flatMap((ref) => ref?.exportId ?? [])
      const rows = await listExporters(call.db, call.tenant.id, { query: query.trim(), displayName, ids }, page)
      return page.cut(rows, (row) => [row.id], viewExporter)
    },
  }),
]

const Status = message(
  'bailiwick.v1.ExportStatus',
  {
    exporter: nested(ExporterMessage),
    error: text(),
    failures: int64(),
    nextRunAt: timestamp(),
    watermarkLink: int64(),
  },
  'The state of an export: the last error, the number of failures, and when it runs next.',
)
const viewStatus = async (call: Call, exportId: string) => {
  const exporter = await getExporter(call, exportId)
  const { error, failures, nextRunAt, watermark } = exporter
  return { exporter: viewExporter(exporter), error, failures, nextRunAt, watermarkLink: watermark[0] }
}

const own: Route[] = [
  route({
    id: 'bailiwick.v1.Exports.Status',
    at: `GET ${base}/{export_id}/status`,
    summary: 'Get the state of an export: the last error, what to do about it, and when it runs next.',
    rule: 'exports.read',
    reply: Status,
    handle: (call, { path }) => viewStatus(call, path.export_id),
  }),
  route({
    id: 'bailiwick.v1.Exports.Run',
    at: `POST ${base}/{export_id}/run`,
    summary: 'Run an export now.',
    rule: 'exports.change',
    body: message('bailiwick.v1.RunExportRequest', {}),
    reply: Status,
    async handle(call, { path }) {
      await runExporter(call, path.export_id)
      return viewStatus(call, path.export_id)
    },
  }),
  route({
    id: 'bailiwick.v1.Exports.ListFiles',
    at: `GET ${base}/{export_id}/files`,
    summary: 'List the files of an export, newest first.',
    rule: 'exports.read',
    paged: true,
    reply: message('bailiwick.v1.ListExportFilesResponse', { list: listOf(ExportFileMessage), nextPageToken }),
    async handle(call, { path, page }) {
      await getExporter(call, path.export_id)
      const rows = await listFiles(call.db, call.tenant.id, path.export_id, page)
      return page.cut(rows, (row) => row.first, viewFile)
    },
  }),
  route({
    id: 'bailiwick.v1.Exports.ListDatasources',
    at: 'GET /api/v1/systemlog/datasources',
    summary: 'List the datasources of the server settings to which this tenant can export.',
    rule: 'exports.read',
    reply: message('bailiwick.v1.ListDatasourcesResponse', {
      list: listOf(message('bailiwick.v1.Datasource', { id: text(), kind: text(), everySeconds: int64() })),
    }),
    handle: (call) => ({
      list: datasourcesFor(call).map(({ id: name, kind, everySeconds }) => ({ id: name, kind, everySeconds })),
    }),
  }),
  route({
    id: 'bailiwick.v1.Exports.Retention',
    at: 'GET /api/v1/systemlog/retention',
    summary:
      'Get the events that were archived and removed from the database, how many could be removed now, and why the others are kept.',
    rule: 'systemlog.read',
    reply: message('bailiwick.v1.SystemLogRetention', {
      days: int64(),
      archivedEvents: int64(),
      archivedUntil: timestamp(),
      archivedUpToLink: int64(),
      removedAt: timestamp(),
      older: int64(),
      removable: int64(),
      reasons: list(text()),
    }),
    async handle(call) {
      const { days, seam, older, removable, reasons } = await planRetention(call, call.tenant)
      return {
        days: days ?? 0,
        archivedEvents: seam?.eventCount ?? 0,
        archivedUntil: seam?.latestAt ?? null,
        archivedUpToLink: seam?.sealNumber ?? 0,
        removedAt: seam?.removedAt ?? null,
        older,
        removable,
        reasons,
      }
    },
  }),
]

export const exportRoutes: readonly Route[] = [...published, ...own]
