import type { Row, Tx } from '#kernel/sql.ts'

const rowsPerStatement = 5_000

/** A rule is deleted with its entitlement, and is not restored with it. Of each row: `app_id`, `entitlement_id`. */
export async function endRulesOf(tx: Tx, tenantId: number, deleted: readonly Row[]): Promise<void> {
  for (let from = 0; from < deleted.length; from += rowsPerStatement) {
    const part = deleted.slice(from, from + rowsPerStatement)
    const gone = tx`unnest(${part.map((row) => row['app_id'] as string)}::text[],
      ${part.map((row) => row['entitlement_id'] as string)}::text[]) as g (app_id, entitlement_id)`
    await tx`
      delete from automation_reads r using ${gone}
      where r.tenant_id = ${tenantId} and r.by_app_id = g.app_id and r.by_entitlement_id = g.entitlement_id`
    await tx`
      update automations m set deleted_at = e.deleted_at, updated_at = e.deleted_at
      from ${gone} join entitlements e
        on e.tenant_id = ${tenantId} and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
      where m.tenant_id = ${tenantId} and m.app_id = g.app_id and m.entitlement_id = g.entitlement_id
        and m.deleted_at is null and e.deleted_at is not null`
  }
}
