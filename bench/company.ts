import { openDatabase } from '#database/open.ts'
import type { Db, Fragment } from '#kernel/sql.ts'
import { insertRecords, type Table } from '#rooms/foundation/writes/index.ts'
import { filling, unlimited } from './automation.ts'
import { credentialOf } from './entitlements.ts'
import { fillFast } from './fill.ts'
import { fillPeople, personId } from './people.ts'
import { type Served, startBailiwick } from './processes.ts'
import { numbered, inSql as numberedInSql } from './tasks-copied.ts'

/**
 * A company such as the console is made for. Each person has an account in one large app and three in small ones, ten grants that are
 * current and five that have ended, over three years. One person holds access in every app.
 */
export type Company = Served & { dataDir: string; people: number; token(): Promise<string> }

const prefixes = {
  app: '2CompApp',
  entitlement: '2CompEntl',
  account: '2CompAcct',
  grant: '2CompGrnt',
  owner: '2CompOwnr',
  run: '2CompRun',
  import: '2CompImp',
} as const
type Kind = keyof typeof prefixes
const inSql = (kind: Kind, n: string): string => numberedInSql(prefixes[kind], n)
const entitlementInSql = (app: string, place: string): string => inSql('entitlement', `${app} * 10000 + ${place}`)

export const largeAppId = numbered(prefixes.app, 0)
/** Everyone holds it. */
export const largestId = numbered(prefixes.entitlement, 0)
export const busiestId = personId(1)

/** 1,000 apps and 20,000 entitlements for 100,000 people. */
const appsOf = (people: number): number => people / 100
const entitlementsPerApp = 19
const daysAgo = (n: string): string => `now() - (${n}) % 1095 * interval '1 day' - (${n}) % 86400 * interval '1 second'`

/** A server with such a company. */
export async function startCompany(people: number): Promise<Company> {
  const served = await startBailiwick()
  const { db, close } = await openDatabase({ from: { dataDir: served.dataDir, purpose: 'command' }, connectionsMax: 3 })
  await fillCompany(db, people)
  await close()
  return { ...served, people, token: await credentialOf(served, 'admin@localhost') }
}

export async function fillCompany(db: Db, people: number): Promise<void> {
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  await fillPeople(db, people)
  await fillRecords(db, tenantId, people)
  await filling(db, (session) => session.unsafe(besides(tenantId, people)))
  await fillFast(db, ['grants'], () => filling(db, (session) => session.unsafe(grants(tenantId, people))))
  await unlimited(db, (session) => session.unsafe('vacuum analyze'))
}

// Each statement's rows are held until their search keys are made of them.
const rowsPerStatement = 50_000

const begins = "'{Sales,Payroll,Build,Customer,Data,Legal,Travel,Field,Quality,Partner}'::text[]"
const ends = "'{Wiki,Portal,Warehouse,Console,Tracker,Archive,Desk,Hub,Registry,Studio}'::text[]"
const roles =
  "'{Viewer,Editor,Owner,Administrator,Auditor,Production Owner,Production Reader,Billing,Support,Deployer,On call,Approver,Developer,Operator,Guest,Member,Exporter,Publisher,Analyst}'::text[]"

async function fillRecords(db: Db, tenantId: number, people: number): Promise<void> {
  const apps = appsOf(people)
  const insert = async (table: Table, count: number, rowsOf: (from: number, to: number) => Fragment): Promise<void> => {
    for (let from = 0; from < count; from += rowsPerStatement)
      await db.begin(async (tx) => {
        await tx`set local statement_timeout = 0`
        await insertRecords(tx, tenantId, table, rowsOf(from, Math.min(from + rowsPerStatement, count) - 1))
      })
  }
  const appId = (n: string): Fragment => db.unsafe(inSql('app', n))
  const [begin, end, role] = [db.unsafe(begins), db.unsafe(ends), db.unsafe(roles)]
  const accountId = (n: string): Fragment => db.unsafe(inSql('account', n))
  const at = (n: string): Fragment => db.unsafe(daysAgo(n))
  await insert(
    'apps',
    apps,
    (from, to) => db`(tenant_id, app_id, display_name, description, created_at, updated_at)
      select ${tenantId}::int, ${appId('n')}, (${begin})[n % 10 + 1] || ' ' || (${end})[n / 10 % 10 + 1] || ' ' || n,
        'An app of the company', ${at('n * 7')}, now()
      from generate_series(${from}::int, ${to}::int) n`,
  )
  // Of the large app one for each app there is; of each other the same few.
  await insert(
    'entitlements',
    apps + (apps - 1) * entitlementsPerApp,
    (from, to) => db`(tenant_id, app_id, entitlement_id, display_name, description, slug, created_at, updated_at)
      select ${tenantId}::int, ${appId('m.app')}, ${db.unsafe(entitlementInSql('m.app', 'm.place'))},
        case when m.app = 0 then 'Team ' || m.place else (${role})[m.place % 19 + 1] end, 'What it lets its members do',
        's' || m.place, ${at('n * 3')}, now()
      from generate_series(${from}::int, ${to}::int) n,
        lateral (select case when n < ${apps}::int then 0 else (n - ${apps}::int) / ${entitlementsPerApp}::int + 1 end as app,
          case when n < ${apps}::int then n else (n - ${apps}::int) % ${entitlementsPerApp}::int end as place) m`,
  )
  // Numbers: one for each person in the large app, then three for each in others, then those of the busiest person, then of nobody.
  const [owned, busiest, orphans] = [4 * people, apps - 1, people / 20]
  await insert(
    'accounts',
    owned + busiest + orphans,
    (
      from,
      to,
    ) => db`(tenant_id, app_id, account_id, user_id, display_name, email, emails, username, created_at, updated_at)
      select ${tenantId}::int, ${appId('m.app')}, ${accountId('n')}, u.user_id, coalesce(u.display_name, 'service ' || n),
        coalesce(u.email, ''), case when u.email is null then '{}'::text[] else array[u.email] end, 'u' || n, ${at('n')}, now()
      from generate_series(${from}::int, ${to}::int) n,
        lateral (select ${db.unsafe(appOfAccount(people, 'n'))} as app,
          case when n < ${owned}::int then n % ${people}::int when n < ${owned + busiest}::int then 1 end as person) m
        left join users u on u.tenant_id = ${tenantId} and u.user_id = '2People' || lpad(m.person::text, 20, '0')`,
  )
}

/** In which app an account is, by its number. */
const appOfAccount = (people: number, n: string): string => `
  case when ${n} < ${people} then 0
    when ${n} >= ${4 * people} and ${n} < ${4 * people + appsOf(people) - 1} then ${n} - ${4 * people} + 1
    else 1 + (${n}::bigint * 7919 % ${appsOf(people) - 1})::int end`

/** Managers, owners and rules. What rules were told of the records is forgotten: they would run over everyone. */
const besides = (tenantId: number, people: number): string => `
  delete from automation_changes;
  update users set manager_ids = array['2People' || lpad((right(user_id, 20)::bigint / 10)::text, 20, '0')],
    created_at = ${daysAgo('right(user_id, 20)::bigint * 13')}
    where tenant_id = ${tenantId} and user_id like '2People%';
  insert into owners (tenant_id, kind, app_id, object_id, role_slug, owner_id, user_id, began_at)
    select ${tenantId}, 'app', ${inSql('app', 'n')}, ${inSql('app', 'n')}, 'primary', ${inSql('owner', 'n')},
      '2People' || lpad((n * 11)::text, 20, '0'), ${daysAgo('n')}
    from generate_series(0, ${appsOf(people) - 1}) n where n % 10 > 0;
  insert into owners (tenant_id, kind, app_id, object_id, role_slug, owner_id, user_id, began_at)
    select ${tenantId}, 'entitlement', ${inSql('app', 'n')}, ${entitlementInSql('n', 'm')}, 'primary',
      ${inSql('owner', 'n * 100 + m + 1000000')}, '2People' || lpad((n * 17)::text, 20, '0'), ${daysAgo('n * 19 + m')}
    from generate_series(1, ${appsOf(people) - 1}) n, generate_series(0, 4) m;
  insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, matched, gained, started_at,
      stepped_at, finished_at)
    select ${tenantId}, ${inSql('run', 'n')}, ${inSql('app', 'n')}, ${entitlementInSql('n', '0')}, 1, 'saved', 'over', 'done', 100, 100,
      ${daysAgo('n')}, ${daysAgo('n')}, ${daysAgo('n')}
    from generate_series(0, ${appsOf(people) - 1}) n where n % 2 = 0;
  insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, display_name, reads, due_at, last_run_id,
      last_completed_at, created_at, updated_at)
    select ${tenantId}, ${inSql('app', 'n')}, ${entitlementInSql('n', '0')}, 1, 'cel', 'subject.department == "Department ' || n % 50 || '"',
      'Rule ' || n, '{department}', now() + interval '30 days', ${inSql('run', 'n')}, ${daysAgo('n')}, ${daysAgo('n')}, now()
    from generate_series(0, ${appsOf(people) - 1}) n where n % 2 = 0;
  insert into imports (tenant_id, import_id, format, is_full, is_forced, user_name, line_count, byte_count, counts, started_at, finished_at)
    select ${tenantId}, ${inSql('import', 'n')}, 'jsonl', true, false, 'operator', 1000, 100000, '[]', ${daysAgo('n * 30')}, ${daysAgo('n * 30')}
    from generate_series(0, 35) n`

const source = `case when n % 100 < 60 then 'import' when n % 100 < 85 then 'rule' when n % 100 < 93 then 'manual'
  when n % 100 < 97 then 'request' else 'directory' end`
const givenBy = `case when n % 100 < 60 then ${inSql('import', 'n % 36')} when n % 100 < 85 then ${inSql('run', 'n % 500 * 2')}
  else '2People' || lpad((n % 1000)::text, 20, '0') end`

/** What accounts hold, what they held once, and of one grant in twenty the terms that it had before. */
const grants = (tenantId: number, people: number): string => `
  insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at, expires_at)
    select ${tenantId}, ${inSql('app', 'a.app')}, ${entitlementInSql('a.app', 'h.place')},
      ${inSql('account', 'h.account')}, ${inSql('grant', 'n')}, ${source}, ${givenBy}, ${daysAgo('n * 31')}, ${daysAgo('n * 31')},
      case when n % 100 between 85 and 96 and n % 3 = 0 then now() + n % 365 * interval '1 day' + interval '1 hour' end
    from (
      select account, place, row_number() over () as n from (
        select n as account, 0 as place from generate_series(0, ${people - 1}) n
        union all
        select n, 1 + n * 13 % ${appsOf(people) - 1} from generate_series(0, ${people - 1}) n where n <> 1
        union all
        select 1, n from generate_series(1, ${appsOf(people) - 1}) n
        union all
        select n, (n * 7 + j * 5) % ${entitlementsPerApp} from generate_series(${people}, ${4 * people + appsOf(people) - 2}) n,
          generate_series(0, 2) j where j < 2 or (n % 3 < 2 and n < ${4 * people})) each) h,
      lateral (select ${appOfAccount(people, 'h.account')} as app) a;
  insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at, ended_at,
      ended_by, ended_why)
    select ${tenantId}, ${inSql('app', 'a.app')}, ${entitlementInSql('a.app', 'h.place')},
      ${inSql('account', 'h.account')}, ${inSql('grant', 'n + 100000000')}, ${source}, ${givenBy}, t.began, t.began,
      t.began + (now() - t.began) * (n % 89 / 89.0), ${givenBy},
      case when n % 10 < 7 then 'revoked' else 'expired' end
    from (
      select n as account, (n * 7 + j * 5 + 1) % ${entitlementsPerApp} as place, row_number() over () as n
      from generate_series(${people}, ${4 * people - 1}) n, generate_series(0, 1) j where j = 0 or n % 3 < 2) h,
      lateral (select ${appOfAccount(people, 'h.account')} as app) a,
      lateral (select ${daysAgo('n * 37')} as began) t;
  insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at, began_at, ended_at,
      ended_by, ended_why)
    select ${tenantId}, g.app_id, g.entitlement_id, g.account_id, ${inSql('grant', 'n.number + 200000000')}, g.source, g.granted_by,
      g.began_at - interval '40 days', g.began_at - interval '40 days', g.began_at, g.granted_by, 'restated'
    from grants g, lateral (select right(g.grant_id, 12)::bigint as number) n
    where g.tenant_id = ${tenantId} and g.ended_at is null and n.number % 20 = 0`
