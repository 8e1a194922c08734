import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, beginning, causeOf, findSeam, type Place, record } from '#rooms/foundation/systemlog/index.ts'
import { mayUse } from './datasources/datasource.ts'
import { datasourcesOf } from './datasources/read.ts'
import { exportsMax, nameLength, prefixProblem } from './decide.ts'
import type { Exporter, Format } from './exporter.ts'
import { dropFileUnderWay } from './files-store.ts'
import {
  countExporters,
  findExporter,
  insertExporter,
  lockExporter,
  lockExporters,
  markExporterDeleted,
  setDue,
  setStanding,
  updateExporter,
} from './store.ts'
import { exportDue, exportJob } from './work/names.ts'

const notFound = (id: string): Refusal => new Refusal('EXPORT_NOT_FOUND', `There is no export ${id}.`)

export async function getExporter(call: Call, id: string): Promise<Exporter> {
  const exporter = await findExporter(call.db, call.tenant.id, id)
  if (!exporter) throw notFound(id)
  return exporter
}

/** The datasources that a tenant may use, by name. */
export const datasourcesFor = (call: Call) =>
  [...datasourcesOf(call).values()].filter((source) => mayUse(source, call.tenant.domain))

export type Wanted = { displayName: string; datasourceId: string; prefix: string; format: Format }

function problemsOf(call: Call, at: string, { displayName, datasourceId, prefix }: Wanted): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (displayName === '') problems.push({ field: `${at}displayName`, description: 'must not be empty' })
  if (displayName.length > nameLength)
    problems.push({ field: `${at}displayName`, description: `must have at most ${nameLength} characters` })
  const names = datasourcesFor(call).map(({ id }) => id)
  if (!names.includes(datasourceId)) {
    const known = mayEverywhere(call.actor, 'exports.read')
      ? names.length === 0
        ? '. No datasource is configured for this tenant; see --datasources-file'
        : `; there are: ${names.join(', ')}`
      : ''
    problems.push({ field: `${at}datasource.datasourceId`, description: `is not a known datasource${known}` })
  }
  const wrong = prefixProblem(prefix)
  if (wrong !== null) problems.push({ field: `${at}datasource.prefix`, description: wrong })
  return problems
}

function refuseProblems(call: Call, at: string, wanted: Wanted): void {
  const [first, ...others] = problemsOf(call, at, wanted)
  if (first) throw invalid(first, ...others)
}

const touched = ({ id, displayName, datasourceId, prefix, format }: Exporter) => ({
  type: 'export',
  id,
  name: displayName,
  data: { datasourceId, prefix, format },
})

const enqueueNow = (tx: Tx, call: Call, id: string): Promise<void> =>
  enqueue(tx, call, causeOf(call), exportDue, exportJob(id))

const behindAll = 2_147_483_647

/** Creates an export. It begins with the oldest event that the database holds. */
export async function createExporter(call: May<'exports.change'>, wanted: Wanted): Promise<Exporter> {
  refuseProblems(call, '', wanted)
  return transact(call.db, async (tx) => {
    await lockExporters(tx, call.tenant.id)
    if ((await countExporters(tx, call.tenant.id)) >= exportsMax)
      throw new Refusal('EXPORTS_TOO_MANY', `A tenant has at most ${exportsMax} exports.`)
    const seam = await findSeam(call, tx, call.tenant.id)
    const watermark: Place = seam ? [seam.sealNumber, behindAll] : beginning
    const at = call.now()
    const exporter: Exporter = {
      ...wanted,
      id: call.newId(),
      state: 'waiting',
      error: '',
      failures: 0,
      watermark,
      watermarkEventId: '',
      nextRunAt: at,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    }
    await insertExporter(tx, call, exporter)
    await enqueueNow(tx, call, exporter.id)
    const message = `Created the export ${exporter.displayName} of the system log to ${exporter.datasourceId}`
    await record(tx, call, call, alert(causeOf(call), 'create', message, [touched(exporter)]))
    return exporter
  })
}

/** Changes an export. It continues from its watermark, also in another datasource. */
export async function changeExporter(
  call: May<'exports.change'>,
  id: string,
  change: (before: Exporter) => Partial<Wanted>,
): Promise<Exporter> {
  return transact(call.db, async (tx) => {
    const before = await lockExporter(tx, call.tenant.id, id)
    if (!before) throw notFound(id)
    const changes = change(before)
    const after: Exporter = { ...before, ...changes }
    const isSame = (['displayName', 'datasourceId', 'prefix', 'format'] as const).every(
      (name) => before[name] === after[name],
    )
    if (isSame) return before
    refuseProblems(call, 'exporter.', after)
    // Later than before, even within the same millisecond, so that a job about to begin a file sees the change.
    const updatedAt = new Date(Math.max(call.now().getTime(), before.updatedAt.getTime() + 1))
    await updateExporter(tx, call, { ...after, updatedAt })
    if (before.datasourceId !== after.datasourceId) await dropFileUnderWay(tx, call.tenant.id, id)
    await setStanding(tx, call.tenant.id, id, { state: 'waiting', error: '', failures: 0, nextRunAt: call.now() })
    await enqueueNow(tx, call, id)
    const message = `Changed the export ${after.displayName} of the system log`
    const was = { displayName: before.displayName, ...touched(before).data }
    const of = { ...touched(after), data: { ...touched(after).data, before: was } }
    await record(tx, call, call, alert(causeOf(call), 'update', message, [of]))
    return { ...after, state: 'waiting', error: '', failures: 0, updatedAt }
  })
}

/** Deletes an export. The files that it wrote stay where they are. */
export async function deleteExporter(call: May<'exports.change'>, id: string): Promise<void> {
  await transact(call.db, async (tx) => {
    const before = await lockExporter(tx, call.tenant.id, id)
    if (!before) throw notFound(id)
    await dropFileUnderWay(tx, call.tenant.id, id)
    await markExporterDeleted(tx, call, id, call.now())
    const message = `Deleted the export ${before.displayName} of the system log to ${before.datasourceId}`
    await record(tx, call, call, alert(causeOf(call), 'delete', message, [touched(before)]))
  })
}

/** Makes an export run now instead of when it is due. */
export async function runExporter(call: May<'exports.change'>, id: string): Promise<Exporter> {
  return transact(call.db, async (tx) => {
    const exporter = await lockExporter(tx, call.tenant.id, id)
    if (!exporter) throw notFound(id)
    await setDue(tx, call.tenant.id, id, call.now())
    await enqueueNow(tx, call, id)
    return exporter
  })
}
