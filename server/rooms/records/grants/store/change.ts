import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { GrantSource, HoldingRef } from '../grant.ts'

const rowsPerStatement = 1000
const textOf = (instant: Date | null | undefined): string | null => instant?.toISOString() ?? null

export type WantedGrant = HoldingRef & {
  id: string
  /** Until when; absent or null is for good. */
  expiresAt?: Date | null
}
export type Giving = { source: GrantSource; by: string; at: Date }
export type EndedGrant = HoldingRef & { id: string; source: GrantSource }

/** Gives what is not given yet from that source, and answers what it gave. */
export async function openGrants(
  tx: Tx,
  tenantId: number,
  wanted: readonly WantedGrant[],
  { source, by, at }: Giving,
): Promise<WantedGrant[]> {
  const opened: WantedGrant[] = []
  for (let from = 0; from < wanted.length; from += rowsPerStatement) {
    const rows = wanted.slice(from, from + rowsPerStatement)
    // What is over, and not ended yet, does not stand in the way of what begins.
    await endOverdue(tx, tenantId, rows, source, at)
    const inserted = await tx<{ id: string }[]>`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
        expires_at, began_at)
      select ${tenantId}, w.app_id, w.entitlement_id, w.account_id, w.grant_id, ${source}, ${by}, ${at}, w.expires_at,
        ${at}
      from unnest(
        ${rows.map(({ appId }) => appId)}::text[],
        ${rows.map(({ entitlementId }) => entitlementId)}::text[],
        ${rows.map(({ accountId }) => accountId)}::text[],
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ expiresAt }) => textOf(expiresAt))}::timestamptz[]
      ) as w (app_id, entitlement_id, account_id, grant_id, expires_at)
      on conflict (tenant_id, app_id, entitlement_id, account_id, source) where ended_at is null do nothing
      returning grant_id as id`
    const ids = new Set(inserted.map(({ id }) => id))
    opened.push(...rows.filter(({ id }) => ids.has(id)))
  }
  return opened
}

async function endOverdue(
  tx: Tx,
  tenantId: number,
  refs: readonly HoldingRef[],
  source: GrantSource,
  at: Date,
): Promise<void> {
  await tx`
    update grants g set ended_at = greatest(g.began_at, g.expires_at), ended_by = '', ended_why = 'expired'
    from ${theirs(tx, refs)}
    where g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
      and g.account_id = w.account_id and g.source = ${source} and g.ended_at is null and g.expires_at <= ${at}`
}

const theirs = (tx: Tx, refs: readonly HoldingRef[]) => tx`
  unnest(
    ${refs.map(({ appId }) => appId)}::text[],
    ${refs.map(({ entitlementId }) => entitlementId)}::text[],
    ${refs.map(({ accountId }) => accountId)}::text[]
  ) as w (app_id, entitlement_id, account_id)`

export type Taking = {
  by: string
  at: Date
  /** Only what was given from there; from anywhere unless said. */
  source?: GrantSource
}

/** Takes back what is held, and answers what it took. What is over already is left to end at its time. */
export async function endGrants(
  tx: Tx,
  tenantId: number,
  refs: readonly HoldingRef[],
  { by, at, source }: Taking,
): Promise<EndedGrant[]> {
  const ended: EndedGrant[] = []
  for (let from = 0; from < refs.length; from += rowsPerStatement)
    ended.push(
      ...(await tx<EndedGrant[]>`
        update grants g set ended_at = greatest(g.began_at, ${at}), ended_by = ${by}, ended_why = 'revoked'
        from ${theirs(tx, refs.slice(from, from + rowsPerStatement))}
        where g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
          and g.account_id = w.account_id and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
          ${source === undefined ? tx`` : tx`and g.source = ${source}`}
        returning g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId",
          g.grant_id as id, g.source`),
    )
  return ended
}

export type RestatedGrant = EndedGrant & { grantedBy: string; grantedAt: Date; expiresAt: Date | null; endedAt: Date }

/** Ends the rows of a holding because their terms change, and answers them; those that have the new terms stay. */
export async function endForRestating(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: HoldingRef,
  { expiresAt, by, at }: { expiresAt: Date | null; by: string; at: Date },
): Promise<RestatedGrant[]> {
  return tx<RestatedGrant[]>`
    update grants g set ended_at = greatest(g.began_at, ${at}), ended_by = ${by}, ended_why = 'restated'
    where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
      and g.account_id = ${accountId} and g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
      and g.expires_at is distinct from ${expiresAt}
    returning g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
      g.source, g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.expires_at as "expiresAt",
      g.ended_at as "endedAt"`
}

export type ExpiredGrant = EndedGrant & { expiresAt: Date }

/** Tenants with grants that are over and not ended yet. */
export const listTenantsWithExpired = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from grants where ended_at is null and expires_at <= ${at} and tenant_id > ${after}`,
  )

/**
 * Ends what is over, at the moment when it was over. Several servers at once each take what the others have not taken.
 */
export async function endExpired(tx: Tx, tenantId: number, at: Date, limit: number): Promise<ExpiredGrant[]> {
  return tx<ExpiredGrant[]>`
    with due as (
      select app_id, entitlement_id, account_id, grant_id from grants
      where tenant_id = ${tenantId} and ended_at is null and expires_at <= ${at}
      order by expires_at limit ${limit} for update skip locked
    )
    update grants g set ended_at = greatest(g.began_at, g.expires_at), ended_by = '', ended_why = 'expired'
    from due d
    where g.tenant_id = ${tenantId} and g.app_id = d.app_id and g.entitlement_id = d.entitlement_id
      and g.account_id = d.account_id and g.grant_id = d.grant_id
    returning g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.grant_id as id,
      g.source, g.expires_at as "expiresAt"`
}
