import type { Fragment, Reads } from '#kernel/sql.ts'

/** Something that a caller owns or holds. Only a resource has a type, and an app has no second id: '' otherwise. */
export type Place = {
  kind: 'app' | 'resource' | 'entitlement' | 'account' | 'connector' | 'held' | 'past'
  appId: string
  typeId: string
  id: string
}

/**
 * Whether a place shows the app that contains it. What someone held in the past is shown only with their past access;
 * the owner of an account or a connector sees that, and only the name of its app.
 */
export const isOfApp = ({ kind }: Pick<Place, 'kind'>): boolean =>
  kind !== 'past' && kind !== 'account' && kind !== 'connector'

/**
 * What a user owns now, directly or through an entitlement that they hold, and what they hold now, including what their
 * entitlements are bound to; and what they held in the past.
 */
export async function listPlaces(
  db: Reads,
  tenantId: number,
  userId: string,
  { at, countsOwned }: { at: Date; countsOwned: boolean },
): Promise<Place[]> {
  return db<Place[]>`
    with recursive holding as materialized (
      select distinct g.app_id::text as app_id, g.entitlement_id::text as entitlement_id from accounts a
      join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
        and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
      where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null
    ), reached as (
      select app_id, entitlement_id from holding
      union
      select p.dst_app_id::text, p.dst_entitlement_id::text from reached r
      join entitlement_proxies p on p.tenant_id = ${tenantId} and p.src_app_id = r.app_id
        and p.src_entitlement_id = r.entitlement_id
    )
    select 'held' as kind, app_id as "appId", '' as "typeId", entitlement_id as id from reached
    union
    select 'past', g.app_id, '', g.entitlement_id from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId}
    union
    select o.kind, o.app_id, '', o.object_id from owners o
    where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null and o.kind = 'account'
    union
    select o.kind, o.app_id, '', o.object_id from holding h
    join owners o on o.tenant_id = ${tenantId} and o.entitlement_app_id = h.app_id
      and o.entitlement_id = h.entitlement_id and o.ended_at is null and o.kind = 'account'
    ${
      countsOwned
        ? db`
          union
          select o.kind, o.app_id, o.resource_type_id, o.object_id from owners o
          where o.tenant_id = ${tenantId} and o.user_id = ${userId} and o.ended_at is null
            and o.kind in ('app', 'resource', 'entitlement', 'connector')
          union
          select o.kind, o.app_id, o.resource_type_id, o.object_id from holding h
          join owners o on o.tenant_id = ${tenantId} and o.entitlement_app_id = h.app_id
            and o.entitlement_id = h.entitlement_id and o.ended_at is null
            and o.kind in ('app', 'resource', 'entitlement', 'connector')`
        : db``
    }`
}

/**
 * Of access profiles `p`, those that someone sees: published, and for everyone or bound to something that they hold
 * now. Someone sees what they may request.
 */
export const isVisibleProfile = (db: Reads, tenantId: number, userId: string, at: Date) => db`(
  p.is_published and p.deleted_at is null and (p.is_for_everyone or p.profile_id in (
    select v.profile_id from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
    join profile_visibility v on v.tenant_id = ${tenantId} and v.app_id = g.app_id and v.entitlement_id = g.entitlement_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null)))`

type Requester = { userId: string; at: Date }

/** Whether someone may request those of the entries `r` that `which` selects. */
const isRequestable = (db: Reads, tenantId: number, { userId, at }: Requester, which: Fragment) => db`
  exists (select 1 from profile_entries r
    join profiles p on p.tenant_id = ${tenantId} and p.profile_id = r.profile_id
    where r.tenant_id = ${tenantId} and ${which} and ${isVisibleProfile(db, tenantId, userId, at)})`

/** Of some entitlements, those that someone may request. */
export async function listRequestable(
  db: Reads,
  tenantId: number,
  who: Requester,
  refs: readonly EntitlementRef[],
): Promise<EntitlementRef[]> {
  const [one] = refs
  if (!one) return []
  // A single one is a scalar parameter, for which PostgreSQL keeps its plan. A list is planned again each time, which
  // took 2 ms.
  if (refs.length === 1)
    return db<EntitlementRef[]>`
      select e.app_id as "appId", e.entitlement_id as id from entitlements e
      where e.tenant_id = ${tenantId} and e.app_id = ${one.appId} and e.entitlement_id = ${one.id} and e.deleted_at is null
        and ${isRequestable(db, tenantId, who, db`r.app_id = ${one.appId} and r.entitlement_id = ${one.id}`)}`
  return db<EntitlementRef[]>`
    select w.app_id as "appId", w.id from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) as w (app_id, id)
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.id
    where e.deleted_at is null
      and ${isRequestable(db, tenantId, who, db`r.app_id = w.app_id and r.entitlement_id = w.id`)}`
}

/** Of some resources, those of which someone may request something; an empty id is any of the type. */
export async function listRequestableResources(
  db: Reads,
  tenantId: number,
  who: Requester,
  refs: readonly ResourceRef[],
): Promise<ResourceRef[]> {
  if (refs.length === 0) return []
  return db<ResourceRef[]>`
    select w.app_id as "appId", w.type_id as "typeId", w.id from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ typeId }) => typeId)}::text[],
      ${refs.map(({ id }) => id)}::text[]) as w (app_id, type_id, id)
    where exists (select 1 from entitlements e
      where e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.resource_type_id = w.type_id
        and (w.id = '' or e.resource_id = w.id) and e.deleted_at is null
        and ${isRequestable(db, tenantId, who, db`r.app_id = e.app_id and r.entitlement_id = e.entitlement_id`)})`
}

/** Of some apps, those of which someone may request something. */
export async function listRequestableApps(
  db: Reads,
  tenantId: number,
  who: Requester,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db<{ id: string }[]>`
    select w.id from unnest(${ids}::text[]) as w (id)
    where ${isRequestable(db, tenantId, who, db`r.app_id = w.id`)}`
  return rows.map(({ id }) => id)
}

const columns = (of: readonly Place[]) => ({
  apps: of.map(({ appId }) => appId),
  types: of.map(({ typeId }) => typeId),
  ids: of.map(({ id }) => id),
})

const ofKind = (places: readonly Place[], ...kinds: Place['kind'][]): Place[] =>
  places.filter(({ kind }) => kinds.includes(kind))

const refsIn = (db: Reads, of: readonly Place[]) =>
  db`select * from unnest(${columns(of).apps}::text[], ${columns(of).ids}::text[])`

const resourcesIn = (db: Reads, of: readonly Place[]) => {
  const { apps, types, ids } = columns(of)
  return db`select * from unnest(${apps}::text[], ${types}::text[], ${ids}::text[])`
}

const appsOf = (...of: readonly Place[][]): string[] => [...new Set(of.flat().map(({ appId }) => appId))]

/** Entitlements that are owned because of these places: themselves, those of a resource, those of an app. Columns of `e`. */
const isOwned = (db: Reads, places: readonly Place[]) => db`(
  e.app_id = any(${appsOf(ofKind(places, 'app'))}::text[])
  or (e.app_id, e.entitlement_id) in (${refsIn(db, ofKind(places, 'entitlement'))})
  or (e.app_id, e.resource_type_id, e.resource_id) in (${resourcesIn(db, ofKind(places, 'resource'))}))`

/** Entitlements that are owned or held. Columns of `e`. */
export const isSeenEntitlement = (db: Reads, places: readonly Place[]) => db`(
  ${isOwned(db, ofKind(places, 'app', 'resource', 'entitlement'))}
  or (e.app_id, e.entitlement_id) in (${refsIn(db, ofKind(places, 'held'))}))`

/** Rows `o` of the owners of what someone sees: of what they own, what it contains, what they hold, and the app of each. */
const ofVisible = (db: Reads, tenantId: number, places: readonly Place[]) => db`(
  o.app_id = any(${appsOf(ofKind(places, 'app'))}::text[])
  or (o.kind = 'app' and o.app_id = any(${appsOf(places.filter(isOfApp))}::text[]))
  or (o.kind = 'connector' and (o.app_id, o.object_id) in (${refsIn(db, ofKind(places, 'connector'))}))
  or (o.kind = 'resource' and (o.app_id, o.resource_type_id, o.object_id) in (
    ${resourcesIn(db, ofKind(places, 'resource'))}))
  or (o.kind = 'entitlement' and (o.app_id, o.object_id) in (${refsIn(db, ofKind(places, 'entitlement', 'held'))}))
  or (o.kind = 'entitlement' and (o.app_id, o.object_id) in (
    select e.app_id, e.entitlement_id from entitlements e
    where e.tenant_id = ${tenantId} and (e.app_id, e.resource_type_id, e.resource_id) in (
      ${resourcesIn(db, ofKind(places, 'resource'))}))))`

/** `isAffected`: they are involved in what the caller owns, and not only known by name. */
export type Seen = { userId: string; isAffected: boolean }

/** Of some users, those whom the owner or holder of these places sees. Everyone who ever held something still counts. */
export async function listSeen(
  db: Reads,
  tenantId: number,
  { callerId, places, at }: { callerId: string; places: readonly Place[]; at: Date },
  userIds: readonly string[],
): Promise<Seen[]> {
  const owned = ofKind(places, 'app', 'resource', 'entitlement')
  const isAffected =
    owned.length === 0
      ? db`false`
      : db`(
        exists (select 1 from accounts a where a.tenant_id = ${tenantId} and a.user_id = w.user_id
          and a.app_id = any(${appsOf(ofKind(owned, 'app'))}::text[]))
        or exists (select 1 from accounts a
          join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
          join entitlements e on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
          where a.tenant_id = ${tenantId} and a.user_id = w.user_id and a.app_id = any(${appsOf(owned)}::text[])
            and ${isOwned(db, owned)})
        or exists (select 1 from automation_exclusions x
          join entitlements e on e.tenant_id = ${tenantId} and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
          where x.tenant_id = ${tenantId} and x.user_id = w.user_id and ${isOwned(db, owned)}))`
  const isOwner =
    places.length === 0
      ? db`false`
      : db`(
        exists (select 1 from owners o
          where o.tenant_id = ${tenantId} and o.user_id = w.user_id and ${ofVisible(db, tenantId, places)})
        or exists (select 1 from accounts a
          join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
          join owners o on o.tenant_id = ${tenantId} and o.entitlement_app_id = g.app_id
            and o.entitlement_id = g.entitlement_id
          where a.tenant_id = ${tenantId} and a.user_id = w.user_id and ${ofVisible(db, tenantId, places)}))`
  return db<Seen[]>`
    select w.user_id as "userId", coalesce(s.is_affected, false) as "isAffected" from (
      select distinct user_id from unnest(${userIds}::text[]) as each (user_id)) w
    cross join lateral (select ${isAffected} as is_affected offset 0) s
    where s.is_affected or ${isOwner}
      or exists (select 1 from users c where c.tenant_id = ${tenantId} and c.user_id = ${callerId}
        and w.user_id = any(c.manager_ids))
      or exists (select 1 from user_delegations d where d.tenant_id = ${tenantId}
        and (d.start_at is null or d.start_at <= ${at}) and (d.expiration_at is null or d.expiration_at > ${at})
        and ((d.user_id = ${callerId} and d.delegated_user_id = w.user_id)
          or (d.user_id = w.user_id and d.delegated_user_id = ${callerId})))`
}

/** Of some ids, those that are users of the tenant, deleted or not. */
export async function listUserIds(db: Reads, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select user_id as id from users where tenant_id = ${tenantId} and user_id = any(${ids}::text[])`
  return rows.map(({ id }) => id)
}

export type EntitlementRef = { appId: string; id: string }
/**
 * How an entitlement is seen: as the caller's own, as one that they hold, or by name: one that they held in the past,
 * or whose holders own something that they see.
 */
export type EntitlementSight = 'owned' | 'held' | 'named'

/** Of some entitlements, deleted or not, those that the caller sees, and how. */
export async function listSeenEntitlements(
  db: Reads,
  tenantId: number,
  places: readonly Place[],
  refs: readonly EntitlementRef[],
): Promise<(EntitlementRef & { sight: EntitlementSight })[]> {
  if (places.length === 0 || refs.length === 0) return []
  return db<(EntitlementRef & { sight: EntitlementSight })[]>`
    select * from (
      select e.app_id as "appId", e.entitlement_id as id,
        case when ${isOwned(db, ofKind(places, 'app', 'resource', 'entitlement'))} then 'owned'
          when (e.app_id, e.entitlement_id) in (${refsIn(db, ofKind(places, 'held'))}) then 'held'
          when (e.app_id, e.entitlement_id) in (${refsIn(db, ofKind(places, 'past'))}) then 'named'
          when exists (select 1 from owners o where o.tenant_id = ${tenantId} and o.entitlement_app_id = e.app_id
            and o.entitlement_id = e.entitlement_id and ${ofVisible(db, tenantId, places)}) then 'named' end as sight
      from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]) as w (app_id, id)
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.entitlement_id = w.id
    ) seen where sight is not null`
}

export type ResourceRef = { appId: string; typeId: string; id: string }

/** Of some resources, those that the caller sees: owned, or with an entitlement that they own or have ever held. */
export async function listSeenResources(
  db: Reads,
  tenantId: number,
  places: readonly Place[],
  refs: readonly ResourceRef[],
): Promise<(ResourceRef & { isOwned: boolean })[]> {
  if (places.length === 0 || refs.length === 0) return []
  const owned = ofKind(places, 'app', 'resource', 'entitlement')
  const columnsOf = [
    refs.map(({ appId }) => appId),
    refs.map(({ typeId }) => typeId),
    refs.map(({ id }) => id),
  ] as const
  return db<(ResourceRef & { isOwned: boolean })[]>`
    select * from (
      select w.app_id as "appId", w.type_id as "typeId", w.id,
        w.app_id = any(${appsOf(ofKind(places, 'app'))}::text[])
          or (w.app_id, w.type_id, w.id) in (${resourcesIn(db, ofKind(places, 'resource'))}) as "isOwned",
        exists (select 1 from entitlements e
          where e.tenant_id = ${tenantId} and e.app_id = w.app_id and e.resource_type_id = w.type_id
            and (w.id = '' or e.resource_id = w.id)
            and (${isOwned(db, owned)}
              or (e.app_id, e.entitlement_id) in (${refsIn(db, ofKind(places, 'held', 'past'))}))) as "isReached"
      from unnest(${columnsOf[0]}::text[], ${columnsOf[1]}::text[], ${columnsOf[2]}::text[]) as w (app_id, type_id, id)
    ) seen where "isOwned" or "isReached"`
}

export type AccountRef = { appId: string; id: string }

/** Of some accounts, those whose names and addresses were copied from their users, rather than reported by the app. */
export async function listCopied(db: Reads, tenantId: number, refs: readonly AccountRef[]): Promise<AccountRef[]> {
  if (refs.length === 0) return []
  return db<AccountRef[]>`
    select a.app_id as "appId", a.account_id as id from accounts a
    where a.tenant_id = ${tenantId} and a.is_manually_managed and (a.app_id, a.account_id) in (
      select * from unnest(${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[]))`
}
