import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { identities } from '#rooms/credentials/index.ts'
import { type Cause, change, record } from '#rooms/systemlog/index.ts'
import { hasEnabledOwner, lockOwnership } from '#rooms/users/index.ts'
import { tooMuchGoing } from './decide.ts'
import { type KindName, kindNames } from './kinds.ts'
import { type Reading, type ReadSoFar, readFile } from './reading.ts'
import { inWords, refusedLines, removesTooMuch } from './refuse.ts'
import {
  findImport,
  type Import,
  insertImport,
  type KindCounts,
  listClientsOfChanged,
  setLimits,
  tryLockImports,
} from './store.ts'
import { listRefused, refuseDuplicates, refuseOrphans } from './store-checking.ts'
import { createMatchingTables, matchOthers, matchStaged } from './store-matching.ts'
import { type Merged, type Merging, makeBasicUsers, merge, mergeGrants } from './store-merging.ts'
import { countGoing, createGoneTables, findGone, removeGone } from './store-removing.ts'
import { createResolvedTables, resolve } from './store-resolving.ts'
import { createStagedTables, openStaging, type Staging } from './store-staging.ts'

export type Wanted = Omit<Reading, 'now'> & {
  /** What is not in the file is removed. */
  isFull: boolean
  /** Everything is done as if, and undone. */
  isDryRun: boolean
  /** Also when much would be removed. */
  isForced: boolean
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
  let outcome: { done: Import; clientIds: string[] } | undefined
  try {
    await world.db.begin(async (tx) => {
      outcome = await importIn(tx, world, cause, wanted, onProgress)
      if (wanted.isDryRun) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw isLostRace(error) ? lostRace() : error
  }
  const { done, clientIds } = outcome as NonNullable<typeof outcome>
  if (!wanted.isDryRun) for (const clientId of clientIds) world.memory(identities).forget(cause.tenant.id, clientId)
  return done
}

/** Thrown to undo what was only to be tried. */
class Undone extends Error {}

// Not done again from the start, as other work is: the file has been read. 23505 is someone else's row with our key.
const isLostRace = (error: unknown): boolean =>
  ['40001', '40P01', '23505', '23503', '55P03'].includes((error as { code?: string } | null)?.code ?? '')
const lostRace = (): Refusal =>
  new Refusal('LOST_RACE', 'Others were changing the same records; nothing was imported. Try again.')

async function importIn(
  tx: Tx,
  world: World,
  cause: Cause,
  wanted: Wanted,
  onProgress: (progress: Progress) => void,
): Promise<{ done: Import; clientIds: string[] }> {
  const tenantId = cause.tenant.id
  if (!(await tryLockImports(tx, tenantId)))
    throw new Refusal('IMPORT_UNDER_WAY', 'Another import of this tenant is under way; wait for it to end.')
  await setLimits(tx)
  const startedAt = world.now()
  const id = world.newId()
  const { staging, read, ignoredFields } = await stage(tx, wanted, startedAt, onProgress)
  const progress = (phase: Progress['phase'], linesWritten = 0): void => onProgress({ ...read, phase, linesWritten })

  progress('check')
  const present = kindNames.filter((kind) => staging.counts[kind] > 0)
  let duplicates = 0
  for (const kind of present) duplicates += await refuseDuplicates(tx, kind)
  // A thousand lines with one key, each the parent of a thousand others, are not joined with them.
  if (duplicates > 0 || present.length === 0) await refuseRefused(tx)
  if (present.length === 0)
    throw refusedLines({ count: 1, byKind: {}, first: [{ line: 1, kind: null, reason: empty }] })
  await createResolvedTables(tx)
  await createGoneTables(tx)
  // 11 of the 27 characters of an id: see store-resolving.ts.
  const idPrefix = id.slice(0, 11)
  for (const kind of present) await resolve({ tx, tenantId, idPrefix }, kind)
  if (wanted.isFull) await findGone(tx, tenantId, staging.counts)
  for (const kind of present) await refuseOrphans(tx, tenantId, kind)
  await refuseRefused(tx)
  const tooMuch = wanted.isFull && !wanted.isForced ? tooMuchGoing(await countGoing(tx, tenantId)) : []
  if (tooMuch.length > 0) throw removesTooMuch(tooMuch)

  const at = world.now()
  const merging: Merging = { tx, tenantId, importId: id, at }
  const hadOwner = await hasEnabledOwner(tx, tenantId)
  if (wanted.isFull) progress('remove')
  const removed = wanted.isFull ? await removeGone(tx, tenantId, { at, importId: id }) : null
  const merged = await mergeAll(merging, present, idPrefix, progress)
  await lockOwnership(tx, tenantId)
  if (hadOwner && !(await hasEnabledOwner(tx, tenantId)))
    throw new Refusal('LAST_OWNER', 'That would leave no enabled Super Administrator; nothing was imported.')

  const counts = kindNames
    .map((kind): KindCounts => {
      const { added, changed } = merged[kind] ?? { added: 0, changed: 0 }
      const unchanged = Math.max(0, staging.counts[kind] - added - changed)
      return { kind, added, changed, unchanged, removed: removed?.[kind] ?? 0 }
    })
    .filter(({ kind, removed }) => present.includes(kind) || removed > 0)
  const done: Import = {
    id,
    format: read.format,
    isFull: wanted.isFull,
    isForced: wanted.isForced,
    userId: cause.actor.userId,
    userName: cause.actor.name,
    lineCount: read.lines,
    byteCount: read.bytes,
    counts,
    ignoredFields,
    startedAt,
    finishedAt: world.now(),
  }
  await insertImport(tx, tenantId, done)
  const { isFull, isForced, lineCount } = done
  const touched = { type: 'import', id, data: { isFull, isForced, lineCount, counts } }
  await record(tx, world, cause, change(cause, 'create', `Imported ${inWords(counts)}`, [touched]))
  return { done, clientIds: await listClientsOfChanged(tx, tenantId, at) }
}

const empty = 'there are no records in the file'
const namedMax = 1000
const ignoredMax = 100

type Staged = { staging: Staging; read: ReadSoFar; ignoredFields: string[] }

async function stage(tx: Tx, wanted: Wanted, now: Date, onProgress: (progress: Progress) => void): Promise<Staged> {
  await createStagedTables(tx)
  const staging = openStaging(tx)
  const ignored = new Set<string>()
  const taker = {
    take: staging.put,
    refuse: staging.refuse,
    ignore(field: string): void {
      if (ignored.size < ignoredMax) ignored.add(field)
    },
  }
  const read = await readFile({ ...wanted, now }, taker, async (soFar) => {
    onProgress({ ...soFar, phase: 'read', linesWritten: 0 })
    await staging.send()
  })
  await staging.finish()
  return { staging, read, ignoredFields: [...ignored].toSorted() }
}

/** Throws when any line was refused. */
async function refuseRefused(tx: Tx): Promise<void> {
  const refused = await listRefused(tx, namedMax)
  if (refused.count > 0) throw refusedLines(refused)
}

async function mergeAll(
  merging: Merging,
  present: readonly KindName[],
  idPrefix: string,
  progress: (phase: KindName, linesWritten: number) => void,
): Promise<Partial<Record<KindName, Merged>>> {
  const { tx, tenantId, at } = merging
  const merged: Partial<Record<KindName, Merged>> = {}
  await createMatchingTables(tx)
  for (const kind of present) {
    const onMerged = (upToLine: number): void => progress(kind, upToLine)
    if (kind === 'account') await matchStaged(tx, tenantId)
    merged[kind] =
      kind === 'grant' ? await mergeGrants(merging, idPrefix, onMerged) : await merge(merging, kind, onMerged)
    if (kind === 'user') await makeBasicUsers(merging)
  }
  if (present.includes('user')) {
    const others = await matchOthers(tx, tenantId, at)
    if (others > 0)
      merged.account = { added: merged.account?.added ?? 0, changed: (merged.account?.changed ?? 0) + others }
  }
  return merged
}

export async function getImport(call: Call, id: string): Promise<Import> {
  const found = await findImport(call.db, call.tenant.id, id)
  if (!found) throw new Refusal('IMPORT_NOT_FOUND', `There is no import ${id}.`, { metadata: { id } })
  return found
}
