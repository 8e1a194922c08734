import { type Database, openDatabase } from '#database/open.ts'
import type { Db, Reserved } from '#kernel/sql.ts'
import { filling, unlimited } from './automation.ts'
import type { Side } from './claim.ts'
import { credentialOf } from './entitlements.ts'
import { fillFast } from './fill.ts'
import { load, requestBytes } from './load.ts'
import { operate, type Served, startBailiwick } from './processes.ts'
import { copyTasks, inSql, numbered, prefixes } from './tasks-copied.ts'

/**
 * How many tasks there are, where a claim does not need its own number. A million take some minutes to fill:
 * `BENCH_TASKS=100000 npm run bench -- tasks-search` is for a quick look.
 */
export const tasksWanted = (usual: number): number => Number(process.env['BENCH_TASKS'] ?? usual)

/**
 * A company with very many tasks, one in ten of them open and waiting for the subject's manager. Two are made through the
 * API, one of which is approved; all others are copies of these two: rows, events, assignees and actors.
 */
export type TaskScene = Served & {
  dataDir: string
  db: Db
  tenantId: number
  /** The owner of the tenant, who may do everything. */
  adminToken: string
  /** Someone of the helpdesk, who requests for others. */
  helpdeskToken: string
  /** Of the first managers: Basic Users, as most people are. */
  managerTokens: readonly string[]
  /** The same with other tokens: they last some minutes. */
  renewed(): Promise<TaskScene>
}

export const users = 20_000
export const apps = 100
/** Of each app. Of the first five there are tasks, and of the last one those that the others are copies of. */
export const entitlements = 10
const managersWithTokens = 2

export const userId = (n: number): string => numbered(prefixes.user, n)
export const appId = (n: number): string => numbered(prefixes.app, n)
export const entitlementId = (n: number): string => numbered(prefixes.entitlement, n)
export const taskId = (n: number): string => numbered(prefixes.task, n)
/** The step of an open task that is taken now. */
export const stepId = (n: number): string => numbered(prefixes.step, n * 10)

const byManager = '0builtinGrantByManager00001'

export async function startTasks(count: number, managers = 1_000): Promise<TaskScene> {
  const served = await startBailiwick()
  const database: Database = await openDatabase({
    from: { dataDir: served.dataDir, purpose: 'command' },
    connectionsMax: 5,
  })
  const { db } = database
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  await filling(db, (session) => fillCompany(session, tenantId, managers))
  const credentialAs = (n: number, role: string) => {
    const email = `p${n}@example.com`
    operate(served.dataDir, 'user', 'set-roles', email, '--role', role)
    return credentialOf(served, email)
  }
  const admin = await credentialOf(served, 'admin@localhost')
  const helpdesk = await credentialAs(users - 1, 'system:helpdesk')
  const managing: (() => Promise<string>)[] = []
  for (let n = 0; n < Math.min(managers, managersWithTokens); n++) managing.push(await credentialAs(n, 'system:user'))
  const stop = async (): Promise<void> => {
    await database.close()
    await served.stop()
  }
  // Filling takes longer than a token lasts.
  const withTokens = async (): Promise<TaskScene> => ({
    ...served,
    db,
    tenantId,
    stop,
    adminToken: await admin(),
    helpdeskToken: await helpdesk(),
    managerTokens: await Promise.all(managing.map((token) => token())),
    renewed: withTokens,
  })
  const scene = await withTokens()
  await offer(scene)
  if (count > 0) await fillTasks(scene, count, managers)
  await unlimited(db, (session) => session.unsafe('vacuum (analyze, parallel 2)'))
  return withTokens()
}

let shared: { count: number; scene: Promise<TaskScene> } | null = null

/** The same for claims that only read, and follow each other: filled once. */
export async function sharedTasks(count: number): Promise<TaskScene> {
  if (shared?.count !== count) await releaseTasks()
  shared ??= { count, scene: startTasks(count) }
  const scene = await shared.scene
  return { ...scene, ...(await scene.renewed()), stop: async () => {} }
}

export async function releaseTasks(): Promise<void> {
  const before = shared
  shared = null
  if (before) await (await before.scene).stop()
}

/** User n is of the app n % 100, and is managed by one of the first users. */
const fillCompany = (session: Reserved, tenantId: number, managers: number) =>
  session.unsafe(`
    insert into apps (tenant_id, app_id, display_name, created_at, updated_at)
      select ${tenantId}, ${inSql(prefixes.app, 'n')}, 'App ' || n, now(), now() from generate_series(0, ${apps - 1}) n;
    insert into entitlements (tenant_id, app_id, entitlement_id, display_name, grant_policy_id, created_at, updated_at)
      select ${tenantId}, ${inSql(prefixes.app, 'n')}, ${inSql(prefixes.entitlement, 'm')}, 'Entitlement ' || m,
        '${byManager}', now(), now()
      from generate_series(0, ${apps - 1}) n, generate_series(0, ${entitlements - 1}) m;
    insert into users (tenant_id, user_id, display_name, email, emails, username, manager_ids, created_at, updated_at)
      select ${tenantId}, ${inSql(prefixes.user, 'n')}, 'Person ' || n, 'p' || n || '@example.com',
        array['p' || n || '@example.com'], 'p' || n, array[${inSql(prefixes.user, `(n + 1) % ${managers}`)}], '2020-01-01', '2020-01-01'
      from generate_series(0, ${users - 1}) n;
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, email, created_at, updated_at)
      select ${tenantId}, ${inSql(prefixes.app, `n % ${apps}`)}, ${inSql(prefixes.account, 'n')},
        ${inSql(prefixes.user, 'n')}, 'Person ' || n, 'p' || n || '@example.com', now(), now()
      from generate_series(0, ${users - 1}) n`)

async function post(scene: TaskScene, token: string, path: string, body: object): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${scene.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (reply.status !== 200) throw new Error(`${path}: ${await reply.text()}`)
  return reply.json()
}

/** Everyone may request everything. */
async function offer(scene: TaskScene): Promise<void> {
  const made = (await post(scene, scene.adminToken, '/api/v1/catalogs', {
    displayName: 'Offered',
    published: true,
    visibleToEveryone: true,
  })) as { requestCatalogView: { requestCatalog: { id: string } } }
  const { id } = made.requestCatalogView.requestCatalog
  for (let app = 0; app < apps; app++)
    await post(scene, scene.adminToken, `/api/v1/catalogs/${id}/requestable_entries`, {
      appEntitlements: Array.from({ length: entitlements }, (_, m) => ({ appId: appId(app), id: entitlementId(m) })),
    })
}

export const grantBody = (user: number, entitlement: number) => ({
  appId: appId(user % apps),
  appEntitlementId: entitlementId(entitlement),
  identityUserId: userId(user),
  description: 'I need it for the work of my team.',
})

type Made = { taskView: { task: { id: string; policy: { current: { id: string } | null } } } }

async function fillTasks(scene: TaskScene, count: number, managers: number): Promise<void> {
  const { db, helpdeskToken, managerTokens } = scene
  // Of users whose manager is the first one.
  const make = async (user: number): Promise<Made['taskView']['task']> =>
    ((await post(scene, helpdeskToken, '/api/v1/task/grant', grantBody(user, entitlements - 1))) as Made).taskView.task
  const subjects = [2 * managers - 1, 3 * managers - 1] as const
  const open = await make(subjects[0])
  const closed = await make(subjects[1])
  const body = { policyStepId: closed.policy.current?.id, comment: 'Go on.' }
  await post(scene, managerTokens[0] as string, `/api/v1/tasks/${closed.id}/action/approve`, body)
  await fillFast(db, ['tasks', 'task_events', 'task_assignees', 'task_actors'], () =>
    copyTasks(db, { count, managers, users, apps, open: open.id, closed: closed.id, subjects }),
  )
}

/** Grants by request of so many users, each of one entitlement of their app, that end at a moment. */
export const giveUntil = ({ db, tenantId }: TaskScene, count: number, entitlement: number, at: Date): Promise<void> =>
  filling(db, (session) =>
    session.unsafe(`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
        began_at, expires_at)
      select ${tenantId}, ${inSql(prefixes.app, `n % ${apps}`)}, '${entitlementId(entitlement)}',
        ${inSql(prefixes.account, 'n')}, ${inSql(prefixes.grant, `n::bigint * 100 + ${entitlement}`)}, 'request',
        '${taskId(0)}', now() - interval '1 day', now() - interval '1 day', '${at.toISOString()}'
      from generate_series(0, ${count - 1}) n;
      -- What is given over weeks PostgreSQL has counted before it ends.
      analyze grants`),
  )

/** Requests to one address with other bodies, in turns, as fast as they are answered. */
export const answersOf = (
  port: number,
  next: () => Buffer,
  connections = 32,
  durationMs = 1500,
): Pick<Side, 'round'> => ({
  async round() {
    const { perSecond, statuses } = await load({ port, connections, durationMs, next })
    if ([...statuses.keys()].some((status) => status !== 200))
      throw new Error(`not every answer was a 200: ${JSON.stringify([...statuses])}`)
    return perSecond
  },
})

export const inTurns = <T>(all: readonly T[]): (() => T) => {
  let next = 0
  return () => all[next++ % all.length] as T
}

export const searchBytes = (token: string, body: object): Buffer =>
  requestBytes('POST', '/api/v1/search/tasks', {
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ pageSize: 25, ...body }),
  })
