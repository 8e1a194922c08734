import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

/** Removes an attribute value from the entitlements that refer to it, and counts them. */
export async function clearValue(tx: Tx, tenantId: number, id: string, at: Date): Promise<number> {
  // Statements are otherwise cancelled after 30 s; 40,000 entitlements took 5 s, on a busy machine.
  await tx`set local statement_timeout = '30min'`
  const { count: risks } = await updateRecords(tx, tenantId, 'entitlements', {
    set: { risk_level_value_id: null, updated_at: at },
    where: tx`x.risk_level_value_id = ${id} and x.deleted_at is null`,
  })
  const { count: frameworks } = await updateRecords(tx, tenantId, 'entitlements', {
    set: {
      compliance_framework_value_ids: tx`array_remove(x.compliance_framework_value_ids, ${id})`,
      updated_at: at,
    },
    where: tx`x.compliance_framework_value_ids @> array[${id}] and x.deleted_at is null`,
  })
  return risks + frameworks
}
