import type { By } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

/** An ownership, by the owned object: kind, app, resource type, object and role. */
export type Owned = readonly [kind: string, appId: string, typeId: string, objectId: string, role: string]

type OwnedRow = { kind: string; appId: string; typeId: string; objectId: string; role: string }

export async function listOwned(db: Reads, tenantId: number, userId: string): Promise<Owned[]> {
  const rows = await db<OwnedRow[]>`
    select kind, app_id as "appId", resource_type_id as "typeId", object_id as "objectId", role_slug as role from owners
    where tenant_id = ${tenantId} and user_id = ${userId} and ended_at is null
    order by kind, app_id, resource_type_id, object_id, role_slug limit 10000`
  return rows.map(({ kind, appId, typeId, objectId, role }) => [kind, appId, typeId, objectId, role] as const)
}

const ownedRows = (tx: Tx, owned: readonly Owned[]) => tx`unnest(
  ${owned.map(([kind]) => kind)}::text[], ${owned.map(([, appId]) => appId)}::text[],
  ${owned.map(([, , typeId]) => typeId)}::text[], ${owned.map(([, , , id]) => id)}::text[],
  ${owned.map(([, , , , role]) => role)}::text[]) as w (kind, app_id, resource_type_id, object_id, role_slug)`

export async function endOwned(
  tx: Tx,
  { tenant: { id: tenantId } }: By<'users.merge'>,
  owned: readonly Owned[],
  { userId, by, at }: { userId: string; by: string; at: Date },
): Promise<void> {
  if (owned.length === 0) return
  await tx`
    update owners o set ended_at = greatest(${at}::timestamptz, o.began_at), ended_by = ${by}, ended_why = 'removed'
    from ${ownedRows(tx, owned)}
    where o.tenant_id = ${tenantId} and o.kind = w.kind and o.app_id = w.app_id
      and o.resource_type_id = w.resource_type_id and o.object_id = w.object_id and o.role_slug = w.role_slug
      and o.user_id = ${userId} and o.ended_at is null`
}

export async function beginOwned(
  tx: Tx,
  { tenant: { id: tenantId } }: By<'users.merge'>,
  owned: readonly (readonly [Owned, string])[],
  { userId, by, at }: { userId: string; by: string; at: Date },
): Promise<void> {
  if (owned.length === 0) return
  const rows = owned.map(([[kind, appId, typeId, objectId, role], id]) => ({
    tenant_id: tenantId,
    kind,
    app_id: appId,
    resource_type_id: typeId,
    object_id: objectId,
    role_slug: role,
    owner_id: id,
    user_id: userId,
    began_at: at,
    began_by: by,
  }))
  await tx`insert into owners ${tx(rows)} on conflict do nothing`
}
