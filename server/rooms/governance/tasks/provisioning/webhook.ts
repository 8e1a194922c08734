import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { Provisioner } from './provisioner.ts'

/** Another system gives or removes the access, and says what became of it: it is asked when the step has begun. */
export const webhook: Provisioner = {
  kind: 'webhook',
  takes: (policy) => policy !== null && policy.webhook !== null,
  async begin({ tx, call }, policy) {
    const { webhookId = '' } = policy?.webhook ?? {}
    const [found] = await findWebhooks(tx, call.tenant.id, [webhookId])
    return found ? { is: 'under way' } : { is: 'failed', error: 'The webhook that provisions this was deleted.' }
  },
}
