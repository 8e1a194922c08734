import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { create, type DescMessage, type JsonObject, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { type Any, anyPack } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll } from 'vitest'
import {
  Entitlement_Purpose,
  EntitlementSchema,
  GrantSchema,
  GroupTraitSchema,
  ResourceSchema,
  ResourceTypeSchema,
  ResourceType_Trait as Trait,
  UserTraitSchema,
} from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'

/** A small world as a connector tells it. */
export type Told = {
  types?: readonly { id: string; name?: string; traits: readonly Trait[] }[]
  resources?: readonly {
    type: string
    id: string
    name?: string
    parent?: readonly [type: string, id: string]
    profile?: JsonObject
    user?: MessageInitShape<typeof UserTraitSchema>
    isGroup?: boolean
  }[]
  entitlements?: readonly { id: string; type: string; resource: string; name?: string; slug?: string }[]
  grants?: readonly {
    entitlement: string
    principal: readonly [type: string, id: string]
    sources?: readonly string[]
    /** Of its own, unless said. `usual` is the one that the connectors' library makes. */
    id?: string
    annotations?: readonly Any[]
  }[]
}

export type Making = {
  /** Statements that are run on the database before it is packed. */
  extra?: string
  /** As the oldest generation writes it: no `sync_type`, WAL mode. */
  isOld?: boolean
  ended?: boolean
  syncType?: string
  /** Changes the database's bytes before they are packed. */
  bend?: (database: Buffer) => Buffer
}

export const syncId = '3M8tUG67rrgyXScdqSGjAGzvMJS'
const at = '2026-11-15 12:00:36.2'
const binary = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array =>
  toBinary(schema, create(schema, init))

const tables = (isOld: boolean): string => `
  create table v1_resource_types (id integer primary key, external_id text not null, data blob not null,
    sync_id text not null, discovered_at datetime not null);
  create table v1_resources (id integer primary key, resource_type_id text not null, external_id text not null,
    parent_resource_type_id text, parent_resource_id text, data blob not null, sync_id text not null,
    discovered_at datetime not null);
  create table v1_entitlements (id integer primary key, resource_type_id text not null, resource_id text not null,
    external_id text not null, data blob not null, sync_id text not null, discovered_at datetime not null);
  create table v1_grants (id integer primary key, resource_type_id text not null, resource_id text not null,
    entitlement_id text not null, principal_resource_type_id text not null, principal_resource_id text not null,
    external_id text not null, ${isOld ? '' : 'expansion blob, needs_expansion integer not null default 0,'}
    data blob not null, sync_id text not null, discovered_at datetime not null);
  create table v1_sync_runs (id integer primary key, sync_id text not null, started_at datetime not null,
    ended_at datetime, sync_token text not null${isOld ? '' : ", sync_type text not null default 'full'"});
  create table v1_assets (id integer primary key, external_id text not null, content_type text not null,
    data blob not null, sync_id text not null, discovered_at datetime not null);
  create table v1_connector_sessions (id integer primary key, sync_id text not null, key text not null, value blob not null);
  create index idx_grants_principal_id_v1 on v1_grants (principal_resource_type_id, principal_resource_id);
  insert into v1_connector_sessions values (1, '${syncId}', 'token', 'sesame-open-${syncId}');`

/** The database of a file, as bytes. */
export function databaseOf(
  told: Told,
  { extra = '', isOld = false, ended = true, syncType = 'full' }: Making = {},
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'connector-file-test-'))
  try {
    const path = join(folder, 'database')
    const db = new DatabaseSync(path)
    db.exec(`pragma journal_mode = ${isOld ? 'wal' : 'delete'}; ${tables(isOld)} begin`)
    const run = db.prepare(
      `insert into v1_sync_runs (sync_id, started_at, ended_at, sync_token${isOld ? '' : ', sync_type'})
       values (?, ?, ?, ''${isOld ? '' : ', ?'})`,
    )
    run.run(...[syncId, at, ended ? at : null, ...(isOld ? [] : [syncType])])
    const type = db.prepare('insert into v1_resource_types values (null, ?, ?, ?, ?)')
    for (const { id, name = id, traits } of told.types ?? [])
      type.run(id, binary(ResourceTypeSchema, { id, displayName: name, traits: [...traits] }), syncId, at)
    const resource = db.prepare('insert into v1_resources values (null, ?, ?, ?, ?, ?, ?, ?)')
    for (const { type: resourceType, id, name = id, parent, profile, user, isGroup } of told.resources ?? []) {
      const annotations = [
        ...(user ? [anyPack(UserTraitSchema, create(UserTraitSchema, user))] : []),
        ...(isGroup ? [anyPack(GroupTraitSchema, create(GroupTraitSchema, {}))] : []),
      ]
      const init = { id: { resourceType, resource: id }, displayName: name, annotations, ...(profile && { profile }) }
      const data = binary(ResourceSchema, init)
      resource.run(resourceType, `${resourceType}:${id}`, parent?.[0] ?? null, parent?.[1] ?? null, data, syncId, at)
    }
    const entitlement = db.prepare('insert into v1_entitlements values (null, ?, ?, ?, ?, ?, ?)')
    for (const { id, type: resourceType, resource: of, name = id, slug = '' } of told.entitlements ?? []) {
      const init = { id, displayName: name, slug, purpose: Entitlement_Purpose.PERMISSION }
      entitlement.run(resourceType, of, id, binary(EntitlementSchema, init), syncId, at)
    }
    const grant = db.prepare(
      `insert into v1_grants (resource_type_id, resource_id, entitlement_id, principal_resource_type_id,
        principal_resource_id, external_id, data, sync_id, discovered_at) values ('', '', ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const [place, { entitlement: of, principal, sources, ...grantOf }] of (told.grants ?? []).entries()) {
      const usual = `${of}:${principal.join(':')}`
      const id = grantOf.id === 'usual' ? usual : (grantOf.id ?? `${usual}:${place}`)
      const annotations = [...(grantOf.annotations ?? [])]
      const map = Object.fromEntries((sources ?? []).map((source) => [source, { isDirect: true }]))
      const data = binary(GrantSchema, { id, annotations, ...(sources && { sources: { sources: map } }) })
      grant.run(of, ...principal, id, data, syncId, at)
    }
    db.exec(`commit; ${extra}`)
    if (isOld) db.exec('pragma wal_checkpoint(truncate)')
    db.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A database as a connector packs it. */
export const packed = (database: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('C1ZF\0'), zstdCompressSync(database)])

export function connectorFile(told: Told, making: Making = {}): Buffer {
  const database = databaseOf(told, making)
  return packed(making.bend ? making.bend(database) : database)
}

/** Two people and two groups, one in the other. */
export const people: Told = {
  types: [
    { id: 'user', name: 'User', traits: [Trait.USER] },
    { id: 'group', name: 'Group', traits: [Trait.GROUP] },
  ],
  resources: [
    { type: 'user', id: 'ada', name: 'Ada', user: { emails: [{ address: 'ada@corp.example', isPrimary: true }] } },
    { type: 'user', id: 'bo', name: 'Bo', user: { login: 'bo', status: { status: 2 } } },
    { type: 'group', id: 'staff', name: 'Staff', isGroup: true },
    { type: 'group', id: 'admins', name: 'Admins', isGroup: true, parent: ['group', 'staff'] },
  ],
  entitlements: [
    { id: 'staff:member', type: 'group', resource: 'staff', slug: 'member' },
    { id: 'admins:member', type: 'group', resource: 'admins', slug: 'member' },
  ],
  grants: [
    { entitlement: 'admins:member', principal: ['user', 'ada'] },
    { entitlement: 'staff:member', principal: ['group', 'admins'] },
    { entitlement: 'staff:member', principal: ['user', 'ada'], sources: ['admins:member'] },
    { entitlement: 'staff:member', principal: ['user', 'bo'] },
  ],
}

/** A temporary folder for the tests of a file; answers what is left in it. Others read files at the same time. */
export function ownTemporaryFolder(): () => string[] {
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(join(tmpdir(), 'connector-files-test-'))
  beforeAll(() => {
    process.env['TMPDIR'] = folder
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true })
  })
  return () => readdirSync(folder).filter((name) => name.startsWith('bailiwick-connector-file-'))
}
