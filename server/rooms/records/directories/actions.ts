import type { May } from '#authority/proof.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, causeOf, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { insertApps, insertResourceTypes } from '#rooms/records/apps/index.ts'
import type { Directory } from './directory.ts'
import { directoryChanged } from './jobs.ts'
import { directoryNotFound } from './refuse.ts'
import { deleteDirectory, findDirectory, insertDirectory, lockAppOf, lockDirectory, updateDirectory } from './store.ts'
import { addToken, type NewToken, revokeToken } from './tokens/actions.ts'
import { listTokens } from './tokens/store.ts'

const nameLength = 200
/** After all that were put in order. */
const defaultRank = 1_000_000

export type Wanted = { displayName: string; linkExistingUsers: boolean; lifespanSeconds: number | null }

/** Creates a directory: its app, the type of its groups, and its first token. */
export async function createDirectory(
  tx: Tx,
  call: May<'directories.change'>,
  wanted: Wanted,
): Promise<{ directory: Directory; made: NewToken }> {
  const displayName = wanted.displayName.trim()
  if (displayName === '') throw invalid({ field: 'displayName', description: 'must not be empty' })
  if (displayName.length > nameLength)
    throw invalid({ field: 'displayName', description: `must have at most ${nameLength} characters` })
  const at = call.now()
  const directory: Directory = {
    appId: call.newId(),
    displayName,
    kind: 'scim',
    groupTypeId: call.newId(),
    accountFilter: '',
    matchCases: [],
    rank: defaultRank,
    ranks: {},
    followedAt: null,
    linksExistingUsers: wanted.linkExistingUsers,
    heldSince: null,
    countedFrom: at,
    heldDecision: null,
    lastRequestAt: null,
    lastErrorAt: null,
    lastError: '',
    createdBy: call.actor.userId,
    createdAt: at,
    updatedAt: at,
  }
  const { appId, groupTypeId } = directory
  const description = 'A directory: users and groups come from an identity provider by SCIM.'
  const app = { id: appId, displayName, description, isDirectory: true, withoutConnector: 'manual' } as const
  await insertApps(tx, call.tenant.id, [app], at)
  await insertResourceTypes(tx, call.tenant.id, [{ id: groupTypeId, appId, displayName: 'Group' }], at)
  await insertDirectory(tx, call, directory)
  const touched = {
    type: 'directory',
    id: appId,
    name: displayName,
    data: { linksExistingUsers: directory.linksExistingUsers },
  }
  await record(tx, call, call, alert(causeOf(call), 'create', `Created the directory ${displayName}`, [touched]))
  return { directory, made: await addToken(tx, call, directory, wanted.lifespanSeconds) }
}

/** An app that becomes a directory. */
export const newAppDirectory = (
  call: Call,
  wanted: Pick<Directory, 'appId' | 'displayName' | 'accountFilter' | 'matchCases'>,
): Directory => {
  const at = call.now()
  return {
    ...wanted,
    kind: 'app',
    groupTypeId: '',
    linksExistingUsers: true,
    rank: defaultRank,
    ranks: {},
    followedAt: null,
    heldSince: null,
    countedFrom: at,
    heldDecision: null,
    lastRequestAt: null,
    lastErrorAt: null,
    lastError: '',
    createdBy: call.actor.userId,
    createdAt: at,
    updatedAt: at,
  }
}

/** A directory that uses SCIM. */
export async function getScimDirectory(call: Call, appId: string): Promise<Directory> {
  const directory = await getDirectory(call, appId)
  if (directory.kind !== 'scim') throw directoryNotFound(appId)
  return directory
}

export async function getDirectory(call: Call, appId: string): Promise<Directory> {
  const directory = await findDirectory(call.db, call.tenant.id, appId)
  if (!directory) throw directoryNotFound(appId)
  return directory
}

export async function changeDirectory(
  tx: Tx,
  call: May<'directories.change'>,
  appId: string,
  linksExistingUsers: boolean,
): Promise<Directory> {
  const before = await lockDirectory(tx, call.tenant.id, appId)
  if (before?.kind !== 'scim') throw directoryNotFound(appId)
  if (before.linksExistingUsers === linksExistingUsers) return before
  const after = { ...before, linksExistingUsers, updatedAt: call.now() }
  await updateDirectory(tx, call.tenant.id, after)
  const data = { linksExistingUsers, before: before.linksExistingUsers }
  const touched = { type: 'directory', id: appId, name: before.displayName, data }
  await record(tx, call, call, alert(causeOf(call), 'update', `Changed the directory ${before.displayName}`, [touched]))
  return after
}

/** From now on nothing is imported from it. Its app, users and groups stay unchanged. */
export async function removeDirectory(tx: Tx, call: May<'directories.change'>, appId: string): Promise<void> {
  await lockAppOf(tx, call.tenant.id, appId)
  const directory = await lockDirectory(tx, call.tenant.id, appId)
  if (!directory) throw directoryNotFound(appId)
  for (const { id } of await listTokens(tx, call.tenant.id, appId)) await revokeToken(tx, call, appId, id)
  await deleteDirectory(tx, call, appId, call.now())
  // Other directories may provide values for its people.
  await enqueue(tx, call, causeOf(call), directoryChanged, { payload: { appId }, key: appId })
  const touched = { type: 'directory', id: appId, name: directory.displayName }
  const message = `Deleted the directory ${directory.displayName}`
  await recordChange(tx, call, 'delete', message, [touched])
}
