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

/** More rows than any file has that unpacks within the limits: a damaged tree can repeat itself without end. */
const rowsMax = 50_000_000
/** The connectors' own limit, in bytes. */
const idBytesMax = 1024
/** Of an id that is made of those of an entitlement and of a principal. */
const grantIdBytesMax = 3 * idBytesMax + 2
const typesMax = 10_000

/** What a file tells, in an order in which parents may come after what hangs on them. */
export function* readRecords(db: ConnectorDatabase): Generator<FileRecord> {
  const rows = countedRows()
  const syncId = newestFinished(db, rows)
  const isOfSync = ({ sync_id }: { sync_id: unknown }): boolean => sync_id === syncId
  const types = new Map<string, { isUser: boolean; isResource: boolean }>()
  const typeOf = (id: string) => types.get(id) ?? unknownType
  const unknown = new Set<string>()

  for (const row of rows(db.rows('v1_resource_types', ['sync_id', 'external_id', 'data']))) {
    if (!isOfSync(row)) continue
    const id = idOf(row.external_id, 'resource type')
    const { displayName, isUser, isOnlyUser } = decoding('resource type', id, () =>
      decodeResourceType(dataOf(row.data)),
    )
    types.set(id, { isUser, isResource: !isOnlyUser })
    if (types.size > typesMax) throw new FileRefused(`The file has more than ${typesMax} resource types.`)
    yield { is: 'resourceType', id, displayName }
  }
  /** Users that have entitlements, or in which something lies, are resources as well. */
  const makeResource = (id: string): void => {
    const type = types.get(id)
    if (type) type.isResource = true
  }

  for (const row of rows(
    db.rows('v1_entitlements', ['sync_id', 'external_id', 'resource_type_id', 'resource_id', 'data']),
  )) {
    if (!isOfSync(row)) continue
    const id = idOf(row.external_id, 'entitlement')
    const typeId = idOf(row.resource_type_id, 'resource type')
    const resourceId = idOf(row.resource_id, 'resource')
    makeResource(typeId)
    const told = decoding('entitlement', id, () => decodeEntitlement(dataOf(row.data)))
    yield { is: 'entitlement', id, typeId, resourceId, ...told }
    yield { is: 'object', kind: 'entitlement', key: id, typeId, data: dataOf(row.data) }
  }
  for (const row of rows(db.rows('v1_resources', ['sync_id', 'parent_resource_type_id'])))
    if (isOfSync(row) && typeof row.parent_resource_type_id === 'string') makeResource(row.parent_resource_type_id)

  /** Accounts of types that are not of users. */
  const accounts = new Set<string>()
  const resourceColumns = [
    'sync_id',
    'external_id',
    'resource_type_id',
    'parent_resource_type_id',
    'parent_resource_id',
    'data',
  ] as const
  for (const row of rows(db.rows('v1_resources', resourceColumns))) {
    if (!isOfSync(row)) continue
    const typeId = idOf(row.resource_type_id, 'resource type')
    const key = idOf(row.external_id, 'resource', 2 * idBytesMax + 1)
    if (!key.startsWith(`${typeId}:`))
      throw new FileRefused(`The resource ${JSON.stringify(key.slice(0, 200))} in the file is not of its type.`)
    const id = idOf(key.slice(typeId.length + 1), 'resource')
    const told = decoding('resource', key, () => decodeResource(dataOf(row.data)))
    if (!types.has(typeId) && !unknown.has(typeId)) {
      unknown.add(typeId)
      if (unknown.size > typesMax) throw new FileRefused(`The file has more than ${typesMax} resource types.`)
      yield { is: 'resourceType', id: typeId, displayName: typeId }
    }
    yield { is: 'object', kind: 'resource', key, typeId, data: dataOf(row.data) }
    const type = typeOf(typeId)
    if (type.isUser || told.user) {
      if (!type.isUser) accounts.add(key)
      yield accountOf(told, { typeId, id })
    }
    if (!type.isResource && type.isUser) continue
    const parentType = row.parent_resource_type_id
    const parentId = row.parent_resource_id
    const parent =
      typeof parentType === 'string' && typeof parentId === 'string' && parentType !== '' && parentId !== ''
        ? { typeId: parentType, id: parentId }
        : null
    const { displayName, description, profile } = told
    yield { is: 'resource', typeId, id, displayName, description, profile, parent }
  }

  const grantColumns = [
    'sync_id',
    'external_id',
    'entitlement_id',
    'principal_resource_type_id',
    'principal_resource_id',
    'data',
  ] as const
  for (const row of rows(db.rows('v1_grants', grantColumns))) {
    if (!isOfSync(row)) continue
    if (row.principal_resource_id === '' || row.principal_resource_type_id === '' || row.entitlement_id === '') {
      yield { is: 'grantToNobody' }
      continue
    }
    const entitlementId = idOf(row.entitlement_id, 'entitlement')
    const typeId = idOf(row.principal_resource_type_id, 'resource type')
    const id = idOf(row.principal_resource_id, 'principal')
    if (!typeOf(typeId).isUser && !accounts.has(`${typeId}:${id}`)) {
      yield { is: 'nestedGrant' }
      continue
    }
    const told =
      row.data === null
        ? bareGrant
        : decoding('grant of the entitlement', entitlementId, () => decodeGrant(dataOf(row.data)))
    for (const source of told.sources) idOf(source, 'entitlement')
    const ownId = typeof row.external_id === 'string' ? idOf(row.external_id, 'grant', grantIdBytesMax) : null
    const kept = keptOf(told, { entitlementId, ownId })
    yield { is: 'grant', entitlementId, principal: { typeId, id }, sources: told.sources, kept }
  }
}

const unknownType = { isUser: false, isResource: true }

type Counted = <R>(rows: Iterable<R>) => Iterable<R>

/** Passes rows on, and refuses a file with too many, over all of its tables. */
function countedRows(): Counted {
  let count = 0
  return function* counted(rows) {
    for (const row of rows) {
      if (++count > rowsMax) throw new FileRefused(`The file has more than ${rowsMax} rows.`)
      yield row
    }
  }
}

/** The newest full sync that was finished. Its id tells the time; the columns tell the connector's, without a zone. */
function newestFinished(db: ConnectorDatabase, rows: Counted): string {
  const hasType = db.has('v1_sync_runs', 'sync_type')
  const columns = ['sync_id', 'ended_at', ...(hasType ? (['sync_type'] as const) : [])] as const
  let newest = ''
  let count = 0
  for (const row of rows(db.rows('v1_sync_runs', columns as readonly ('sync_id' | 'ended_at' | 'sync_type')[]))) {
    count++
    const isFull = !hasType || row.sync_type === 'full' || row.sync_type === ''
    if (row.ended_at === null || !isFull || typeof row.sync_id !== 'string') continue
    if (row.sync_id > newest) newest = row.sync_id
  }
  if (newest !== '') return newest
  throw new FileRefused(
    count === 0
      ? 'The file holds no sync.'
      : 'The file holds no full sync that was finished: the connector failed or was stopped. Run it again.',
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
