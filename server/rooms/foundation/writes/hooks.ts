import { hook } from '#kernel/hook.ts'
import type { Row, Tx } from '#kernel/sql.ts'

/** What follows when entitlements are deleted: rows with `app_id` and `entitlement_id`. */
export const entitlementsDeleted = hook<[tx: Tx, tenantId: number, deleted: readonly Row[]]>('entitlementsDeleted')
