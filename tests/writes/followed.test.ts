import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { endRequested } from '#rooms/governance/tasks/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { expireGrants } from '#rooms/records/grants/index.ts'
import { pathOf, prepare, type Ref } from '../automation/scene.ts'
import { fewOrMany } from '../fixture/long.ts'
import { importRecords, type Rec } from '../imports/support.ts'
import { expectKeys, expectTold, snapshot } from './followed.ts'

const scene = prepare()
const runs = Number(process.env['WRITES_MODEL_RUNS'] ?? fewOrMany(1, 5))

/** Keeps the engine from reading what writes tell, for as long as `work` takes. */
async function withoutEngine<T>(work: () => Promise<T>): Promise<T> {
  const held = await scene.server.db.reserve()
  const { id } = scene.access.tenant
  await held`select pg_advisory_lock(${0x62616974}::int, ${id}::int)`
  try {
    return await work()
  } finally {
    await held`select pg_advisory_unlock(${0x62616974}::int, ${id}::int)`
    held.release()
  }
}

const number = fc.nat({ max: 1000 })
const name = fc.constantFrom<string>(
  'Ana Maria Souza',
  'Bo',
  'bo',
  'Ćelo-Đur',
  'X Y Z',
  'Core, write',
  'ana@corp.example',
)
const who = fc.constantFrom('u1', 'u2', 'u3', 'u4')
const email = fc.constantFrom('', 'ana@corp.example', 'bo@corp.example', 'cy@corp.example')

/** A file: people, two apps, accounts that may change hands, grants; some of each. */
const file = fc
  .record({
    users: fc.uniqueArray(
      fc.record({
        externalId: who,
        displayName: name,
        email,
        department: fc.constantFrom('A', 'B'),
        manager: fc.option(who, { nil: undefined }),
      }),
      { maxLength: 4, selector: ({ externalId }) => externalId },
    ),
    apps: fc.uniqueArray(fc.record({ externalId: fc.constantFrom('code', 'pay'), displayName: name }), {
      minLength: 1,
      selector: ({ externalId }) => externalId,
    }),
    accounts: fc.uniqueArray(fc.record({ externalId: fc.constantFrom('a1', 'a2', 'a3'), displayName: name, email }), {
      selector: ({ externalId }) => externalId,
    }),
    entitlements: fc.uniqueArray(fc.record({ externalId: fc.constantFrom('e1', 'e2'), displayName: name }), {
      selector: ({ externalId }) => externalId,
    }),
    types: fc.uniqueArray(fc.record({ externalId: fc.constantFrom('t1', 't2'), displayName: name }), {
      selector: ({ externalId }) => externalId,
    }),
    isFull: fc.boolean(),
  })
  .map(({ users, apps, accounts, entitlements, types, isFull }) => {
    const app = apps[0]?.externalId as string
    const known = new Set(users.map(({ externalId }) => externalId))
    // One address has one owner.
    const taken = new Set<string>()
    const people = users.map(({ manager, ...user }) => {
      const isFree = user.email !== '' && !taken.has(user.email)
      if (isFree) taken.add(user.email)
      return {
        kind: 'user',
        ...user,
        email: isFree ? user.email : '',
        ...(manager && known.has(manager) && { manager }),
      }
    })
    const records: Rec[] = [
      ...people,
      ...apps.map((each) => ({ kind: 'app', ...each })),
      ...types.map((each) => ({ kind: 'resource_type', app, ...each })),
      ...types.map((each) => ({
        kind: 'resource',
        app,
        resourceType: each.externalId,
        ...each,
        externalId: `r-${each.externalId}`,
      })),
      ...entitlements.map((each) => ({ kind: 'entitlement', app, ...each })),
      ...accounts.map((each) => ({ kind: 'account', app, ...each })),
      ...entitlements.flatMap((of) =>
        accounts
          .slice(0, 2)
          .map((each) => ({ kind: 'grant', app, entitlement: of.externalId, account: each.externalId })),
      ),
    ]
    return { does: 'import' as const, records, isFull }
  })

const step = fc.oneof(
  { weight: 3, arbitrary: file },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('create', 'rename', 'delete'),
      kind: fc.constantFrom('app', 'entitlement', 'resource_type', 'resource'),
      pick: number,
      name,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('give', 'take', 'end', 'expire', 'disable', 'enable', 'account'),
      pick: number,
      other: number,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('rule', 'undo'), pick: number }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]
const living = async (table: string, columns: string): Promise<Record<string, string>[]> =>
  scene.server.db.unsafe<Record<string, string>[]>(
    `select ${columns} from ${table} where tenant_id = ${scene.access.tenant.id} and deleted_at is null order by created_at, 1`,
  )

const pathsOf = {
  app: {
    of: 'app',
    table: 'apps',
    columns: 'app_id as id',
    path: (row: Record<string, string>) => `/api/v1/apps/${row['id']}`,
  },
  entitlement: {
    of: 'entitlement',
    table: 'entitlements',
    columns: 'app_id as app, entitlement_id as id',
    path: (row: Record<string, string>) => `/api/v1/apps/${row['app']}/entitlements/${row['id']}`,
  },
  resource_type: {
    of: 'appResourceType',
    table: 'resource_types',
    columns: 'app_id as app, resource_type_id as id',
    path: (row: Record<string, string>) => `/api/v1/apps/${row['app']}/resource_types/${row['id']}`,
  },
  resource: {
    of: 'appResource',
    table: 'resources',
    columns: 'app_id as app, resource_type_id as type, resource_id as id',
    path: (row: Record<string, string>) =>
      `/api/v1/apps/${row['app']}/resource_types/${row['type']}/resources/${row['id']}`,
  },
}

const kinds = ['app', 'resource_type', 'resource', 'entitlement'] as const
const person = (externalId: string, more: object) => ({ kind: 'user', externalId, displayName: 'Ana Souza', ...more })
const small = (department: string, accountOf: string): Rec[] => [
  person('u1', { email: 'ana@corp.example', department, manager: 'u2' }),
  person('u2', { email: `${department}@corp.example`, department: 'A' }),
  person('u3', { department: 'A' }),
  { kind: 'app', externalId: 'code', displayName: 'Source code' },
  { kind: 'entitlement', app: 'code', externalId: 'e1', displayName: 'Member' },
  { kind: 'account', app: 'code', externalId: 'a1', displayName: 'ana', user: accountOf },
  { kind: 'grant', app: 'code', entitlement: 'e1', account: 'a1' },
]

/** Each kind of step once, where it can succeed. */
const everyStep: Step[] = [
  { does: 'import', records: small('A', 'u1'), isFull: false },
  // Another department, another address of a manager, an account that changes hands.
  { does: 'import', records: small('B', 'u2'), isFull: false },
  ...kinds.map((kind) => ({ does: 'create' as const, kind, pick: 0, name: 'Made by hand' })),
  ...kinds.map((kind) => ({ does: 'rename' as const, kind, pick: 0, name: 'Named anew' })),
  ...(['give', 'end', 'take', 'expire', 'disable', 'enable', 'account'] as const).map((does) => ({
    does,
    pick: 0,
    other: 3,
  })),
  { does: 'rule', pick: 0 },
  { does: 'undo', pick: 0 },
  ...kinds.toReversed().map((kind) => ({ does: 'delete' as const, kind, pick: 0, name: '' })),
  // What is gone comes back, and goes with a file that does not have it.
  { does: 'import', records: small('A', 'u1'), isFull: false },
  { does: 'import', records: small('A', 'u1').slice(1, 5), isFull: true },
]
const nameOf = (each: Step): string => ('kind' in each ? `${each.does} ${each.kind}` : each.does)

/** What a step may be answered: it is random, and may ask for what cannot be. */
const done: Record<string, number> = {}
const count = (what: string, { status }: { status: number }): void => {
  expect(status, what).toBeLessThan(500)
  if (status === 200) done[what] = (done[what] ?? 0) + 1
}

async function change(each: Step & { kind: keyof typeof pathsOf }): Promise<void> {
  const { does, kind, pick } = each as { does: string; kind: keyof typeof pathsOf; pick: number }
  const displayName = (each as unknown as { name: string }).name
  const what = `${does} ${kind}`
  if (does === 'create') {
    const [app, type] = [
      pickOf(await living('apps', 'app_id as id'), pick),
      pickOf(await living('resource_types', pathsOf.resource_type.columns), pick),
    ]
    if (kind === 'app') return count(what, await scene.post('/api/v1/apps', { displayName }))
    if (!app) return
    if (kind === 'resource_type')
      return count(
        what,
        await scene.post(`/api/v1/apps/${app['id']}/resource_types`, { displayName, resourceType: 'ROLE' }),
      )
    if (kind === 'resource')
      return type && count(what, await scene.post(`${pathsOf.resource_type.path(type)}/resources`, { displayName }))
    return count(what, await scene.post(`/api/v1/apps/${app['id']}/entitlements`, { displayName }))
  }
  const { of, table, columns, path } = pathsOf[kind]
  const row = pickOf(await living(table, columns), pick)
  if (!row) return
  if (does === 'delete') return count(what, await scene.remove(path(row), {}))
  count(what, await scene.post(path(row), { [of]: { displayName }, updateMask: 'displayName' }))
}

async function take(each: Step): Promise<void> {
  const { world, tenant } = scene.access
  const { db } = scene.server
  if (each.does === 'import') {
    const imported = await importRecords({ world, tenant }, each.records, { full: each.isFull, force: true }).catch(
      (error: Error) => error,
    )
    return count('import', { status: imported instanceof Error ? 400 : 200 })
  }
  if ('kind' in each) return change(each)
  const entitlement = pickOf(await living('entitlements', 'app_id as "appId", entitlement_id as id'), each.pick) as
    | Ref
    | undefined
  const callers = new Set([scene.admin, scene.viewer, scene.basic].map(({ userId }) => userId))
  const people = (await living('users', 'user_id as id')).filter(({ id }) => !callers.has(id as string))
  const user = 'other' in each ? pickOf(people, each.other) : undefined
  if (each.does === 'disable' || each.does === 'enable') {
    if (!user) return
    const cause = operatorCause(tenant, each.does)
    await transact(world.db, (tx) =>
      setStatus(tx, world, cause, user['id'] as string, {
        status: each.does === 'enable' ? 'ENABLED' : 'DISABLED',
      }),
    )
    return count(each.does, { status: 200 })
  }
  if (each.does === 'account') {
    const account = pickOf(await living('accounts', 'app_id as app, account_id as id'), each.pick)
    if (!account) return
    const body = { appUser: { appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT' }, updateMask: 'appUserType' }
    return count('account', await scene.post(`/api/v1/apps/${account['app']}/app_users/${account['id']}`, body))
  }
  if (each.does === 'expire') {
    await expireGrants(world, endRequested)
    return count('expire', { status: 200 })
  }
  if (!entitlement) return
  if (each.does === 'give')
    return count('give', await scene.post(`${pathOf(entitlement)}/add-manual-user`, { userIds: [user?.['id']] }))
  const [grant] = await db<{ accountId: string }[]>`
    select account_id as "accountId" from grants
    where entitlement_id = ${entitlement.id} and ended_at is null and source <> 'rule' order by grant_id limit 1`
  if (!grant) return
  if (each.does === 'take')
    return count('take', await scene.remove(`${pathOf(entitlement)}/remove-membership`, { appUserId: grant.accountId }))
  const newDeprovisionAt = new Date(Date.now() + 60_000 + ('other' in each ? each.other : 0)).toISOString()
  count(
    'end',
    await scene.post(`${pathOf(entitlement)}/users/${grant.accountId}/update-grant-duration`, { newDeprovisionAt }),
  )
}

type RunSeen = { id: string; gainedCount: number | string; lostCount: number | string }

/** A rule that gives something to whoever it matches, run; or the last run undone. */
async function run(each: { does: 'rule' | 'undo'; pick: number }): Promise<void> {
  const entitlement = pickOf(await living('entitlements', 'app_id as "appId", entitlement_id as id'), each.pick) as
    | Ref
    | undefined
  if (!entitlement) return
  if (each.does === 'undo') {
    await scene.settle()
    const { list = [] } = (await scene.get(`${pathOf(entitlement)}/automation/runs`)).json as { list?: RunSeen[] }
    const last = list.find(({ gainedCount, lostCount }) => Number(gainedCount) + Number(lostCount) > 0)
    if (last) count('undo', await scene.post(`${pathOf(entitlement)}/automation/runs/${last.id}/undo`, {}))
    return
  }
  count('rule', await scene.create(entitlement, { cel: { expression: 'subject.department == "A"' } }))
  await scene.settle()
}

test('after any steps, search keys match the records, and all changes that rules react to are recorded', async () => {
  const { db } = scene.server
  const { id } = scene.access.tenant
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      for (const [place, each] of steps.entries()) {
        const when = `after step ${place}, ${JSON.stringify(each)}`
        if (each.does === 'rule' || each.does === 'undo') await run(each)
        else
          await withoutEngine(async () => {
            await db`delete from automation_changes where tenant_id = ${id}`
            const before = await snapshot(db, id)
            await take(each)
            await expectTold(db, id, before, await snapshot(db, id), when)
          })
        await expectKeys(db, when)
        // What the test took from under the rules is found by their next run.
        await db`update automations set due_at = now() where paused_why is null`
      }
    }),
    { numRuns: runs, endOnFailure: true, examples: [[everyStep]] },
  )
  // Steps that always failed would prove nothing.
  const never = everyStep.map(nameOf).filter((what) => !done[what])
  expect(never, JSON.stringify(done)).toEqual([])
})
