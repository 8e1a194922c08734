import type { Reads } from '#kernel/sql.ts'
import { expiredField, type Task } from '../machine/record.ts'

export type Held = { accountId: string; source: string }
type About = Pick<Task, 'appId' | 'entitlementId' | 'accountId' | 'subjectUserId'>

/** The accounts that hold the access of a task now, by each reason: the task's own, or all of the person. */
export async function listHeldBy(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId, subjectUserId }: About,
  at: Date,
): Promise<Held[]> {
  // Starts from the accounts of the person: otherwise all holders of a popular entitlement would be read.
  return db<Held[]>`
    select g.account_id as "accountId", g.source from (
      select c.account_id from accounts c
      where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.deleted_at is null
        and ${accountId === '' ? db`c.user_id = ${subjectUserId}` : db`c.account_id = ${accountId}`} offset 0) a
    cross join lateral (
      select h.account_id, h.source from grants h
      where h.tenant_id = ${tenantId} and h.app_id = ${appId} and h.entitlement_id = ${entitlementId}
        and h.account_id = a.account_id and h.ended_at is null
        and (h.expires_at is null or h.expires_at > ${at}) offset 0) g
    order by g.account_id, g.source`
}

/**
 * The accounts of a person in an app, in order of preference, and by which source each holds an entitlement, including past
 * its expiry.
 */
export type Holdings = {
  of: Pick<Task, 'appId' | 'entitlementId' | 'subjectUserId'>
  rows: readonly { accountId: string; source: string | null; isOver: boolean }[]
  /** Whether the app has a connector, which may have to provision it. */
  hasConnector: boolean
  /** Whether its owners may have to be asked where no connector provisions it. */
  mayAskOwners: boolean
}

export async function findHoldings(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, subjectUserId }: Holdings['of'],
  at: Date,
): Promise<Holdings> {
  const app = db<Pick<Holdings, 'hasConnector' | 'mayAskOwners'>[]>`
    select a.without_connector = 'manual' as "mayAskOwners", exists (select 1 from connectors c
      where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.deleted_at is null) as "hasConnector"
    from apps a where a.tenant_id = ${tenantId} and a.app_id = ${appId}`
  const held = db<Holdings['rows'][number][]>`
    select a.account_id as "accountId", g.source, coalesce(g.expires_at <= ${at}, false) as "isOver" from (
      select c.account_id, c.status, c.type from accounts c
      where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.user_id = ${subjectUserId} and c.deleted_at is null
      offset 0) a
    left join lateral (
      select h.source, h.expires_at from grants h
      where h.tenant_id = ${tenantId} and h.app_id = ${appId} and h.entitlement_id = ${entitlementId}
        and h.account_id = a.account_id and h.ended_at is null offset 0) g on true
    order by a.status = 'STATUS_ENABLED' desc, a.type = 'APP_USER_TYPE_USER' desc, a.account_id, g.source`
  const [rows, [found]] = await Promise.all([held, app])
  const { hasConnector, mayAskOwners } = found ?? { hasConnector: false, mayAskOwners: false }
  return { of: { appId, entitlementId, subjectUserId }, rows, hasConnector, mayAskOwners }
}

/** Whether someone holds an entitlement past its expiry, until an open task ends that. */
export async function hasExpired(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, subjectUserId }: Pick<Task, 'appId' | 'entitlementId' | 'subjectUserId'>,
): Promise<boolean> {
  const rows = await db`
    select 1 from tasks t
    where t.tenant_id = ${tenantId} and t.kind = 'revoke' and t.is_open and t.app_id = ${appId}
      and t.entitlement_id = ${entitlementId} and t.subject_user_id = ${subjectUserId}
      and t.source ->> ${expiredField} is not null limit 1`
  return rows.length > 0
}

/**
 * Why someone holds an entitlement by request, apart from the one that included it: they requested it separately and it was
 * not revoked since, or they hold another entitlement that includes it. Until when; null means no expiry.
 */
export async function listOtherReasons(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, subjectUserId }: About,
  along: About,
  at: Date,
): Promise<{ until: Date | null }[]> {
  const target = { delegated: { appId, entitlementId } }
  const inSteps = { multiStep: { provisionSteps: [target] } }
  const brought = await db<{ until: Date | null }[]>`
    select g.expires_at as until from entitlements e
    join grants g on g.tenant_id = ${tenantId} and g.app_id = e.app_id and g.entitlement_id = e.entitlement_id
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = g.app_id and a.account_id = g.account_id
    where e.tenant_id = ${tenantId} and e.deleted_at is null 
      and (e.provisioner @> ${db.json(target)} or e.provisioner @> ${db.json(inSteps)})
      and (e.app_id, e.entitlement_id) <> (${along.appId}, ${along.entitlementId})
      and g.source = 'request' and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
      and a.user_id = ${subjectUserId} and a.deleted_at is null`
  const requested = await db<{ until: Date | null }[]>`
    select t.outcome_at + make_interval(secs => t.duration_seconds::float8) as until from tasks t
    where t.tenant_id = ${tenantId} and t.app_id = ${appId} and t.entitlement_id = ${entitlementId}
      and t.subject_user_id = ${subjectUserId} and t.kind = 'grant' and t.outcome = 'done'
      and (t.duration_seconds is null or t.outcome_at + make_interval(secs => t.duration_seconds::float8) > ${at})
      and not exists (select 1 from tasks r where r.tenant_id = ${tenantId} and r.app_id = ${appId}
        and r.entitlement_id = ${entitlementId} and r.subject_user_id = ${subjectUserId} and r.kind = 'revoke'
        and r.outcome = 'done' and r.outcome_at >= t.outcome_at)`
  return [...brought, ...requested]
}

type Ref = { appId: string; entitlementId: string; accountId: string }

/**
 * Whether an account holds something for reasons other than these. That the app has it is another reason only if the app had
 * it before any of these began: otherwise it may be their result.
 */
export async function hasOtherReasons(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId }: Ref,
  sources: readonly string[],
  at: Date,
): Promise<boolean> {
  const [row] = await db<{ others: boolean | null; inApp: Date | null; began: Date | null }[]>`
    select bool_or(source not in ('import', 'directory') and not source = any(${sources}::text[])) as others,
      min(granted_at) filter (where source = 'import') as "inApp",
      min(granted_at) filter (where source = any(${sources}::text[])) as began
    from grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId} and ended_at is null and (expires_at is null or expires_at > ${at})`
  if (!row) return false
  return row.others === true || (row.inApp !== null && row.began !== null && row.inApp < row.began)
}

/** The account to grant access to: one that holds it by request, else the first of the person; null if there is none. */
export function accountIn({ rows }: Holdings): {
  id: string | null
  /** It held nothing by request when that was read, not even past its expiry. */
  isUnheld: boolean
} {
  const requested = rows.filter(({ source }) => source === 'request')
  const [extended] = requested
    .filter(({ isOver }) => !isOver)
    .map(({ accountId }) => accountId)
    .toSorted()
  const id = extended ?? rows[0]?.accountId ?? null
  return { id, isUnheld: id !== null && !requested.some(({ accountId }) => accountId === id) }
}
