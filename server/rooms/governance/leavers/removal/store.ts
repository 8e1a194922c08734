import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { type Undoing, undoneColumns, undoneSet } from '#rooms/foundation/plans/index.ts'
import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'
import type { EndedRow } from './decide.ts'
import type { ByHand, Held, Removal } from './removal.ts'

type Row = HoldingRef & {
  id: string
  source: GrantSource
  grantedBy: string
  appName: string
  entitlementName: string
  accountName: string
  throughName: string | null
  isTakenByRecord: boolean
}

/**
 * Everything that a person holds, with every reason, by app, account and entitlement. Uses `accounts_by_user` and
 * `grants_by_account`, and a lookup for each name (`offset 0` enforces that, even for tables that PostgreSQL has not
 * analyzed yet): the cost depends only on what they hold.
 */
export async function listHeldByUser(
  db: Reads,
  tenantId: number,
  { userId, appIds, at, limit }: { userId: string; appIds: readonly string[]; at: Date; limit: number },
): Promise<Held[]> {
  const rows = await db<Row[]>`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
      g.source, g.granted_by as "grantedBy", coalesce(p.display_name, '') as "appName",
      coalesce(e.display_name, '') as "entitlementName",
      coalesce(nullif(a.username, ''), nullif(a.email, ''), a.display_name) as "accountName",
      (coalesce(e.deprovisioner, e.provisioner) is null
        or coalesce(coalesce(e.deprovisioner, e.provisioner) -> 'unconfigured', 'null') <> 'null'
        or coalesce(coalesce(e.deprovisioner, e.provisioner) -> 'connector', 'null') <> 'null') as "isTakenByRecord",
      case when g.source = 'import' and not exists (select 1 from grant_sources d
          where d.tenant_id = ${tenantId} and d.app_id = g.app_id and d.entitlement_id = g.entitlement_id
            and d.account_id = g.account_id and d.source_entitlement_id = g.entitlement_id)
        then (select t.display_name from grant_sources s
          join entitlements t on t.tenant_id = ${tenantId} and t.app_id = s.app_id
            and t.entitlement_id = s.source_entitlement_id and t.deleted_at is null
          where s.tenant_id = ${tenantId} and s.app_id = g.app_id and s.entitlement_id = g.entitlement_id
            and s.account_id = g.account_id order by s.source_entitlement_id limit 1) end as "throughName"
    from accounts a
    cross join lateral (select * from grants h
      where h.tenant_id = ${tenantId} and h.app_id = a.app_id and h.account_id = a.account_id and h.ended_at is null
        and (h.expires_at is null or h.expires_at > ${at}) offset 0) g
    left join lateral (select x.display_name from apps x
      where x.tenant_id = ${tenantId} and x.app_id = g.app_id offset 0) p on true
    left join lateral (select x.display_name, x.provisioner, x.deprovisioner from entitlements x
      where x.tenant_id = ${tenantId} and x.app_id = g.app_id and x.entitlement_id = g.entitlement_id offset 0) e on true
    where a.tenant_id = ${tenantId} and a.user_id = ${userId}
      ${appIds.length > 0 ? db`and a.app_id = any(${appIds}::text[])` : db``}
    order by g.app_id, g.account_id, g.entitlement_id, g.source limit ${limit}`
  return [...Map.groupBy(rows, ({ appId, accountId, entitlementId }) => `${appId} ${accountId} ${entitlementId}`)].map(
    ([, all]) => {
      const { appId, entitlementId, accountId, appName, entitlementName, accountName, isTakenByRecord } = all[0] as Row
      return {
        appId,
        entitlementId,
        accountId,
        appName,
        entitlementName,
        accountName,
        isTakenByRecord,
        throughName: all.find((row) => row.throughName)?.throughName ?? '',
        grants: all.map(({ id, source, grantedBy }) => ({ id, source, grantedBy })),
      }
    },
  )
}

const columns = (db: Reads) => db`
  x.removal_id as id, x.user_id as "userId", x.fingerprint, x.reason, x.asked_by as "askedBy", x.client_id as "clientId",
  x.session_id as "sessionId", x.source_address as "sourceAddress", x.request_id as "requestId",
  x.created_at as "createdAt", x.grant_count as "grantCount", x.excluded, x.by_hand as "byHand",
  x.by_hand_error as "byHandError", x.is_disabled as "isDisabled", ${undoneColumns(db)}`

export async function insertRemoval(tx: Tx, tenantId: number, of: Removal): Promise<void> {
  await tx`
    insert into access_removals (tenant_id, removal_id, user_id, fingerprint, reason, asked_by, client_id, session_id,
      source_address, request_id, created_at, grant_count, excluded, by_hand, is_disabled)
    values (${tenantId}, ${of.id}, ${of.userId}, ${of.fingerprint}, ${of.reason}, ${of.askedBy}, ${of.clientId},
      ${of.sessionId}, ${of.sourceAddress}, ${of.requestId}, ${of.createdAt}, ${of.grantCount},
      ${tx.json(of.excluded)}, ${tx.json(of.byHand)}, ${of.isDisabled})`
}

/** The removal of a person that a plan led to. */
export async function findByPlan(
  db: Reads,
  tenantId: number,
  userId: string,
  fingerprint: string,
): Promise<Removal | null> {
  const [row] = await db<Removal[]>`
    select ${columns(db)} from access_removals x
    where x.tenant_id = ${tenantId} and x.user_id = ${userId} and x.fingerprint = ${fingerprint}
    order by x.removal_id desc limit 1`
  return row ?? null
}

export async function findRemoval(db: Reads, tenantId: number, id: string): Promise<Removal | null> {
  const [row] = await db<Removal[]>`
    select ${columns(db)} from access_removals x where x.tenant_id = ${tenantId} and x.removal_id = ${id}`
  return row ?? null
}

export async function lockRemoval(tx: Tx, tenantId: number, id: string): Promise<Removal | null> {
  const [row] = await tx<Removal[]>`
    select ${columns(tx)} from access_removals x
    where x.tenant_id = ${tenantId} and x.removal_id = ${id} for no key update`
  return row ?? null
}

/** Latest first. */
export async function listRemovals(
  db: Reads,
  tenantId: number,
  userId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Removal[]> {
  const after = page.after?.[0]
  return db<Removal[]>`
    select ${columns(db)} from access_removals x
    where x.tenant_id = ${tenantId} and x.user_id = ${userId} ${after === undefined ? db`` : db`and x.removal_id < ${after}`}
    order by x.removal_id desc limit ${page.limit}`
}

export async function setByHand(
  tx: Tx,
  tenantId: number,
  id: string,
  { byHand, error }: { byHand: readonly ByHand[]; error: string },
): Promise<void> {
  await tx`
    update access_removals set by_hand = ${tx.json(byHand)}, by_hand_error = ${error}
    where tenant_id = ${tenantId} and removal_id = ${id}`
}

export async function setUndone(tx: Tx, tenantId: number, id: string, undoing: Undoing): Promise<void> {
  await tx`
    update access_removals set ${undoneSet(tx, undoing)}
    where tenant_id = ${tenantId} and removal_id = ${id}`
}

export type Ended = HoldingRef & EndedRow & { id: string; source: GrantSource; grantedBy: string; grantedAt: Date }

/** What a removal ended, as it was. */
export async function listEndedBy(
  db: Reads,
  tenantId: number,
  { id, userId }: Pick<Removal, 'id' | 'userId'>,
  at: Date,
): Promise<Ended[]> {
  return db<Ended[]>`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
      g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.expires_at as "expiresAt",
      (a.deleted_at is null and exists (select 1 from entitlements e
        join apps p on p.tenant_id = ${tenantId} and p.app_id = e.app_id and p.deleted_at is null
        where e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
          and e.deleted_at is null)) as "isThere",
      exists (select 1 from grants o
        where o.tenant_id = ${tenantId} and o.app_id = g.app_id and o.entitlement_id = g.entitlement_id
          and o.account_id = g.account_id and o.ended_at is null and (o.expires_at is null or o.expires_at > ${at})
      ) as "isHeldAgain"
    from accounts a
    join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
      and g.ended_by = ${id} and g.ended_why = 'revoked'
    where a.tenant_id = ${tenantId} and a.user_id = ${userId}
    order by g.app_id, g.account_id, g.entitlement_id, g.source`
}

/** Locks entitlements and their apps: they cannot be deleted until the transaction ends. */
export async function holdEntitlements(
  tx: Tx,
  tenantId: number,
  refs: readonly { appId: string; entitlementId: string }[],
): Promise<void> {
  await tx`
    select 1 from apps p
    where p.tenant_id = ${tenantId} and p.app_id = any(${[...new Set(refs.map(({ appId }) => appId))]}::text[])
    order by p.app_id for share`
  await tx`
    select 1 from entitlements e
    where e.tenant_id = ${tenantId} and (e.app_id, e.entitlement_id) in (select * from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[]))
    order by e.app_id, e.entitlement_id for share`
}
