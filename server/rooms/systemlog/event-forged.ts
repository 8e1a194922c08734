import type { Tenancy } from '#kernel/routes.ts'
import { classOf, destinationOf, metadata, type OcsfEvent, sourceOf, userOf } from './event.ts'

const high = 4

/** The same event, for those who look at what stands out. */
export const alarm = (event: OcsfEvent): OcsfEvent => ({ ...event, severity_id: high, severity: 'High' })

type Where = { tenant: Tenancy; operation?: string; requestId: string; sourceAddress: string }

/** A record was found that this program did not write: it was not honoured. */
export const forgedRecord = (where: Where, { kind, id }: { kind: string; id: string }, unrecorded: number): OcsfEvent =>
  alarm({
    ...classOf(6003, 'API Activity', 99, 'Other'),
    metadata: metadata(where.tenant),
    actor: { user: userOf({ userId: '', name: '', email: '' }) },
    src_endpoint: sourceOf(where.sourceAddress),
    dst_endpoint: destinationOf(where.tenant.domain),
    status_id: 2,
    status: 'Failure',
    status_code: 'RECORD_FORGED',
    status_detail: 'the record has no valid MAC under the secret key',
    message: `Ignored a ${kind} that was not written by this program`,
    api: { operation: where.operation || 'unknown', ...(where.requestId && { request: { uid: where.requestId } }) },
    resources: [{ type: kind, uid: id }],
    ...(unrecorded > 0 && { unmapped: { unrecorded_denials: unrecorded } }),
  })
