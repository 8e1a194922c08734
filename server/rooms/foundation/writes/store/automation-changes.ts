import type { Fragment, Tx } from '#kernel/sql.ts'

/** A change that a write recorded. */
export type Told = {
  kind: 'user' | 'manager' | 'account_new' | 'account' | 'holding' | 'rule'
  appId: string
  entitlementId: string
  ids: string[]
  isEveryone: boolean
  changedBy: string
}

/**
 * Takes recorded changes, about as many as name `idsMax` ids; they are removed when the transaction commits. Several
 * servers of a distributed database assign the numbers, so the order is only approximate: what is left is taken next.
 */
export async function takeTold(tx: Tx, tenantId: number, idsMax: number): Promise<Told[]> {
  return tx<Told[]>`
    delete from automation_changes where tenant_id = ${tenantId} and change_id in (
      select c.change_id from (
        select change_id, sum(cardinality(ids) + 1) over (order by change_id) - cardinality(ids) as first
        from automation_changes where tenant_id = ${tenantId}
        order by change_id limit ${idsMax}) c
      where c.first <= ${idsMax})
    returning kind, app_id as "appId", entitlement_id as "entitlementId", ids, is_everyone as "isEveryone",
      changed_by as "changedBy"`
}

/** Has one rule check users again. */
export async function insertChanges(
  tx: Tx,
  tenantId: number,
  { appId, id }: { appId: string; id: string },
  userIds: readonly string[],
  by: string,
): Promise<void> {
  await tx`
    insert into automation_changes (tenant_id, kind, app_id, entitlement_id, ids, changed_by)
    values (${tenantId}, 'rule', ${appId}, ${id}, ${userIds}, ${by})`
}

/** Removes changes `c` that no rule has to check; returns how many. */
export async function deleteChanges(tx: Tx, tenantId: number, where: Fragment): Promise<number> {
  const { count } = await tx`delete from automation_changes c where c.tenant_id = ${tenantId} and ${where}`
  return count
}
