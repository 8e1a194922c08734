import type { Tenancy } from '#kernel/routes.ts'
import { alarm, classOf, destinationOf, metadata, type OcsfEvent, sourceOf, userOf } from './event.ts'

/** A row that was not written by this program: its kind, its id, and its user. */
export type ForgedRow = { type: string; id: string; userId?: string }

/** The request that found it, if there was one. */
export type MetBy = { tenant: Tenancy; operation?: string; requestId: string; sourceAddress: string }

/** A row was found that this program did not write: it does not count. */
export const forgedRow = (by: MetBy, { type, id, userId }: ForgedRow): OcsfEvent =>
  alarm({
    ...classOf(6003, 'API Activity', 99, 'Other'),
    metadata: metadata(by.tenant),
    actor: { user: userOf({ userId: '', name: '', email: '' }) },
    src_endpoint: sourceOf(by.sourceAddress),
    dst_endpoint: destinationOf(by.tenant.domain),
    status_id: 2,
    status: 'Failure',
    status_code: 'ROW_FORGED',
    status_detail: 'the row has no valid MAC under the secret key',
    message: `Ignored the ${type} ${id}: it was changed in the database without the secret key`,
    api: { operation: by.operation || 'unknown', ...(by.requestId && { request: { uid: by.requestId } }) },
    resources: [{ type, uid: id, ...(userId && { data: { userId } }) }],
  })
