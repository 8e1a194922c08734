import type { Provisioner } from './provisioner.ts'
import { giveOrTake } from './records.ts'

/** Another entitlement brings it: both are given, and both are taken, in one transaction. */
export const delegated: Provisioner = {
  kind: 'delegated',
  takes: (policy) => policy !== null && policy.delegated !== null,
  async begin(what, policy) {
    const { appId = '', entitlementId = '' } = policy?.delegated ?? {}
    if (entitlementId !== '') {
      // The account is of the other app: the one in the task is not.
      const task = { ...what.task, appId, entitlementId, accountId: '' }
      await giveOrTake({ ...what, task })
    }
    await giveOrTake(what)
    return { is: 'done' }
  },
}
