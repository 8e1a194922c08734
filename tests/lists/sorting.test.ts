import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts, type NewAccount } from '#rooms/records/accounts/index.ts'
import { insertEntitlements } from '#rooms/records/apps/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import type { Json } from '../fixture/access.ts'
import { patiently } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { idsOf, prepare, type Ref } from '../grants/scene.ts'

/** Lists that are sorted: all pages one behind the other are what sorting everything gives, whatever the key and the direction. */

const scene = prepare()
const tenantId = () => scene.access.tenant.id
const db = () => scene.server.db

/** A row as the database has it: what it is told by, and what it is sorted by. */
type Row = { ids: string[]; keys: Record<string, string | number> }
type Sorted = { orders: string[]; rows: () => Promise<Row[]>; list: (orderBy: string) => Promise<string[]> }

const [users, names, titles] = [45, ['ann', 'Ann', 'bob', 'BOB', 'Zoe', '', 'ann b', '~', '0'], ['Lead', 'Chef', '']]
let appId = ''
let held: Ref
const at = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + (n % 7)))
const pick = <T>(of: readonly T[], n: number): T => of[n % of.length] as T

beforeAll(async () => {
  const { world } = scene.access
  appId = await scene.app('Sorted')
  const ids = Array.from({ length: users }, () => world.newId())
  const entitlements = Array.from({ length: 25 }, () => world.newId())
  await transact(world.db, async (tx) => {
    for (const [n, id] of ids.entries())
      await insertUsers(
        tx,
        tenantId(),
        [
          {
            id,
            displayName: pick(names, n),
            email: `${pick(names, n * 5)}${n}@example.com`.replace(/[ ~]/g, 'x'),
            department: pick(['IT', 'HR', 'it'], n),
            jobTitle: pick(titles, n),
            employmentStatus: pick(['active', 'left', ''], n),
            ...(n % 4 === 0 && { status: 'DISABLED' as const }),
            ...(n % 9 === 0 && { type: 'USER_TYPE_SERVICE' as const }),
          },
        ],
        at(n),
      )
    const accounts = ids.map(
      (userId, n): NewAccount => ({
        id: world.newId(),
        appId,
        displayName: pick(names, n * 2),
        username: pick(['u1', 'U1', 'u2', ''], n),
        email: `${n % 5}@example.com`,
        ...(n % 3 !== 0 && { userId }),
        ...(n % 5 === 0 && { status: 'STATUS_DISABLED' as const }),
      }),
    )
    for (const [n, account] of accounts.entries()) await insertAccounts(tx, tenantId(), [account], at(n))
    for (const [n, id] of entitlements.entries())
      await insertEntitlements(tx, tenantId(), [{ id, appId, displayName: pick(names, n) || 'none' }], at(n))
    held = { appId, id: entitlements[0] as string }
    for (const [n, account] of accounts.entries())
      await insertGrants(
        tx,
        operatorCause(scene.access.tenant, 'test'),
        [
          ...(n % 2 === 0
            ? [
                {
                  id: world.newId(),
                  appId,
                  entitlementId: pick(entitlements, n),
                  accountId: account.id,
                  source: 'manual' as const,
                },
              ]
            : []),
          {
            id: world.newId(),
            appId,
            entitlementId: held.id,
            accountId: account.id,
            source: n % 2 === 0 ? ('import' as const) : ('rule' as const),
            ...(n % 3 === 0 && { expiresAt: new Date(Date.UTC(2030, 0, 1 + (n % 4))) }),
          },
        ],
        at(n),
      )
    await tx`insert into automations (tenant_id, app_id, entitlement_id, version, kind, created_at, updated_at)
      values (${tenantId()}, ${appId}, ${held.id}, 1, 'none', now(), now())`
    for (let n = 0; n < 30; n++) {
      await tx`insert into imports (tenant_id, import_id, format, is_full, is_forced, user_name, line_count, byte_count, counts, started_at, finished_at)
        values (${tenantId()}, ${world.newId()}, ${pick(['csv', 'jsonl', 'c1z'], n)}, ${n % 2 === 0}, false, ${pick(names, n)},
          ${n % 4}, 1, '[]', ${at(n)}, ${at(n)})`
      await tx`insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, matched, gained, lost, started_at, stepped_at)
        values (${tenantId()}, ${world.newId()}, ${appId}, ${held.id}, ${n % 3}, ${pick(['saved', 'hand', 'change'], n)}, 'over',
          ${pick(['done', 'failed'], n)}, ${n % 6}, ${n % 2}, ${n % 5}, ${at(n)}, ${at(n)})`
      await tx`insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, display_name, is_open, outcome, version, created_at, updated_at)
        values (${tenantId()}, ${world.newId()}, ${1000 + n}, ${pick(['grant', 'revoke'], n)}, 'request', ${pick(ids, n * 2)}, ${pick(names, n)},
          ${n % 3 === 0}, ${n % 3 === 0 ? null : pick(['done', 'denied'], n)}, 1, ${at(n)}, ${at(n * 2)})`
    }
  })
})

const search =
  (path: string, body: object, ...id: string[]) =>
  async (orderBy: string): Promise<string[]> =>
    idsOf(await scene.all(path, { ...body, orderBy }), ...id)
const listed =
  (path: () => string, ...id: string[]) =>
  async (orderBy: string): Promise<string[]> =>
    idsOf(await scene.all(`${path()}?order_by=${encodeURIComponent(orderBy)}`), ...id)
const rows = (found: readonly Json[], ids: readonly string[], keys: (row: Json) => Record<string, unknown>): Row[] =>
  found.map((row) => ({
    ids: ids.map((name) => String(row[name])),
    keys: Object.fromEntries(
      Object.entries(keys(row)).map(([name, value]) => [
        name,
        value instanceof Date
          ? value.getTime()
          : typeof value === 'number'
            ? value
            : typeof value === 'string'
              ? value
              : '',
      ]),
    ),
  }))
const lower = (value: unknown): string => String(value).toLowerCase()
const entitlementPath = (): string => `/api/v1/apps/${held.appId}/entitlements/${held.id}`

const lists: Record<string, Sorted> = {
  users: {
    orders: ['name', 'email', 'jobTitle', 'department', 'employmentStatus', 'type', 'status', 'created'],
    list: search('/api/v1/search/users', {}, 'user', 'id'),
    rows: async () =>
      rows(
        await db()`select * from users where tenant_id = ${tenantId()} and deleted_at is null`,
        ['user_id'],
        (r) => ({
          name: lower(r['display_name']),
          email: lower(r['email']),
          jobTitle: r['job_title'],
          department: r['department'],
          employmentStatus: r['employment_status'],
          type: r['type'],
          status: r['status'],
          created: r['created_at'],
        }),
      ),
  },
  accounts: {
    orders: ['name', 'username', 'email', 'owner', 'type', 'status', 'created'],
    list: search('/api/v1/search/app_users', {}, 'appUser', 'id'),
    rows: async () =>
      rows(
        await db()`select a.*, u.display_name as owner from accounts a left join users u using (tenant_id, user_id)
          where a.tenant_id = ${tenantId()} and a.deleted_at is null`,
        ['app_id', 'account_id'],
        (r) => ({
          name: lower(r['display_name']),
          username: lower(r['username']),
          email: lower(r['email']),
          owner: lower(r['owner'] ?? ''),
          type: r['type'],
          status: r['status'],
          created: r['created_at'],
        }),
      ),
  },
  entitlements: {
    orders: ['name', 'app', 'resource', 'resourceType', 'purpose', 'risk', 'duration', 'members', 'created'],
    list: search('/api/v1/search/entitlements', {}, 'appEntitlement', 'id'),
    rows: async () =>
      rows(
        await db()`select e.*, p.display_name as app, (select count(distinct account_id)::int from grants g
            where g.tenant_id = e.tenant_id and g.entitlement_id = e.entitlement_id and g.ended_at is null) as members
          from entitlements e join apps p using (tenant_id, app_id) where e.tenant_id = ${tenantId()} and e.deleted_at is null`,
        ['app_id', 'entitlement_id'],
        (r) => ({
          name: lower(r['display_name']),
          app: lower(r['app']),
          resource: '',
          resourceType: '',
          purpose: r['purpose'],
          risk: '',
          duration: '',
          members: r['members'],
          created: r['created_at'],
        }),
      ),
  },
  apps: {
    orders: ['name', 'source', 'members', 'created'],
    list: search('/api/v1/search/apps', {}, 'id'),
    rows: async () =>
      rows(
        await db()`select a.*, is_manually_managed::int as source, (select count(distinct account_id)::int from grants g
            where g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.ended_at is null) as members
          from apps a where a.tenant_id = ${tenantId()} and a.deleted_at is null`,
        ['app_id'],
        (r) => ({
          name: lower(r['display_name']),
          source: r['source'],
          members: r['members'],
          created: r['created_at'],
        }),
      ),
  },
  members: {
    orders: ['name', 'account', 'granted', 'expires'],
    list: listed(() => `${entitlementPath()}/users`, 'appUserId'),
    rows: async () =>
      rows(
        await db()`select a.account_id, coalesce(nullif(a.display_name, ''), nullif(a.username, ''), nullif(a.email, ''), a.account_id) as name,
            a.username, min(g.granted_at) as granted,
            case when bool_or(g.expires_at is null) then null else max(g.expires_at) end as expires
          from grants g join accounts a using (tenant_id, app_id, account_id)
          where g.tenant_id = ${tenantId()} and g.entitlement_id = ${held.id} and g.ended_at is null group by 1, 2, 3`,
        ['account_id'],
        (r) => ({
          name: lower(r['name']),
          account: lower(r['username']),
          granted: r['granted'],
          expires: r['expires'] ? (r['expires'] as Date).getTime() : Number.POSITIVE_INFINITY,
        }),
      ),
  },
  tasks: {
    orders: ['created', 'updated', 'name', 'person', 'kind', 'state'],
    list: search('/api/v1/search/tasks', {}, 'task', 'id'),
    rows: async () =>
      rows(
        await db()`select t.*, u.display_name as person from tasks t left join users u on u.tenant_id = t.tenant_id and u.user_id = t.subject_user_id
          where t.tenant_id = ${tenantId()}`,
        ['task_id'],
        (r) => ({
          created: '',
          updated: r['updated_at'],
          name: lower(r['display_name']),
          person: lower(r['person'] ?? ''),
          kind: r['kind'],
          state: r['is_open'] ? '' : r['outcome'],
        }),
      ),
  },
  runs: {
    orders: ['started', 'cause', 'version', 'status', 'matched', 'excluded', 'failed', 'added', 'removed'],
    list: listed(() => `${entitlementPath()}/automation/runs`, 'id'),
    rows: async () =>
      rows(await db()`select * from automation_runs where tenant_id = ${tenantId()}`, ['run_id'], (r) => ({
        started: r['started_at'],
        cause: r['cause'],
        version: r['version'],
        status: r['status'],
        matched: r['matched'],
        excluded: r['excluded'],
        failed: r['failed'],
        added: r['gained'],
        removed: r['lost'],
      })),
  },
  imports: {
    orders: ['finished', 'by', 'format', 'lines'],
    list: listed(() => '/api/v1/imports', 'id'),
    rows: async () =>
      rows(await db()`select * from imports where tenant_id = ${tenantId()}`, ['import_id'], (r) => ({
        finished: r['finished_at'],
        by: lower(r['user_name']),
        format: r['format'],
        lines: r['line_count'],
      })),
  },
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

describe('sorting', () => {
  const cases = Object.entries(lists).flatMap(([name, { orders }]) =>
    orders.flatMap((order) => [false, true].map((isDescending) => ({ name, order, isDescending }))),
  )

  test('the pages of a list, one behind the other, are all its rows in order, also where many have the same value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), async ({ name, order, isDescending }) => {
        const list = lists[name] as Sorted
        const readSorted = async (): Promise<(string | undefined)[]> =>
          (await list.rows())
            .toSorted((a, b) => {
              const way = isDescending ? -1 : 1
              const byKey = compare(a.keys[order] as string | number, b.keys[order] as string | number)
              if (byKey !== 0) return byKey * way
              for (const [n, id] of a.ids.entries()) if (id !== b.ids[n]) return compare(id, b.ids[n] as string) * way
              return 0
            })
            .map(({ ids }) => ids.at(-1))
        let [before, got, after] = [await readSorted(), [] as string[], [] as (string | undefined)[]]
        // Again where the server changed something meanwhile: it rechecks tasks, and deletes old runs that changed nothing.
        for (let isSame = false; !isSame; ) {
          got = await list.list(isDescending ? `${order} desc` : order)
          after = await readSorted()
          isSame = isDeepStrictEqual(before, after)
          before = after
        }
        expect(got).toEqual(after)
      }),
      {
        numRuns: fewOrMany(40, 300),
        examples: cases.map((each) => [each]).slice(0, fewOrMany(0, cases.length)) as never,
      },
    )
  })

  test('a search is sorted too, and finds the same', async () => {
    const body = { query: 'ann', userStatuses: ['ENABLED'] }
    const found = idsOf(await scene.all('/api/v1/search/users', body), 'user', 'id')
    const sorted = idsOf(await scene.all('/api/v1/search/users', { ...body, orderBy: 'created desc' }), 'user', 'id')
    expect(found.length).toBeGreaterThan(5)
    expect(sorted.toSorted()).toEqual(found.toSorted())
    expect(sorted).not.toEqual(found)
  })

  test('a page token belongs to its order', async () => {
    const { json } = await scene.post('/api/v1/search/users', { pageSize: 10, orderBy: 'name' })
    const reply = await scene.post('/api/v1/search/users', {
      pageSize: 10,
      orderBy: 'name desc',
      pageToken: json['nextPageToken'],
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('PAGE_TOKEN_INVALID')
  })

  test.each(['shoeSize', 'name sideways', 'name desc desc', 'display_name; drop table users', "name'--"])(
    'a list that cannot be sorted by %s says by what it can',
    async (orderBy) => {
      for (const path of ['users', 'app_users', 'entitlements', 'apps', 'tasks']) {
        const reply = await scene.post(`/api/v1/search/${path}`, { orderBy })
        expect(reply.status, path).toBe(400)
        expect(reply.text).toContain('orderBy')
      }
    },
  )

  test('two orders at once are refused, rather than one of them taken', async () => {
    const both = [
      ['app_users', { sortBy: 'APP_USER_SEARCH_SORT_BY_APP', orderBy: 'name' }],
      ['tasks', { sortBy: 'TASK_SEARCH_SORT_BY_CREATED_AT', orderBy: 'name' }],
    ] as const
    for (const [path, body] of both) expect((await scene.post(`/api/v1/search/${path}`, body)).status).toBe(400)
  })
})

describe('totals', () => {
  const totals: [string, string, () => [path: string, body: object | null], object][] = [
    ['users', '/users', () => ['/api/v1/search/users', {}], {}],
    [
      'users of a department',
      '/users',
      () => ['/api/v1/search/users', { departments: ['IT'] }],
      { departments: ['IT'] },
    ],
    ['users by name', '/users', () => ['/api/v1/search/users', { query: 'bo' }], { query: 'bo' }],
    [
      'accounts',
      '/accounts',
      () => ['/api/v1/search/app_users', { owner: 'PRESENCE_NONE' }],
      { owner: 'PRESENCE_NONE' },
    ],
    ['entitlements', '/entitlements', () => ['/api/v1/search/entitlements', { query: 'ann' }], { query: 'ann' }],
    ['apps', '/apps', () => ['/api/v1/search/apps', {}], {}],
    [
      'tasks',
      '/tasks',
      () => ['/api/v1/search/tasks', { taskStates: ['TASK_STATE_OPEN'] }],
      { taskStates: ['TASK_STATE_OPEN'] },
    ],
    ['imports', '/imports', () => ['/api/v1/imports?extent=full', null], { extent: 'full' }],
  ]
  test.each(totals)('of %s is how many its pages have', async (_, path, asked, filters) => {
    const [listPath, body] = asked()
    // The server may recheck a task between the two.
    await patiently(async () => {
      const items = await scene.all(listPath, body)
      const { status, json } = await scene.post(`/api/v1/lists${path}/count`, filters)
      expect([status, json]).toEqual([200, { count: items.length, isMore: false }])
    })
  })

  test('of members and runs of an entitlement, with their filters', async () => {
    const of = `/api/v1/lists/apps/${held.appId}/entitlements/${held.id}`
    const members = await scene.all(`${entitlementPath()}/users?sources=rule&expires=PRESENCE_SOME`)
    const counted = await scene.post(`${of}/members/count`, { sources: ['rule'], expires: 'PRESENCE_SOME' })
    expect(members.length).toBeGreaterThan(0)
    expect(counted.json).toEqual({ count: members.length, isMore: false })
    expect((await scene.post(`${of}/members/count`, {})).json).toEqual({ count: users, isMore: false })
    expect((await scene.post(`${of}/automation/runs/count`, { statuses: ['failed'] })).json).toEqual({
      count: 15,
      isMore: false,
    })
  })

  test('are counted for who may see the list, and as far as they see it', async () => {
    expect((await scene.post('/api/v1/lists/imports/count', {}, scene.basic)).status).toBe(403)
    expect((await scene.post('/api/v1/lists/accounts/count', {}, scene.basic)).json).toEqual({
      count: 0,
      isMore: false,
    })
    expect((await scene.post('/api/v1/lists/tasks/count', {}, scene.basic)).json).toEqual({ count: 0, isMore: false })
    expect((await scene.post('/api/v1/lists/users/count', {}, scene.viewer)).json['count']).toBeGreaterThan(users)
    const unseen = `/api/v1/lists/apps/${held.appId}/entitlements/${held.id}/members/count`
    expect((await scene.post(unseen, {}, scene.basic)).status).toBe(403)
  })
})

describe('filters', () => {
  const found = async (path: string, body: object, ...id: string[]): Promise<string[]> =>
    idsOf(await scene.all(`/api/v1/search/${path}`, body), ...id)

  test('users by whether they have access: each is in one of the two lists', async () => {
    const all = await found('users', {}, 'user', 'id')
    const some = await found('users', { access: 'PRESENCE_SOME' }, 'user', 'id')
    const none = await found('users', { access: 'PRESENCE_NONE' }, 'user', 'id')
    expect(some).toHaveLength(30)
    expect([...some, ...none].toSorted()).toEqual(all.toSorted())
  })

  test('users by employment status, directory and day of creation', async () => {
    const left = await found('users', { employmentStatuses: ['left'] }, 'user', 'id')
    expect(left).toHaveLength(15)
    expect(await found('users', { directoryIds: [appId] }, 'user', 'id')).toHaveLength(30)
    const day = { createdAfter: at(0).toISOString(), createdBefore: at(1).toISOString() }
    expect(await found('users', day, 'user', 'id')).toHaveLength(7)
  })

  test('accounts by owner and email domain', async () => {
    const none = await found('app_users', { owner: 'PRESENCE_NONE', appId }, 'appUser', 'id')
    const some = await found('app_users', { owner: 'PRESENCE_SOME', appId }, 'appUser', 'id')
    expect([none.length, some.length]).toEqual([15, 30])
    expect(await found('app_users', { emailDomains: ['EXAMPLE.com'], appId }, 'appUser', 'id')).toHaveLength(users)
    expect(await found('app_users', { emailDomains: ['example.org'], appId }, 'appUser', 'id')).toHaveLength(0)
  })

  test('entitlements and apps by owner and by rule', async () => {
    const without = await found(
      'entitlements',
      { appIds: [appId], owner: 'PRESENCE_NONE', rule: 'PRESENCE_NONE' },
      'appEntitlement',
      'id',
    )
    expect(without).toHaveLength(25)
    expect(
      await found('entitlements', { appIds: [appId], requestable: 'PRESENCE_SOME' }, 'appEntitlement', 'id'),
    ).toEqual([])
    expect(await found('apps', { owner: 'PRESENCE_SOME' }, 'id')).toEqual([])
  })

  test('whoever may not read grants or owners does not learn them by a filter', async () => {
    for (const [path, body] of [
      ['entitlements', { owner: 'PRESENCE_NONE' }],
      ['entitlements', { orderBy: 'members' }],
      ['apps', { ownerIds: [scene.admin.userId] }],
    ] as const) {
      const reply = await scene.post(`/api/v1/search/${path}`, body, scene.basic)
      expect(reply.status, JSON.stringify(body)).toBe(400)
      expect(reply.text).toMatch(/(?:needs|without) the permission/)
    }
  })
})
