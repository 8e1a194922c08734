import type { Fragment, Tx } from '#kernel/sql.ts'
import type { KindName } from '../kinds.ts'
import { stagedTables } from './staging.ts'
import { filled } from './temporary.ts'

/**
 * Which rows the lines become: for each line of a kind the id that it has, or will have, and the ids of its parents. Parents
 * are looked up in the file first, then among existing rows; those that are not found stay null.
 */
export async function createResolvedTables(tx: Tx): Promise<void> {
  await tx.unsafe(`
    create temporary table resolved_users (line int, external_id text collate "C", user_id text collate "C", is_new boolean)
      on commit drop;
    create temporary table resolved_managers (line int, place int, manager text collate "C", user_id text collate "C")
      on commit drop;
    create temporary table resolved_apps (line int, external_id text collate "C", app_id text collate "C", is_new boolean)
      on commit drop;
    create temporary table resolved_resource_types (line int, app_id text collate "C", external_id text collate "C",
      resource_type_id text collate "C", is_new boolean) on commit drop;
    create temporary table resolved_resources (line int, app_id text collate "C", resource_type_id text collate "C",
      external_id text collate "C", resource_id text collate "C", is_new boolean) on commit drop;
    create temporary table resolved_parents (line int, resource_type_id text collate "C", resource_id text collate "C")
      on commit drop;
    create temporary table resolved_entitlements (line int, app_id text collate "C", external_id text collate "C",
      resource_type_id text collate "C", resource_id text collate "C", entitlement_id text collate "C", is_new boolean)
      on commit drop;
    create temporary table resolved_accounts (line int, app_id text collate "C", external_id text collate "C",
      user_id text collate "C", account_id text collate "C", is_new boolean) on commit drop;
    create temporary table resolved_grants (line int, app_id text collate "C", entitlement_id text collate "C",
      account_id text collate "C", granted_at timestamptz, expires_at timestamptz, open_grant_id text collate "C",
      open_granted_at timestamptz, open_granted_by text collate "C", open_connector_ids text[], is_restated boolean)
      on commit drop;
    create temporary table first_terms (line int, expires_at timestamptz) on commit drop`)
}

/** How a parent is found: `in` a table, by columns that match those of a line. Keys of `where` are columns of `in`. */
type Lookup = { in: string; id: string; as: string; where: Record<string, string> }

const found = (tx: Tx, tenantId: number, from: Fragment, { in: table, id, as, where }: Lookup): Fragment => {
  const same = (alias: string) =>
    tx.unsafe(
      Object.entries(where)
        .map(([column, of]) => `${alias}.${column} = s."${of}"`)
        .join(' and '),
    )
  return tx`(
    select s.*, coalesce(f.${tx(id)}, d.${tx(id)}) as ${tx(as)} from ${from} s
    left join ${tx(`resolved_${table}`)} f on ${same('f')}
    left join ${tx(table)} d on f.${tx(id)} is null and d.tenant_id = ${tenantId} and ${same('d')}
      and d.deleted_at is null)`
}

const apps: Lookup = { in: 'apps', id: 'app_id', as: 'app_id', where: { external_id: 'app' } }
const resourceTypes: Lookup = {
  in: 'resource_types',
  id: 'resource_type_id',
  as: 'resource_type_id',
  where: { app_id: 'app_id', external_id: 'resource_type' },
}
const resources: Lookup = {
  in: 'resources',
  id: 'resource_id',
  as: 'resource_id',
  where: { app_id: 'app_id', resource_type_id: 'resource_type_id', external_id: 'resource' },
}
const users: Lookup = { in: 'users', id: 'user_id', as: 'user_id', where: { external_id: 'user' } }
const entitlements: Lookup = {
  in: 'entitlements',
  id: 'entitlement_id',
  as: 'entitlement_id',
  where: { app_id: 'app_id', external_id: 'entitlement' },
}
const accounts: Lookup = {
  in: 'accounts',
  id: 'account_id',
  as: 'account_id',
  where: { app_id: 'app_id', external_id: 'account' },
}

export type Resolving = {
  tx: Tx
  tenantId: number
  /** The first 11 characters of new ids: the time, and enough random bits to differ from every other import's. */
  idPrefix: string
}

/**
 * An id for the line `s`. A KSUID whose last 16 of 27 characters are the line number and random bits, in hexadecimal digits:
 * those are digits of base 62 too, in the same order. In SQL, because the program takes 8 µs to generate one.
 */
const newId = ({ tx, idPrefix }: Resolving): Fragment =>
  tx`(${idPrefix}::text || lpad(to_hex(s.line), 8, '0') || lpad(to_hex((random() * 4294967295)::bigint), 8, '0'))`

const steps: { readonly [K in KindName]: (resolving: Resolving) => Promise<void> } = {
  async user(resolving) {
    const { tx, tenantId } = resolving
    // A user who was created manually and has the email address of a line is the user of that line: for example the one who
    // founded the tenant.
    await filled(
      tx,
      'resolved_users',
      tx`
      insert into resolved_users
      select s.line, s.external_id, coalesce(u.user_id, byhand.user_id, ${newId(resolving)}),
        u.user_id is null and byhand.user_id is null
      from staged_users s
      left join users u on u.tenant_id = ${tenantId} and u.external_id = s.external_id
      left join users byhand on u.user_id is null and byhand.tenant_id = ${tenantId} and byhand.external_id is null
        and byhand.deleted_at is null and byhand.email <> '' and lower(byhand.email) = lower(s.email)`,
    )
    await filled(
      tx,
      'resolved_managers',
      tx`
      insert into resolved_managers
      select s.line, m.place, m.manager, coalesce(f.user_id, d.user_id)
      from staged_users s
      cross join lateral unnest(s.managers) with ordinality as m (manager, place)
      left join resolved_users f on f.external_id = m.manager
      left join users d on f.user_id is null and d.tenant_id = ${tenantId} and d.external_id = m.manager
        and d.deleted_at is null
      where s.managers <> '{}'`,
    )
  },
  async app(resolving) {
    const { tx, tenantId } = resolving
    await filled(
      tx,
      'resolved_apps',
      tx`
      insert into resolved_apps
      select s.line, s.external_id, coalesce(o.app_id, ${newId(resolving)}), o.app_id is null
      from staged_apps s left join apps o on o.tenant_id = ${tenantId} and o.external_id = s.external_id`,
    )
  },
  async resource_type(resolving) {
    const { tx, tenantId } = resolving
    await filled(
      tx,
      'resolved_resource_types',
      tx`
      insert into resolved_resource_types
      select s.line, s.app_id, s.external_id, coalesce(o.resource_type_id, ${newId(resolving)}),
        o.resource_type_id is null
      from ${found(tx, tenantId, staged(tx, 'resource_type'), apps)} s
      left join resource_types o on o.tenant_id = ${tenantId} and o.app_id = s.app_id and o.external_id = s.external_id`,
    )
  },
  async resource(resolving) {
    const { tx, tenantId } = resolving
    const inApp = found(tx, tenantId, staged(tx, 'resource'), apps)
    await filled(
      tx,
      'resolved_resources',
      tx`
      insert into resolved_resources
      select s.line, s.app_id, s.resource_type_id, s.external_id, coalesce(o.resource_id, ${newId(resolving)}),
        o.resource_id is null
      from ${found(tx, tenantId, inApp, resourceTypes)} s
      left join resources o on o.tenant_id = ${tenantId} and o.app_id = s.app_id
        and o.resource_type_id = s.resource_type_id and o.external_id = s.external_id`,
    )
    const withParent = tx`(select line, app, parent_resource_type as resource_type, parent_resource as resource
      from staged_resources where parent_resource <> '')`
    const parentType = found(tx, tenantId, found(tx, tenantId, withParent, apps), resourceTypes)
    await filled(
      tx,
      'resolved_parents',
      tx`
      insert into resolved_parents
      select s.line, s.resource_type_id, s.resource_id from ${found(tx, tenantId, parentType, resources)} s`,
    )
  },
  async entitlement(resolving) {
    const { tx, tenantId } = resolving
    const inApp = found(tx, tenantId, staged(tx, 'entitlement'), apps)
    await filled(
      tx,
      'resolved_entitlements',
      tx`
      insert into resolved_entitlements
      select s.line, s.app_id, s.external_id, s.resource_type_id, s.resource_id,
        coalesce(o.entitlement_id, ${newId(resolving)}), o.entitlement_id is null
      from ${found(tx, tenantId, found(tx, tenantId, inApp, resourceTypes), resources)} s
      left join entitlements o on o.tenant_id = ${tenantId} and o.app_id = s.app_id and o.external_id = s.external_id`,
    )
  },
  async account(resolving) {
    const { tx, tenantId } = resolving
    const inApp = found(tx, tenantId, staged(tx, 'account'), apps)
    await filled(
      tx,
      'resolved_accounts',
      tx`
      insert into resolved_accounts
      select s.line, s.app_id, s.external_id, s.user_id, coalesce(o.account_id, ${newId(resolving)}), o.account_id is null
      from ${found(tx, tenantId, inApp, users)} s
      left join accounts o on o.tenant_id = ${tenantId} and o.app_id = s.app_id and o.external_id = s.external_id`,
    )
  },
  async grant({ tx, tenantId }) {
    const inApp = found(tx, tenantId, staged(tx, 'grant'), apps)
    await filled(
      tx,
      'resolved_grants',
      tx`
      insert into resolved_grants
      select s.line, s.app_id, s.entitlement_id, s.account_id, s.granted_at, s.expires_at, o.grant_id, o.granted_at,
        o.granted_by, o.connector_ids,
        case when o.grant_id is null then false
          when s.granted_at <> o.granted_at then true
          when s.expires_at is not distinct from o.expires_at then false end
      from ${found(tx, tenantId, found(tx, tenantId, inApp, entitlements), accounts)} s
      left join grants o on o.tenant_id = ${tenantId} and o.app_id = s.app_id and o.entitlement_id = s.entitlement_id
        and o.account_id = s.account_id and o.source = 'import' and o.ended_at is null`,
    )
    // Grants whose expiry differs from the file's are not decided yet. A row keeps who granted it when somebody changes its
    // terms manually, so the first of those that an import granted has the file's terms. If the file still has the same
    // terms, the manual ones stay.
    const { count } = await tx`
      insert into first_terms
      select distinct on (r.line) r.line, f.expires_at
      from resolved_grants r
      join grants f on f.tenant_id = ${tenantId} and f.app_id = r.app_id and f.entitlement_id = r.entitlement_id
        and f.account_id = r.account_id and f.source = 'import' and f.granted_by = r.open_granted_by
      where r.is_restated is null
      order by r.line, f.began_at, f.grant_id`
    if (count > 0)
      await tx`
        update resolved_grants r set is_restated = r.expires_at is distinct from f.expires_at
        from first_terms f where f.line = r.line`
  },
}

const staged = (tx: Tx, kind: KindName): Fragment => tx`${tx(stagedTables[kind])}`

/** Resolves the lines of a kind; the kinds of its parents have to be resolved first. */
export const resolve = (resolving: Resolving, kind: KindName): Promise<void> => steps[kind](resolving)
