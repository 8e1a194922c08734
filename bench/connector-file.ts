import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import {
  EntitlementSchema,
  ResourceSchema,
  ResourceTypeSchema,
  ResourceType_Trait as Trait,
  UserTraitSchema,
} from '../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'

const groups = 1000
export const grantsPerAccount = 10
const syncId = '3M8tUG67rrgyXScdqSGjAGzvMJS'
const at = '2026-11-15 12:00:36'

const binary = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array =>
  toBinary(schema, create(schema, init))

/** A field of a message of less than 128 bytes: a grant is put together from these, because a million take a minute otherwise. */
const field = (number: number, ...parts: Uint8Array[]): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([(number << 3) | 2, length]), ...parts])
}
const resourceId = (type: string, id: string): Uint8Array =>
  Buffer.concat([field(1, Buffer.from(type)), field(2, Buffer.from(id))])

/**
 * The groups of an account: ten of a thousand. Of the second generation one account in ten has another group in place of its
 * last one: one grant in a hundred, of all groups.
 */
function groupsOf(account: number, generation: number): number[] {
  const own = Array.from({ length: grantsPerAccount }, (_, k) => (account * 7 + k * 101) % groups)
  if (generation > 0 && account % 10 === 3) own[grantsPerAccount - 1] = (account * 7 + 50 + generation) % groups
  return own
}

/**
 * Writes a file as a connector of 2026 does: accounts, a thousand groups, ten grants for each account, the grants of a group one
 * after the other. Generations after the first differ from it in one account in a hundred and in one grant in a hundred.
 */
export async function writeConnectorFile(file: string, accounts: number, generation = 0): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-file-'))
  const path = join(folder, 'database')
  try {
    const db = new DatabaseSync(path)
    db.exec(`pragma journal_mode = off; pragma synchronous = off;
      create table v1_resource_types (id integer primary key, external_id text not null, data blob not null,
        sync_id text not null, discovered_at datetime not null);
      create table v1_resources (id integer primary key, resource_type_id text not null, external_id text not null,
        parent_resource_type_id text, parent_resource_id text, data blob not null, sync_id text not null,
        discovered_at datetime not null);
      create table v1_entitlements (id integer primary key, resource_type_id text not null, resource_id text not null,
        external_id text not null, data blob not null, sync_id text not null, discovered_at datetime not null);
      create table v1_grants (id integer primary key, resource_type_id text not null, resource_id text not null,
        entitlement_id text not null, principal_resource_type_id text not null, principal_resource_id text not null,
        external_id text not null, expansion blob, needs_expansion integer not null default 0, data blob not null,
        sync_id text not null, discovered_at datetime not null);
      create table v1_sync_runs (id integer primary key, sync_id text not null, started_at datetime not null,
        ended_at datetime, sync_token text not null, sync_type text not null default 'full');
      insert into v1_sync_runs values (1, '${syncId}', '${at}', '${at}', '', 'full');
      begin`)
    const type = db.prepare('insert into v1_resource_types values (null, ?, ?, ?, ?)')
    for (const [id, displayName, trait] of [
      ['user', 'User', Trait.USER],
      ['group', 'Group', Trait.GROUP],
    ] as const)
      type.run(id, binary(ResourceTypeSchema, { id, displayName, traits: [trait] }), syncId, at)
    const resource = db.prepare('insert into v1_resources values (null, ?, ?, null, null, ?, ?, ?)')
    for (let i = 0; i < accounts; i++) {
      const displayName = `Person ${i}${generation > 0 && i % 100 === 0 ? ` renamed ${generation}` : ''}`
      const user = create(UserTraitSchema, {
        emails: [{ address: `person${i}@example.com`, isPrimary: true }],
        login: `person${i}`,
        profile: { department: `Department ${i % 50}`, title: 'Engineer' },
        status: { status: 1 },
      })
      const data = binary(ResourceSchema, {
        id: { resourceType: 'user', resource: `u${i}` },
        displayName,
        annotations: [anyPack(UserTraitSchema, user)],
      })
      resource.run('user', `user:u${i}`, data, syncId, at)
    }
    const entitlement = db.prepare('insert into v1_entitlements values (null, ?, ?, ?, ?, ?, ?)')
    const members: number[][] = Array.from({ length: groups }, () => [])
    for (let i = 0; i < accounts; i++) for (const group of groupsOf(i, generation)) members[group]?.push(i)
    for (let g = 0; g < groups; g++) {
      const of = { resourceType: 'group', resource: `g${g}` }
      resource.run('group', `group:g${g}`, binary(ResourceSchema, { id: of, displayName: `Group ${g}` }), syncId, at)
      const id = `group:g${g}:member`
      const data = binary(EntitlementSchema, { id, displayName: `Group ${g} member`, slug: 'member', purpose: 1 })
      entitlement.run('group', `g${g}`, id, data, syncId, at)
    }
    const grant = db.prepare(`insert into v1_grants (resource_type_id, resource_id, entitlement_id,
      principal_resource_type_id, principal_resource_id, external_id, data, sync_id, discovered_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    for (const [g, holders] of members.entries()) {
      const of = `group:g${g}:member`
      const held = field(1, field(1, field(1, resourceId('group', `g${g}`))), field(2, Buffer.from(of)))
      for (const i of holders) {
        const id = `${of}:user:u${i}`
        const data = Buffer.concat([held, field(2, field(1, resourceId('user', `u${i}`))), field(3, Buffer.from(id))])
        grant.run('group', `g${g}`, of, 'user', `u${i}`, id, data, syncId, at)
      }
    }
    db.exec('commit')
    db.close()
    const packed = createWriteStream(file)
    packed.write('C1ZF\0')
    await pipeline(createReadStream(path), createZstdCompress(), packed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
