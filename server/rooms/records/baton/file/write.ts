import { createReadStream, createWriteStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { create, type DescMessage, type JsonObject, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import {
  Entitlement_Purpose,
  EntitlementSchema,
  GrantSchema,
  GroupTraitSchema,
  ResourceSchema,
  ResourceType_Trait,
  ResourceTypeSchema,
  Status_Value,
  UserTraitSchema,
} from '../protocol/generated/c1/connector/v2/records_pb.js'
import { magic } from './format.ts'

export type WrittenUser = {
  id: string
  displayName: string
  /** The primary one first. */
  emails: readonly string[]
  login: string
  employeeIds: readonly string[]
  isEnabled: boolean
  profile: JsonObject
}

export type FileWriter = {
  user(user: WrittenUser): void
  /** A group, and the entitlement to be its member. */
  group(group: { id: string; displayName: string }): void
  /** A direct member. */
  member(groupId: string, userId: string): void
  /**
   * The members of one group become members of another: to be called once all direct members are written. Returns how many
   * were added.
   */
  nest(outerId: string, innerIds: readonly string[], countMax: number): number
  close(): void
}

const binary = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array =>
  toBinary(schema, create(schema, init))

export const userType = 'user'
const groupType = 'group'
const memberEntitlement = (groupId: string): string => `${groupType}:${groupId}:member`

const tables = `
  create table v1_resource_types (id integer primary key, external_id text not null, data blob not null,
    sync_id text not null, discovered_at datetime not null);
  create table v1_resources (id integer primary key, resource_type_id text not null, external_id text not null,
    parent_resource_type_id text, parent_resource_id text, data blob not null, sync_id text not null,
    discovered_at datetime not null);
  create table v1_entitlements (id integer primary key, resource_type_id text not null, resource_id text not null,
    external_id text not null, data blob not null, sync_id text not null, discovered_at datetime not null);
  create table v1_grants (id integer primary key, resource_type_id text not null, resource_id text not null,
    entitlement_id text not null, principal_resource_type_id text not null, principal_resource_id text not null,
    external_id text not null, data blob not null, sync_id text not null, discovered_at datetime not null);
  create table v1_sync_runs (id integer primary key, sync_id text not null, started_at datetime not null,
    ended_at datetime, sync_token text not null, sync_type text not null default 'full');`

/** The bytes of an account as connectors report it. */
export const userResource = ({
  id,
  displayName,
  emails,
  login,
  employeeIds,
  isEnabled,
  profile,
}: WrittenUser): Uint8Array => {
  const status = { status: isEnabled ? Status_Value.ENABLED : Status_Value.DISABLED }
  const trait = create(UserTraitSchema, {
    emails: emails.map((address, place) => ({ address, isPrimary: place === 0 })),
    login,
    employeeIds: [...employeeIds],
    status,
    profile,
  })
  const annotations = [anyPack(UserTraitSchema, trait)]
  return binary(ResourceSchema, { id: { resourceType: userType, resource: id }, displayName, annotations })
}

const noData = new Uint8Array()

/**
 * Writes the database of a connector's file: what this server itself finds in an app is imported like what other connectors
 * find.
 */
export function writeDatabase(path: string, { syncId, at }: { syncId: string; at: Date }): FileWriter {
  const db = new DatabaseSync(path)
  const time = at.toISOString()
  db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; ${tables} begin`)
  const type = db.prepare('insert into v1_resource_types values (null, ?, ?, ?, ?)')
  for (const [id, displayName, trait] of [
    [userType, 'User', ResourceType_Trait.USER],
    [groupType, 'Group', ResourceType_Trait.GROUP],
  ] as const)
    type.run(id, binary(ResourceTypeSchema, { id, displayName, traits: [trait] }), syncId, time)
  const resource = db.prepare('insert into v1_resources values (null, ?, ?, null, null, ?, ?, ?)')
  const entitlement = db.prepare('insert into v1_entitlements values (null, ?, ?, ?, ?, ?, ?)')
  const grant = db.prepare('insert into v1_grants values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const putGrant = (groupId: string, userId: string, data: Uint8Array): void => {
    const id = memberEntitlement(groupId)
    grant.run(groupType, groupId, id, userType, userId, `${id}:${userType}:${userId}`, data, syncId, time)
  }
  let directMax: number | null = null
  return {
    user(user) {
      resource.run(userType, `${userType}:${user.id}`, userResource(user), syncId, time)
    },
    group({ id, displayName }) {
      const annotations = [anyPack(GroupTraitSchema, create(GroupTraitSchema, {}))]
      const of = { id: { resourceType: groupType, resource: id }, displayName }
      resource.run(groupType, `${groupType}:${id}`, binary(ResourceSchema, { ...of, annotations }), syncId, time)
      const member = memberEntitlement(id)
      const data = binary(EntitlementSchema, {
        id: member,
        displayName: `${displayName} member`,
        slug: 'member',
        resource: of,
        purpose: Entitlement_Purpose.ASSIGNMENT,
      })
      entitlement.run(groupType, id, member, data, syncId, time)
    },
    member: (groupId, userId) => putGrant(groupId, userId, noData),
    nest(outerId, innerIds, countMax) {
      if (directMax === null) {
        db.exec('create index v1_grants_of_group on v1_grants (resource_id, principal_resource_id)')
        directMax = Number(db.prepare('select max(id) as id from v1_grants').get()?.['id'] ?? 0)
      }
      const holds = db.prepare(
        'select 1 from v1_grants where resource_id = ? and principal_resource_id = ? and id <= ?',
      )
      const members = db.prepare('select principal_resource_id as id from v1_grants where resource_id = ? and id <= ?')
      const sources = new Map<string, string[]>()
      for (const innerId of innerIds)
        for (const { id } of members.iterate(innerId, directMax)) {
          const userId = id as string
          const known = sources.get(userId)
          if (known) known.push(memberEntitlement(innerId))
          else if (!holds.get(outerId, userId, directMax)) sources.set(userId, [memberEntitlement(innerId)])
          if (sources.size > countMax) return sources.size
        }
      for (const [userId, by] of sources) {
        const map = Object.fromEntries(by.map((source) => [source, { isDirect: false }]))
        putGrant(outerId, userId, binary(GrantSchema, { sources: { sources: map } }))
      }
      return sources.size
    },
    close() {
      db.prepare(`insert into v1_sync_runs values (null, ?, ?, ?, '', 'full')`).run(syncId, time, time)
      db.exec('commit')
      db.close()
    },
  }
}

/** Packs such a database as connectors do. */
export async function packDatabase(from: string, to: string): Promise<void> {
  await pipeline(
    createReadStream(from, { highWaterMark: 256 * 1024 }),
    createZstdCompress(),
    async function* (pieces: AsyncIterable<Buffer>) {
      yield Buffer.from(magic)
      yield* pieces
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  )
}
