import type { Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef } from '../automation.ts'

/** Locks an app and its entitlement until the transaction ends; returns the name, or null if they do not exist. */
export async function holdEntitlement(tx: Tx, tenantId: number, { appId, id }: EntitlementRef): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    select e.display_name as name from entitlements e
    join apps a on a.tenant_id = e.tenant_id and a.app_id = e.app_id
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${id} and e.deleted_at is null
      and a.deleted_at is null for share`
  return row?.name ?? null
}

/** The accounts of some users that hold an entitlement through its rule; an empty id means accounts without a user. */
export async function listAccountsGiven(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userIds: readonly string[],
): Promise<{ userId: string; accountId: string }[]> {
  return db<{ userId: string; accountId: string }[]>`
    select coalesce(a.user_id, '') as "userId", a.account_id as "accountId"
    from (
      select * from accounts a
      where a.tenant_id = ${tenantId} and a.app_id = ${appId}
        and ${
          userIds.includes('')
            ? db`(a.user_id = any(${userIds}::text[]) or a.user_id is null)`
            : db`a.user_id = any(${userIds}::text[])`
        }
      offset 0
    ) a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and g.entitlement_id = ${id} and g.source = 'rule' and g.ended_at is null`
}

/** Rows `g` that began or ended during a run: by an index of their entitlement. */
export const between = (db: Reads, column: 'began_at' | 'ended_at', span: Span) =>
  db`g.${db(column)} >= ${span.from}::timestamptz - interval '1 hour'
    and g.${db(column)} <= ${span.to}::timestamptz + interval '1 hour'`

/** When a run began and ended; clocks of several servers may differ, but not by an hour. */
export type Span = { from: Date; to: Date }

/** What a run granted and nothing has changed since, by id. Excluded users are skipped. */
export async function listToTakeBack(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  { runId, span }: { runId: string; span: Span },
  page: { after: string; limit: number },
): Promise<{ id: string; accountId: string }[]> {
  return db<{ id: string; accountId: string }[]>`
    select g.grant_id as id, g.account_id as "accountId" from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}
      and ${between(db, 'began_at', span)} and g.granted_by = ${runId} and g.source = 'rule' and g.ended_at is null
      and g.grant_id > ${page.after}
      and not exists (select 1 from automation_exclusions x where x.tenant_id = ${tenantId} and x.app_id = g.app_id
        and x.entitlement_id = g.entitlement_id and x.user_id = a.user_id)
    order by g.grant_id limit ${page.limit}`
}

export type TakenGrant = { id: string; accountId: string; grantedAt: Date; expiresAt: Date | null }

/**
 * What a run revoked and nothing has replaced since, by id: of existing accounts and users who are not excluded. Grants that
 * would have expired by now are skipped.
 */
export async function listToGiveBack(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  { runId, span }: { runId: string; span: Span },
  page: { after: string; limit: number; at: Date },
): Promise<TakenGrant[]> {
  return db<TakenGrant[]>`
    select g.grant_id as id, g.account_id as "accountId", g.granted_at as "grantedAt", g.expires_at as "expiresAt"
    from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
      and a.deleted_at is null
    join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id and u.deleted_at is null
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}
      and ${between(db, 'ended_at', span)} and g.ended_by = ${runId} and g.source = 'rule' and g.grant_id > ${page.after}
      and (g.expires_at is null or g.expires_at > ${page.at})
      and not exists (select 1 from grants o where o.tenant_id = ${tenantId} and o.app_id = g.app_id
        and o.entitlement_id = g.entitlement_id and o.account_id = g.account_id and o.began_at >= g.ended_at
        and o.grant_id <> g.grant_id)
      and not exists (select 1 from automation_exclusions x where x.tenant_id = ${tenantId} and x.app_id = g.app_id
        and x.entitlement_id = g.entitlement_id and x.user_id = a.user_id)
    order by g.grant_id limit ${page.limit}`
}

export type HeldGrant = {
  id: string
  accountId: string
  source: string
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
  reason: string
}

const grantsMax = 1000

/** The grants through which a user holds an entitlement now. */
export async function listHeldGrants(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userId: string,
  at: Date,
): Promise<HeldGrant[]> {
  return db<HeldGrant[]>`
    select g.grant_id as id, g.account_id as "accountId", g.source, g.granted_by as "grantedBy",
      g.granted_at as "grantedAt", g.expires_at as "expiresAt", g.reason
    from accounts a
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      and g.entitlement_id = ${id} and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.user_id = ${userId} and a.deleted_at is null
    order by g.granted_at, g.grant_id limit ${grantsMax}`
}

/** The last grant of an entitlement that a user held and no longer holds; who ended it and when. */
export async function findLastEnded(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  userId: string,
): Promise<{ source: string; endedAt: Date; endedBy: string } | null> {
  const [row] = await db<{ source: string; endedAt: Date; endedBy: string }[]>`
    select g.source, g.ended_at as "endedAt", coalesce(g.ended_by, '') as "endedBy" from accounts a
    join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      and g.entitlement_id = ${id} and g.ended_at is not null and g.ended_why <> 'restated'
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.user_id = ${userId}
    order by g.ended_at desc limit 1`
  return row ?? null
}
