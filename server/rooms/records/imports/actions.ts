import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transactOnce } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { rehearse } from '#rooms/foundation/plans/index.ts'
import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { analyzeRecords } from '#rooms/foundation/writes/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import {
  allDisabled,
  hasEnabledOwner,
  lockOwnership,
  recordsChanged,
  usersDisabled,
} from '#rooms/identity/users/index.ts'
import { tellAccountsChanged } from '#rooms/records/accounts/index.ts'
import { appNotFound, tellOwnersGone } from '#rooms/records/apps/index.ts'
import { isConnectorFile } from '#rooms/records/baton/index.ts'
import type { Leftovers } from './c1z/messages.ts'
import { readConnectorFile, readerLimits } from './c1z/read.ts'
import { tooMuchGoing } from './decide.ts'
import type { Import, KindCounts } from './import.ts'
import { type KindName, kindNames } from './kinds.ts'
import { peek } from './reading/peek.ts'
import { type Reading, type ReadSoFar, readFile } from './reading/reading.ts'
import { inWords, notesOf, refusedLines, removesTooMuch } from './refuse.ts'
import {
  isAnyParentLost,
  keepApps,
  listRefused,
  type RefusedLines,
  refuseDuplicates,
  refuseOrphans,
} from './store/checking.ts'
import {
  type AppOfFile,
  createSourcesTable,
  dropLoose,
  dropRepeatedGrants,
  findAppOfFile,
  type InDoubt,
  type Loose,
  leaveInDoubt,
  mergeKeptGrants,
  mergeObjects,
  mergeSources,
  openAppOfFile,
  resolveAppOfFile,
} from './store/connector-files.ts'
import { openKnown } from './store/known.ts'
import { adoptAccounts, createMatchingTables, keepCreated, matchOthers, matchStaged } from './store/matching.ts'
import { type Merged, type Merging, makeBasicUsers, merge, mergeGrants, mergeParents, report } from './store/merging.ts'
import { findOrigin, type Origin } from './store/origin.ts'
import { countGoing, createGoneTables, endOwnersOfGone, findGone, release, removeGone } from './store/removing.ts'
import { createResolvedTables, resolve } from './store/resolving.ts'
import { createStagedTables, openStaging, type Staging } from './store/staging.ts'
import { findImport, insertImport, listClientsOfChanged, setLimits, tryLockImports } from './store.ts'

export type Wanted = Omit<Reading, 'now'> & {
  /** What is not in the file is removed. */
  isFull: boolean
  /** Everything is done as if, and undone. */
  isDryRun: boolean
  /** Also when much would be removed. */
  isForced: boolean
  /** The app of a connector's file: our id of it, or its external id. One that is not there is made. */
  app?: string | null
  /** Where it is our id, and none is to be made for it. */
  isAppRequired?: boolean
  /** The connector whose sync it is. Without, the records came by a file, and connectors' own are left alone. */
  connectorId?: string
  /** Of a connector's file: what changed in the app since the connector began to read it. */
  findInDoubt?: (tx: Tx) => Promise<InDoubt>
  /** Of a connector's file: the accounts that the connector created for someone. */
  findCreated?: (tx: Tx) => Promise<readonly string[]>
  /** Also what the record has as the file tells it is staged and resolved: the same comes out, later. */
  isThorough?: boolean
}

/** How far it is: lines read, or the kind that is being written. */
export type Progress = ReadSoFar & { phase: 'read' | 'check' | KindName | 'remove'; linesWritten: number }

/**
 * The one way in for records that are kept elsewhere. A file is taken in as a whole or not at all: its lines are staged,
 * checked against each other and against the record, and merged, in one transaction.
 */
export async function importFile(
  world: World,
  cause: Cause,
  wanted: Wanted,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Import> {
  const { done, clientIds } = await rehearse(world.db, (tx) => importIn(tx, world, cause, wanted, onProgress), {
    isKept: () => !wanted.isDryRun,
    begin: transactOnce,
  }).catch((error: unknown) => {
    if (!isLostRace(error)) throw error
    world.log.warn({ err: error }, 'an import lost a race')
    throw lostRace()
  })
  if (wanted.isDryRun) return done
  for (const clientId of clientIds) world.memory(identities).forget(cause.tenant.id, clientId)
  // It is imported, whatever comes of this.
  if (isMuch(done.counts))
    await transactOnce(world.db, analyzeRecords).catch((err) => world.log.warn({ err }, 'could not analyze'))
  return done
}

// A sync that changes one record in a hundred leaves the planner right; to look again reads 30,000 rows of each table.
const isMuch = (counts: readonly KindCounts[]): boolean =>
  counts.some(({ added, changed, removed, unchanged }) => added + changed + removed >= Math.max(1000, unchanged / 20))

// Not done again from the start, as other work is: the file has been read. 23505 is someone else's row with our key.
const isLostRace = (error: unknown): boolean =>
  ['40001', '40P01', '23505'].includes((error as { code?: string } | null)?.code ?? '')
const lostRace = (): Refusal =>
  new Refusal('LOST_RACE', 'Others were changing the same records; nothing was imported. Try again.')

type Importing = {
  tx: Tx
  world: World
  tenantId: number
  id: string
  wanted: Wanted
  origin: Origin
  progress(progress: Progress): void
}

async function importIn(
  tx: Tx,
  world: World,
  cause: Cause,
  wanted: Wanted,
  progress: (progress: Progress) => void,
): Promise<{ done: Import; clientIds: string[] }> {
  const tenantId = cause.tenant.id
  if (!(await tryLockImports(tx, tenantId)))
    throw new Refusal('IMPORT_UNDER_WAY', 'Another import of this tenant is running; wait for it to finish.')
  await setLimits(tx)
  const startedAt = world.now()
  const id = world.newId()
  const { connectorId = '', app = null } = wanted
  const origin = await findOrigin(tx, tenantId, { connectorId, appId: app })
  const importing: Importing = { tx, world, tenantId, id, wanted, origin, progress }
  const staged = await stage(importing, startedAt)
  const loose = await check(importing, staged)
  const at = world.now()
  const counts = await write(importing, staged, at)

  const { isFull, isForced } = wanted
  const { format, lines: lineCount, bytes: byteCount } = staged.read
  const { userId, name: userName } = cause.actor
  const { ignoredFields } = staged
  const notes = staged.file ? notesOf({ ...staged.file.left, ...loose }) : []
  const read = { format, lineCount, byteCount, ignoredFields, appId: staged.file?.app.appId ?? '', notes }
  const done: Import = { id, isFull, isForced, userId, userName, ...read, counts, startedAt, finishedAt: world.now() }
  await insertImport(tx, tenantId, done)
  const touched = { type: 'import', id, data: { isFull, isForced, lineCount, counts } }
  await record(tx, world, cause, change(cause, 'create', `Imported ${inWords(counts)}`, [touched]))
  // Some may have been disabled or deleted.
  if (counts.some(({ kind, changed, removed }) => kind === 'user' && changed + removed > 0))
    await enqueue(tx, world, cause, usersDisabled, allDisabled)
  if (counts.some(({ changed, removed }) => changed + removed > 0))
    await enqueue(tx, world, cause, recordsChanged, allDisabled)
  if (counts.some(({ kind, added, changed, removed }) => kind === 'account' && added + changed + removed > 0))
    await tellAccountsChanged(tx, world, cause)
  if (isFull) await tellOwnersGone(tx, world, cause, await endOwnersOfGone(tx, tenantId, { at, importId: id }))
  return { done, clientIds: await listClientsOfChanged(tx, tenantId, at) }
}

type Staged = {
  counts: Staging['counts']
  /** The kinds that the file has, parents before what hangs on them. */
  present: KindName[]
  read: ReadSoFar
  ignoredFields: string[]
  /** Of a connector's file. */
  file: { app: AppOfFile; left: Leftovers; isDifference: boolean } | null
}

const ignoredMax = 100

/** Reads the file into the staged tables. */
async function stage(importing: Importing, now: Date): Promise<Staged> {
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
  // What was made or brought back for it is undone with the import.
  if (wanted.isAppRequired && (app.is !== 'there' || app.appId !== wanted.app)) throw appNotFound(wanted.app as string)
  return app
}

/** Finds out which rows the lines are, and refuses the file when any of them is wrong, or too much would go. */
async function check(importing: Importing, { present, counts, read, file }: Staged): Promise<Loose> {
  const { tx, tenantId, wanted, origin, progress } = importing
  const appId = file?.app.appId ?? null
  const noun = file ? 'record' : 'line'
  progress({ ...read, phase: 'check', linesWritten: 0 })
  if (file) counts.grant -= await dropRepeatedGrants(tx)
  let duplicates = 0
  for (const kind of present) duplicates += await refuseDuplicates(tx, kind)
  // A thousand lines with one key, each the parent of a thousand others, are not joined with them.
  if (duplicates > 0 || present.length === 0) await refuseRefused(tx, noun)
  if (present.length === 0) throw refusedLines(emptyFile, noun)
  await createResolvedTables(tx)
  await createGoneTables(tx)
  if (appId !== null) await resolveAppOfFile(tx, appId)
  for (const kind of present) await resolve({ tx, tenantId, idPrefix: idPrefixOf(importing) }, kind)
  if (wanted.isFull) await findGone(tx, tenantId, counts, { appId, isDifference: file?.isDifference ?? false, origin })
  if (wanted.findInDoubt) await leaveInDoubt(tx, await wanted.findInDoubt(tx))
  const loose = file ? await dropLoose(tx) : { grants: 0, entitlements: 0, parents: 0 }
  counts.grant -= loose.grants
  for (const kind of present) await refuseOrphans(tx, tenantId, kind, wanted.isFull)
  await refuseRefused(tx, noun)
  const tooMuch = wanted.isFull && !wanted.isForced ? tooMuchGoing(await countGoing(tx, tenantId, origin)) : []
  if (tooMuch.length > 0) throw removesTooMuch(tooMuch)
  return loose
}

const namedMax = 1000
const emptyFile: RefusedLines = {
  count: 1,
  byKind: {},
  first: [{ line: 1, kind: null, reason: 'there are no records in the file' }],
}

async function refuseRefused(tx: Tx, noun: 'line' | 'record'): Promise<void> {
  const refused = await listRefused(tx, namedMax)
  if (refused.count > 0) throw refusedLines(refused, noun)
}

// 11 of the 27 characters of an id: see store/resolving.ts.
const idPrefixOf = ({ id }: Importing): string => id.slice(0, 11)

/** Makes the record what the file says. */
async function write(importing: Importing, { present, counts, read, file }: Staged, at: Date): Promise<KindCounts[]> {
  const { tx, world, tenantId, id, wanted, origin, progress } = importing
  const merging: Merging = { tx, tenantId, importId: id, at, origin }
  await keepApps(tx, tenantId)
  const hadOwner = await hasEnabledOwner(tx, world, tenantId)
  if (wanted.isFull) progress({ ...read, phase: 'remove', linesWritten: 0 })
  const gone = wanted.isFull ? await removeGone(tx, tenantId, { at, importId: id }) : null
  await createMatchingTables(tx)
  // A connector's file has no line of its app, which may have been made for it.
  const merged: Partial<Record<KindName, Merged>> = file
    ? { app: { added: Number(file.app.is === 'new'), changed: Number(file.app.is === 'back') } }
    : {}
  for (const kind of present) {
    const onMerged = (linesWritten: number): void => progress({ ...read, phase: kind, linesWritten })
    if (kind === 'account') {
      await matchStaged(tx, tenantId)
      if (wanted.findCreated) await keepCreated(tx, tenantId, await wanted.findCreated(tx))
      await adoptAccounts(tx, tenantId)
    }
    merged[kind] =
      kind === 'grant'
        ? await mergeGrants(merging, idPrefixOf(importing), onMerged)
        : await merge(merging, kind, onMerged)
    if (kind === 'user') await makeBasicUsers(merging)
    if (kind === 'resource') merged[kind].changed += await mergeParents(merging)
    await report(merging, kind)
  }
  if (file) {
    await mergeSources(tx, tenantId, file.app.appId, origin)
    await mergeKeptGrants(tx, tenantId, file.app.appId, origin)
    await mergeObjects(tx, tenantId, file.app.appId, { isFull: wanted.isFull, origin })
    if (wanted.isFull && origin.connectorId !== '') await release(tx, tenantId, file.app.appId, origin)
  }
  const matched = present.includes('user') ? await matchOthers(tx, tenantId, at) : 0
  // What was written hangs on its parents now, and nobody can delete them any more; whoever did so before, won.
  if (await isAnyParentLost(tx, tenantId)) throw lostRace()
  // Only where users were written: others hold ownership before they hold accounts, and would wait for each other.
  const areUsersWritten = present.includes('user') || (gone?.user ?? 0) > 0
  if (areUsersWritten) await lockOwnership(tx, tenantId)
  if (areUsersWritten && hadOwner && !(await hasEnabledOwner(tx, world, tenantId)))
    throw new Refusal('LAST_OWNER', 'That would leave no enabled Super Administrator; nothing was imported.')
  return kindNames
    .map((kind): KindCounts => {
      const { added, changed } = merged[kind] ?? { added: 0, changed: 0 }
      const others = kind === 'account' ? matched : 0
      const unchanged = Math.max(0, counts[kind] - added - changed)
      return { kind, added, changed: changed + others, unchanged, removed: gone?.[kind] ?? 0 }
    })
    .filter(({ kind, added, changed, removed }) => present.includes(kind) || added + changed + removed > 0)
}

export async function getImport(call: Call, id: string): Promise<Import> {
  const found = await findImport(call.db, call.tenant.id, id)
  if (!found) throw new Refusal('IMPORT_NOT_FOUND', `There is no import ${id}.`, { metadata: { id } })
  return found
}
