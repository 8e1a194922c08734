import type { By } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { SavedView } from './view.ts'

const columns = (db: Reads) => db`
  v.view_id as id, v.user_id as "userId", v.page, v.name, v.query, v.is_shared as "isShared",
  v.created_at as "createdAt", v.updated_at as "updatedAt"`

const isSeen = (db: Reads, userId: string) => db`(v.user_id = ${userId} or v.is_shared)`

/** Returns false if there is a view of the same name. */
export async function insertView(tx: Tx, { tenant }: By<'views.use'>, view: SavedView): Promise<boolean> {
  const { count } = await tx`
    insert into saved_views (tenant_id, view_id, user_id, page, name, query, is_shared, created_at, updated_at)
    values (${tenant.id}, ${view.id}, ${view.userId}, ${view.page}, ${view.name}, ${view.query}, ${view.isShared},
      ${view.createdAt}, ${view.updatedAt})
    on conflict do nothing`
  return count > 0
}

/** The caller's own views and the shared ones, the oldest first; at most 300: see `viewsMax`. */
export async function listViews(
  db: Reads,
  tenantId: number,
  { userId, page: of }: { userId: string; page: string },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<SavedView[]> {
  return db<SavedView[]>`
    select ${columns(db)} from saved_views v
    where v.tenant_id = ${tenantId} and ${isSeen(db, userId)} ${of === '' ? db`` : db`and v.page = ${of}`}
      and v.view_id > ${page.after?.[0] ?? ''}
    order by v.view_id limit ${page.limit}`
}

export async function lockView(tx: Tx, tenantId: number, id: string, userId: string): Promise<SavedView | null> {
  const [row] = await tx<SavedView[]>`
    select ${columns(tx)} from saved_views v
    where v.tenant_id = ${tenantId} and v.view_id = ${id} and ${isSeen(tx, userId)} for no key update`
  return row ?? null
}

export async function countViews(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ own: number; shared: number }> {
  const [row] = await db<{ own: number; shared: number }[]>`
    select (select count(*)::int from saved_views v where v.tenant_id = ${tenantId} and v.user_id = ${userId}) as own,
      (select count(*)::int from saved_views v where v.tenant_id = ${tenantId} and v.is_shared) as shared`
  return row ?? { own: 0, shared: 0 }
}

/** Whether another view of the same person and page has the name, regardless of case. */
export async function isNameTaken(tx: Tx, tenantId: number, view: SavedView): Promise<boolean> {
  const rows = await tx`
    select 1 from saved_views v
    where v.tenant_id = ${tenantId} and v.user_id = ${view.userId} and v.page = ${view.page}
      and lower(v.name) = lower(${view.name}) and v.view_id <> ${view.id}`
  return rows.length > 0
}

export async function updateView(tx: Tx, { tenant }: By<'views.use'>, view: SavedView): Promise<void> {
  await tx`
    update saved_views set name = ${view.name}, query = ${view.query}, is_shared = ${view.isShared},
      updated_at = ${view.updatedAt}
    where tenant_id = ${tenant.id} and view_id = ${view.id}`
}

export async function deleteView(tx: Tx, { tenant }: By<'views.use'>, id: string): Promise<void> {
  await tx`delete from saved_views where tenant_id = ${tenant.id} and view_id = ${id}`
}
