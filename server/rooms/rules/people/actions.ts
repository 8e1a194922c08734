import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { accountsChanged } from '#rooms/records/accounts/index.ts'
import { refuseBuiltInApp, refuseUnknownApp, setIsDirectory } from '#rooms/records/apps/index.ts'
import {
  attributes,
  type Directory,
  directoryChanged,
  directoryNotFound,
  findDirectory,
  insertDirectory,
  listDirectories,
  lockAppOf,
  lockDirectory,
  newAppDirectory,
  type Placement,
  removeDirectory,
  setFollowed,
  setOrder,
  updateDirectory,
} from '#rooms/records/directories/index.ts'
import { refuseUnseen } from '#rooms/rules/expressions/index.ts'
import type { AttributeOrder, Change } from './change.ts'
import { type Keys, prepareKeys, type Terms } from './match.ts'
import { lockAllDirectories } from './store.ts'

const askerOf = (call: Call) => ({ lane: String(call.tenant.id), signal: call.signal })

export const keysFor = (call: Call, terms: Terms): Promise<Keys> => prepareKeys(call, askerOf(call), terms)

/**
 * Refuses texts that are not valid expressions, and those that would reveal what their author may not know. Unchanged
 * expressions reveal nothing new.
 */
async function checkWritten(tx: Tx, call: Call, wanted: Terms, before: Terms | null): Promise<void> {
  const { filter, cases } = await keysFor(call, wanted)
  const known = new Set([before?.accountFilter, ...(before?.matchCases ?? []).flat()])
  const written = [
    ...(filter ? [{ field: 'celExpression.expression', expression: filter }] : []),
    ...(wanted.matchCases.length > 0 ? cases : []).flatMap(({ ofAccount, ofUser }, at) => [
      { field: `mergeConfig.matchCases[${at}].appUserKeyCel`, expression: ofAccount },
      { field: `mergeConfig.matchCases[${at}].userKeyCel`, expression: ofUser },
    ]),
  ]
  for (const { field, expression } of written)
    if (!known.has(expression.source)) await refuseUnseen(tx, call, expression.tells, field)
}

/** Makes an app a directory. Users are created from its accounts soon after. */
export async function createDirectory(
  tx: Tx,
  call: May<'directories.change'>,
  wanted: Terms & { appId: string },
): Promise<Directory> {
  await refuseUnknownApp(tx, call, wanted.appId)
  refuseBuiltInApp(wanted.appId)
  await checkWritten(tx, call, wanted, null)
  await lockAppOf(tx, call.tenant.id, wanted.appId)
  if (await findDirectory(tx, call.tenant.id, wanted.appId))
    throw new Refusal('DIRECTORY_EXISTS', `The app ${wanted.appId} is a directory already.`, {
      metadata: { appId: wanted.appId },
    })
  await insertDirectory(tx, call, newAppDirectory(call, { ...wanted, displayName: '' }))
  await setIsDirectory(tx, call.tenant.id, wanted.appId, { isDirectory: true, at: call.now() })
  const made = await lockDirectory(tx, call.tenant.id, wanted.appId)
  if (!made) throw directoryNotFound(wanted.appId)
  const data = { accountFilter: made.accountFilter, matchCases: made.matchCases }
  const touched = { type: 'directory', id: made.appId, name: made.displayName, data }
  const message = `Created a directory from the app ${made.displayName}`
  await record(tx, call, call, alert(causeOf(call), 'create', message, [touched]))
  await followSoon(tx, call)
  return made
}

/** Changes which accounts of a directory are people, and by which keys they are matched. */
export async function changeDirectory(
  tx: Tx,
  call: May<'directories.change'>,
  appId: string,
  wanted: Terms,
): Promise<Directory> {
  await checkWritten(tx, call, wanted, await findDirectory(tx, call.tenant.id, appId))
  const before = await lockDirectory(tx, call.tenant.id, appId)
  if (!before) throw directoryNotFound(appId)
  if (before.kind === 'scim') {
    refuseForScim(wanted)
    return before
  }
  const { accountFilter, matchCases } = wanted
  const after: Directory = { ...before, accountFilter, matchCases, updatedAt: call.now(), followedAt: null }
  await updateDirectory(tx, call.tenant.id, after)
  await setFollowed(tx, call.tenant.id, appId, null)
  const data = {
    accountFilter,
    matchCases,
    before: { accountFilter: before.accountFilter, matchCases: before.matchCases },
  }
  const touched = { type: 'directory', id: appId, name: before.displayName, data }
  await record(tx, call, call, alert(causeOf(call), 'update', `Changed the directory ${before.displayName}`, [touched]))
  await followSoon(tx, call)
  return after
}

function refuseForScim({ accountFilter, matchCases }: Terms): void {
  const why = 'does not apply to a directory that uses SCIM: all of its users are matched by email address'
  if (accountFilter !== '') throw invalid({ field: 'celExpression', description: why })
  if (matchCases.length > 0) throw invalid({ field: 'mergeConfig', description: why })
}

const followSoon = (tx: Tx, call: Call): Promise<void> =>
  enqueue(tx, call, causeOf(call), accountsChanged, { payload: {}, key: 'all' })

type Order = { order: string[]; attributes: AttributeOrder[] }

/** The order of all directories, and the order for each attribute that has a different one. */
export async function getOrder(db: Tx | Call['db'], tenantId: number): Promise<Order> {
  const all = await listAllOf(db, tenantId)
  const byRank = all.toSorted(
    (a, b) => a.rank - b.rank || a.createdAt.getTime() - b.createdAt.getTime() || (a.appId < b.appId ? -1 : 1),
  )
  const names = [...new Set(all.flatMap(({ ranks }) => Object.keys(ranks)))].toSorted()
  return {
    order: byRank.map(({ appId }) => appId),
    attributes: names.map((attribute) => ({
      attribute,
      appIds: byRank
        .filter(({ ranks }) => ranks[attribute] !== undefined)
        .toSorted((a, b) => (a.ranks[attribute] as number) - (b.ranks[attribute] as number))
        .map(({ appId }) => appId),
    })),
  }
}

const directoriesMax = 1000
const listAllOf = (db: Tx | Call['db'], tenantId: number): Promise<Directory[]> =>
  listDirectories(db, tenantId, { after: null, limit: directoriesMax })

/** Sets the order of the directories. Those that are not named come after the others, oldest first. */
export async function setDirectoryOrder(
  tx: Tx,
  call: May<'directories.change'>,
  wanted: Omit<Extract<Change, { is: 'order' }>, 'is'>,
): Promise<Order> {
  await lockAllDirectories(tx, call.tenant.id)
  const all = await listAllOf(tx, call.tenant.id)
  refuseOrder(wanted, new Set(all.map(({ appId }) => appId)))
  const before = await getOrder(tx, call.tenant.id)
  const places = all.map(({ appId }): Placement => {
    const place = wanted.order.indexOf(appId)
    const own = wanted.attributes.flatMap(({ attribute, appIds }) =>
      appIds.includes(appId) ? [[attribute, appIds.indexOf(appId) + 1] as const] : [],
    )
    return { appId, rank: place < 0 ? unnamedRank : place + 1, ranks: Object.fromEntries(own) }
  })
  await setOrder(tx, call.tenant.id, places, call.now())
  const after = await getOrder(tx, call.tenant.id)
  const nameOf = new Map(all.map(({ appId, displayName }) => [appId, displayName]))
  const touched = after.order.map((id) => ({ type: 'directory', id, name: nameOf.get(id) ?? '' }))
  const [first, ...others] = touched
  const data = { ...after, before }
  if (first)
    await record(
      tx,
      call,
      call,
      alert(causeOf(call), 'update', 'Changed the precedence of directories', [{ ...first, data }, ...others]),
    )
  return after
}

const unnamedRank = 1_000_000

export const settleSoon = (tx: Tx, call: Call): Promise<void> =>
  enqueue(tx, call, causeOf(call), directoryChanged, { payload: { appId: '' }, key: 'all' })

const attributesMax = 100

function refuseOrder(
  { order, attributes: own }: Omit<Extract<Change, { is: 'order' }>, 'is'>,
  known: ReadonlySet<string>,
): void {
  const refuse = (field: string, appIds: readonly string[]): void => {
    const unknown = appIds.find((id) => !known.has(id))
    if (unknown !== undefined) throw invalid({ field, description: `${unknown} is not a directory` })
    if (new Set(appIds).size !== appIds.length) throw invalid({ field, description: 'names a directory twice' })
  }
  refuse('order', order)
  if (own.length > attributesMax)
    throw invalid({ field: 'attributes', description: `has at most ${attributesMax} entries` })
  for (const [at, { attribute, appIds }] of own.entries()) {
    const isKnown = (attributes as readonly string[]).includes(attribute) || /^profile(?:\..{1,100})?$/.test(attribute)
    if (!isKnown)
      throw invalid({
        field: `attributes[${at}].attribute`,
        description: `must be ${attributes.join(', ')}, profile or profile.NAME`,
      })
    if (own.findIndex((each) => each.attribute === attribute) !== at)
      throw invalid({ field: `attributes[${at}].attribute`, description: 'is named twice' })
    refuse(`attributes[${at}].appIds`, appIds)
  }
}

/** Makes a change; its effects on people are up to the caller. */
export async function makeChange(tx: Tx, call: May<'directories.change'>, change: Change): Promise<Directory | null> {
  if (change.is === 'order') {
    await setDirectoryOrder(tx, call, change)
    return null
  }
  if (change.is === 'deletion') {
    await removeDirectory(tx, call, change.appId)
    return null
  }
  const known = await findDirectory(tx, call.tenant.id, change.appId)
  if (known?.kind === 'scim') refuseForScim(change)
  const made = known ? await changeDirectory(tx, call, change.appId, change) : await createDirectory(tx, call, change)
  return lockDirectory(tx, call.tenant.id, made.appId)
}
