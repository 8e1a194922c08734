import type { Reads } from '#kernel/sql.ts'
import { profilesAppId } from '../profiles-app.ts'
import type { Place } from '../sight/index.ts'

export type Ref = { appId: string; id: string }

/** What the holder of an entitlement, `from`, also receives: another entitlement, or the ownership of something. */
export type Conferred = { from: Ref; what: 'entitlement' | 'ownership'; kind: string; appId: string; id: string }

/** Some entitlements, all of an app, or all that a policy or a form is used for. */
export type Among = readonly Ref[] | { appId: string } | { policyId: string } | { formId: string }

/** What someone owns, and whether they may grant every entitlement, so that only ownership is beyond them. */
export type Reach = { places: readonly Place[]; givesAll: boolean }

/**
 * Of everything that entitlements lead to, what the owner of some places may not grant: one thing for each entitlement.
 * An entitlement leads to those whose rules read it, or read who has an account in its app, those that it is bound to,
 * those that its provisioner or its policy grants with it, those that an access profile grants to its members without
 * asking their policies, and so on from each; and to what the holders of any of these own. It also leads to another
 * that is not granted with it (`is_given`) if a policy of the other asks its holders, or asks about them, or if its
 * holders may request the other, or do so by enrolling, and no person decides that: of what is reached this way, only
 * ownership counts, however many steps away. Whoever may grant an entitlement owns it, its resource or its app; whoever
 * may add owners owns what contains the object.
 */
export async function listConferredBeyond(
  db: Reads,
  tenantId: number,
  among: Among,
  { places, givesAll }: Reach,
  limit: number,
): Promise<Conferred[]> {
  const of = (kind: Place['kind']): readonly Place[] => places.filter((place) => place.kind === kind)
  const [apps, resources, entitlements] = [of('app'), of('resource'), of('entitlement')]
  return db<Conferred[]>`
    with recursive ${policyLists(db, tenantId, among)}, fed as (
      select s.app_id, s.entitlement_id, s.from_app_id, s.from_id, true as is_given from (${starts(db, tenantId, among)}) s
      union
      select x.app_id collate "C", x.entitlement_id collate "C", f.from_app_id, f.from_id, f.is_given and x.is_given
      from fed f
      cross join lateral (${ledToBy(db, tenantId)}) x
    ), owned as (
      select o.kind, o.app_id, o.object_id, f.from_app_id, f.from_id from fed f
      cross join lateral (
        select o.kind, o.app_id, o.object_id from owners o
        where o.tenant_id = ${tenantId} and o.entitlement_app_id = f.app_id and o.entitlement_id = f.entitlement_id
          and o.ended_at is null offset 0
      ) o
    ), conferred as (
      select 'entitlement' as what, '' as kind, e.app_id::text as app_id, e.entitlement_id::text as id,
        e.resource_type_id, e.resource_id, f.from_app_id, f.from_id
      from fed f
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = f.app_id and e.entitlement_id = f.entitlement_id
      where not ${givesAll} and f.is_given and e.deleted_at is null and (e.app_id, e.entitlement_id) <> (f.from_app_id, f.from_id)
      union all
      select 'ownership', o.kind, o.app_id, o.object_id, e.resource_type_id, e.resource_id, o.from_app_id, o.from_id
      from owned o
      left join entitlements e on e.tenant_id = ${tenantId} and o.kind = 'entitlement' and e.app_id = o.app_id
        and e.entitlement_id = o.object_id
    ), judged as (
      select c.what, c.kind, c.app_id, c.id, c.from_app_id, c.from_id,
        c.app_id = any(${apps.map((place) => place.appId)}::text[])
          or coalesce((c.app_id, c.resource_type_id, c.resource_id) in (select * from unnest(
            ${resources.map((place) => place.appId)}::text[], ${resources.map(({ typeId }) => typeId)}::text[],
            ${resources.map((place) => place.id)}::text[])), false) as owns_above,
        (c.app_id, c.id) in (select * from unnest(
          ${entitlements.map((place) => place.appId)}::text[], ${entitlements.map((place) => place.id)}::text[])) as owns
      from conferred c
    )
    select distinct on (from_app_id, from_id)
      jsonb_build_object('appId', from_app_id, 'id', from_id) as "from", what, kind, app_id as "appId", id
    from judged
    where not case what when 'entitlement' then owns_above or owns else owns_above and kind not in ('app', 'user') end
    order by from_app_id, from_id, what desc, kind, app_id, id
    limit ${limit}`
}

/**
 * Of policies: the one asked about and all that refer to it (`using_it`), those that each refers to (`reaches`), the apps
 * and entitlements whose holders each asks or asks about (`asking`), those that may decide without a person
 * (`unattended`), and the entitlements that each grants too (`bringing`).
 */
const policyLists = (db: Reads, tenantId: number, among: Among) => db`
  using_it as (
    select ${'policyId' in among ? among.policyId : null}::text collate "C" as policy_id
    union
    select q.policy_id::text collate "C" from using_it u
    join policies q on q.tenant_id = ${tenantId} and q.referred_ids @> array[u.policy_id] and q.deleted_at is null
  ), reaches as (
    select p.policy_id::text collate "C" as policy_id, p.policy_id::text collate "C" as inner_id from policies p
    where p.tenant_id = ${tenantId} and p.type = 'POLICY_TYPE_GRANT' and p.deleted_at is null
    union
    select r.policy_id, x.id::text collate "C" from reaches r
    join policies q on q.tenant_id = ${tenantId} and q.policy_id = r.inner_id and q.deleted_at is null
    cross join lateral unnest(q.referred_ids) x (id)
  ), asking as materialized (
    select distinct r.policy_id, x.id, x.is_app from reaches r
    join policies p on p.tenant_id = ${tenantId} and p.policy_id = r.inner_id and p.deleted_at is null
    cross join lateral (
      select m[1] as id, false as is_app from regexp_matches(p.steps::text || p.rules::text, '[0-9A-Za-z]{27}', 'g') m
      union
      select m[1], true from regexp_matches(p.steps::text || p.rules::text, 'HasApp[^)]*([0-9A-Za-z]{27})', 'g') m
    ) x
  ), unattended as materialized (
    select distinct r.policy_id from reaches r
    join policies p on p.tenant_id = ${tenantId} and p.policy_id = r.inner_id and p.deleted_at is null
    cross join lateral jsonb_each(p.steps) s
    where not jsonb_path_exists(s.value, ${byPeople})
  ), bringing as materialized (
    select distinct r.policy_id, d ->> 'appId' as app_id, d ->> 'entitlementId' as entitlement_id from reaches r
    join policies p on p.tenant_id = ${tenantId} and p.policy_id = r.inner_id and p.deleted_at is null
    cross join lateral jsonb_path_query(p.steps, '$.**.delegated') d
    where d ->> 'entitlementId' <> ''
  )`

/** What an entitlement of `fed` leads to in one step. */
const ledToBy = (db: Reads, tenantId: number) => db`
  select r.by_app_id::text as app_id, r.by_entitlement_id::text as entitlement_id, true as is_given
  from automation_reads r
  where r.tenant_id = ${tenantId} and r.app_id = f.app_id and r.entitlement_id in (f.entitlement_id, '')
  union all
  select p.dst_app_id::text, p.dst_entitlement_id::text, true from entitlement_proxies p
  where p.tenant_id = ${tenantId} and p.src_app_id = f.app_id and p.src_entitlement_id = f.entitlement_id
  union all
  select d ->> 'appId', d ->> 'entitlementId', true from entitlements e
  cross join lateral jsonb_path_query(e.provisioner, '$.**.delegated') d
  where e.tenant_id = ${tenantId} and e.app_id = f.app_id and e.entitlement_id = f.entitlement_id
    and d ->> 'entitlementId' <> ''
  union all
  select b.app_id, b.entitlement_id, true from bringing b
  join entitlements t on t.tenant_id = ${tenantId} and t.app_id = f.app_id and t.entitlement_id = f.entitlement_id
  where b.policy_id in (${policiesOf(db, tenantId)})
  union all
  select pe.app_id::text, pe.entitlement_id::text, true from profile_entries pe
  join profiles c on c.tenant_id = ${tenantId} and c.profile_id = pe.profile_id and c.deleted_at is null
  where pe.tenant_id = ${tenantId} and f.app_id = ${profilesAppId} and pe.profile_id = f.entitlement_id
    and not pe.is_enrollment
    and c.enrollment = 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY'
  union all
  select t.app_id::text, t.entitlement_id::text, false from (
    select v.profile_id::text as profile_id from profile_visibility v
    where v.tenant_id = ${tenantId} and v.app_id = f.app_id and v.entitlement_id = f.entitlement_id
    union all
    select f.entitlement_id where f.app_id = ${profilesAppId}
  ) v
  join profiles c on c.tenant_id = ${tenantId} and c.profile_id = v.profile_id and c.deleted_at is null
    and not (c.is_published and c.is_for_everyone)
  join profile_entries pe on pe.tenant_id = ${tenantId} and pe.profile_id = v.profile_id
  join entitlements t on t.tenant_id = ${tenantId} and t.app_id = pe.app_id and t.entitlement_id = pe.entitlement_id
    and t.deleted_at is null
  where exists (select 1 from unattended u where u.policy_id in (${policiesOf(db, tenantId)}))
  union all
  select t.app_id::text, t.entitlement_id::text, false from asking k
  join entitlements t on t.tenant_id = ${tenantId} and t.deleted_at is null and ${isUsedFor(db, tenantId)}
  where k.id = case when k.is_app then f.app_id else f.entitlement_id end and (${leadsOn(db, tenantId)})`

/** A step that waits for a person other than the requester, in the JSON path language. */
const byPeople =
  '$.steps[*] ? (@.reject.type() == "object" || (@.approval.type() == "object" && !exists(@.approval.self ? (@.type() == "object"))))'

/** Whether the policy of `k` may decide requests for the entitlement `t`: the inverse of `policiesOf`. */
const isUsedFor = (db: Reads, tenantId: number) => db`(k.policy_id in (t.grant_policy_id, t.emergency_policy_id)
  or t.app_id in (
    select a.app_id from apps a where a.tenant_id = ${tenantId} and a.grant_policy_id = k.policy_id
    union all
    select d.app_id from request_defaults d
    where d.tenant_id = ${tenantId} and d.is_enabled and k.policy_id in (d.grant_policy_id, d.emergency_policy_id)
    union all
    select r.app_id from routing_rules r
    where r.tenant_id = ${tenantId} and r.is_enabled and k.policy_id in (r.grant_policy_id, r.emergency_policy_id)))`

/**
 * Whether the entitlement `t` leads to anything: most lead nowhere. Uses lists that are read once, as `t` may be one of
 * very many.
 */
const leadsOn = (db: Reads, tenantId: number) => db`
  (t.app_id, t.entitlement_id) in (
    select o.entitlement_app_id, o.entitlement_id from owners o
    where o.tenant_id = ${tenantId} and o.entitlement_id is not null and o.ended_at is null
    union all
    select r.app_id, r.entitlement_id from automation_reads r where r.tenant_id = ${tenantId}
    union all
    select p.src_app_id, p.src_entitlement_id from entitlement_proxies p where p.tenant_id = ${tenantId}
    union all
    select v.app_id, v.entitlement_id from profile_visibility v where v.tenant_id = ${tenantId})
  or t.entitlement_id in (select n.id from asking n where not n.is_app)
  or t.app_id in (
    select r.app_id from automation_reads r where r.tenant_id = ${tenantId} and r.entitlement_id = ''
    union all
    select n.id from asking n where n.is_app)
  or t.app_id = ${profilesAppId} or jsonb_path_exists(t.provisioner, '$.**.delegated')
  or (exists (select 1 from bringing) and exists (
    select 1 from bringing b where b.policy_id in (${policiesOf(db, tenantId)})))`

/**
 * All policies that may decide requests for the entitlement `t`, regardless of the conditions of its app's routing
 * rules.
 */
const policiesOf = (db: Reads, tenantId: number) => db`
  select t.grant_policy_id union all select t.emergency_policy_id
  union all
  select a.grant_policy_id from apps a where a.tenant_id = ${tenantId} and a.app_id = t.app_id
  union all
  select unnest(array[d.grant_policy_id, d.emergency_policy_id]) from request_defaults d
  where d.tenant_id = ${tenantId} and d.app_id = t.app_id and d.is_enabled
  union all
  select unnest(array[r.grant_policy_id, r.emergency_policy_id]) from routing_rules r
  where r.tenant_id = ${tenantId} and r.app_id = t.app_id and r.is_enabled`

function starts(db: Reads, tenantId: number, among: Among) {
  const columns = db`select e.app_id::text collate "C" as app_id, e.entitlement_id::text collate "C" as entitlement_id,
    e.app_id::text collate "C" as from_app_id, e.entitlement_id::text collate "C" as from_id from entitlements e
    where e.tenant_id = ${tenantId} and e.deleted_at is null`
  if ('appId' in among) return db`${columns} and e.app_id = ${among.appId}`
  if ('policyId' in among)
    return db`${columns} and (e.grant_policy_id in (select policy_id from using_it)
        or e.emergency_policy_id in (select policy_id from using_it)
        or e.app_id in (
          select a.app_id from apps a where a.tenant_id = ${tenantId} and a.grant_policy_id in (select policy_id from using_it)
          union all
          select d.app_id from request_defaults d join using_it u on u.policy_id in (d.grant_policy_id, d.emergency_policy_id)
          where d.tenant_id = ${tenantId}
          union all
          select r.app_id from routing_rules r join using_it u on u.policy_id in (r.grant_policy_id, r.emergency_policy_id)
          where r.tenant_id = ${tenantId}))`
  if ('formId' in among)
    return db`${columns} and (exists (select 1 from form_bindings b where b.tenant_id = ${tenantId}
          and b.app_id = e.app_id and b.entitlement_id = e.entitlement_id and b.form_id = ${among.formId})
        or exists (select 1 from request_defaults d
          where d.tenant_id = ${tenantId} and d.app_id = e.app_id and d.form_id = ${among.formId})
        or exists (select 1 from routing_rules r
          where r.tenant_id = ${tenantId} and r.app_id = e.app_id and r.form_id = ${among.formId}))`
  return db`
    select w.app_id collate "C" as app_id, w.entitlement_id collate "C" as entitlement_id,
      w.app_id collate "C" as from_app_id, w.entitlement_id collate "C" as from_id
    from unnest(${among.map(({ appId }) => appId)}::text[], ${among.map(({ id }) => id)}::text[]) w (app_id, entitlement_id)`
}

/**
 * What decides how each of some entitlements is granted, as text: the policy, the form, the duration, emergency access
 * and how it is provisioned, as far as each source affects it; how accounts of its app are matched to users; and, if an
 * expression of a policy or a routing rule reads the entitlement, what it can read.
 */
export async function listGiving(
  db: Reads,
  tenantId: number,
  refs: readonly Ref[],
): Promise<{ appId: string; id: string; giving: string }[]> {
  return db<{ appId: string; id: string; giving: string }[]>`
    select e.app_id as "appId", e.entitlement_id as id, jsonb_build_array(
      e.overrides_defaults, e.grant_policy_id, e.is_emergency_enabled, e.emergency_policy_id, e.duration_grant_seconds,
      e.is_duration_unset, e.provisioner, a.identity_matching,
      (select b.form_id from form_bindings b
        where b.tenant_id = ${tenantId} and b.app_id = e.app_id and b.entitlement_id = e.entitlement_id),
      case when e.grant_policy_id = '' then a.grant_policy_id end,
      (select jsonb_build_array(case when e.grant_policy_id = '' then d.grant_policy_id end, d.form_id, d.duration_seconds,
          d.is_duration_unset, case when not e.is_emergency_enabled and d.is_emergency_enabled then d.emergency_policy_id end)
        from request_defaults d
        where d.tenant_id = ${tenantId} and d.app_id = e.app_id and d.is_enabled and not e.overrides_defaults
          and (cardinality(d.resource_type_ids) = 0 or e.resource_type_id = any(d.resource_type_ids))),
      (select jsonb_agg(jsonb_build_array(r.condition, r.grant_policy_id, r.form_id, r.max_seconds,
          r.is_emergency_enabled, r.emergency_policy_id) order by r.place)
        from routing_rules r
        where r.tenant_id = ${tenantId} and r.app_id = e.app_id and r.is_enabled and not e.overrides_defaults),
      case when exists (select 1 from policies p where p.tenant_id = ${tenantId} and p.deleted_at is null
            and p.rules::text || p.steps::text ~ ${readsEntitlement})
          or exists (select 1 from routing_rules r
            where r.tenant_id = ${tenantId} and r.app_id = e.app_id and r.condition ~ ${readsEntitlement})
        then jsonb_build_array(e.display_name, e.description, e.slug, e.alias, e.purpose, e.risk_level_value_id,
          e.compliance_framework_value_ids) end)::text as giving
    from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) w (app_id, entitlement_id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.entitlement_id
    join apps a on a.tenant_id = ${tenantId} and a.app_id = e.app_id
    where e.deleted_at is null`
}

// The whole word, as expressions read it, and not as part of a field's name.
const readsEntitlement = '\\mentitlement\\M'
