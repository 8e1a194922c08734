import { type Database, openDatabase } from '#database/open.ts'
import type { Db, Reserved } from '#kernel/sql.ts'
import { filling, unlimited } from './automation.ts'
import type { Side } from './claim.ts'
import { credentialOf } from './entitlements.ts'
import { load, requestBytes } from './load.ts'
import { operate, type Served, startBailiwick } from './processes.ts'

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
}

export const users = 20_000
export const apps = 100
/** Of each app. Of the first five there are tasks, and of the last one those that the others are copies of. */
export const entitlements = 10
const managersWithTokens = 4

const numbered = (prefix: string, n: number): string => prefix + String(n).padStart(27 - prefix.length, '0')
const inSql = (prefix: string, n: string): string => `'${prefix}' || lpad((${n})::text, ${27 - prefix.length}, '0')`
const prefixes = {
  user: '2TaskUser',
  app: '2TaskApp',
  entitlement: '2TaskEntl',
  account: '2TaskAcct',
  task: '2TaskTask',
  step: '2TaskStep',
  event: '2TaskEvnt',
  grant: '2TaskGrnt',
}
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
    connectionsMax: 2,
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
    ...{ ...served, db, tenantId, stop, adminToken: await admin(), helpdeskToken: await helpdesk() },
    managerTokens: await Promise.all(managing.map((token) => token())),
  })
  const scene = await withTokens()
  await offer(scene)
  if (count > 0) await fillTasks(scene, count, managers)
  await unlimited(db, (session) => session.unsafe('vacuum analyze'))
  return withTokens()
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
    ...{ displayName: 'Offered', published: true, visibleToEveryone: true },
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
  const subjects = [2 * managers - 1, 3 * managers - 1]
  const open = await make(subjects[0] as number)
  const closed = await make(subjects[1] as number)
  const body = { policyStepId: closed.policy.current?.id, comment: 'Go on.' }
  await post(scene, managerTokens[0] as string, `/api/v1/tasks/${closed.id}/action/approve`, body)
  await filling(db, async (session) => {
    await copyTasks(session, open.id, { count, managers, isOpen: true, subject: subjects[0] as number })
    await copyTasks(session, closed.id, { count, managers, isOpen: false, subject: subjects[1] as number })
  })
}

type Copying = { count: number; managers: number; isOpen: boolean; subject: number }

/** Task n is about the user n / 10, and one in ten is open. */
async function copyTasks(session: Reserved, id: string, { count, managers, isOpen, subject }: Copying): Promise<void> {
  const user = `(n / 10) % ${users}`
  const subjectId = inSql(prefixes.user, user)
  const managerId = inSql(prefixes.user, `((n / 10) + 1) % ${managers}`)
  const at = `now() - (${count} - n) * interval '20 seconds'`
  const rows = `generate_series(0, ${count - 1}) n where n % 10 ${isOpen ? '=' : '<>'} 0`
  const events = await session.unsafe<{ number: number; stepId: string | null; data: string }[]>(
    `select number, case when kind = 'begun' then data ->> 'stepId' end as "stepId", data::text as data
    from task_events where task_id = '${id}' order by number`,
  )
  // The ids of what is copied, in what events tell.
  const replaced = [
    [userId(subject), subjectId],
    [userId(0), managerId],
    ...events
      .flatMap(({ stepId: step }) => step ?? [])
      .map((step, place) => [step, inSql(prefixes.step, `n::bigint * 10 + ${place}`)]),
  ] as [string, string][]
  // A constant where an event tells of no ids, as the long one of the route: a million are not read as JSON again.
  const told = events.map(({ number, data }) => {
    const text = replaced
      .filter(([from]) => data.includes(from))
      .reduce((sql, [from, to]) => `replace(${sql}, '${from}', ${to})`, `'${data.replaceAll("'", "''")}'`)
    return `when ${number} then (${text})::jsonb`
  })
  await copy(session, 'tasks', rows, `task_id = '${id}'`, {
    task_id: inSql(prefixes.task, 'n'),
    number: '1000000 + n',
    subject_user_id: subjectId,
    created_by: subjectId,
    app_id: inSql(prefixes.app, `(n / 10) % ${apps}`),
    entitlement_id: inSql(prefixes.entitlement, `n / 10 / ${users} % 5`),
    display_name: `'Grant Entitlement ' || n / 10 / ${users} % 5 || ': Person ' || ${user}`,
    step_id: isOpen ? inSql(prefixes.step, 'n::bigint * 10') : `''`,
    approver_ids: isOpen ? `'{}'` : `array[${managerId}]`,
    created_at: at,
    updated_at: at,
    ...(!isOpen && { outcome_at: at }),
  })
  await copy(session, 'task_events', rows, `task_id = '${id}'`, {
    task_id: inSql(prefixes.task, 'n'),
    event_id: inSql(prefixes.event, 'n::bigint * 100 + s.number'),
    by_user_id: `case when s.by_user_id = '${userId(0)}' then ${managerId} when s.by_user_id = '' then '' else ${subjectId} end`,
    happened_at: at,
    data: `case s.number ${told.join(' ')} end`,
  })
  await copy(session, isOpen ? 'task_assignees' : 'task_actors', rows, `task_id = '${id}'`, {
    task_id: inSql(prefixes.task, 'n'),
    user_id: managerId,
  })
}

/** Rows of a table that are like some others of it, but for some columns. */
async function copy(
  session: Reserved,
  table: string,
  rows: string,
  like: string,
  changed: Record<string, string>,
): Promise<void> {
  const columns = await session.unsafe<{ name: string }[]>(
    `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
  )
  const names = columns.map(({ name }) => name)
  await session.unsafe(`
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => changed[name] ?? `s.${name}`).join(', ')}
    from (select n from ${rows} offset 0) m cross join lateral (select * from ${table} where ${like} offset 0) s`)
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
      from generate_series(0, ${count - 1}) n`),
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
