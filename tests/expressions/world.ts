import {
  type CelInput,
  type CelMap,
  CelScalar,
  celEnv,
  celFunc,
  celList,
  celMap,
  objectType,
  parse,
  plan,
} from '@bufbuild/cel'
import { strings } from '@bufbuild/cel/ext'
import { afterAll, beforeAll } from 'vitest'
import { heldKey, listSubjects, type Subject } from '#rooms/rules/expressions/index.ts'
import { repairs } from '../../server/rooms/rules/expressions/language/language.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Compiled } from './compiled.ts'

export type Person = Partial<Omit<Subject, 'id' | 'manager' | 'apps' | 'entitlements'>> & {
  isDeleted?: boolean
}
export type World = {
  server: TestServer
  access: Access
  tenantId: number
  now: Date
  /** Inserts people, and answers their ids. */
  people(people: readonly Person[]): Promise<string[]>
  app(): Promise<string>
  entitlement(appId: string): Promise<{ appId: string; id: string }>
  account(appId: string, userId: string, isDeleted?: boolean): Promise<{ appId: string; id: string }>
  grant(
    entitlement: { appId: string; id: string },
    accountId: string,
    more?: { expiresAt?: Date; endedAt?: Date },
  ): Promise<void>
  /** What the database says of each of these users: null where there is no SQL for the expression. */
  bySql(compiled: Compiled, userIds: readonly string[], at?: Date): Promise<Map<string, Verdict> | null>
  byEvaluation(compiled: Compiled, userIds: readonly string[], at?: Date): Promise<Map<string, Verdict>>
  subjects(compiled: Compiled, userIds: readonly string[]): Promise<Subject[]>
}
export type Verdict = boolean | 'error'

export function prepare(): World {
  const world = {} as World
  beforeAll(async () => Object.assign(world, await makeWorld()))
  afterAll(async () => {
    await world.access?.close()
    await world.server?.stop()
  })
  return world
}

async function makeWorld(): Promise<World> {
  const server = await startServer()
  const access = await openAccess(server)
  const { db } = server
  const tenantId = access.tenant.id
  const { newId } = access.world
  const now = new Date()
  const at = new Date(now.getTime() - 60_000)
  return {
    server,
    access,
    tenantId,
    now,
    async people(people) {
      const rows = people.map((person) => ({
        tenant_id: tenantId,
        user_id: newId(),
        type: person.type ?? 'USER_TYPE_HUMAN',
        status: person.status ?? 'ENABLED',
        directory_status: person.directoryStatus ?? 'ENABLED',
        display_name: person.displayName ?? 'Someone',
        email: person.email ?? '',
        emails: [...(person.emails ?? [])],
        username: person.username ?? '',
        usernames: [...(person.usernames ?? [])],
        department: person.department ?? '',
        job_title: person.jobTitle ?? '',
        employment_type: person.employmentType ?? '',
        employment_status: person.employmentStatus ?? '',
        manager_ids: person.managerId ? [person.managerId] : [],
        profile: db.json((person.profile ?? {}) as never),
        created_at: at,
        updated_at: at,
        deleted_at: person.isDeleted ? at : null,
      }))
      await db`insert into users ${db(rows)}`
      return rows.map((row) => row.user_id)
    },
    async app() {
      const id = newId()
      await db`insert into apps (tenant_id, app_id, display_name, created_at, updated_at) values (${tenantId}, ${id}, 'An app', ${at}, ${at})`
      return id
    },
    async entitlement(appId) {
      const id = newId()
      await db`insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
        values (${tenantId}, ${appId}, ${id}, 'An entitlement', ${at}, ${at})`
      return { appId, id }
    },
    async account(appId, userId, isDeleted = false) {
      const id = newId()
      await db`insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at, deleted_at)
        values (${tenantId}, ${appId}, ${id}, ${userId}, 'An account', ${at}, ${at}, ${isDeleted ? at : null})`
      return { appId, id }
    },
    async grant({ appId, id }, accountId, { expiresAt, endedAt } = {}) {
      await db`insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at, expires_at, ended_at, ended_why)
        values (${tenantId}, ${appId}, ${id}, ${accountId}, ${newId()}, 'manual', ${at}, ${at}, ${expiresAt ?? null}, ${endedAt ?? null},
          ${endedAt ? 'revoked' : null})`
    },
    async bySql(compiled, userIds, moment = now) {
      const condition = compiled.toSql(db, { tenantId, now: moment, users: 'people' })
      if (!condition) return null
      const rows = await db<{ id: string; value: boolean | null }[]>`
        select people.user_id as id, ${condition} as value from users people
        where people.tenant_id = ${tenantId} and people.user_id = any(${userIds}::text[])`
      return new Map(rows.map(({ id, value }) => [id, value ?? 'error']))
    },
    subjects: (compiled, userIds) => listSubjects(db, tenantId, now, [compiled], { userIds }),
    async byEvaluation(compiled, userIds, moment = now) {
      const subjects = await listSubjects(db, tenantId, moment, [compiled], { userIds })
      return new Map(
        subjects.map((subject) => {
          const result = compiled.evaluate(subject, moment)
          return [subject.id, 'value' in result ? result.value : 'error']
        }),
      )
    },
  }
}

/** A map that knows which of its keys are there, also where they are null; the library's own does not. */
const mapOf = (entries: readonly (readonly [string, CelInput])[], isThere: (key: string) => boolean): CelMap =>
  Object.defineProperty(celMap(new Map(entries)), 'has', { value: isThere })

function plain(value: unknown): CelInput {
  if (Array.isArray(value)) return celList(value.map(plain))
  if (typeof value !== 'object' || value === null) return value as CelInput
  const entries = Object.entries(value).map(([key, each]) => [key, plain(each)] as const)
  return mapOf(entries, (key) => Object.hasOwn(value, key))
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const isEmpty = (value: unknown): boolean => value === '' || Object.keys(value as object).length === 0

/** Straight from the text, by the library, for one user at a time, with everything bound that there is. */
export function straightforward(source: string, now: Date): (subject: Subject) => Verdict {
  let about: Subject
  const { BOOL, DYN, STRING } = CelScalar
  const timestamp = {
    $typeName: 'google.protobuf.Timestamp',
    seconds: BigInt(Math.floor(now.getTime() / 1000)),
    nanos: (now.getTime() % 1000) * 1e6,
  }
  const env = celEnv({
    funcs: [
      ...strings,
      // Where the library is known to differ from CEL: as repaired. All else is its own.
      ...repairs.filter(({ id }) =>
        /^(?:_[<>]=?_\(string|@in\(.*map|int\(string|double\(string|timestamp\(int)/.test(id),
      ),
      celFunc('now', [], objectType('google.protobuf.Timestamp'), () => timestamp as unknown as CelInput as never),
      celFunc('c1.user.v1.HasApp', [DYN, STRING], BOOL, (_, app) => about.apps.includes(app)),
      celFunc('c1.user.v1.HasEntitlement', [DYN, STRING, STRING], BOOL, (_, appId, id) =>
        about.entitlements.includes(heldKey({ appId, id })),
      ),
    ],
  })
  const run = plan(env, parse(source))
  return (subject) => {
    about = subject
    const { apps: _, entitlements: __, ...values } = subject
    const fields = { ...values, attributes: values.profile } as Record<string, unknown>
    const entries = Object.entries(fields).flatMap(([name, value]) => [
      [name, plain(value)] as const,
      [snake(name), plain(value)] as const,
    ])
    const known = new Map(
      entries.map(([name]) => [
        name,
        fields[name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase())],
      ]),
    )
    const statuses = { ENABLED: 'ENABLED', DISABLED: 'DISABLED', DELETED: 'DELETED' }
    const result = run({
      subject: mapOf(entries, (name) => !isEmpty(known.get(name))),
      UserStatus: statuses,
      DirectoryStatus: statuses,
      UserType: { HUMAN: 'USER_TYPE_HUMAN', SERVICE: 'USER_TYPE_SERVICE' },
    })
    return typeof result === 'boolean' ? result : 'error'
  }
}

/** All fields, whatever an expression reads. */
export const wholeSubjects = (world: World, compiled: Compiled, userIds: readonly string[]): Promise<Subject[]> =>
  listSubjects(world.server.db, world.tenantId, world.now, [everything(compiled)], { userIds })

const everything = (compiled: Compiled): Compiled => ({
  ...compiled,
  reads: {
    ...compiled.reads,
    fields: new Set([
      ...(['id', 'email', 'emails', 'displayName', 'username', 'usernames', 'department', 'jobTitle'] as const),
      ...(['employmentType', 'employmentStatus', 'status', 'directoryStatus', 'type'] as const),
      ...(['manager', 'managerId', 'profile'] as const),
    ]),
  },
})
