import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import { fewMax, insertRecords, updateRecords, valuesOf } from '#rooms/foundation/writes/index.ts'
import type { Granting, GrantSource, HoldingRef } from '../grant.ts'
import { listConnected, noteForConnectors } from './for-connectors.ts'

const rowsPerStatement = 1000
// A holding has one row for each source, and there are six.
const isFewOf = (refs: readonly unknown[]): boolean => refs.length <= fewMax
const textOf = (instant: Date | null | undefined): string | null => instant?.toISOString() ?? null

export type WantedGrant = HoldingRef & {
  id: string
  /** When it expires; absent or null if never. */
  expiresAt?: Date | null
}
export type Giving = {
  source: GrantSource
  by: string
  at: Date
  /** Nothing of it was held from that source when last checked: not even expired. */
  isUnheld?: boolean
  /** It was granted in the app already. */
  isTold?: boolean
  /** The reason, as it was entered. */
  reason?: string
}
export type EndedGrant = HoldingRef & { id: string; source: GrantSource }

/** Grants what is not granted yet from that source, and returns what was added. */
export async function openGrants(
  tx: Tx,
  { tenant: { id: tenantId } }: Granting,
  wanted: readonly WantedGrant[],
  { source, by, at, isUnheld = false, isTold = false, reason = '' }: Giving,
): Promise<WantedGrant[]> {
  const opened: WantedGrant[] = []
  for (let from = 0; from < wanted.length; from += rowsPerStatement) {
    const rows = wanted.slice(from, from + rowsPerStatement)
    // Expired grants that have not been ended yet do not block new ones. Sent together, executed in this order.
    const overdue = isUnheld ? null : endOverdue(tx, tenantId, rows, source, at)
    overdue?.catch(() => {})
    const connected = isTold ? null : listConnected(tx, tenantId, rows)
    const isFew = isFewOf(rows)
    const valuesOfOne = ({ appId, entitlementId, accountId, id, expiresAt = null }: WantedGrant) =>
      [tenantId, appId, entitlementId, accountId, id, source, by, at, expiresAt, at, reason] as const
    const selected = tx`
      select ${tenantId}, w.app_id, w.entitlement_id, w.account_id, w.grant_id, ${source}, ${by}, ${at}, w.expires_at,
        ${at}, ${reason}
      from unnest(
        ${rows.map(({ appId }) => appId)}::text[],
        ${rows.map(({ entitlementId }) => entitlementId)}::text[],
        ${rows.map(({ accountId }) => accountId)}::text[],
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ expiresAt }) => textOf(expiresAt))}::timestamptz[]
      ) as w (app_id, entitlement_id, account_id, grant_id, expires_at)`
    const added = tx`
      (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
        expires_at, began_at, reason)
      ${isFew ? tx`values ${valuesOf(tx, rows.map(valuesOfOne))}` : selected}
      on conflict (tenant_id, app_id, entitlement_id, account_id, source) where ended_at is null do nothing`
    const { rows: inserted } = await insertRecords<{ id: string }>(tx, tenantId, 'grants', added, {
      answer: { id: 'grant_id' },
      isByRule: source === 'rule',
      isFew,
      ...(isFew && { known: rows.map(keysOf) }),
    })
    await overdue
    const ids = new Set(inserted.map(({ id }) => id))
    const given = rows.filter(({ id }) => ids.has(id))
    const told = given.map((grant) => ({ ...grant, source }))
    if (connected) await noteForConnectors(tx, tenantId, connected, told, 'opened')
    opened.push(...given)
  }
  return opened
}

const keysOf = ({ appId, entitlementId, accountId, id }: WantedGrant) => ({
  app_id: appId,
  entitlement_id: entitlementId,
  account_id: accountId,
  grant_id: id,
})

async function endOverdue(
  tx: Tx,
  tenantId: number,
  refs: readonly HoldingRef[],
  source: GrantSource,
  at: Date,
): Promise<void> {
  const set = { ended_at: tx`greatest(x.began_at, x.expires_at)`, ended_by: '', ended_why: 'expired' }
  const { from, isTheirs } = theirs(tx, refs)
  const where = tx`${isTheirs} and x.source = ${source} and x.ended_at is null and x.expires_at <= ${at}`
  await updateRecords(tx, tenantId, 'grants', { set, ...(from && { from }), where }, { isFew: isFewOf(refs) })
}

/**
 * Rows `x` of some holdings. A single one is compared with `=`: PostgreSQL keeps the plan for it, but plans again for each
 * list.
 */
function theirs(tx: Tx, refs: readonly HoldingRef[]): { from?: Fragment; isTheirs: Fragment } {
  const [one] = refs
  if (one && refs.length === 1) {
    const { appId, entitlementId, accountId } = one
    return {
      isTheirs: tx`x.app_id = ${appId} and x.entitlement_id = ${entitlementId} and x.account_id = ${accountId}`,
    }
  }
  return {
    from: tx`unnest(
      ${refs.map(({ appId }) => appId)}::text[],
      ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]
    ) as h (app_id, entitlement_id, account_id)`,
    isTheirs: tx`x.app_id = h.app_id and x.entitlement_id = h.entitlement_id and x.account_id = h.account_id`,
  }
}

/** The columns of the rows that were ended. */
const ended = {
  appId: 'app_id',
  entitlementId: 'entitlement_id',
  accountId: 'account_id',
  id: 'grant_id',
  source: 'source',
}

export type Taking = {
  by: string
  at: Date
  /** Only grants from this source; by default from any. */
  source?: GrantSource
  /** It was revoked in the app already. */
  isTold?: boolean
}

/**
 * Revokes what is held, and returns what was revoked. Grants that have expired already are ended with their own time by
 * expiry.
 */
export async function endGrants(
  tx: Tx,
  { tenant: { id: tenantId } }: Granting,
  refs: readonly HoldingRef[],
  { by, at, source, isTold = false }: Taking,
): Promise<EndedGrant[]> {
  const taken: EndedGrant[] = []
  for (let from = 0; from < refs.length; from += rowsPerStatement) {
    const some = refs.slice(from, from + rowsPerStatement)
    const connected = isTold ? null : listConnected(tx, tenantId, some)
    const { from: of, isTheirs } = theirs(tx, some)
    const { rows } = await updateRecords<EndedGrant>(
      tx,
      tenantId,
      'grants',
      {
        set: { ended_at: tx`greatest(x.began_at, ${at})`, ended_by: by, ended_why: 'revoked' },
        ...(of && { from: of }),
        where: tx`${isTheirs}
          and x.ended_at is null and (x.expires_at is null or x.expires_at > ${at})
          ${source === undefined ? tx`` : tx`and x.source = ${source}`}`,
      },
      { answer: ended, isByRule: source === 'rule', isFew: isFewOf(refs) },
    )
    if (connected) await noteForConnectors(tx, tenantId, connected, rows, 'ended')
    taken.push(...rows)
  }
  return taken
}

export type RestatedGrant = EndedGrant & {
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
  endedAt: Date
  reason: string
}

/**
 * Ends the rows of a holding because their terms change, and returns them; those that have the new terms stay, and with
 * `onlyLater` those that end later.
 */
export async function endForRestating(
  tx: Tx,
  { tenant: { id: tenantId } }: Granting,
  { appId, entitlementId, accountId }: HoldingRef,
  { expiresAt, by, at, source, onlyLater = false }: Taking & { expiresAt: Date | null; onlyLater?: boolean },
): Promise<RestatedGrant[]> {
  const { rows } = await updateRecords<RestatedGrant>(
    tx,
    tenantId,
    'grants',
    {
      set: { ended_at: tx`greatest(x.began_at, ${at})`, ended_by: by, ended_why: 'restated' },
      where: tx`x.app_id = ${appId} and x.entitlement_id = ${entitlementId} and x.account_id = ${accountId}
        and x.ended_at is null and (x.expires_at is null or x.expires_at > ${at})
        and x.expires_at is distinct from ${expiresAt}
        ${onlyLater && expiresAt ? tx`and x.expires_at < ${expiresAt}` : tx``}
        ${source === undefined ? tx`` : tx`and x.source = ${source}`}`,
    },
    {
      answer: {
        ...ended,
        grantedBy: 'granted_by',
        grantedAt: 'granted_at',
        expiresAt: 'expires_at',
        endedAt: 'ended_at',
        reason: 'reason',
      },
      isFew: true,
    },
  )
  return rows
}

export type ExpiredGrant = EndedGrant & {
  entitlementName: string
  expiresAt: Date
  grantedBy: string
  grantedAt: Date
}

/** Tenants with expired grants that have not been ended yet. */
export const listTenantsWithExpired = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from grants where ended_at is null and expires_at <= ${at} and tenant_id > ${after}`,
  )

export const findNextExpiry = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(db, db`select expires_at as at from grants where ended_at is null and expires_at <= ${before}`)

/**
 * Expired grants that have not been ended yet. Each of several servers takes those that no other has taken. Of those that
 * expired at the same moment, grants of one entitlement come together: the settings that apply to it are looked up once.
 */
export async function lockExpired(tx: Tx, tenantId: number, at: Date, limit: number): Promise<ExpiredGrant[]> {
  return tx<ExpiredGrant[]>`
    select app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId", grant_id as id, source,
      granted_by as "grantedBy", granted_at as "grantedAt", expires_at as "expiresAt",
      coalesce((select e.display_name from entitlements e where e.tenant_id = ${tenantId}
        and e.app_id = grants.app_id and e.entitlement_id = grants.entitlement_id), '') as "entitlementName"
    from grants
    where tenant_id = ${tenantId} and ended_at is null and expires_at <= ${at}
    order by expires_at, app_id, entitlement_id limit ${limit} for update skip locked`
}

/**
 * Ends expired grants at the moment when they expired, with the task that reports it, if there is one. `restated`: another
 * row continues the grant, without an expiry.
 */
export async function endExpired(
  tx: Tx,
  tenantId: number,
  due: readonly (ExpiredGrant & { endedBy?: string })[],
  why: 'expired' | 'restated' = 'expired',
): Promise<void> {
  if (due.length === 0) return
  const connected = listConnected(tx, tenantId, due)
  await updateRecords(tx, tenantId, 'grants', {
    set: { ended_at: tx`greatest(x.began_at, x.expires_at)`, ended_by: tx`d.ended_by`, ended_why: why },
    from: tx`unnest(
        ${due.map(({ appId }) => appId)}::text[],
        ${due.map(({ entitlementId }) => entitlementId)}::text[],
        ${due.map(({ accountId }) => accountId)}::text[],
        ${due.map(({ id }) => id)}::text[],
        ${due.map(({ endedBy = '' }) => endedBy)}::text[]) as d (app_id, entitlement_id, account_id, grant_id, ended_by)`,
    where: tx`x.app_id = d.app_id and x.entitlement_id = d.entitlement_id and x.account_id = d.account_id
        and x.grant_id = d.grant_id`,
  })
  await noteForConnectors(tx, tenantId, connected, due, 'ended')
}
