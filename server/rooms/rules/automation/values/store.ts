import type { Reads } from '#kernel/sql.ts'
import type { Value, ValuesAsked } from '#rooms/identity/users/index.ts'

// As for fields: at most so many users are read, regardless of the request.
const usersMax = 200_000
const profilesMax = 5_000

/** The keys that occur in people's profiles. */
export async function listProfileKeys(
  db: Reads,
  tenantId: number,
  { query, least, limit }: ValuesAsked,
): Promise<Value[]> {
  return db<Value[]>`
    select k.key as value, k.key as label, count(*) as count from (
      select u.profile from users u
      where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null limit ${profilesMax}) p
    cross join lateral jsonb_object_keys(p.profile) as k (key)
    where strpos(lower(k.key), ${query}) > 0
    group by k.key having count(*) >= ${least}
    order by count(*) desc, k.key limit ${limit}`
}

/** The texts that occur at one place in people's profiles. */
export async function listProfileValues(
  db: Reads,
  tenantId: number,
  key: string,
  { query, least, limit }: ValuesAsked,
): Promise<Value[]> {
  return db<Value[]>`
    select v.value, v.value as label, count(*) as count from (
      select u.profile ->> ${key} as value from users u
      where u.tenant_id = ${tenantId} and u.status = 'ENABLED' and u.deleted_at is null
        and jsonb_typeof(u.profile -> ${key}) = 'string'
      limit ${usersMax}) v
    where v.value <> '' and strpos(lower(v.value), ${query}) > 0
    group by v.value having count(*) >= ${least}
    order by count(*) desc, v.value limit ${limit}`
}

/** Apps by name; the value is the id that an expression uses. */
export async function listAppValues(
  db: Reads,
  tenantId: number,
  { query, limit }: Pick<ValuesAsked, 'query' | 'limit'>,
): Promise<Value[]> {
  return db<Value[]>`
    select a.app_id as value, a.display_name as label, 0 as count from apps a
    where a.tenant_id = ${tenantId} and a.deleted_at is null
      and (strpos(lower(a.display_name), ${query}) > 0 or lower(a.app_id) = ${query})
    order by a.display_name, a.app_id limit ${limit}`
}

/** The entitlements of an app, likewise. */
export async function listEntitlementValues(
  db: Reads,
  tenantId: number,
  appId: string,
  { query, limit }: Pick<ValuesAsked, 'query' | 'limit'>,
): Promise<Value[]> {
  return db<Value[]>`
    select e.entitlement_id as value, e.display_name as label, 0 as count from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.deleted_at is null
      and (strpos(lower(e.display_name), ${query}) > 0 or lower(e.entitlement_id) = ${query})
    order by e.display_name, e.entitlement_id limit ${limit}`
}
