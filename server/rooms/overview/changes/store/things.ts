import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'
import type { ChangeKind, Scope, Span, Subject, ThingChange } from '../change.ts'

type Asked = { scope: Scope; span: Span; kinds: readonly ChangeKind[] }
type Thing = Exclude<Subject, 'grant'>

/** One kind of change of one kind of thing: the column of its time, and the condition of its rows. */
type Way = { change: ChangeKind; at: Fragment; where: Fragment; by?: Fragment }

const within = (db: Reads, column: Fragment, { from, to }: Span): Fragment =>
  db`${column} > ${from} and ${column} <= ${to}`

/** Changes of things that have the times of their creation and deletion. */
const lifetime = (db: Reads, span: Span): Way[] => [
  {
    change: 'added',
    at: db`x.created_at`,
    where: db`${within(db, db`x.created_at`, span)} and (x.deleted_at is null or x.deleted_at > ${span.to})`,
  },
  {
    change: 'removed',
    at: db`x.deleted_at`,
    where: db`${within(db, db`x.deleted_at`, span)} and x.created_at <= ${span.from}`,
  },
]

const ownerCovers = (db: Reads, at: Date): Fragment => db`
  o.began_at <= ${at} and (o.ended_at is null or o.ended_at > ${at})`

const sameOwner = (db: Reads, tenantId: number, at: Date): Fragment => db`exists (
  select 1 from owners o where o.tenant_id = ${tenantId} and o.kind = x.kind and o.app_id = x.app_id
    and o.resource_type_id = x.resource_type_id and o.object_id = x.object_id and o.role_slug = x.role_slug
    and o.user_id is not distinct from x.user_id and o.entitlement_id is not distinct from x.entitlement_id
    and ${ownerCovers(db, at)})`

// An owner who was removed and added again within a second has two rows.
const ownership = (db: Reads, tenantId: number, span: Span): Way[] => [
  {
    change: 'added',
    by: db`x.began_by`,
    at: db`x.began_at`,
    where: db`${within(db, db`x.began_at`, span)} and (x.ended_at is null or x.ended_at > ${span.to})
      and not ${sameOwner(db, tenantId, span.from)}`,
  },
  {
    change: 'removed',
    by: db`coalesce(x.ended_by, '')`,
    at: db`x.ended_at`,
    where: db`${within(db, db`x.ended_at`, span)} and x.began_at <= ${span.from}
      and not ${sameOwner(db, tenantId, span.to)}`,
  },
]

const rules = (db: Reads, span: Span): Way[] => [
  ...lifetime(db, span),
  {
    change: 'changed',
    at: db`x.updated_at`,
    where: db`${within(db, db`x.updated_at`, span)} and x.created_at <= ${span.from} and x.deleted_at is null`,
  },
]

const none = (db: Reads): Fragment => db`''::text`

/** The columns of each kind of thing. */
const columns: Readonly<
  Record<Thing, (db: Reads) => Record<keyof Omit<ThingChange, 'at' | 'change' | 'by'>, Fragment>>
> = {
  user: (db) => ({ ...blank(db), id: db`x.user_id`, userId: db`x.user_id` }),
  app: (db) => ({ ...blank(db), id: db`x.app_id`, appId: db`x.app_id` }),
  account: (db) => ({
    ...blank(db),
    id: db`x.account_id`,
    appId: db`x.app_id`,
    accountId: db`x.account_id`,
    userId: db`coalesce(x.user_id, '')`,
  }),
  entitlement: (db) => ({
    ...blank(db),
    id: db`x.entitlement_id`,
    appId: db`x.app_id`,
    entitlementId: db`x.entitlement_id`,
  }),
  owner: (db) => ({
    ...blank(db),
    id: db`x.owner_id`,
    appId: db`coalesce(x.entitlement_app_id, '')`,
    entitlementId: db`coalesce(x.entitlement_id, '')`,
    userId: db`coalesce(x.user_id, '')`,
    objectKind: db`x.kind`,
    objectAppId: db`x.app_id`,
    objectTypeId: db`x.resource_type_id`,
    objectId: db`x.object_id`,
    roleSlug: db`x.role_slug`,
  }),
  rule: (db) => ({
    ...blank(db),
    id: db`x.app_id || x.entitlement_id`,
    appId: db`x.app_id`,
    entitlementId: db`x.entitlement_id`,
    name: db`x.display_name`,
  }),
}
const blank = (db: Reads) => ({
  id: none(db),
  appId: none(db),
  entitlementId: none(db),
  accountId: none(db),
  userId: none(db),
  objectKind: none(db),
  objectAppId: none(db),
  objectTypeId: none(db),
  objectId: none(db),
  roleSlug: none(db),
  name: none(db),
})

const tables: Readonly<Record<Thing, string>> = {
  user: 'users',
  app: 'apps',
  account: 'accounts',
  entitlement: 'entitlements',
  owner: 'owners',
  rule: 'automations',
}

/** Which rows of a table a scope has. */
function inScope(db: Reads, subject: Thing, scope: Scope): Fragment {
  if (scope.kind === 'tenant') return db``
  if (scope.kind === 'app') return db`and x.app_id = ${scope.appId}`
  if (scope.kind === 'user') return db`and x.user_id = ${scope.userId}`
  return subject === 'owner'
    ? db`and x.kind = 'entitlement' and x.app_id = ${scope.appId} and x.object_id = ${scope.id}`
    : db`and x.app_id = ${scope.appId} and x.entitlement_id = ${scope.id}`
}

function waysOf(db: Reads, tenantId: number, subject: Thing, { span, kinds }: Asked): Way[] {
  const ways =
    subject === 'owner' ? ownership(db, tenantId, span) : subject === 'rule' ? rules(db, span) : lifetime(db, span)
  return ways.filter(({ change }) => kinds.includes(change))
}

/**
 * Things that were created or deleted between the moments, the latest first. Accounts, which are the most numerous, are
 * found by indexes on both times; the others are scanned: 100,000 users take 30 ms.
 */
export async function listThings(
  db: Reads,
  tenantId: number,
  subject: Thing,
  asked: Asked,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<ThingChange[]> {
  const [afterAt, afterId] = (after ?? []) as string[]
  const chosen = columns[subject](db)
  const selected = Object.entries(chosen).map(
    ([name, value], place) => db`${place === 0 ? db`` : db`,`} ${value} as ${db(name)}`,
  )
  const ways = waysOf(db, tenantId, subject, asked)
  if (ways.length === 0) return []
  const branches = ways.map(
    ({ change, at, where, by = none(db) }, place) => db`
      ${place === 0 ? db`` : db`union all`}
      (select ${selected}, ${by} as by, ${at} as at, ${change}::text as change from ${db(tables[subject])} x
      where x.tenant_id = ${tenantId} ${inScope(db, subject, asked.scope)} and ${where}
        ${afterAt === undefined ? db`` : db`and (${at}, ${chosen.id}) < (${afterAt}::timestamptz, ${afterId as string})`}
      order by ${at} desc, ${chosen.id} desc limit ${limit})`,
  )
  return db<ThingChange[]>`select * from (${branches}) things order by at desc, id desc limit ${limit}`
}

export type KindCount = { change: ChangeKind; count: number }

/** How many things were created and deleted; of each kind of change at most `max` and one more. */
export async function countThings(
  db: Reads,
  tenantId: number,
  subject: Thing,
  asked: Asked,
  max: number,
): Promise<KindCount[]> {
  const ways = waysOf(db, tenantId, subject, asked)
  const branches = ways.map(
    ({ change, where }, place) => db`
      ${place === 0 ? db`` : db`union all`}
      select ${change}::text as change, count(*)::int as count from (
        select 1 from ${db(tables[subject])} x
        where x.tenant_id = ${tenantId} ${inScope(db, subject, asked.scope)} and ${where} limit ${max + 1}) c`,
  )
  return ways.length === 0 ? [] : db<KindCount[]>`${branches}`
}
