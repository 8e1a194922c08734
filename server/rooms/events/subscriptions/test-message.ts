import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { getSubscription } from './actions.ts'
import { wordsOf } from './decide.ts'
import { testMessage } from './deliver/message.ts'
import { secretsOf } from './deliver/run.ts'
import { send, sign } from './deliver/send.ts'
import { requireLog } from './permitted.ts'
import { keysOf } from './secret.ts'
import { insertDeliveries, trimDeliveries } from './store/deliveries.ts'
import type { Delivery } from './subscription.ts'

/** Sends a message that is not an event, at once, in any state of the subscription. Nothing else is delayed by it. */
export async function sendTest(call: Call, id: string): Promise<Delivery> {
  requireLog(call.actor)
  const subscription = await getSubscription(call.db, call, id)
  const secrets = secretsOf(call, call.tenant.id, subscription)
  if (!secrets) throw new Refusal('SUBSCRIPTION_STATE', wordsOf.CHANGED_OUTSIDE)
  const message = testMessage(call.tenant, call.newId())
  const sending = {
    tenant: call.tenant,
    subscription,
    secrets,
    keys: keysOf(secrets),
    message,
    isTest: true,
    attempt: 1,
    filterError: '',
  }
  const { delivery } = await send(call, sending, await sign(call, sending), call.signal)
  await transact(call.db, async (tx) => {
    const cause = causeOf(call)
    const data = { outcome: delivery.outcome, status: delivery.status }
    const touched = [{ type: 'subscription', id, name: subscription.displayName, data }]
    await insertDeliveries(tx, call.tenant.id, [delivery])
    await trimDeliveries(tx, call.tenant.id, id)
    await record(tx, call, cause, change(cause, 'read', `Tested the subscription ${subscription.displayName}`, touched))
  })
  return delivery
}
