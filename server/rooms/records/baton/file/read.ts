import {
  accountOf,
  bareGrant,
  decodeEntitlement,
  decodeGrant,
  decodeResource,
  decodeResourceType,
  decoding,
} from './decode.ts'
import { keptOf } from './kept.ts'
import type { ConnectorDatabase } from './open.ts'
import type { FileRecord } from './records.ts'
import { FileRefused } from './refused.ts'

/** More rows than any file has that unpacks within the limits: a damaged tree can repeat itself endlessly. */
const rowsMax = 50_000_000
/** The connectors' own limit, in bytes. */
const idBytesMax = 1024
/** For an id that is composed of those of an entitlement and of a principal. */
const grantIdBytesMax = 3 * idBytesMax + 2
const typesMax = 10_000

/** What has been read of a file, as far as what follows depends on it. */
type Reading = {
  db: ConnectorDatabase
  rows: Counted
  syncId: string
  types: Map<string, { isUser: boolean; isResource: boolean }>
  /** Accounts whose type is not one of users. */
  accounts: Set<string>
}
const unknownType = { isUser: false, isResource: true }

const entitlementColumns = ['sync_id', 'external_id', 'resource_type_id', 'resource_id', 'data'] as const
const resourceColumns = [
  'sync_id',
  'external_id',
  'resource_type_id',
  'parent_resource_type_id',
  'parent_resource_id',
  'data',
] as const
const grantColumns = [
  'sync_id',
  'external_id',
  'entitlement_id',
  'principal_resource_type_id',
  'principal_resource_id',
  'data',
] as const

/** The contents of a file, in an order in which parents may come after their children. */
export function* readRecords(db: ConnectorDatabase): Generator<FileRecord> {
  const rows = countedRows()
  const syncId = newestFinished(db, rows)
  const reading: Reading = { db, rows, syncId, types: new Map(), accounts: new Set() }
  yield* resourceTypesIn(reading)
  yield* entitlementsIn(reading)
  noteParents(reading)
  yield* resourcesIn(reading)
  // Not delegated like the others: there are many more grants.
  const readGrant = grantReader(reading)
  for (const row of rows(db.rows('v1_grants', grantColumns))) if (row[0] === syncId) yield readGrant(row)
}

function* resourceTypesIn({ db, rows, syncId, types }: Reading): Generator<FileRecord> {
  for (const [sync, external, data] of rows(db.rows('v1_resource_types', ['sync_id', 'external_id', 'data']))) {
    if (sync !== syncId) continue
    const id = idOf(external, 'resource type')
    const { displayName, isUser, isOnlyUser } = decoding('resource type', id, () => decodeResourceType(dataOf(data)))
    types.set(id, { isUser, isResource: !isOnlyUser })
    if (types.size > typesMax) throw new FileRefused(`The file has more than ${typesMax} resource types.`)
    yield { is: 'resourceType', id, displayName }
  }
}

/** Users that have entitlements, or contain something, are resources as well. */
function makeResource({ types }: Reading, typeId: string): void {
  const type = types.get(typeId)
  if (type) type.isResource = true
}

function* entitlementsIn(reading: Reading): Generator<FileRecord> {
  const { db, rows, syncId } = reading
  for (const [sync, external, ofType, ofResource, data] of rows(db.rows('v1_entitlements', entitlementColumns))) {
    if (sync !== syncId) continue
    const id = idOf(external, 'entitlement')
    const typeId = idOf(ofType, 'resource type')
    const resourceId = idOf(ofResource, 'resource')
    makeResource(reading, typeId)
    const told = decoding('entitlement', id, () => decodeEntitlement(dataOf(data)))
    yield { is: 'entitlement', id, typeId, resourceId, ...told }
    yield { is: 'object', kind: 'entitlement', key: id, typeId, data: dataOf(data) }
  }
}

function noteParents(reading: Reading): void {
  const { db, rows, syncId } = reading
  for (const [sync, parentType] of rows(db.rows('v1_resources', ['sync_id', 'parent_resource_type_id'])))
    if (sync === syncId && typeof parentType === 'string') makeResource(reading, parentType)
}

function* resourcesIn({ db, rows, syncId, types, accounts }: Reading): Generator<FileRecord> {
  const unknown = new Set<string>()
  for (const [sync, external, ofType, parentType, parentId, data] of rows(db.rows('v1_resources', resourceColumns))) {
    if (sync !== syncId) continue
    const typeId = idOf(ofType, 'resource type')
    const key = idOf(external, 'resource', 2 * idBytesMax + 1)
    if (!key.startsWith(`${typeId}:`))
      throw new FileRefused(`The resource ${JSON.stringify(key.slice(0, 200))} in the file is not of its type.`)
    const id = idOf(key.slice(typeId.length + 1), 'resource')
    const told = decoding('resource', key, () => decodeResource(dataOf(data)))
    if (!types.has(typeId) && !unknown.has(typeId)) {
      unknown.add(typeId)
      if (unknown.size > typesMax) throw new FileRefused(`The file has more than ${typesMax} resource types.`)
      yield { is: 'resourceType', id: typeId, displayName: typeId }
    }
    yield { is: 'object', kind: 'resource', key, typeId, data: dataOf(data) }
    const type = types.get(typeId) ?? unknownType
    if (type.isUser || told.user) {
      if (!type.isUser) accounts.add(key)
      yield accountOf(told, { typeId, id })
    }
    if (!type.isResource && type.isUser) continue
    const { displayName, description, profile } = told
    yield { is: 'resource', typeId, id, displayName, description, profile, parent: parentOf(parentType, parentId) }
  }
}

const parentOf = (typeId: unknown, id: unknown): { typeId: string; id: string } | null =>
  typeof typeId === 'string' && typeof id === 'string' && typeId !== '' && id !== '' ? { typeId, id } : null

function grantReader({ types, accounts }: Reading): (row: readonly unknown[]) => FileRecord {
  // Most grants have the same entitlement and the same principal type as the previous one: these are not checked again.
  let entitlementId = ''
  let typeId = ''
  return ([, external, ofEntitlement, principalType, principal, data]) => {
    if (principal === '' || principalType === '' || ofEntitlement === '') return { is: 'grantToNobody' }
    if (ofEntitlement !== entitlementId) entitlementId = idOf(ofEntitlement, 'entitlement')
    if (principalType !== typeId) typeId = idOf(principalType, 'resource type')
    const id = idOf(principal, 'principal')
    const { isUser } = types.get(typeId) ?? unknownType
    if (!isUser && !accounts.has(`${typeId}:${id}`)) return { is: 'nestedGrant' }
    const told =
      data === null ? bareGrant : decoding('grant of the entitlement', entitlementId, () => decodeGrant(dataOf(data)))
    for (const source of told.sources) idOf(source, 'entitlement')
    const ownId = typeof external === 'string' ? idOf(external, 'grant', grantIdBytesMax) : null
    const kept = keptOf(told, { entitlementId, ownId })
    return { is: 'grant', entitlementId, principal: { typeId, id }, sources: told.sources, kept }
  }
}

type Counted = <R>(rows: Iterable<R>) => Iterable<R>

/** Passes rows on, and refuses a file with too many in all of its tables. */
function countedRows(): Counted {
  let count = 0
  return function* counted(rows) {
    for (const row of rows) {
      if (++count > rowsMax) throw new FileRefused(`The file has more than ${rowsMax} rows.`)
      yield row
    }
  }
}

/**
 * The newest full sync that was finished. Its id contains the time; the columns have the connector's time, without a zone.
 */
function newestFinished(db: ConnectorDatabase, rows: Counted): string {
  const hasType = db.has('v1_sync_runs', 'sync_type')
  const columns = ['sync_id', 'ended_at', ...(hasType ? (['sync_type'] as const) : [])] as const
  let newest = ''
  let count = 0
  for (const [id, endedAt, type] of rows(db.rows('v1_sync_runs', columns))) {
    count++
    const isFull = !hasType || type === 'full' || type === ''
    if (endedAt === null || !isFull || typeof id !== 'string') continue
    if (id > newest) newest = id
  }
  if (newest !== '') return newest
  throw new FileRefused(
    count === 0
      ? 'The file contains no sync.'
      : 'The file contains no complete full sync: the connector failed or was stopped. Run it again.',
  )
}

function idOf(value: unknown, what: string, bytesMax = idBytesMax): string {
  if (typeof value !== 'string' || value === '')
    throw new FileRefused(`The file has a ${what} whose id is empty or not text.`)
  // No character takes more than three bytes for each of its UTF-16 units.
  if (value.length * 3 > bytesMax && Buffer.byteLength(value) > bytesMax)
    throw new FileRefused(`The file has a ${what} whose id has more than ${bytesMax} bytes.`)
  if (value.includes('\0') || !value.isWellFormed())
    throw new FileRefused(`The file has a ${what} whose id cannot be stored.`)
  return value
}

function dataOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new TypeError('not bytes')
}
