import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { isPrincipalRow } from '#rooms/identity/users/index.ts'
import type { OwnerProof } from './proof.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

/** The ids of principals in order of creation; of those in `among`, if that is not null. */
export async function listPrincipalIds(
  db: Reads,
  tenantId: number,
  among: readonly string[] | null,
  page: PageAsked,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select u.user_id as id from users u
    where u.tenant_id = ${tenantId} and ${isPrincipalRow(db, 'u')} and u.deleted_at is null
      ${among === null ? db`` : db`and u.user_id = any(${among}::text[])`} and u.user_id > ${page.after?.[0] ?? ''}
    order by u.user_id limit ${page.limit}`
  return rows.map(({ id }) => id)
}

type OwnerRow = OwnerProof & { mac: Buffer | null }

const ownedMax = 10_000

/**
 * Rows of someone as an owner of users: of one, or of all. Only enabled people count: not holders of an entitlement,
 * and no service principal, which others may control.
 */
export async function listOwnerRows(
  db: Reads,
  tenantId: number,
  { userId, principalId }: { userId: string; principalId: string | null },
): Promise<OwnerRow[]> {
  return db<OwnerRow[]>`
    select o.owner_id as "ownerId", o.object_id as "principalId", o.role_slug as "roleSlug", o.user_id as "userId", p.mac
    from owners o
    left join principal_owners p on p.tenant_id = ${tenantId} and p.principal_id = o.object_id and p.owner_id = o.owner_id
    where o.tenant_id = ${tenantId} and o.kind = 'user' and o.user_id = ${userId} and o.ended_at is null
      ${principalId === null ? db`` : db`and o.app_id = '' and o.resource_type_id = '' and o.object_id = ${principalId}`}
      and exists (select 1 from users u
        where u.tenant_id = ${tenantId} and u.user_id = ${userId} and u.status = 'ENABLED' and u.deleted_at is null
          and not ${isPrincipalRow(db, 'u')})
    limit ${ownedMax}`
}

/** The rows of the owners of a principal in a role, for some users. */
export async function listNamedOwners(
  tx: Tx,
  tenantId: number,
  { principalId, roleSlug, userIds }: { principalId: string; roleSlug: string; userIds: readonly string[] },
): Promise<OwnerRow[]> {
  return tx<OwnerRow[]>`
    select o.owner_id as "ownerId", o.object_id as "principalId", o.role_slug as "roleSlug", o.user_id as "userId", p.mac
    from owners o
    left join principal_owners p on p.tenant_id = ${tenantId} and p.principal_id = o.object_id and p.owner_id = o.owner_id
    where o.tenant_id = ${tenantId} and o.kind = 'user' and o.app_id = '' and o.resource_type_id = ''
      and o.object_id = ${principalId} and o.role_slug = ${roleSlug} and o.user_id = any(${userIds}::text[])
      and o.ended_at is null`
}

export async function putOwnerMac(tx: Tx, tenantId: number, of: OwnerProof, mac: Buffer): Promise<void> {
  await tx`
    insert into principal_owners (tenant_id, principal_id, owner_id, mac)
    values (${tenantId}, ${of.principalId}, ${of.ownerId}, ${mac})
    on conflict (tenant_id, principal_id, owner_id) do update set mac = excluded.mac`
}
