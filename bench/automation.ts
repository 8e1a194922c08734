import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '#database/open.ts'
import type { Db, Reserved } from '#kernel/sql.ts'
import { type Served, startBailiwick } from './processes.ts'

/** A real server whose one tenant has very many users, and an app in which each has an account. */
export const appId = '2BenchApp000000000000000000'
export const targetId = '2BenchTarget000000000000000'

export type Company = Served & { dataDir: string; db: Db; tenantId: number; users: number }

const userIdOf = (n: string): string => `'2BenchUser' || lpad(${n}::text, 17, '0')`
const accountIdOf = (n: string): string => `'2BenchAcct' || lpad(${n}::text, 17, '0')`
const grantIdOf = (n: string): string => `'2BenchGrnt' || lpad(${n}::text, 17, '0')`

/**
 * One user in five is in Sales: 200,000 of a million, of whom 10,000 are excluded. Of the others all but 5,000 have been
 * given the entitlement by the rule, and so have 5,000 who are not in Sales: one user in a hundred must change.
 */
export async function startCompany(users: number): Promise<Company> {
  const served = await startBailiwick()
  const database: Database = await openDatabase({
    from: { dataDir: served.dataDir, purpose: 'command' },
    connectionsMax: 1,
  })
  const { db } = database
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  await filling(db, (session) =>
    session.unsafe(`
      insert into apps (tenant_id, app_id, display_name, created_at, updated_at)
        values (${tenantId}, '${appId}', 'App', now(), now());
      insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
        values (${tenantId}, '${appId}', '${targetId}', 'Target', now(), now());
      insert into users (tenant_id, user_id, display_name, email, emails, username, department, job_title, profile,
        created_at, updated_at)
        select ${tenantId}, ${userIdOf('n')}, 'Person ' || n, 'p' || n || '@example.com',
          array['p' || n || '@example.com'], 'p' || n, case when n % 5 = 0 then 'Sales' else 'Department ' || n % 97 end,
          'Title ' || n % 13, jsonb_build_object('level', n % 7, 'site', 'Site ' || n % 31), now(), now()
        from generate_series(1, ${users}) n;
      insert into accounts (tenant_id, app_id, account_id, user_id, display_name, email, created_at, updated_at)
        select ${tenantId}, '${appId}', ${accountIdOf('n')}, ${userIdOf('n')}, 'Person ' || n,
          'p' || n || '@example.com', now(), now()
        from generate_series(1, ${users}) n;
      insert into automation_exclusions (tenant_id, app_id, entitlement_id, user_id, added_at)
        select ${tenantId}, '${appId}', '${targetId}', ${userIdOf('n')}, now()
        from generate_series(100, ${users}, 100) n;
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at)
        select ${tenantId}, '${appId}', '${targetId}', ${accountIdOf('n')}, ${grantIdOf('n')}, 'rule', 'seed', now(), now()
        from generate_series(1, ${users}) n
        where (n % 5 = 0 and n % 100 <> 0 and n % 200 <> 5) or n % 200 = 1`),
  )
  await unlimited(db, async (session) => {
    for (const table of ['users', 'accounts', 'grants', 'automation_exclusions'])
      await session.unsafe(`vacuum analyze ${table}`)
  })
  return {
    ...served,
    db,
    tenantId,
    users,
    async stop() {
      await database.close()
      await served.stop()
    },
  }
}

/** On a connection of its own, where a statement may take, and wait, as long as it takes. */
export async function unlimited(db: Db, work: (session: Reserved) => PromiseLike<unknown>): Promise<void> {
  const session = await db.reserve()
  try {
    await session.unsafe('set statement_timeout = 0; set lock_timeout = 0')
    await work(session)
    await session.unsafe('reset statement_timeout; reset lock_timeout')
  } finally {
    session.release()
  }
}

/** Without triggers: what they would write is not what is measured. */
export const filling = (db: Db, work: (session: Reserved) => PromiseLike<unknown>): Promise<void> =>
  unlimited(db, async (session) => {
    await session`set session_replication_role = replica`
    await work(session)
    await session`reset session_replication_role`
  })

/** As it was before any run, so that the next has as much to do. */
export async function putBack({ db }: Company): Promise<void> {
  await filling(db, async (session) => {
    await session`delete from grants where granted_by <> 'seed'`
    await session`update grants set ended_at = null, ended_by = null, ended_why = null where ended_at is not null`
    await session`delete from automation_run_items`
    await session`delete from automation_changes`
    await session`vacuum analyze grants`
    await session`checkpoint`
  })
}

export async function makeRule({ db, tenantId }: Company, expression: string): Promise<void> {
  await db`
    insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, reads, created_at, updated_at)
    values (${tenantId}, ${appId}, ${targetId}, 1, 'cel', ${expression}, '{status,department}', now(), now())
    on conflict (tenant_id, app_id, entitlement_id) do update set expression = excluded.expression, due_at = null,
      version = automations.version + 1`
}

/** Has the server run the rule over everyone, and answers how many seconds that took it. */
export async function runRule(company: Company): Promise<number> {
  const { db, users } = company
  await db`update automations set due_at = now(), has_breaker = false`
  for (;;) {
    await sleep(50)
    const [run] = await db<{ seconds: number; gained: number; lost: number; status: string; error: string }[]>`
      select extract(epoch from finished_at - started_at)::float8 as seconds, gained, lost, status, error
      from automation_runs order by run_id desc limit 1`
    if (!run || run.status === 'running' || run.seconds === null) continue
    if (run.status !== 'done' || run.gained !== users / 200 || run.lost !== users / 200)
      throw new Error(`the run did something else: ${JSON.stringify(run)}`)
    await db`delete from automation_runs`
    return run.seconds
  }
}

/** The most memory that the server has taken so far, in MiB. */
export const memoryOf = ({ pid }: Served): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
