import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transactOnce } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { rehearse } from '#rooms/foundation/plans/index.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { analyzeRecords } from '#rooms/foundation/writes/index.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import {
  allDisabled,
  hasEnabledOwner,
  lockOwnership,
  recordsChanged,
  usersDisabled,
} from '#rooms/identity/users/index.ts'
import { enqueueAccountsChanged } from '#rooms/records/accounts/index.ts'
import { recordOwnersGone } from '#rooms/records/apps/index.ts'
import { check } from './check.ts'
import type { Import, KindCounts } from './import.ts'
import { type Importing, idPrefixOf, type Progress, type Wanted } from './importing.ts'
import { type KindName, kindNames } from './kinds.ts'
import { inWords, notesOf } from './refuse.ts'
import { type Staged, stage } from './stage.ts'
import { isAnyParentLost, keepApps } from './store/checking.ts'
import { mergeKeptGrants, mergeObjects, mergeSources } from './store/connector-files.ts'
import { release } from './store/going.ts'
import { adoptAccounts, createMatchingTables, keepCreated, matchOthers, matchStaged } from './store/matching.ts'
import { type Merged, type Merging, makeBasicUsers, merge, mergeGrants, mergeParents, report } from './store/merging.ts'
import { findOrigin } from './store/origin.ts'
import { endOwnersOfGone, removeGone } from './store/removing.ts'
import { findImport, insertImport, listClientsOfChanged, setLimits, tryLockImports } from './store.ts'

/**
 * The only way to import records that are kept elsewhere. A file is imported as a whole or not at all: its lines are staged,
 * checked against each other and against existing records, and merged, in one transaction.
 */
export async function importFile(
  world: World,
  cause: CauseBy<'imports.create' | 'operator' | 'connector'>,
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
  // The import is committed already, even if this fails.
  if (isMuch(done.counts))
    await transactOnce(world.db, analyzeRecords).catch((err) => world.log.warn({ err }, 'could not analyze'))
  return done
}

// After a sync that changes one record in a hundred, the planner's statistics are still right; analyzing again reads 30,000
// rows of each table.
const isMuch = (counts: readonly KindCounts[]): boolean =>
  counts.some(({ added, changed, removed, unchanged }) => added + changed + removed >= Math.max(1000, unchanged / 20))

// Not repeated from the start, unlike other work: the file has been read already. 23505 is another transaction's row with
// the same key.
const isLostRace = (error: unknown): boolean =>
  ['40001', '40P01', '23505'].includes((error as { code?: string } | null)?.code ?? '')
const lostRace = (): Refusal =>
  new Refusal('LOST_RACE', 'Others were changing the same records; nothing was imported. Try again.')

async function importIn(
  tx: Tx,
  world: World,
  cause: CauseBy<'imports.create' | 'operator' | 'connector'>,
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
    await enqueueAccountsChanged(tx, world, cause)
  if (isFull) await recordOwnersGone(tx, world, cause, await endOwnersOfGone(tx, tenantId, { at, importId: id }))
  return { done, clientIds: await listClientsOfChanged(tx, tenantId, at) }
}

/** Makes the records match the file. */
async function write(importing: Importing, { present, counts, read, file }: Staged, at: Date): Promise<KindCounts[]> {
  const { tx, world, tenantId, id, wanted, origin, progress } = importing
  const merging: Merging = { tx, tenantId, importId: id, at, origin }
  await keepApps(tx, tenantId)
  const hadOwner = await hasEnabledOwner(tx, world, tenantId)
  if (wanted.isFull) progress({ ...read, phase: 'remove', linesWritten: 0 })
  const gone = wanted.isFull ? await removeGone(tx, tenantId, { at, importId: id }) : null
  await createMatchingTables(tx)
  // A connector's file has no line for its app, which may have been created for it.
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
  // The new rows refer to their parents now, so nobody can delete these any more; if someone did so before, the import
  // fails.
  if (await isAnyParentLost(tx, tenantId)) throw lostRace()
  // Only if users were written: others lock ownership before they lock accounts, and there would be a deadlock.
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
