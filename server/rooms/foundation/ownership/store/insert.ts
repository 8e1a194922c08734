import type { By } from '#authority/proof.ts'
import type { Tx } from '#kernel/sql.ts'
import type { EntitlementRef, ObjectRef } from '../owner.ts'

export type NewOwner = { object: ObjectRef; roleSlug: string; id: string } & (
  | { userId: string }
  | { entitlement: EntitlementRef }
)

const rowsPerStatement = 1000

/** The owners of a tenant's first day. */
export async function insertOwners(tx: Tx, { tenant }: By<'operator'>, owners: readonly NewOwner[], at: Date) {
  for (let from = 0; from < owners.length; from += rowsPerStatement) {
    const rows = owners.slice(from, from + rowsPerStatement).map(({ object, roleSlug, id, ...owner }) => ({
      tenant_id: tenant.id,
      kind: object.kind,
      app_id: object.appId,
      resource_type_id: object.typeId,
      object_id: object.id,
      role_slug: roleSlug,
      owner_id: id,
      user_id: 'userId' in owner ? owner.userId : null,
      entitlement_app_id: 'entitlement' in owner ? owner.entitlement.appId : null,
      entitlement_id: 'entitlement' in owner ? owner.entitlement.id : null,
      began_at: at,
    }))
    await tx`insert into owners ${tx(rows)}`
  }
}
