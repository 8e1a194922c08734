import type { By } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { type Undoing, type Undone, undoneColumns, undoneSet } from '#rooms/foundation/plans/index.ts'
import type { GrantSource, HoldingRef } from '#rooms/records/grants/index.ts'

export const bulkKinds = ['revoke', 'expiry', 'status', 'owner', 'risk'] as const
export type BulkKind = (typeof bulkKinds)[number]

/** What one item was before a change, and after it, as JSON has it. */
export type Traced = { ref: unknown; before: unknown; after: unknown }

export type BulkAction = Undone & {
  id: string
  kind: BulkKind
  title: string
  reason: string
  askedBy: string
  createdAt: Date
  changedCount: number
}

const columns = (db: Reads): Fragment => db`
  b.bulk_action_id as id, b.kind, b.title, b.reason, b.asked_by as "askedBy", b.created_at as "createdAt",
  b.changed_count as "changedCount", ${undoneColumns(db)}`

type NewAction = Pick<BulkAction, 'id' | 'kind' | 'title' | 'reason' | 'askedBy' | 'createdAt'> & { items: Traced[] }

export async function insertAction(tx: Tx, tenantId: number, action: NewAction): Promise<void> {
  await tx`
    insert into bulk_actions (tenant_id, bulk_action_id, kind, title, reason, asked_by, created_at, changed_count, items)
    values (${tenantId}, ${action.id}, ${action.kind}, ${action.title}, ${action.reason}, ${action.askedBy},
      ${action.createdAt}, ${action.items.length}, ${tx.json(action.items)})`
}

/** The latest first. */
export async function listActions(
  db: Reads,
  tenantId: number,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<BulkAction[]> {
  const [last] = (after ?? []) as string[]
  return db<BulkAction[]>`
    select ${columns(db)} from bulk_actions b
    where b.tenant_id = ${tenantId} ${last === undefined ? db`` : db`and b.bulk_action_id < ${last}`}
    order by b.bulk_action_id desc limit ${limit}`
}

export async function lockAction(
  tx: Tx,
  tenantId: number,
  id: string,
): Promise<(BulkAction & { items: Traced[] }) | null> {
  const [row] = await tx<(BulkAction & { items: Traced[] })[]>`
    select ${columns(tx)}, b.items from bulk_actions b
    where b.tenant_id = ${tenantId} and b.bulk_action_id = ${id} for update`
  return row ?? null
}

/** The rules of bulk changes, which undo them too. */
export type BulkRule = 'grants.bulk-change' | 'users.change-status' | 'owners.bulk-change' | 'entitlements.bulk-edit'

export async function setUndone(tx: Tx, { tenant }: By<BulkRule>, id: string, undoing: Undoing): Promise<void> {
  await tx`
    update bulk_actions set ${undoneSet(tx, undoing)}
    where tenant_id = ${tenant.id} and bulk_action_id = ${id}`
}

export type HeldRow = HoldingRef & {
  source: GrantSource
  grantedBy: string
  grantedAt: Date
  expiresAt: Date | null
  reason: string
}

/** What of these is held now, by each source. */
export async function listHeldRows(
  db: Reads,
  tenantId: number,
  refs: readonly HoldingRef[],
  at: Date,
): Promise<HeldRow[]> {
  return db<HeldRow[]>`
    select g.app_id as "appId", g.entitlement_id as "entitlementId", g.account_id as "accountId", g.source,
      g.granted_by as "grantedBy", g.granted_at as "grantedAt", g.expires_at as "expiresAt", g.reason
    from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ entitlementId }) => entitlementId)}::text[],
      ${refs.map(({ accountId }) => accountId)}::text[]) as w (app_id, entitlement_id, account_id)
    join grants g on g.tenant_id = ${tenantId} and g.app_id = w.app_id and g.entitlement_id = w.entitlement_id
      and g.account_id = w.account_id
    where g.ended_at is null and (g.expires_at is null or g.expires_at > ${at})
    order by g.app_id, g.entitlement_id, g.account_id, g.source`
}

/** Whether the account, the entitlement and its app are there. They are held: nobody deletes them until the transaction ends. */
export async function holdEnds(tx: Tx, tenantId: number, ref: HoldingRef): Promise<boolean> {
  const app = await tx`
    select 1 from apps p
    where p.tenant_id = ${tenantId} and p.app_id = ${ref.appId} and p.deleted_at is null for share`
  const entitlement = await tx`
    select 1 from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${ref.appId} and e.entitlement_id = ${ref.entitlementId}
      and e.deleted_at is null for share`
  const account = await tx`
    select 1 from accounts a
    where a.tenant_id = ${tenantId} and a.app_id = ${ref.appId} and a.account_id = ${ref.accountId}
      and a.deleted_at is null for share`
  return app.length + entitlement.length + account.length === 3
}
