import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { findWebhooks } from '#rooms/events/webhooks/index.ts'

/** What is wrong with the webhooks that something names. */
export async function webhookProblems(
  tx: Tx,
  call: Pick<Call, 'tenant'>,
  named: readonly { at: string; what: string }[],
): Promise<FieldViolation[]> {
  const ids = [...new Set(named.map(({ what }) => what))]
  const found = new Set((await findWebhooks(tx, call.tenant.id, ids)).map(({ id }) => id))
  return named
    .filter(({ what }) => !found.has(what))
    .map(({ at: field, what }) => ({ field, description: `names a webhook that does not exist: ${what}` }))
}
