import { beforeAll, describe, expect, test } from 'vitest'
import { idMaker } from '#kernel/ids.ts'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { placeOf, placeOfAll } from '../../console/src/pages/home/attention-places.ts'
import { isSettled } from '../automation/scene.ts'
import { ask, getToken, type RoleName } from '../fixture/access.ts'
import { patiently, until } from '../fixture/later.ts'
import { type Caller, prepare, type Ref } from '../grants/scene.ts'

/** What needs attention: each kind is made and mended by itself, and those are told of it who may see it, and nobody else. */

const scene = prepare()
type Item = {
  kind: string
  weight: string
  count: number
  isMore: boolean
  examples: { displayName: string; about: string; type: string; id: string; appId: string }[]
}

const dayMs = 86_400_000
const elsewhere = 'elsewhere.example.com'
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs)

let owner: Caller
let stranger: Caller
let requestAdmin: Caller
let foreign: Caller
let appId: string
let mine: Ref
let account: Ref
let holder: string

const db = () => scene.access.world.db
const tenantId = (): number => scene.access.tenant.id
const newId = (): string => scene.access.world.newId()

const caller = async (roles: RoleName[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}
const own = (app: string, userId: string): Promise<unknown> => {
  const object = { kind: 'app', appId: app, typeId: '', id: app } as const
  const named = { object, roleSlug: 'primary', id: newId(), userId }
  return transact(db(), (tx) =>
    insertOwners(tx, operatorCause(scene.access.tenant, 'test'), [named], scene.access.world.now()),
  )
}

async function attention(by: Caller = scene.admin): Promise<Map<string, Item>> {
  const host = by === foreign ? { host: elsewhere } : {}
  const reply = await ask(scene.server, '/api/v1/home/attention', { token: by.token, ...host })
  expect(reply.status, reply.status === 500 ? JSON.stringify(scene.server.logged.slice(-3)) : reply.text).toBe(200)
  return new Map((reply.json['list'] as Item[]).map((item) => [item.kind.replace('ATTENTION_KIND_', ''), item]))
}
const countOf = async (kind: string, by?: Caller): Promise<number> => (await attention(by)).get(kind)?.count ?? 0

beforeAll(async () => {
  owner = await caller(['system:application-admin'])
  stranger = await caller(['system:application-admin'])
  requestAdmin = await caller(['system:request-admin'])
  const other = await scene.access.makeTenant(elsewhere)
  const key = await scene.access.makeCaller(['system:owner'], {}, other)
  foreign = { userId: key.userId, token: await getToken(scene.server, key) }
  appId = await scene.app('Wiki')
  await own(appId, owner.userId)
  const others = await scene.app('Canteen')
  await own(others, stranger.userId)
  mine = await scene.entitlement(appId, 'Editor')
  holder = await scene.user({ displayName: 'Ann Lee' })
  account = await scene.account(appId, { userId: holder })
  await scene.grant(mine, account)
})

/** Of whom it is expected beside administrators, who are always told. */
type Told = 'owner' | 'viewer' | 'request admin' | 'basic'
type Case = {
  kind: string
  told: readonly Told[]
  /** Makes it so, and answers how to undo it. */
  make: () => Promise<() => Promise<unknown>>
  example?: string
  /** Where the console leads for it. */
  path: () => string
}

const rule = async (more: {
  pausedWhy?: string
  status?: string
  failed?: number
}): Promise<() => Promise<unknown>> => {
  const runId = newId()
  const at = new Date()
  // What changed before concerns no rule.
  await until(() => isSettled(db()))
  await db()`
    insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, paused_why, last_run_id,
      created_at, updated_at)
    values (${tenantId()}, ${appId}, ${mine.id}, 1, 'cel', 'false', ${more.pausedWhy ?? null},
      ${more.status ? runId : null}, ${at}, ${at})`
  if (more.status)
    await db()`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, started_at,
        stepped_at)
      values (${tenantId()}, ${runId}, ${appId}, ${mine.id}, 1, 'schedule', 'over', ${more.status}, ${at}, ${at})`
  return async () => {
    await db()`delete from automation_runs where tenant_id = ${tenantId()} and run_id = ${runId}`
    await db()`delete from automations where tenant_id = ${tenantId()} and entitlement_id = ${mine.id}`
  }
}

const connector = async (): Promise<{ id: string; undo: () => Promise<unknown> }> => {
  const id = newId()
  const at = new Date()
  await db()`
    insert into connectors (tenant_id, connector_id, app_id, display_name, created_at, updated_at)
    values (${tenantId()}, ${id}, ${appId}, 'Wiki by baton', ${at}, ${at})`
  return {
    id,
    async undo() {
      await db()`delete from connector_tasks where tenant_id = ${tenantId()} and connector_id = ${id}`
      await db()`delete from connector_credentials where tenant_id = ${tenantId()} and connector_id = ${id}`
      await db()`delete from connectors where tenant_id = ${tenantId()} and connector_id = ${id}`
    },
  }
}
const sync = async (...states: string[]): Promise<() => Promise<unknown>> => {
  const { id, undo } = await connector()
  for (const state of states)
    await db()`
      insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, created_at)
      values (${tenantId()}, ${id}, ${newId()}, 'sync', ${state}, ${new Date()})`
  return undo
}

const directory = async (more: {
  heldSince?: Date
  error?: { text: string; at: Date }
  tokenUntil?: Date
  isConflict?: true
}): Promise<() => Promise<unknown>> => {
  const at = new Date()
  await db()`
    insert into directories (tenant_id, app_id, held_since, counted_from, last_error, last_error_at, created_at, updated_at)
    values (${tenantId()}, ${appId}, ${more.heldSince ?? null}, ${at}, ${more.error?.text ?? ''},
      ${more.error?.at ?? null}, ${at}, ${at})`
  if (more.tokenUntil)
    await db()`
      insert into directory_tokens (tenant_id, token_id, app_id, secret_sha256, created_at, expires_at, mac)
      values (${tenantId()}, ${newId()}, ${appId}, ''::bytea, ${inDays(-200)}, ${more.tokenUntil}, ''::bytea)`
  if (more.isConflict)
    await db()`
      insert into directory_conflicts (tenant_id, app_id, account_id, reason, since)
      values (${tenantId()}, ${appId}, ${account.id}, 'several', ${at})`
  return async () => {
    await db()`delete from directory_conflicts where tenant_id = ${tenantId()}`
    await db()`delete from directory_tokens where tenant_id = ${tenantId()}`
    await db()`delete from directories where tenant_id = ${tenantId()}`
  }
}

let lastNumber = 5000
const task = async (more: {
  id?: string
  kind?: string
  stuckWhy?: string
  assigneeId?: string
  isChange?: true
}): Promise<() => Promise<unknown>> => {
  const id = more.id ?? newId()
  const at = new Date()
  lastNumber += 1
  await db()`
    insert into tasks (tenant_id, task_id, number, kind, origin, subject_user_id, display_name, step_kind, stuck_why, version,
      created_at, updated_at)
    values (${tenantId()}, ${id}, ${lastNumber}, ${more.kind ?? 'offboarding'}, 'test', ${id}, 'Editor of the wiki', 'approval',
      ${more.stuckWhy ?? null}, 1, ${at}, ${at})`
  if (more.assigneeId)
    await db()`
      insert into task_assignees (tenant_id, user_id, task_id) values (${tenantId()}, ${more.assigneeId}, ${id})`
  if (more.isChange)
    await db()`
      insert into changes (tenant_id, task_id, kind, operation, path, plan, fingerprint, author_id, source_address,
        request_id, created_at, mac)
      values (${tenantId()}, ${id}, 'owners', 'x', '{}', '{}', ''::bytea, ${holder}, '', '', ${at}, ''::bytea)`
  return async () => {
    await db()`delete from changes where tenant_id = ${tenantId()} and task_id = ${id}`
    await db()`delete from task_assignees where tenant_id = ${tenantId()} and task_id = ${id}`
    await db()`delete from tasks where tenant_id = ${tenantId()} and task_id = ${id}`
  }
}

const credential = async (userId: string, days: number): Promise<() => Promise<unknown>> => {
  const { id } = await scene.access.makeKey(userId, { name: 'The nightly job' })
  await db()`
    update credentials set created_at = ${inDays(-100)}, expires_at = ${inDays(days)}
    where tenant_id = ${tenantId()} and credential_id = ${id}`
  return () => db()`
    update credentials set deleted_at = now() where tenant_id = ${tenantId()} and credential_id = ${id}`
}

const entitlementPath = (): string => `/apps/${appId}/entitlements/${mine.id}`

const cases: readonly Case[] = [
  {
    kind: 'RUNS_HELD',
    told: ['viewer', 'owner'],
    make: () => rule({ pausedWhy: 'held', status: 'held' }),
    example: 'Editor',
    path: () => `${entitlementPath()}/automation`,
  },
  {
    kind: 'RULES_FAILING',
    told: ['viewer', 'owner'],
    make: () => rule({ status: 'failed' }),
    example: 'Editor',
    path: () => `${entitlementPath()}/runs`,
  },
  {
    kind: 'RULES_PAUSED',
    told: ['viewer', 'owner'],
    make: () => rule({ pausedWhy: 'undone', status: 'done' }),
    example: 'Editor',
    path: () => `${entitlementPath()}/automation`,
  },
  {
    kind: 'LEAVERS_WITH_ACCESS',
    told: ['viewer', 'owner'],
    async make() {
      await db()`update users set status = 'DISABLED' where tenant_id = ${tenantId()} and user_id = ${holder}`
      return () => db()`update users set status = 'ENABLED' where tenant_id = ${tenantId()} and user_id = ${holder}`
    },
    example: 'Ann Lee',
    path: () => `/users/${holder}`,
  },
  {
    kind: 'ACCOUNTS_WITHOUT_OWNER',
    told: ['viewer', 'owner'],
    async make() {
      const { id } = await scene.account(appId, { displayName: 'Forgotten' })
      return () => db()`update accounts set deleted_at = now() where tenant_id = ${tenantId()} and account_id = ${id}`
    },
    example: 'Forgotten',
    path: () => `/apps/${appId}/accounts/`,
  },
  {
    kind: 'ACCESS_ENDING',
    told: ['viewer', 'owner'],
    async make() {
      const id = await scene.grant(mine, account, { source: 'manual', expiresAt: inDays(3) })
      return () => db()`
        update grants set ended_at = now(), ended_why = 'revoked', ended_by = ''
        where tenant_id = ${tenantId()} and grant_id = ${id}`
    },
    example: 'Editor',
    path: entitlementPath,
  },
  {
    kind: 'APPS_RECORDS_ONLY',
    told: ['viewer', 'owner'],
    async make() {
      const paper = await scene.app('Paper files')
      await own(paper, owner.userId)
      for (const name of ['Reader', 'Editor', 'Keeper']) await scene.entitlement(paper, name)
      return () =>
        db()`update entitlements set provisioner = ${db().json({ manual: { instructions: '', userIds: [] } })}
          where tenant_id = ${tenantId()} and app_id = ${paper}`
    },
    example: 'Paper files',
    path: () => '/apps/',
  },
  {
    kind: 'APPS_WITHOUT_OWNER',
    told: ['viewer'],
    async make() {
      const id = await scene.app('Nobody’s')
      return () => db()`update apps set deleted_at = now() where tenant_id = ${tenantId()} and app_id = ${id}`
    },
    path: () => '/apps/',
  },
  {
    kind: 'ENTITLEMENTS_WITHOUT_OWNER',
    // The owners of an app own its entitlements that have no owners.
    told: ['viewer'],
    async make() {
      const lone = await scene.app('Lone')
      const undo = await Promise.all([lone, appId].map((app) => scene.entitlement(app, 'Another')))
      return async () => {
        const ids = undo.map(({ id }) => id)
        await db()`update entitlements set deleted_at = now()
          where tenant_id = ${tenantId()} and entitlement_id = any(${ids}::text[])`
        await db()`update apps set deleted_at = now() where tenant_id = ${tenantId()} and app_id = ${lone}`
      }
    },
    path: () => `/apps/`,
  },
  {
    kind: 'CREDENTIALS_EXPIRING',
    told: ['viewer'],
    make: () => credential(holder, 5),
    example: 'The nightly job',
    path: () => '/settings/everyone',
  },
  {
    kind: 'CONNECTOR_CREDENTIALS_EXPIRING',
    told: ['viewer', 'owner'],
    async make() {
      const { id, undo } = await connector()
      await db()`
        insert into connector_credentials (tenant_id, credential_id, connector_id, client_id, public_key, secret_sha256,
          created_at, expires_at, mac)
        values (${tenantId()}, ${newId()}, ${id}, ${`of ${id}`}, ''::bytea, ''::bytea, ${inDays(-200)}, ${inDays(9)}, ''::bytea)`
      return undo
    },
    example: 'Wiki by baton',
    path: () => `/apps/${appId}/connectors/`,
  },
  {
    kind: 'DIRECTORY_TOKENS_EXPIRING',
    told: ['viewer'],
    make: () => directory({ tokenUntil: inDays(9) }),
    example: 'Wiki',
    path: () => `/directories/${appId}`,
  },
  {
    kind: 'DIRECTORIES_HELD',
    told: ['viewer'],
    make: () => directory({ heldSince: new Date() }),
    example: 'Wiki',
    path: () => `/directories/${appId}`,
  },
  {
    kind: 'DIRECTORIES_FAILING',
    told: ['viewer'],
    make: () => directory({ error: { text: 'The userName is missing.', at: new Date() } }),
    example: 'Wiki',
    path: () => `/directories/${appId}`,
  },
  {
    kind: 'DIRECTORY_CONFLICTS',
    told: ['viewer'],
    make: () => directory({ isConflict: true }),
    path: () => `/directories/${appId}`,
  },
  {
    kind: 'SYNCS_HELD',
    told: ['viewer', 'owner'],
    // The next one has begun: the last that is over counts.
    make: () => sync('done', 'held', 'queued'),
    example: 'Wiki by baton',
    path: () => `/apps/${appId}/connectors/`,
  },
  {
    kind: 'SYNCS_FAILING',
    told: ['viewer', 'owner'],
    make: () => sync('done', 'failed'),
    example: 'Wiki by baton',
    path: () => `/apps/${appId}/connectors/`,
  },
  {
    kind: 'TASKS_STUCK',
    told: ['viewer', 'request admin'],
    make: () => task({ stuckWhy: 'nobody' }),
    example: 'Editor of the wiki',
    path: () => '/tasks/',
  },
  {
    kind: 'REQUESTS_WAITING',
    told: ['viewer', 'request admin'],
    make: () => task({ id: idMaker(() => inDays(-8).getTime())() }),
    example: 'Editor of the wiki',
    path: () => '/tasks/',
  },
  {
    kind: 'CHANGES_WAITING',
    told: ['viewer', 'request admin'],
    make: () => task({ kind: 'change', isChange: true }),
    example: 'Editor of the wiki',
    path: () => '/tasks/',
  },
  {
    kind: 'ENTITLEMENTS_WITHOUT_APPROVER',
    told: ['viewer', 'request admin'],
    async make() {
      await db()`
        insert into unanswerable (tenant_id, app_id, entitlement_id, problems, checked_at)
        values (${tenantId()}, ${appId}, ${mine.id}, '[{"people": 0}]', now())`
      return () => db()`delete from unanswerable where tenant_id = ${tenantId()}`
    },
    example: 'Editor',
    path: () => `${entitlementPath()}/requests`,
  },
  {
    kind: 'DRIFT',
    told: ['viewer'],
    async make() {
      await db()`
        insert into drift_checks (tenant_id, app_id, baseline_at, checked_at)
        values (${tenantId()}, ${appId}, now(), now())`
      await db()`
        insert into drift (tenant_id, app_id, entitlement_id, account_id, kind, found_at)
        values (${tenantId()}, ${appId}, ${mine.id}, ${account.id}, 'unexplained', now())`
      return async () => {
        await db()`delete from drift where tenant_id = ${tenantId()}`
        await db()`delete from drift_checks where tenant_id = ${tenantId()}`
      }
    },
    example: 'Wiki',
    path: () => `/drift?app=${appId}`,
  },
  {
    kind: 'NOTIFICATIONS_NOT_SENT',
    told: ['viewer'],
    async make() {
      await db()`
        insert into notification_messages (tenant_id, message_id, channel, user_id, form, state, created_at, due_at, error,
          ended_at)
        values (${tenantId()}, ${newId()}, 'email', ${holder}, 'single', 'failed', now(), now(), 'No such mailbox', now())`
      return () => db()`delete from notification_messages where tenant_id = ${tenantId()}`
    },
    example: 'No such mailbox',
    path: () => '/settings/organisation-notifications',
  },
  {
    kind: 'JOBS_STUCK',
    told: ['viewer'],
    async make() {
      await db()`
        insert into jobs (tenant_id, job_id, kind, payload, state, cause, created_at)
        values (${tenantId()}, ${newId()}, 'newer.kind', '{}', 'stuck', '{}', now())`
      return () => db()`delete from jobs where tenant_id = ${tenantId()} and kind = 'newer.kind'`
    },
    example: 'newer.kind',
    path: () => '/jobs?state=stuck',
  },
  {
    kind: 'EXPORTS_FAILING',
    told: ['viewer'],
    async make() {
      await db()`
        insert into systemlog_exports (tenant_id, export_id, display_name, datasource_id, prefix, format, state, error,
          seal_number, seal_position, next_run_at, created_at, updated_at)
        values (${tenantId()}, ${newId()}, 'To the archive', 'x', '', 'zstd', 'error', 'Access denied', 0, 0, ${inDays(9)},
          now(), now())`
      return () => db()`delete from systemlog_exports where tenant_id = ${tenantId()}`
    },
    example: 'To the archive',
    path: () => '/log/exports/',
  },
  {
    kind: 'SUBSCRIPTIONS_FAILING',
    told: ['viewer'],
    async make() {
      await db()`
        insert into subscriptions (tenant_id, subscription_id, display_name, url, event_kinds, state, reason,
          state_changed_at, sealed_secret, responsible_id, created_by, created_at, updated_at, cursor_seal, cursor_position)
        values (${tenantId()}, ${newId()}, 'To the SIEM', 'https://siem.example.com', '{}', 'paused', 'DELIVERY_FAILED', now(),
          ''::bytea, ${holder}, ${holder}, now(), now(), 0, 0)`
      return () => db()`delete from subscriptions where tenant_id = ${tenantId()}`
    },
    example: 'To the SIEM',
    path: () => '/subscriptions/',
  },
  {
    kind: 'WEBHOOKS_FAILING',
    told: ['viewer', 'request admin'],
    async make() {
      const id = newId()
      await db()`
        insert into webhooks (tenant_id, webhook_id, display_name, description, url, created_at, updated_at)
        values (${tenantId()}, ${id}, 'Tickets', '', 'https://tickets.example.com', now(), now())`
      await db()`
        insert into webhook_deliveries (tenant_id, delivery_id, webhook_id, state, source, payload, destination, host, origin,
          callback_hash, error, created_at, updated_at, completed_at, expires_at)
        values (${tenantId()}, ${newId()}, ${id}, 'fatal', 'test', '{}', '', '', '', ${Buffer.from(id)}, 'It answered 500.', now(),
          now(), now(), ${inDays(5)})`
      return async () => {
        await db()`delete from webhook_deliveries where tenant_id = ${tenantId()}`
        await db()`delete from webhooks where tenant_id = ${tenantId()}`
      }
    },
    example: 'Tickets',
    path: () => '/webhooks/',
  },
]

describe('each kind is listed while it applies, for callers who may see it, and no longer once it is fixed', () => {
  test.each(cases)('$kind', async ({ kind, told, make, example, path }) => {
    const callers: [string, Caller, boolean][] = [
      ['an administrator', scene.admin, true],
      ['a read-only administrator', scene.viewer, told.includes('viewer')],
      ['the owner of the app', owner, told.includes('owner')],
      ['a request administrator', requestAdmin, told.includes('request admin')],
      ['a basic user', scene.basic, told.includes('basic')],
      ['the owner of another app', stranger, false],
      ['an administrator of another tenant', foreign, false],
    ]
    const counts = (): Promise<number[]> => Promise.all(callers.map(([, by]) => countOf(kind, by)))
    const before = await counts()
    const expected = callers.map(([, , isTold], place) => (before[place] ?? 0) + Number(isTold))
    const isIt = (each: Item['examples'][number]): boolean =>
      placeOf(`ATTENTION_KIND_${kind}` as Parameters<typeof placeOf>[0], each, { may: () => true })?.startsWith(
        path(),
      ) === true &&
      (example === undefined || each.displayName === example)
    // Again where the server itself mends it meanwhile: it looks at rules, requests and tasks all the time.
    await patiently(async () => {
      const mend = await make()
      try {
        expect(await counts()).toEqual(expected)
        const item = (await attention()).get(kind)
        expect(item?.isMore).toBe(false)
        expect(item?.examples.some(isIt), JSON.stringify(item)).toBe(true)
      } finally {
        await mend()
      }
    })
    expect(await counts()).toEqual(before)
  })
})

test('owners are led to what they may open, and others to the list', async () => {
  const app = await scene.app('Robots')
  await own(app, owner.userId)
  const ids = [newId(), newId()]
  await db()`
    insert into accounts (tenant_id, app_id, account_id, display_name, created_at, updated_at)
    select ${tenantId()}, ${app}, i, 'Robot', now(), now() from unnest(${ids}::text[]) i`
  const kind = 'ACCOUNTS_WITHOUT_OWNER'
  const led = async (by: Caller, may: boolean) => {
    const item = (await attention(by)).get(kind)
    if (!item) throw new Error('nothing needs attention')
    return placeOfAll(item as Parameters<typeof placeOfAll>[0], { may: () => may })
  }
  const { to, label } = await led(owner, false)
  expect(to).toMatch(/^\/apps\/[^/]+\/accounts$/)
  expect(label).toMatch(/^Accounts of \S/)
  // The list that the button opens: the search of all accounts would refuse the caller, or find only their own.
  const reply = await ask(scene.server, `/api/v1${to.replace('/accounts', '/app_users')}`, { token: owner.token })
  expect(reply.status, reply.text).toBe(200)
  expect((reply.json['list'] as unknown[]).length).toBeGreaterThan(0)
  expect(await led(scene.admin, true)).toEqual({ to: '/accounts?owner=none', label: '' })
  await db()`update accounts set deleted_at = now() where tenant_id = ${tenantId()} and account_id = any(${ids}::text[])`
  await db()`update apps set deleted_at = now() where tenant_id = ${tenantId()} and app_id = ${app}`
})

test('what waits for one’s own decision is counted for oneself alone', async () => {
  const mend = await task({ assigneeId: scene.basic.userId })
  expect(await countOf('DECISIONS_WAITING', scene.basic)).toBe(1)
  expect(await countOf('DECISIONS_WAITING')).toBe(0)
  await mend()
  expect(await countOf('DECISIONS_WAITING', scene.basic)).toBe(0)
})

test('everyone sees their own credentials that expire, with a link; short-lived ones are not listed', async () => {
  const mend = await credential(scene.basic.userId, 5)
  const short = await credential(scene.basic.userId, 5)
  await db()`update credentials set created_at = now() where tenant_id = ${tenantId()} and display_name = 'The nightly job'
    and credential_id = (select max(credential_id) from credentials where tenant_id = ${tenantId()})`
  const item = (await attention(scene.basic)).get('CREDENTIALS_EXPIRING')
  expect(item).toMatchObject({ count: 1 })
  expect(item?.examples).toMatchObject([{ displayName: 'The nightly job', type: 'credential' }])
  await mend()
  expect(await countOf('CREDENTIALS_EXPIRING', scene.basic)).toBe(0)
  await short()
})

test('what is near a kind, and not of it, is not told', async () => {
  const undo = [
    await rule({ status: 'done' }),
    await sync('failed', 'done'),
    await directory({ error: { text: 'Old', at: inDays(-2) }, tokenUntil: inDays(20) }),
    await task({}),
    await credential(holder, 20),
  ]
  const kinds = [...(await attention()).keys()]
  for (const kind of [
    'RULES_FAILING',
    'RULES_PAUSED',
    'RUNS_HELD',
    'SYNCS_FAILING',
    'DIRECTORIES_FAILING',
    'DIRECTORY_TOKENS_EXPIRING',
    'TASKS_STUCK',
    'REQUESTS_WAITING',
    'CREDENTIALS_EXPIRING',
    'LEAVERS_WITH_ACCESS',
  ])
    expect(kinds).not.toContain(kind)
  for (const each of undo.toReversed()) await each()
})

test('more than a thousand are counted as a thousand and more, and three are named', async () => {
  const ids = Array.from({ length: 1005 }, newId)
  await db()`
    insert into accounts (tenant_id, app_id, account_id, display_name, created_at, updated_at)
    select ${tenantId()}, ${appId}, i, 'Many', now(), now() from unnest(${ids}::text[]) i`
  const item = (await attention()).get('ACCOUNTS_WITHOUT_OWNER')
  expect(item).toMatchObject({ count: 1000, isMore: true })
  expect(item?.examples.length).toBe(3)
  await db()`update accounts set deleted_at = now() where tenant_id = ${tenantId()} and display_name = 'Many'`
})

test('the list is in the order of weight, and the server without mail says so to those who can see it', async () => {
  const undo = [await rule({ status: 'failed' }), await credential(holder, 5), await task({ stuckWhy: 'nobody' })]
  const weights = [...(await attention()).values()].map(({ weight }) => weight)
  const order = ['ATTENTION_WEIGHT_HIGH', 'ATTENTION_WEIGHT_MEDIUM', 'ATTENTION_WEIGHT_LOW']
  expect(new Set(weights)).toEqual(new Set(order))
  expect(weights).toEqual(weights.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  for (const each of undo) await each()
  expect(await countOf('MAIL_NOT_CONFIGURED')).toBe(1)
  expect(await countOf('MAIL_NOT_CONFIGURED', scene.basic)).toBe(0)
})

test('a role that sees grants but not people sees no leavers and no names', async () => {
  await scene.access.makeRole('grants-only', ['grants.read', 'automations.read'])
  const limited = await scene.access.makeCaller(['grants-only' as RoleName])
  const by = { userId: limited.userId, token: await getToken(scene.server, limited) }
  const id = await scene.grant(mine, account, { source: 'manual', expiresAt: inDays(3) })
  await db()`update users set status = 'DISABLED' where tenant_id = ${tenantId()} and user_id = ${holder}`
  const items = await attention(by)
  expect(items.has('LEAVERS_WITH_ACCESS')).toBe(false)
  expect(items.get('ACCESS_ENDING')?.count).toBe(1)
  expect(JSON.stringify([...items.values()])).not.toContain('Ann Lee')
  await db()`update users set status = 'ENABLED' where tenant_id = ${tenantId()} and user_id = ${holder}`
  await db()`
    update grants set ended_at = now(), ended_why = 'revoked', ended_by = '' where tenant_id = ${tenantId()} and grant_id = ${id}`
})

test('the steps of setting up are done as the record shows it, for those who may set up', async () => {
  const steps = async (by?: Caller): Promise<Record<string, boolean>> => {
    const host = by === foreign ? { host: elsewhere } : {}
    const { json } = await ask(scene.server, '/api/v1/home/setup', { token: (by ?? scene.admin).token, ...host })
    const list = (json['list'] ?? []) as { step: string; isDone: boolean }[]
    return Object.fromEntries(list.map(({ step, isDone }) => [step.replace('SETUP_STEP_', ''), isDone]))
  }
  expect(await steps()).toMatchObject({
    PASSKEY: false,
    PEOPLE: false,
    APPS: true,
    ACCESS: true,
    RULE: false,
    MAIL: false,
  })
  const undo = [await rule({}), await directory({})]
  expect(await steps()).toMatchObject({ RULE: true, PEOPLE: true })
  for (const each of undo) await each()
  expect(await steps()).toMatchObject({ RULE: false, PEOPLE: false })
  expect((await scene.get('/api/v1/home/setup', scene.basic)).status).toBe(403)
  expect(await steps(foreign)).toMatchObject({ APPS: false, ACCESS: false })
})
