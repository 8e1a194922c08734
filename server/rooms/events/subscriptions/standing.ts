import { redactedUrl } from '#kernel/outgoing/secret-url.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { Reason, State, Subscription } from './subscription.ts'

type Stopped = { state: State; reason: Reason; detail: string }

/** Records an event for operators: the program itself paused or ended a subscription. */
export async function recordStopped(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  { id, displayName, url }: Pick<Subscription, 'id' | 'displayName' | 'url'>,
  { state, reason, detail }: Stopped,
): Promise<void> {
  const cause = serviceCause(tenant, 'bailiwick.v1.Subscriptions.Pause')
  const touched = [{ type: 'subscription', id, name: displayName, data: { url: redactedUrl(url), reason, detail } }]
  const verb = state === 'ended' ? 'Ended' : 'Paused'
  await record(tx, world, cause, alert(cause, 'update', `${verb} the subscription ${displayName}: ${detail}`, touched))
}
