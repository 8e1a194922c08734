import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { Refusal } from '#kernel/refusals.ts'
import type { Db } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type Import, importFile } from '#rooms/records/imports/index.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

export type Rec = { kind: string; [field: string]: unknown }
export type Options = {
  full?: boolean
  dryRun?: boolean
  force?: boolean
  kind?: string
  format?: 'jsonl' | 'csv' | 'c1z'
  app?: string
  /** Everything is staged, also what is there already. */
  thorough?: boolean
}

export const jsonl = (records: readonly object[]): string => records.map((each) => `${JSON.stringify(each)}\n`).join('')

/** Pieces of an odd size, so that lines and characters are cut through. */
function piecesOf(text: string | Buffer, size = 997): Readable {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Readable.from(Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size)))
}

export type Tried = { world: World; tenant: Tenant }

export type Setting = {
  server: TestServer
  access: Access
  /** A tenant with nothing in it, another one in each test. */
  tried: Tried
  newTenant(): Promise<Tried>
}

/** A server for the tests of a file; what is in the setting is there once they run. */
export function prepare(): Setting {
  let tenants = 0
  const setting: Setting = {
    server: {} as TestServer,
    access: {} as Access,
    tried: {} as Tried,
    newTenant: async () => ({
      world: setting.access.world,
      tenant: await setting.access.makeTenant(`t${tenants++}.example.com`),
    }),
  }
  beforeAll(async () => {
    Object.assign(setting.server, await startServer({ flags: { empty: true } }))
    Object.assign(setting.access, await openAccess(setting.server))
  })
  afterAll(async () => {
    await setting.access.close()
    await setting.server.stop()
  })
  beforeEach(async () => {
    Object.assign(setting.tried, await setting.newTenant())
  })
  return setting
}

export const importText = (
  { world, tenant }: Tried,
  text: string | Buffer | AsyncIterable<Uint8Array>,
  { full = false, dryRun = false, force = false, kind, format, app, thorough = false }: Options = {},
): Promise<Import> =>
  importFile(world, operatorCause(tenant, 'import'), {
    source: typeof text === 'string' || Buffer.isBuffer(text) ? piecesOf(text) : text,
    format: format ?? null,
    kind: (kind ?? null) as never,
    isFull: full,
    isDryRun: dryRun,
    isForced: force,
    app: app ?? null,
    isThorough: thorough,
  })

export const importRecords = (tried: Tried, records: readonly Rec[], options?: Options): Promise<Import> =>
  importText(tried, jsonl(records), options)

/** `user +1 ~0 =2 -0`, for the kinds that the import was about. */
export const told = ({ counts }: Import): string[] =>
  counts.map(
    ({ kind, added, changed, unchanged, removed }) => `${kind} +${added} ~${changed} =${unchanged} -${removed}`,
  )

/** The refusal that something ends in. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

/** The lines that an import is refused for. */
export async function refusedLines(work: Promise<unknown>): Promise<string[]> {
  const { reason, detail } = await refusalOf(work)
  expect(reason).toBe('IMPORT_REFUSED')
  return (detail.violations ?? []).map(({ field, description }) => `${field}: ${description}`)
}

/** All that is alive in a tenant and came by import, by its external ids: without ids and without history. */
export async function stateOf(db: Db, { id }: Tenant): Promise<Record<string, unknown[]>> {
  const users = await db`
    select u.external_id, type, origin, status, directory_status, display_name, email, emails, username, usernames,
      employee_ids, department, job_title, employment_type, employment_status, profile,
      array(select m.external_id from unnest(u.manager_ids) with ordinality as i (manager_id, place)
        join users m on m.tenant_id = ${id} and m.user_id = i.manager_id order by place) as managers,
      array(select r.name from user_roles ur join roles r using (tenant_id, role_id)
        where ur.tenant_id = ${id} and ur.user_id = u.user_id order by 1) as roles,
      ${keysOf(db, id, 'user', 'u.user_id')}
    from users u where tenant_id = ${id} and external_id is not null and deleted_at is null order by external_id`
  const apps = await db`
    select external_id, display_name, description, ${keysOf(db, id, 'app', 'a.app_id')}
    from apps a where tenant_id = ${id} and deleted_at is null order by external_id`
  const types = await db`
    select a.external_id as app, t.external_id, t.display_name, ${keysOf(db, id, 'resource_type', 't.resource_type_id')}
    from resource_types t join apps a using (tenant_id, app_id)
    where t.tenant_id = ${id} and t.deleted_at is null order by 1, 2`
  const resources = await db`
    select a.external_id as app, t.external_id as type, e.external_id, e.display_name, e.description, e.profile,
      p.external_id as parent, ${keysOf(db, id, 'resource', 'e.resource_id')}
    from resources e join apps a using (tenant_id, app_id) join resource_types t using (tenant_id, app_id, resource_type_id)
    left join resources p on p.tenant_id = e.tenant_id and p.app_id = e.app_id
      and p.resource_type_id = e.parent_resource_type_id and p.resource_id = e.parent_resource_id
    where e.tenant_id = ${id} and e.deleted_at is null order by 1, 2, 3`
  const entitlements = await db`
    select a.external_id as app, e.external_id, r.external_id as resource, t.external_id as type, e.display_name,
      e.description, e.slug, e.alias, e.purpose, ${keysOf(db, id, 'entitlement', 'e.entitlement_id')}
    from entitlements e join apps a using (tenant_id, app_id)
    left join resource_types t on t.tenant_id = e.tenant_id and t.app_id = e.app_id
      and t.resource_type_id = e.resource_type_id
    left join resources r on r.tenant_id = e.tenant_id and r.app_id = e.app_id
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id
    where e.tenant_id = ${id} and e.deleted_at is null order by 1, 2`
  const accounts = await db`
    select a.external_id as app, c.external_id, u.external_id as user, c.type, c.status, c.display_name, c.email, c.emails,
      c.username, c.usernames, c.employee_ids, c.profile, ${keysOf(db, id, 'account', 'c.account_id')}
    from accounts c join apps a using (tenant_id, app_id)
    left join users u on u.tenant_id = c.tenant_id and u.user_id = c.user_id
    where c.tenant_id = ${id} and c.deleted_at is null order by 1, 2`
  const grants = await db`
    select a.external_id as app, e.external_id as entitlement, c.external_id as account, g.source, g.expires_at
    from grants g join apps a using (tenant_id, app_id)
    join entitlements e on e.tenant_id = g.tenant_id and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
    join accounts c on c.tenant_id = g.tenant_id and c.app_id = g.app_id and c.account_id = g.account_id
    where g.tenant_id = ${id} and g.ended_at is null order by 1, 2, 3, 4`
  return {
    users: [...users],
    apps: [...apps],
    types: [...types],
    resources: [...resources],
    entitlements: [...entitlements],
    accounts: [...accounts],
    grants: [...grants],
  }
}

const keysOf = (db: Db, tenantId: number, kind: string, id: string) => db`
  array(select k.key from search_keys k where k.tenant_id = ${tenantId} and k.kind = ${kind} and k.object_id = ${db.unsafe(id)} order by 1) as keys`

const tables = ['users', 'user_roles', 'apps', 'resource_types', 'resources', 'entitlements', 'accounts', 'grants']
const others = ['search_keys', 'imports', 'systemlog_events']

/** Everything there is of a tenant, to the letter. */
export async function everythingOf(db: Db, { id }: Tenant, isWithRecord = true): Promise<string> {
  const parts = []
  for (const table of [...tables, ...(isWithRecord ? others : ['search_keys'])]) {
    const columns = table === 'systemlog_events' ? 'event_id' : 'x::text'
    const rows = await db<{ row: string }[]>`
      select ${db.unsafe(columns)} as row from ${db(table)} x where tenant_id = ${id} order by 1`
    parts.push(`${table}\n${rows.map(({ row }) => row).join('\n')}`)
  }
  return parts.join('\n')
}

/** A small company: every kind, and every way to name a parent. */
export const company: readonly Rec[] = [
  { kind: 'grant', app: 'code', entitlement: 'core:write', account: 'ada-l' },
  { kind: 'grant', app: 'code', entitlement: 'member', account: 'bo' },
  {
    kind: 'user',
    externalId: 'ada',
    displayName: 'Ada Lovelace',
    email: 'ada@corp.example',
    username: 'ada',
    employeeId: 'E1',
    department: 'Engineering',
    jobTitle: 'Engineer',
    manager: 'bo',
    profile: { site: 'Leeds' },
  },
  {
    kind: 'user',
    externalId: 'bo',
    displayName: 'Bo Ek',
    email: 'bo@corp.example',
    username: 'bo',
    status: 'disabled',
  },
  { kind: 'user', externalId: 'robot', displayName: 'Robot', type: 'service' },
  { kind: 'app', externalId: 'code', displayName: 'Source Code', description: 'Repositories' },
  { kind: 'app', externalId: 'pay', displayName: 'Payroll' },
  { kind: 'resource_type', app: 'code', externalId: 'repo', displayName: 'Repository' },
  { kind: 'resource', app: 'code', resourceType: 'repo', externalId: 'core', displayName: 'Core' },
  {
    kind: 'resource',
    app: 'code',
    resourceType: 'repo',
    externalId: 'docs',
    displayName: 'Docs',
    parentResource: 'core',
  },
  {
    kind: 'entitlement',
    app: 'code',
    externalId: 'core:write',
    displayName: 'Core write',
    resourceType: 'repo',
    resource: 'core',
    purpose: 'permission',
    slug: 'write',
  },
  { kind: 'entitlement', app: 'code', externalId: 'member', displayName: 'Member' },
  { kind: 'account', app: 'code', externalId: 'ada-l', displayName: 'ada-l', email: 'ADA@corp.example' },
  { kind: 'account', app: 'code', externalId: 'bo', username: 'BO' },
  { kind: 'account', app: 'code', externalId: 'ghost', displayName: 'Nobody', email: 'ghost@elsewhere.example' },
  { kind: 'account', app: 'pay', externalId: 'e1', displayName: 'Ada', employeeId: 'e1' },
]

/** The company with one record changed, or left out. */
export const companyWith = (kind: string, externalId: string, change: object | null): Rec[] =>
  company.flatMap((each) => {
    if (each.kind !== kind || each['externalId'] !== externalId) return [each]
    return change ? [{ ...each, ...change }] : []
  })
