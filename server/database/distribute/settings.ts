import type { Sql } from '#kernel/sql.ts'
import { DistributionRefused } from './refused.ts'

/** On the coordinator: a plan that knows the tenant goes to one shard; a generic one does not know it, and may go to all. */
const onCoordinator: Readonly<Record<string, string>> = { plan_cache_mode: 'force_custom_plan' }

/** On the workers, which do not get the settings of the server's own connections: the same ones. */
const onWorkers: Readonly<Record<string, string>> = { lock_timeout: '10s', TimeZone: 'UTC' }

const statements = (database: string, settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).map(
    ([name, value]) => `alter database "${database.replaceAll('"', '""')}" set ${name} = '${value}'`,
  )

// On one node: Citus propagates settings of a database, and workers may not run such statements.
const here = (statement: string): string =>
  `do $here$ begin set local citus.enable_ddl_propagation = off; ${statement}; end $here$`

/** Whether the role may do so is checked before anything is changed. */
export async function refuseUnlessOwner(db: Sql): Promise<void> {
  const [row] = await db<{ isOwner: boolean; role: string; database: string }[]>`
    select pg_has_role(d.datdba, 'usage') as "isOwner", current_user::text as role, d.datname::text as database
    from pg_database d where d.datname = current_database()`
  if (row?.isOwner) return
  throw new DistributionRefused(
    `The role ${row?.role} does not own the database ${row?.database}, and has to: it changes settings of the database. ` +
      `Run "alter database ${row?.database} owner to ${row?.role}" on every node.`,
  )
}

/** Sets them, and returns what could not be set where. */
export async function applySettings(db: Sql): Promise<string[]> {
  const [row] = await db<{ database: string }[]>`select current_database()::text as database`
  const database = row?.database as string
  for (const statement of statements(database, onCoordinator)) await db.unsafe(here(statement))
  const failures: string[] = []
  for (const statement of statements(database, onWorkers)) {
    const answers = await db<{ node: string; success: boolean; result: string }[]>`
      select nodename || ':' || nodeport as node, success, result from run_command_on_workers(${here(statement)})`
    for (const { node, result } of answers.filter(({ success }) => !success))
      failures.push(`${node} refused ${JSON.stringify(statement)}: ${result}`)
  }
  return failures
}
