import type { Reads } from '#kernel/sql.ts'

const levelsMax = 1000

/** What attributes are called. They are a handful, and read here, only read. */
export async function listRiskLevels(db: Reads, tenantId: number): Promise<{ id: string; value: string }[]> {
  return db<{ id: string; value: string }[]>`
    select v.value_id as id, v.value from attribute_values v where v.tenant_id = ${tenantId} limit ${levelsMax}`
}
