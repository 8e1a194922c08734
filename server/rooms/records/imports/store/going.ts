import type { Fragment, Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import type { KindName } from '../kinds.ts'
import { isOwn, isShared, type Origin } from './origin.ts'
import type { Staging } from './staging.ts'
import { filled } from './temporary.ts'

/** What a full import removes: imported records that are not in the file, with everything that belongs to them. */
export async function createGoneTables(tx: Tx): Promise<void> {
  await tx.unsafe(`
    create temporary table gone_users (user_id text collate "C") on commit drop;
    create temporary table gone_apps (app_id text collate "C") on commit drop;
    create temporary table gone_resource_types (app_id text collate "C", resource_type_id text collate "C",
      is_imported boolean) on commit drop;
    create temporary table gone_resources (app_id text collate "C", resource_type_id text collate "C",
      resource_id text collate "C", is_imported boolean) on commit drop;
    create temporary table gone_entitlements (app_id text collate "C", entitlement_id text collate "C",
      is_imported boolean) on commit drop;
    create temporary table gone_accounts (app_id text collate "C", account_id text collate "C", is_imported boolean)
      on commit drop;
    create temporary table gone_grants (app_id text collate "C", entitlement_id text collate "C",
      account_id text collate "C", grant_id text collate "C", is_imported boolean) on commit drop;
    create temporary table scope_apps (app_id text collate "C") on commit drop;
    create temporary table held_resource_types (id text collate "C") on commit drop;
    create temporary table held_resources (id text collate "C", type_id text collate "C") on commit drop;
    create temporary table held_entitlements (id text collate "C", type_id text collate "C", resource_id text collate "C")
      on commit drop;
    create temporary table held_accounts (id text collate "C") on commit drop;
    create temporary table released (kind text collate "C", id text collate "C") on commit drop`)
}

type Search = {
  tx: Tx
  tenantId: number
  appId: string | null
  isDifference: boolean
  origin: Origin
  /** Whether the file has rows of a kind, or everything of an app. */
  has(kind: KindName): boolean
}

/**
 * Finds what is to be removed. Only kinds that the file has lines of are searched. If the file has apps, it is taken to have
 * them all; if it has none, only the apps that its lines name are searched: a file may cover one app. A connector's file, of
 * `appId`, has everything of that app: also of kinds without a line. If it was compared with the known grants while it was
 * read, the reader reports the grants that are missing: most of those in the file are not among its lines.
 *
 * Only the import's own records are removed (origin.ts), and none that another connector reports, or that such a record
 * depends on.
 */
export async function findGone(
  tx: Tx,
  tenantId: number,
  counts: Staging['counts'],
  { appId, isDifference, origin }: { appId: string | null; isDifference: boolean; origin: Origin },
): Promise<void> {
  const search: Search = {
    tx,
    tenantId,
    appId,
    isDifference,
    origin,
    has: (kind) => (appId === null ? counts[kind] > 0 : kind !== 'user' && kind !== 'app'),
  }
  await findGoneUsers(search)
  await findGoneApps(search)
  const hasOthers = origin.others.length > 0
  if (hasOthers) await findHeld(tx, tenantId, origin)
  const leave = async (kind: SharedKind): Promise<void> => {
    if (hasOthers) await leaveHeld(tx, tenantId, kind, origin)
  }
  // A separate statement for each kind: with `or` between them, the database would look through all lines for every row.
  await findGoneResourceTypes(search)
  await leave('resource_type')
  await findGoneResources(search)
  await leave('resource')
  await findGoneEntitlements(search)
  await leave('entitlement')
  await findGoneAccounts(search)
  await leave('account')
  await findGoneGrants(search)
  if (hasOthers) await leaveSharedGrants(tx, tenantId, origin)
}

async function findGoneUsers({ tx, tenantId, has }: Search): Promise<void> {
  if (has('user'))
    await filled(
      tx,
      'gone_users',
      tx`
      insert into gone_users select u.user_id from users u
      left join resolved_users r on r.user_id = u.user_id
      where u.tenant_id = ${tenantId} and u.external_id is not null and u.deleted_at is null and r.user_id is null`,
    )
}

/** Also finds which apps are searched. */
async function findGoneApps({ tx, tenantId, appId, has }: Search): Promise<void> {
  if (has('app')) {
    await filled(
      tx,
      'gone_apps',
      tx`
      insert into gone_apps select a.app_id from apps a
      left join resolved_apps r on r.app_id = a.app_id
      where a.tenant_id = ${tenantId} and a.external_id is not null and a.deleted_at is null and r.app_id is null`,
    )
    await filled(
      tx,
      'scope_apps',
      tx`insert into scope_apps select app_id from apps where tenant_id = ${tenantId} and deleted_at is null`,
    )
  } else if (appId !== null) await tx`insert into scope_apps values (${appId})`
  else
    await filled(
      tx,
      'scope_apps',
      tx`
      insert into scope_apps
      select app_id from resolved_resource_types union select app_id from resolved_resources
      union select app_id from resolved_entitlements union select app_id from resolved_accounts
      union select app_id from resolved_grants`,
    )
}

async function findGoneResourceTypes({ tx, tenantId, origin, has }: Search): Promise<void> {
  await filled(
    tx,
    'gone_resource_types',
    tx`
    insert into gone_resource_types
    select t.app_id, t.resource_type_id, t.external_id is not null from gone_apps join resource_types t using (app_id)
    where t.tenant_id = ${tenantId} and t.deleted_at is null
    union
    select t.app_id, t.resource_type_id, true from scope_apps join resource_types t using (app_id)
    left join resolved_resource_types r on r.resource_type_id = t.resource_type_id
    where ${has('resource_type')} and ${isOwn(tx, origin, 't')} and t.tenant_id = ${tenantId} and t.deleted_at is null and t.external_id is not null
      and r.resource_type_id is null`,
  )
}

async function findGoneResources({ tx, tenantId, origin, has }: Search): Promise<void> {
  await filled(
    tx,
    'gone_resources',
    tx`
    insert into gone_resources
    select e.app_id, e.resource_type_id, e.resource_id, e.external_id is not null from gone_apps join resources e using (app_id)
    where e.tenant_id = ${tenantId} and e.deleted_at is null
    union
    select e.app_id, e.resource_type_id, e.resource_id, e.external_id is not null
    from gone_resource_types join resources e using (app_id, resource_type_id)
    where e.tenant_id = ${tenantId} and e.deleted_at is null
    union
    select e.app_id, e.resource_type_id, e.resource_id, true from scope_apps join resources e using (app_id)
    left join resolved_resources r on r.resource_id = e.resource_id
    where ${has('resource')} and ${isOwn(tx, origin, 'e')} and e.tenant_id = ${tenantId} and e.deleted_at is null and e.external_id is not null
      and r.resource_id is null`,
  )
}

async function findGoneEntitlements({ tx, tenantId, origin, has }: Search): Promise<void> {
  // An entitlement that the file moves to another resource is not removed with its previous one.
  await filled(
    tx,
    'gone_entitlements',
    tx`
    insert into gone_entitlements
    select e.app_id, e.entitlement_id, e.external_id is not null from gone_apps join entitlements e using (app_id)
    where e.tenant_id = ${tenantId} and e.deleted_at is null
    union
    select e.app_id, e.entitlement_id, e.external_id is not null
    from gone_resources join entitlements e using (app_id, resource_type_id, resource_id)
    left join resolved_entitlements r on r.entitlement_id = e.entitlement_id
    where e.tenant_id = ${tenantId} and e.deleted_at is null and r.entitlement_id is null
    union
    select e.app_id, e.entitlement_id, true from scope_apps join entitlements e using (app_id)
    left join resolved_entitlements r on r.entitlement_id = e.entitlement_id
    where ${has('entitlement')} and ${isOwn(tx, origin, 'e')} and e.tenant_id = ${tenantId} and e.deleted_at is null and e.external_id is not null
      and r.entitlement_id is null`,
  )
}

async function findGoneAccounts({ tx, tenantId, origin, has }: Search): Promise<void> {
  await filled(
    tx,
    'gone_accounts',
    tx`
    insert into gone_accounts
    select a.app_id, a.account_id, a.external_id is not null from gone_apps join accounts a using (app_id)
    where a.tenant_id = ${tenantId} and a.deleted_at is null
    union
    select a.app_id, a.account_id, true from scope_apps join accounts a using (app_id)
    left join resolved_accounts r on r.account_id = a.account_id
    where ${has('account')} and ${isOwn(tx, origin, 'a')} and a.tenant_id = ${tenantId} and a.deleted_at is null and a.external_id is not null
      and r.account_id is null`,
  )
}

async function findGoneGrants({ tx, tenantId, appId, isDifference, origin, has }: Search): Promise<void> {
  await filled(
    tx,
    'gone_grants',
    tx`
    insert into gone_grants
    select g.app_id, g.entitlement_id, g.account_id, g.grant_id, g.source = 'import'
    from gone_entitlements join grants g using (app_id, entitlement_id)
    where g.tenant_id = ${tenantId} and g.ended_at is null
    union
    select g.app_id, g.entitlement_id, g.account_id, g.grant_id, g.source = 'import'
    from gone_accounts join grants g using (app_id, account_id)
    where g.tenant_id = ${tenantId} and g.ended_at is null
    union ${
      isDifference && appId !== null
        ? untoldGrants(tx, tenantId, appId)
        : tx`
    select g.app_id, g.entitlement_id, g.account_id, g.grant_id, true from scope_apps join grants g using (app_id)
    left join resolved_grants r on r.open_grant_id = g.grant_id
    where ${has('grant')} and ${isOwn(tx, origin, 'g')} and g.tenant_id = ${tenantId} and g.ended_at is null and g.source = 'import'
      and r.open_grant_id is null`
    }`,
  )
}

/** What other connectors report, and the records that it depends on. */
async function findHeld(tx: Tx, tenantId: number, origin: Origin): Promise<void> {
  const scope = tx`(select s.app_id from scope_apps s left join gone_apps g using (app_id) where g.app_id is null) as s`
  await filled(
    tx,
    'held_accounts',
    tx`
    insert into held_accounts
    select a.account_id from ${scope} join accounts a using (app_id)
    where a.tenant_id = ${tenantId} and a.deleted_at is null and ${isShared(tx, origin, 'a')}
    union
    select g.account_id from ${scope} join grants g using (app_id)
    where g.tenant_id = ${tenantId} and g.ended_at is null and g.source = 'import' and ${isShared(tx, origin, 'g')}`,
  )
  await filled(
    tx,
    'held_entitlements',
    tx`
    insert into held_entitlements
    select e.entitlement_id, e.resource_type_id, e.resource_id from ${scope} join entitlements e using (app_id)
    where e.tenant_id = ${tenantId} and e.deleted_at is null and ${isShared(tx, origin, 'e')}
    union
    select e.entitlement_id, e.resource_type_id, e.resource_id from ${scope} join grants g using (app_id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
    where g.tenant_id = ${tenantId} and g.ended_at is null and g.source = 'import' and ${isShared(tx, origin, 'g')}`,
  )
  await filled(
    tx,
    'held_resources',
    tx`
    insert into held_resources
    select e.resource_id, e.resource_type_id from ${scope} join resources e using (app_id)
    where e.tenant_id = ${tenantId} and e.deleted_at is null and ${isShared(tx, origin, 'e')}
    union
    select resource_id, type_id from held_entitlements where resource_id is not null`,
  )
  await tx`
    insert into held_resource_types
    select t.resource_type_id from ${scope} join resource_types t using (app_id)
    where t.tenant_id = ${tenantId} and t.deleted_at is null and ${isShared(tx, origin, 't')}
    union
    select type_id from held_resources`
}

const sharedTables = {
  resource_type: ['resource_types', 'resource_type_id'],
  resource: ['resources', 'resource_id'],
  entitlement: ['entitlements', 'entitlement_id'],
  account: ['accounts', 'account_id'],
} as const
type SharedKind = keyof typeof sharedTables

/**
 * Shared records are not removed. Those that other connectors report are released: this connector no longer reports them.
 * Those that are only needed by others' stay this connector's, and are removed by a later sync.
 */
async function leaveHeld(tx: Tx, tenantId: number, kind: SharedKind, origin: Origin): Promise<void> {
  const [table, id] = sharedTables[kind]
  await tx`
    insert into released
    select ${kind}, g.${tx(id)} from ${tx(`gone_${table}`)} g
    join ${tx(table)} x on x.tenant_id = ${tenantId} and x.app_id = g.app_id and x.${tx(id)} = g.${tx(id)}
    where ${isShared(tx, origin, 'x')}`
  await tx.unsafe(`delete from gone_${table} g using held_${table} h where h.id = g.${id}`)
}

/**
 * The same for grants; those of an account or entitlement that is removed are removed too: no other record depends on them.
 */
async function leaveSharedGrants(tx: Tx, tenantId: number, origin: Origin): Promise<void> {
  await tx`
    insert into released
    select 'grant', g.grant_id from gone_grants g
    join grants x on x.tenant_id = ${tenantId} and x.app_id = g.app_id and x.entitlement_id = g.entitlement_id
      and x.account_id = g.account_id and x.grant_id = g.grant_id
    join held_accounts a on a.id = g.account_id
    join held_entitlements e on e.id = g.entitlement_id
    where g.is_imported and ${isShared(tx, origin, 'x')}`
  await tx`delete from gone_grants g using released r where r.kind = 'grant' and r.id = g.grant_id`
}

const releasedTables = { ...sharedTables, grant: ['grants', 'grant_id'] } as const

/** Notes that the connector no longer reports what others still do. */
export async function release(tx: Tx, tenantId: number, appId: string, { connectorId }: Origin): Promise<void> {
  const kinds = await tx<{ kind: keyof typeof releasedTables }[]>`select distinct kind from released`
  for (const { kind } of kinds) {
    const [table, id] = releasedTables[kind]
    await updateRecords(tx, tenantId, table, {
      set: { connector_ids: tx`array_remove(x.connector_ids, ${connectorId})` },
      from: tx`released r`,
      where: tx`r.kind = ${kind} and x.app_id = ${appId} and x.${tx(id)} = r.id
        and x.connector_ids @> array[${connectorId}::text]`,
    })
  }
}

const untoldGrants = (tx: Tx, tenantId: number, appId: string): Fragment => tx`
  select g.app_id, g.entitlement_id, g.account_id, g.grant_id, true
  from staged_untolds u
  join known_entitlements e on e.place = u.entitlement
  join known_accounts a on a.place = u.account
  join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = e.entitlement_id
    and g.account_id = a.account_id and g.source = 'import' and g.ended_at is null
  union all
  select g.app_id, g.entitlement_id, g.account_id, g.grant_id, true
  from staged_others o
  join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.grant_id = o.grant_id
    and g.source = 'import' and g.ended_at is null
  left join resolved_grants r on r.open_grant_id = g.grant_id
  where r.open_grant_id is null`
