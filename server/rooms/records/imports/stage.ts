import { invalid, Refusal } from '#kernel/refusals.ts'
import { appNotFound } from '#rooms/records/apps/index.ts'
import { isConnectorFile } from '#rooms/records/baton/index.ts'
import type { Leftovers } from './c1z/messages.ts'
import { readConnectorFile, readerLimits } from './c1z/read.ts'
import type { Importing, Wanted } from './importing.ts'
import { type KindName, kindNames } from './kinds.ts'
import { peek } from './reading/peek.ts'
import { type ReadSoFar, readFile } from './reading/reading.ts'
import { type AppOfFile, createSourcesTable, findAppOfFile, openAppOfFile } from './store/connector-files.ts'
import { openKnown } from './store/known.ts'
import { createStagedTables, openStaging, type Staging } from './store/staging.ts'

export type Staged = {
  counts: Staging['counts']
  /** The kinds that the file has, parents before their children. */
  present: KindName[]
  read: ReadSoFar
  ignoredFields: string[]
  /** For a connector's file. */
  file: { app: AppOfFile; left: Leftovers; isDifference: boolean } | null
}

const ignoredMax = 100

/** Reads the file into the staged tables. */
export async function stage(importing: Importing, now: Date): Promise<Staged> {
  const { tx, wanted, progress } = importing
  const { first, source, close } = await peek(wanted.source)
  const isOfConnector = wanted.format === 'c1z' || (wanted.format === null && isConnectorFile(first))
  try {
    refuseWrongOptions(wanted, isOfConnector)
  } catch (error) {
    await close()
    throw error
  }
  await createStagedTables(tx)
  const staging = openStaging(tx)
  const ignored = new Set<string>()
  const room = async (soFar: ReadSoFar): Promise<void> => {
    progress({ ...soFar, phase: 'read', linesWritten: 0 })
    await staging.send()
  }
  let read: ReadSoFar
  let file: Staged['file'] = null
  if (isOfConnector) {
    await createSourcesTable(tx)
    const appId = wanted.isThorough ? null : await findAppOfFile(tx, importing.tenantId, wanted.app as string)
    const known = appId === null ? null : await openKnown(tx, importing.tenantId, appId, importing.origin)
    const { left, knownGrants, ...soFar } = await readConnectorFile(
      source,
      ({ table, text, count }) => staging.putRows(table, text, count),
      room,
      readerLimits,
      known,
    )
    staging.counts.grant += knownGrants
    read = soFar
    file = { app: await appOf(importing, now), left, isDifference: known !== null }
  } else {
    const taker = {
      take: staging.put,
      refuse: staging.refuse,
      ignore(field: string): void {
        if (ignored.size < ignoredMax) ignored.add(field)
      },
    }
    read = await readFile({ ...wanted, source, now }, taker, room)
  }
  await staging.finish()
  const present = kindNames.filter((kind) => staging.counts[kind] > 0)
  return { counts: staging.counts, present, read, ignoredFields: [...ignored].toSorted(), file }
}

const appKeyMax = 500

function refuseWrongOptions({ app, kind }: Wanted, isOfConnector: boolean): void {
  if (!isOfConnector && app)
    throw invalid({
      field: 'app',
      description: 'is for connector files (.c1z) only; in other files each line contains its app',
    })
  if (!isOfConnector) return
  if (kind) throw invalid({ field: 'kind', description: 'is not for connector files (.c1z)' })
  if (!app)
    throw invalid({
      field: 'app',
      description: 'is required for a connector file (.c1z): the id or the external id of an app',
    })
  if (app.length > appKeyMax || app.includes('\0') || !app.isWellFormed())
    throw invalid({ field: 'app', description: `must be text of at most ${appKeyMax} characters` })
}

async function appOf({ tx, tenantId, world, wanted }: Importing, at: Date): Promise<AppOfFile> {
  const app = await openAppOfFile(tx, tenantId, { key: wanted.app as string, newId: world.newId(), at })
  if (!app) throw new Refusal('APP_BUILT_IN', 'Nothing can be imported into a built-in app.')
  // An app that was created or restored for it is rolled back with the import.
  if (wanted.isAppRequired && (app.is !== 'there' || app.appId !== wanted.app)) throw appNotFound(wanted.app as string)
  return app
}
